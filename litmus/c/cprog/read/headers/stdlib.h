#ifndef __litmus_stdlib_h
#define __litmus_stdlib_h
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void *aligned_alloc(size_t, size_t);
int posix_memalign(void **, size_t, size_t);
void free(void *);
void abort(void) __attribute__((__noreturn__));
void exit(int) __attribute__((__noreturn__));
void _Exit(int) __attribute__((__noreturn__));
void quick_exit(int) __attribute__((__noreturn__));
int atexit(void (*)(void));
int on_exit(void (*)(int, void *), void *);
int at_quick_exit(void (*)(void));
void *reallocarray(void *, size_t, size_t);
typedef int (*__compar_fn_t)(const void *, const void *);
void qsort(void *, size_t, size_t, __compar_fn_t);
void *bsearch(const void *, const void *, size_t, size_t, __compar_fn_t);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
long long atoll(const char *);
int abs(int);
long labs(long);
long long llabs(long long);
int rand(void);
void srand(unsigned);
int rand_r(unsigned *);
long random(void);
void srandom(unsigned);
int atoi(const char *);
long atol(const char *);
char *getenv(const char *);
#endif

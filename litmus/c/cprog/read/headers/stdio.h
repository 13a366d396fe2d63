#ifndef __litmus_stdio_h
#define __litmus_stdio_h
#include <stdarg.h>
#include <stddef.h>
#ifndef __litmus_ssize_t
#define __litmus_ssize_t
typedef __PTRDIFF_TYPE__ ssize_t;
#endif
typedef struct { int __stream; } FILE;
#define stdin ((FILE *)1)
#define stdout ((FILE *)2)
#define stderr ((FILE *)3)
#define EOF (-1)
#define BUFSIZ 8192
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int sscanf(const char *, const char *, ...);
int scanf(const char *, ...);
int puts(const char *);
int fputs(const char *, FILE *);
int putchar(int);
int putc(int, FILE *);
int fputc(int, FILE *);
int getchar(void);
int fflush(FILE *);
int fclose(FILE *);
FILE *fopen(const char *, const char *);
void perror(const char *);
int setvbuf(FILE *, char *, int, size_t);
#endif

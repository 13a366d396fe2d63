#ifndef __litmus_unistd_h
#define __litmus_unistd_h
#include <stddef.h>
#include <sys/types.h>
unsigned sleep(unsigned);
int usleep(useconds_t);
ssize_t write(int, const void *, size_t);
void _exit(int) __attribute__((__noreturn__));
pid_t getpid(void);
long sysconf(int);
#define _SC_NPROCESSORS_ONLN 84
#endif

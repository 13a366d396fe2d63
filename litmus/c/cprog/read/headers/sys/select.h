#ifndef __litmus_sys_select_h
#define __litmus_sys_select_h
#include <sys/types.h>
#include <sys/time.h>
#define FD_SETSIZE 1024
typedef struct { unsigned long __bits[FD_SETSIZE / 8 / sizeof(long)]; } fd_set;
#define FD_ZERO(s) ((void)(*(s) = (fd_set){ { 0 } }))
#define FD_SET(d, s) ((void)((s)->__bits[(d) / (8 * sizeof(long))] |= 1UL << (d) % (8 * sizeof(long))))
#define FD_CLR(d, s) ((void)((s)->__bits[(d) / (8 * sizeof(long))] &= ~(1UL << (d) % (8 * sizeof(long)))))
#define FD_ISSET(d, s) (((s)->__bits[(d) / (8 * sizeof(long))] >> (d) % (8 * sizeof(long)) & 1) != 0)
int select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
#endif

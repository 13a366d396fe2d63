#ifndef __litmus_sys_time_h
#define __litmus_sys_time_h
#include <time.h>
#include <sys/types.h>
struct timeval { time_t tv_sec; long tv_usec; };
struct timezone { int tz_minuteswest, tz_dsttime; };
int gettimeofday(struct timeval *, void *);
#endif

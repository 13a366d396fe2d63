#ifndef __litmus_sys_random_h
#define __litmus_sys_random_h
#include <sys/types.h>
#define GRND_NONBLOCK 1
#define GRND_RANDOM 2
#define GRND_INSECURE 4
ssize_t getrandom(void *, size_t, unsigned);
int getentropy(void *, size_t);
#endif

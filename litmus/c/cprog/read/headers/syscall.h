#ifndef __litmus_syscall_h
#define __litmus_syscall_h
#include <sys/syscall.h>
#endif

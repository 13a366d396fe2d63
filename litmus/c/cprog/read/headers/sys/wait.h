#ifndef __litmus_sys_wait_h
#define __litmus_sys_wait_h
#include <sys/types.h>
#define WNOHANG 1
#define WUNTRACED 2
#define WIFEXITED(s) (((s) & 127) == 0)
#define WEXITSTATUS(s) ((s) >> 8 & 255)
#define WIFSIGNALED(s) (((s) & 127) != 0 && ((s) & 127) != 127)
#define WTERMSIG(s) ((s) & 127)
pid_t wait(int *);
pid_t waitpid(pid_t, int *, int);
#endif

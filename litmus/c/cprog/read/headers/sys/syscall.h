#ifndef __litmus_sys_syscall_h
#define __litmus_sys_syscall_h
/* The numbers of x86-64, on every machine: programs go by the names. */
#define __NR_read 0
#define SYS_read __NR_read
#define __NR_write 1
#define SYS_write __NR_write
#define __NR_open 2
#define SYS_open __NR_open
#define __NR_close 3
#define SYS_close __NR_close
#define __NR_mmap 9
#define SYS_mmap __NR_mmap
#define __NR_munmap 11
#define SYS_munmap __NR_munmap
#define __NR_sched_yield 24
#define SYS_sched_yield __NR_sched_yield
#define __NR_nanosleep 35
#define SYS_nanosleep __NR_nanosleep
#define __NR_getpid 39
#define SYS_getpid __NR_getpid
#define __NR_clone 56
#define SYS_clone __NR_clone
#define __NR_exit 60
#define SYS_exit __NR_exit
#define __NR_gettid 186
#define SYS_gettid __NR_gettid
#define __NR_futex 202
#define SYS_futex __NR_futex
#define __NR_sched_setaffinity 203
#define SYS_sched_setaffinity __NR_sched_setaffinity
#define __NR_sched_getaffinity 204
#define SYS_sched_getaffinity __NR_sched_getaffinity
#define __NR_exit_group 231
#define SYS_exit_group __NR_exit_group
#define __NR_tgkill 234
#define SYS_tgkill __NR_tgkill
#define __NR_getcpu 309
#define SYS_getcpu __NR_getcpu
#define __NR_getrandom 318
#define SYS_getrandom __NR_getrandom
#define __NR_membarrier 324
#define SYS_membarrier __NR_membarrier
#define __NR_rseq 334
#define SYS_rseq __NR_rseq
#endif

#ifndef __litmus_sys_types_h
#define __litmus_sys_types_h
#include <stddef.h>
#include <stdint.h>
#ifndef __litmus_ssize_t
#define __litmus_ssize_t
typedef __PTRDIFF_TYPE__ ssize_t;
#endif
typedef long off_t;
typedef long __off_t;
typedef unsigned mode_t;
typedef int pid_t;
typedef unsigned uid_t;
typedef unsigned gid_t;
typedef unsigned useconds_t;
typedef unsigned id_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef long suseconds_t;
typedef int key_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned u_int;
typedef unsigned long u_long;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
#endif

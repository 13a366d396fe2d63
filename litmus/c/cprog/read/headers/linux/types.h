#ifndef __litmus_linux_types_h
#define __litmus_linux_types_h
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
typedef int8_t s8;
typedef uint8_t u8;
typedef int16_t s16;
typedef uint16_t u16;
typedef int32_t s32;
typedef uint32_t u32;
typedef int64_t s64;
typedef uint64_t u64;
typedef struct { int counter; } atomic_t;
typedef struct { int64_t counter; } atomic64_t;
typedef struct { long counter; } atomic_long_t;
struct list_head { struct list_head *next, *prev; };
#define __rcu
#define __user
#define __iomem
#define __percpu
#define __init
#define __exit
#define __read_mostly
#define __must_check
#define __always_inline inline
#define __maybe_unused
#define noinline
#define notrace
#define ____cacheline_aligned
#define ____cacheline_aligned_in_smp
#define __acquires(l)
#define __releases(l)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#define EXPORT_SYMBOL(f)
#define EXPORT_SYMBOL_GPL(f)
#endif

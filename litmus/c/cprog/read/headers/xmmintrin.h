#ifndef __litmus_xmmintrin_h
#define __litmus_xmmintrin_h
static inline __attribute__((__always_inline__)) void _mm_pause(void) { }
static inline __attribute__((__always_inline__)) void _mm_sfence(void) { __asm__ __volatile__("sfence" ::: "memory"); }
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
#define _mm_prefetch(p, hint) __builtin_prefetch(p)
#endif

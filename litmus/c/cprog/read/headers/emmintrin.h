#ifndef __litmus_emmintrin_h
#define __litmus_emmintrin_h
#include <xmmintrin.h>
static inline __attribute__((__always_inline__)) void _mm_lfence(void) { __asm__ __volatile__("lfence" ::: "memory"); }
static inline __attribute__((__always_inline__)) void _mm_mfence(void) { __asm__ __volatile__("mfence" ::: "memory"); }
#endif

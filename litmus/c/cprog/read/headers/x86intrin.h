#ifndef __litmus_x86intrin_h
#define __litmus_x86intrin_h
#include <emmintrin.h>
#endif

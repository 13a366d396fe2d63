#ifndef __litmus_immintrin_h
#define __litmus_immintrin_h
#include <emmintrin.h>
#endif

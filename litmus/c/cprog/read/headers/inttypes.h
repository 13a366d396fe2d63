#ifndef __litmus_inttypes_h
#define __litmus_inttypes_h
#include <stdint.h>
#define PRId8 "d"
#define PRIi8 "i"
#define PRIu8 "u"
#define PRIx8 "x"
#define PRId16 "d"
#define PRIi16 "i"
#define PRIu16 "u"
#define PRIx16 "x"
#define PRId32 "d"
#define PRIi32 "i"
#define PRIu32 "u"
#define PRIx32 "x"
#define PRIX32 "X"
#define PRId64 __litmus_pri64 "d"
#define PRIi64 __litmus_pri64 "i"
#define PRIu64 __litmus_pri64 "u"
#define PRIx64 __litmus_pri64 "x"
#define PRIX64 __litmus_pri64 "X"
#define PRIdPTR "ld"
#define PRIuPTR "lu"
#define PRIxPTR "lx"
#define PRIdMAX PRId64
#define PRIuMAX PRIu64
#endif

/* What GCC predefines for x86 of 32 bits. */
#define _ILP32 1
#define __ILP32__ 1
#define __SIZEOF_LONG_DOUBLE__ 12
#define __i386 1
#define __i386__ 1
#define __i686 1
#define __i686__ 1
#define __pentiumpro 1
#define __pentiumpro__ 1
#define i386 1

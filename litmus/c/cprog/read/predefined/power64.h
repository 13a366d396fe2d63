/* What GCC predefines for Power of 64 bits. */
#define _ARCH_PPC64 1
#define _ARCH_PPCSQ 1
#define _ARCH_PWR4 1
#define _ARCH_PWR5 1
#define _ARCH_PWR5X 1
#define _ARCH_PWR6 1
#define _ARCH_PWR7 1
#define _ARCH_PWR8 1
#define _CALL_ELF 2
#define _CALL_LINUX 1
#define __ALTIVEC__ 1
#define __PPC64__ 1
#define __STRUCT_PARM_ALIGN__ 16
#define __VEC__ 10206
#define __VSX__ 1
#define __powerpc64__ 1

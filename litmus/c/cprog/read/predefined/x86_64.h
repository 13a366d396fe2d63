/* What GCC predefines for x86-64. */
#define __amd64 1
#define __amd64__ 1
#define __k8 1
#define __k8__ 1
#define __x86_64 1
#define __x86_64__ 1

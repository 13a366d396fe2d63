#ifndef __litmus_genmc_h
#define __litmus_genmc_h
/* The intrinsics of GenMC's header. What its annotations say of an access makes its search
   shorter, and changes no answer. */
#include <stdbool.h>
#define __VERIFIER_local_write(s) s
#define __VERIFIER_final_write(s) s
#define __VERIFIER_helped_CAS(c) c
#define __VERIFIER_helping_CAS(c) c
#define __VERIFIER_final_CAS(c) c
#define __VERIFIER_confirming_CAS(c) c
#define __VERIFIER_speculative_read(c) c
#define __VERIFIER_confirming_read(c) c
#define __VERIFIER_optional(x) do { } while (0)
typedef void *__VERIFIER_hp_t;
#define __VERIFIER_hp_alloc() __VERIFIER_hazptr_alloc()
#define __VERIFIER_hp_protect(hp, p) ((void)(hp), __atomic_load_n((void **)(p), __ATOMIC_ACQUIRE))
#define __VERIFIER_hp_clear(hp) __VERIFIER_hazptr_clear(hp)
#define __VERIFIER_hp_free(hp) __VERIFIER_hazptr_free(hp)
#define __VERIFIER_hp_retire(p) __VERIFIER_hazptr_retire(p)
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
#endif

/* A checksum of what a program has computed: compiled, it is printed; verified, it is held
   against what was printed, and the failure at the end shows that the end is come to. */
#include <assert.h>
#include <stdint.h>

static uint64_t checksum = 0x9e3779b97f4a7c15u;

static void mix(uint64_t value) { checksum = (checksum << 7 | checksum >> 57) + (value ^ 0x5bd1e995u); }

#ifdef CHECKSUM
/* A value that is not known beforehand, and has to be this one. */
#define INPUT(type, value) ({ type input = (type)__VERIFIER_nondet_ulong(); __VERIFIER_assume(input == (type)(value)); input; })

static void finish(void)
{
	assert(checksum == CHECKSUM);
#ifdef END
	assert(!"the end");
#endif
}
#else
#define INPUT(type, value) ((type)(value))
int printf(const char *, ...);
static void finish(void) { printf("0x%llx\n", (unsigned long long)checksum); }
#endif

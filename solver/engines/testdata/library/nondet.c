// sc rc11: safe
// sc rc11: unsafe -D ANY
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
	int x = __VERIFIER_nondet_int();
	_Bool b = __VERIFIER_nondet_bool();
	unsigned char c = __VERIFIER_nondet_uchar();
	__VERIFIER_assume(x > 3 && x < 6);
	if (x != 4 && x != 5 || b > 1 || rand() < 0)
		reach_error();
#ifdef ANY
	if (c == 77)
		reach_error();
#endif
	if (c == 78) {
		exit(0);
		reach_error();
	}
	END;
}

// sc: safe
// sc: unsafe -D APART
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x;

void __VERIFIER_atomic_add(void) { x = x + 1; }

void *add(void *arg) {
#ifndef APART
	__VERIFIER_atomic_begin();
#endif
	int y = x;
	x = y + 1;
#ifndef APART
	__VERIFIER_atomic_end();
#endif
	return 0;
}

int main(void) {
	pthread_t p;
	pthread_create(&p, 0, add, 0);
	__VERIFIER_atomic_add();
	pthread_join(p, 0);
	assert(x == 2);
	END;
}

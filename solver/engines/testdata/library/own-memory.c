// tso: safe -D EXCHANGE=atomic_exchange_explicit(&mine, 1, memory_order_relaxed)
// tso power arm aarch64: safe -D EXCHANGE=atomic_exchange(&mine, 1)
// tso: safe -D EXCHANGE=atomic_store(&mine, 1)
// tso power: unsafe -D EXCHANGE=atomic_store_explicit(&mine, 1, memory_order_release)
// rc11: unsafe -D EXCHANGE=atomic_exchange(&mine, 1)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r, s;

/* Nobody else accesses it, and yet it may be a fence. */
void *one(void *arg) {
	atomic_int mine = 0;
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	EXCHANGE;
	r = atomic_load_explicit(&y, memory_order_relaxed);
	return 0;
}

int main(void) {
	pthread_t p;
	pthread_create(&p, 0, one, 0);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	s = atomic_load_explicit(&x, memory_order_relaxed);
	pthread_join(p, 0);
	assert(r || s);
	END;
}

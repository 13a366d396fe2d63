/*
 * Store buffering: each thread sets its own flag and loads the other's, and at least one should see the other.
 *
 * Stores may wait in a buffer while later loads go ahead, so both may miss the other's flag.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCES
#define fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define fence()
#endif
#define relaxed memory_order_relaxed

static atomic_int x, y;
static int r0, r1;

static void *left(void *arg)
{
	atomic_store_explicit(&x, 1, relaxed);
	fence();
	r0 = atomic_load_explicit(&y, relaxed);
	return 0;
}

static void *right(void *arg)
{
	atomic_store_explicit(&y, 1, relaxed);
	fence();
	r1 = atomic_load_explicit(&x, relaxed);
	return 0;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, left, 0);
	pthread_create(&b, 0, right, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(r0 == 1 || r1 == 1);
	return 0;
}

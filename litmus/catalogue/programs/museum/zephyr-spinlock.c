/*
 * Two threads each write, take different locks, and read what the other has written.
 *
 * Each relies on its read-modify-write, of whatever location, as a fence.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, locks[2];
static int saw_x, saw_y;

static void *one(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_exchange_explicit(&locks[0], 1, memory_order_seq_cst);
#ifdef FIXED
	atomic_thread_fence(memory_order_seq_cst);
#endif
	saw_y = atomic_load_explicit(&y, memory_order_relaxed);
	return 0;
}

static void *other(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	atomic_exchange_explicit(&locks[1], 1, memory_order_seq_cst);
#ifdef FIXED
	atomic_thread_fence(memory_order_seq_cst);
#endif
	saw_x = atomic_load_explicit(&x, memory_order_relaxed);
	return 0;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, one, 0);
	pthread_create(&b, 0, other, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(saw_x || saw_y);
	return 0;
}

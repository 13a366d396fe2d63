/*
 * Two threads take from a ring that one of them has filled: the other sees more entries taken than ever existed.
 *
 * The entries between the consumers' head and the producers' tail are available.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int producers_tail, consumers_head;

static void dequeue(void)
{
#ifdef FIXED
	int head = atomic_load_explicit(&consumers_head, memory_order_acquire);
#else
	int head = atomic_load_explicit(&consumers_head, memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
#endif
	int entries = atomic_load_explicit(&producers_tail, memory_order_acquire) - head;

	assert(entries >= 0);
	if (entries > 0)
		atomic_compare_exchange_strong_explicit(&consumers_head, &head, head + 1,
#ifdef FIXED
			memory_order_release, memory_order_acquire);
#else
			memory_order_relaxed, memory_order_relaxed);
#endif
}

static void *filler(void *arg)
{
	atomic_store_explicit(&producers_tail, 1, memory_order_release);
	dequeue();
	return 0;
}

static void *taker(void *arg)
{
	dequeue();
	return 0;
}

int main(void)
{
	pthread_t f, t;

	pthread_create(&f, 0, filler, 0);
	pthread_create(&t, 0, taker, 0);
	pthread_join(f, 0);
	pthread_join(t, 0);
	return 0;
}

/*
 * A sequence lock lets a reader get half of the old data and half of the new data.
 *
 * The sequence number is odd while the writer writes. A reader that has found it even before, and unchanged
 * afterwards, must have read two values that belong together.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, a, b;

static void *writer(void *arg)
{
	atomic_store_explicit(&sequence, 1, memory_order_relaxed);
#if defined FIXED || defined WRITER
	atomic_thread_fence(memory_order_release);
#endif
	atomic_store_explicit(&a, 1, memory_order_relaxed);
	atomic_store_explicit(&b, 1, memory_order_relaxed);
	atomic_store_explicit(&sequence, 2, memory_order_release);
	return 0;
}

static void *reader(void *arg)
{
	int before = atomic_load_explicit(&sequence, memory_order_acquire), x, y, after;

	if (before & 1)
		return 0;
	x = atomic_load_explicit(&a, memory_order_relaxed);
	y = atomic_load_explicit(&b, memory_order_relaxed);
#if defined FIXED || defined READER
	atomic_thread_fence(memory_order_acquire);
	after = atomic_load_explicit(&sequence, memory_order_relaxed);
#else
	after = atomic_load_explicit(&sequence, memory_order_acquire);
#endif
	if (before == after)
		assert(x == y);
	return 0;
}

int main(void)
{
	pthread_t w, r;

	pthread_create(&w, 0, writer, 0);
	pthread_create(&r, 0, reader, 0);
	pthread_join(w, 0);
	pthread_join(r, 0);
	return 0;
}

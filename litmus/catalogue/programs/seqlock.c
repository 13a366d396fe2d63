/*
 * A sequence lock: readers load a counter before and after, and try again if it changed or is odd.
 *
 * The writer makes the counter odd before it writes and even afterwards. The writes must stay between, and so must the
 * reads: these are four orders. TSO keeps all of them, and PSO keeps those of the reads.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCES
#define acquire_fence() atomic_thread_fence(memory_order_acquire)
#define release_fence() atomic_thread_fence(memory_order_release)
#else
#define acquire_fence()
#define release_fence()
#endif
#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int sequence, a, b;

static void *writer(void *arg)
{
	for (int i = 1; i <= 2; i++) {
		set(sequence, 2 * i - 1);
		release_fence();
		set(a, i);
		set(b, i);
		release_fence();
		set(sequence, 2 * i);
	}
	return 0;
}

static void *reader(void *arg)
{
	int before, after, seen_a, seen_b;

	do {
		while ((before = get(sequence)) & 1)
			;
		acquire_fence();
		seen_a = get(a);
		seen_b = get(b);
		acquire_fence();
		after = get(sequence);
	} while (before != after);
	assert(seen_a == seen_b);
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

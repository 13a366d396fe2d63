/*
 * Two workers pass on a token, and each wakes the other by its latch: one wakes and finds no token.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int latch[2] = {1, 0}, token[2] = {1, 0};

static void *worker(void *arg)
{
	int me = (intptr_t)arg, other = 1 - me;

	if (!get(latch[me]))
		return 0; /* would wait */
	set(latch[me], 0);
#ifdef FIXED
	atomic_thread_fence(memory_order_seq_cst);
#endif
	assert(get(token[me]));
	set(token[me], 0);
	set(token[other], 1);
#ifdef FIXED
	atomic_thread_fence(memory_order_seq_cst);
#endif
	set(latch[other], 1);
	return 0;
}

int main(void)
{
	pthread_t w[2];

	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&w[i], 0, worker, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(w[i], 0);
	return 0;
}

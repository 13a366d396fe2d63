/*
 * PostgreSQL's latches: workers pass on a token, and each wakes the next by its latch.
 *
 * A worker that wakes clears its latch, and has work only if the token is there. On Power the latch may arrive before
 * the token, and the worker sleeps again while the token waits: this is the regression test that hung. Fences between
 * token and latch, in both threads, fix it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define WORKERS 2
#ifndef ROUNDS
#define ROUNDS 2
#endif

#ifdef FENCES
#define fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define fence()
#endif
#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int latch[WORKERS] = {1}, token[WORKERS] = {1};

static void *worker(void *arg)
{
	int me = (intptr_t)arg, next = (me + 1) % WORKERS;

	for (int k = 0; k < ROUNDS; k++) {
		while (!get(latch[me]))
			;
		fence();
		assert(get(token[me])); /* no worker wakes in vain */
		set(latch[me], 0);
		fence();
		if (get(token[me])) {
			set(token[me], 0);
			set(token[next], 1);
			fence();
			set(latch[next], 1);
		}
	}
	return 0;
}

int main(void)
{
	pthread_t t[WORKERS];

	for (intptr_t i = 0; i < WORKERS; i++)
		pthread_create(&t[i], 0, worker, (void *)i);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], 0);
	return 0;
}

/*
 * Lamport's bakery: each thread draws a number, and the smallest number is served first.
 *
 * Two threads may draw the same number, because drawing is not atomic. Then the smaller index goes first. While a
 * thread draws, the others wait for its number.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif

#ifdef FENCES
#define fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define fence()
#endif
#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int drawing[THREADS], number[THREADS];
static int visits;

static void lock(int me)
{
	int mine = 0;

	set(drawing[me], 1);
	fence();
	for (int i = 0; i < THREADS; i++) {
		int n = get(number[i]);
		if (n > mine)
			mine = n;
	}
	mine++;
	set(number[me], mine);
	fence();
	set(drawing[me], 0);
	fence();
	for (int i = 0; i < THREADS; i++) {
		if (i == me)
			continue;
		while (get(drawing[i]))
			;
		fence();
		for (;;) {
			int n = get(number[i]);
			if (n == 0 || n > mine || (n == mine && i > me))
				break;
		}
	}
	fence();
}

static void unlock(int me)
{
	fence();
	set(number[me], 0);
}

static void *visitor(void *arg)
{
	int me = (intptr_t)arg;

	lock(me);
	visits++;
	unlock(me);
	return 0;
}

int main(void)
{
	pthread_t t[THREADS];

	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&t[i], 0, visitor, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], 0);
	assert(visits == THREADS);
	return 0;
}

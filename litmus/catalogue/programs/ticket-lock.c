/*
 * A ticket lock: each thread takes the next number, and waits until that number is served.
 *
 * Taking a ticket orders nothing. The number that is served is released and acquired.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif

#ifdef FENCES
#define acquire memory_order_acquire
#define release memory_order_release
#else
#define acquire memory_order_relaxed
#define release memory_order_relaxed
#endif
#define relaxed memory_order_relaxed

static atomic_uint next, served;
static int visits;

static void *visitor(void *arg)
{
	unsigned mine = atomic_fetch_add_explicit(&next, 1, relaxed);

	while (atomic_load_explicit(&served, acquire) != mine)
		;
	visits++;
	atomic_store_explicit(&served, mine + 1, release);
	return 0;
}

int main(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], 0, visitor, 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], 0);
	assert(visits == THREADS);
	return 0;
}

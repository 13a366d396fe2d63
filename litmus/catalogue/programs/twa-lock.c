/*
 * A ticket lock whose far waiters wait at a place in a shared table, which lock and ticket determine.
 *
 * The next thread waits for its number to be served. All others wait for their place in the table to change. It
 * changes when the thread before them is next. Then they check the number again.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif

#ifdef FENCES
#define acquire memory_order_acquire
#define release memory_order_release
#define both memory_order_acq_rel
#else
#define acquire memory_order_relaxed
#define release memory_order_relaxed
#define both memory_order_relaxed
#endif
#define relaxed memory_order_relaxed

#define PLACES 4096
#define NEAR 1 /* at this distance or less, a thread waits for the number itself */

static struct {
	atomic_uint next, served;
} lock;
static atomic_uint table[PLACES];
static int visits;

static atomic_uint *place(unsigned ticket)
{
	return &table[(((uintptr_t)&lock >> 4) ^ ticket * 127) % PLACES];
}

static void *visitor(void *arg)
{
	unsigned mine = atomic_fetch_add_explicit(&lock.next, 1, relaxed), now;

	if (mine - atomic_load_explicit(&lock.served, acquire) > NEAR) {
		do {
			unsigned was = atomic_load_explicit(place(mine), acquire);

			if (mine - atomic_load_explicit(&lock.served, acquire) <= NEAR)
				break;
			while (atomic_load_explicit(place(mine), acquire) == was)
				;
			now = atomic_load_explicit(&lock.served, acquire);
		} while (mine - now > NEAR);
	}
	while (atomic_load_explicit(&lock.served, acquire) != mine)
		;
	visits++;
	atomic_store_explicit(&lock.served, mine + 1, release);
	atomic_fetch_add_explicit(place(mine + 1 + NEAR), 1, both);
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

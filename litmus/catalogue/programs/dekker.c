/*
 * Dekker's lock: the first algorithm for mutual exclusion by loads and stores alone.
 *
 * A thread raises its flag and loads the other's. If both flags are up, the thread without the turn lowers its
 * own until it has the turn. If a store waits in a buffer while its thread loads the other flag, both threads
 * enter.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef FENCES
#define fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define fence()
#endif
#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int up[2], turn;
static int visits;

static void *visitor(void *arg)
{
	int me = (intptr_t)arg, other = 1 - me;

	set(up[me], 1);
	fence();
	while (get(up[other])) {
		if (get(turn) == me)
			continue;
		set(up[me], 0);
		while (get(turn) != me)
			;
		set(up[me], 1);
		fence();
	}
	fence();
	visits++;
	fence();
	set(turn, other);
	set(up[me], 0);
	return 0;
}

int main(void)
{
	pthread_t t[2];

	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&t[i], 0, visitor, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	assert(visits == 2);
	return 0;
}

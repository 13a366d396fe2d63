/*
 * Peterson's lock: a flag for each of two threads, and a turn that says which one waits if both are up.
 *
 * Under TSO a fence between the stores and the loads is enough. If stores can overtake each other (PSO), the flag must
 * be up before the thread gives the turn away.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#if defined FENCES
#define fence() atomic_thread_fence(memory_order_seq_cst)
#define store_fence() fence()
#elif defined TSO_FENCES
#define fence() atomic_thread_fence(memory_order_seq_cst)
#define store_fence()
#else
#define fence()
#define store_fence()
#endif
#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int up[2], turn;
static int visits;

static void *visitor(void *arg)
{
	int me = (intptr_t)arg, other = 1 - me;

	set(up[me], 1);
	store_fence();
	set(turn, other);
	fence();
	while (get(up[other]) && get(turn) == other)
		;
	fence();
	visits++;
	fence();
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

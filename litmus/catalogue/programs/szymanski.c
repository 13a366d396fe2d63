/*
 * Szymanski's lock: a waiting room whose door closes after the threads that came together.
 *
 * A thread's flag says where it is: 1 before the door, 3 in the doorway, 2 inside and waiting for threads that are
 * still before the door, 4 with the door closed. The threads leave by index.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { away, before_door, inside, doorway, shut };

#ifdef FENCES
#define fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define fence()
#endif
#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int at[2];
static int visits;

static void lock(int me, int other)
{
	set(at[me], before_door);
	fence();
	while (get(at[other]) >= doorway)
		;
	fence();
	set(at[me], doorway);
	fence();
	if (get(at[other]) == before_door) {
		set(at[me], inside);
		fence();
		while (get(at[other]) != shut)
			;
	}
	fence();
	set(at[me], shut);
	fence();
	if (other < me)
		while (get(at[other]) >= inside)
			;
	fence();
}

static void unlock(int me, int other)
{
	fence();
	if (other > me)
		for (;;) {
			int o = get(at[other]);
			if (o != inside && o != doorway)
				break;
		}
	fence();
	set(at[me], away);
}

static void *visitor(void *arg)
{
	int me = (intptr_t)arg;

	lock(me, 1 - me);
	visits++;
	unlock(me, 1 - me);
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

/*
 * Lamport's fast lock: seven accesses if no other thread wants the lock.
 *
 * A thread writes its number to first and checks that second is free. It writes its number to second and
 * checks that first is still its own. If not, it waits until the other competing threads have lowered their
 * flags, and goes on only if second is still its own number. Numbers begin at 1, and 0 means that nobody is
 * there.
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

static atomic_int first, second, coming[3];
static int visits;

static void lock(int me)
{
	for (;;) {
		set(coming[me], 1);
		fence();
		set(first, me);
		fence();
		if (get(second) != 0) {
			set(coming[me], 0);
			while (get(second) != 0)
				;
			continue;
		}
		set(second, me);
		fence();
		if (get(first) == me)
			break;
		set(coming[me], 0);
		fence();
		for (int i = 1; i <= 2; i++)
			while (get(coming[i]))
				;
		fence();
		if (get(second) == me)
			break;
		while (get(second) != 0)
			;
	}
	fence();
}

static void unlock(int me)
{
	fence();
	set(second, 0);
	fence();
	set(coming[me], 0);
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
	pthread_t t[2];

	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&t[i], 0, visitor, (void *)(i + 1));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	assert(visits == 2);
	return 0;
}

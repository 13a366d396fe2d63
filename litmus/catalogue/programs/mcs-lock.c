/*
 * The MCS lock: each thread waits on a node of its own until its predecessor releases it.
 *
 * An exchange puts a node at the end of the queue. The thread before it finds the node by a link that is set then. One
 * thread releases the word that another waits on and acquires, and the same is true of the tail.
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

struct node {
	struct node *_Atomic next;
	atomic_int waits;
};

static struct node nodes[THREADS];
static struct node *_Atomic tail;
static int visits;

static void lock(struct node *me)
{
	struct node *before;

	atomic_store_explicit(&me->next, 0, relaxed);
	atomic_store_explicit(&me->waits, 1, relaxed);
	before = atomic_exchange_explicit(&tail, me, both);
	if (!before)
		return;
	atomic_store_explicit(&before->next, me, release);
	while (atomic_load_explicit(&me->waits, acquire))
		;
}

static void unlock(struct node *me)
{
	struct node *next = atomic_load_explicit(&me->next, acquire), *last = me;

	if (!next) {
		if (atomic_compare_exchange_strong_explicit(&tail, &last, 0, release, relaxed))
			return;
		while (!(next = atomic_load_explicit(&me->next, acquire)))
			;
	}
	atomic_store_explicit(&next->waits, 0, release);
}

static void *visitor(void *arg)
{
	struct node *me = &nodes[(intptr_t)arg];

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

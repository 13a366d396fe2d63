/*
 * A queued spinlock of two levels, like the kernel's: one word with a bit for the holder, a bit for the next thread,
 * and the tail of a queue of all other threads.
 *
 * The next thread waits on the word itself. The others wait in a queue, each on its own node, and the first of the
 * queue waits on the word again. Here each thread has one node, and the tail is its number in the word.
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

#define HELD 1u
#define NEXT 2u
#define TAIL 4u /* times the number of a thread, which begins at 1 */

static atomic_uint word;
static struct {
	atomic_uint next;
	atomic_int waits;
} node[THREADS + 1];
static int visits;

static void queue(unsigned me)
{
	unsigned w = atomic_load_explicit(&word, relaxed), next;

	atomic_store_explicit(&node[me].next, 0, relaxed);
	atomic_store_explicit(&node[me].waits, 1, relaxed);
	while (!atomic_compare_exchange_weak_explicit(&word, &w, (w & (HELD | NEXT)) | me * TAIL, both, relaxed))
		;
	if (w / TAIL) {
		atomic_store_explicit(&node[w / TAIL].next, me, release);
		while (atomic_load_explicit(&node[me].waits, acquire))
			;
	}
	while ((w = atomic_load_explicit(&word, acquire)) & (HELD | NEXT))
		;
	if (w == me * TAIL && atomic_compare_exchange_strong_explicit(&word, &w, HELD, relaxed, relaxed))
		return;
	atomic_fetch_or_explicit(&word, HELD, relaxed);
	while (!(next = atomic_load_explicit(&node[me].next, acquire)))
		;
	atomic_store_explicit(&node[next].waits, 0, release);
}

static void lock(unsigned me)
{
	unsigned w = 0;

	if (atomic_compare_exchange_strong_explicit(&word, &w, HELD, acquire, relaxed))
		return;
	w = atomic_load_explicit(&word, relaxed);
	if (!(w & ~HELD)) {
		w = atomic_fetch_or_explicit(&word, NEXT, acquire);
		if (!(w & ~HELD)) {
			while (atomic_load_explicit(&word, acquire) & HELD)
				;
			atomic_fetch_sub_explicit(&word, NEXT - HELD, relaxed);
			return;
		}
		if (!(w & NEXT))
			atomic_fetch_and_explicit(&word, ~NEXT, relaxed);
	}
	queue(me);
}

static void unlock(void)
{
	atomic_fetch_sub_explicit(&word, HELD, release);
}

static void *visitor(void *arg)
{
	lock((intptr_t)arg);
	visits++;
	unlock();
	return 0;
}

int main(void)
{
	pthread_t t[THREADS];

	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&t[i], 0, visitor, (void *)(i + 1));
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], 0);
	assert(visits == THREADS);
	return 0;
}

/*
 * A ring's consumer frees a slot before it has read the value in it.
 *
 * The one slot is full. A thread that has taken its value moves the head. Then another may fill the slot again.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef FIXED
#include <lkmm.h>
#endif

#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int slot = 1, head;

static void *consumer(void *arg)
{
	int value = get(slot);

#ifdef FIXED
	atomic_thread_fence(memory_order_release);
#else
	smp_wmb();
#endif
	set(head, 1);
	assert(value == 1);
	return 0;
}

static void *producer(void *arg)
{
#ifdef ACQUIRE
	if (atomic_load_explicit(&head, memory_order_acquire) == 1)
#else
	if (get(head) == 1)
#endif
		set(slot, 2);
	return 0;
}

int main(void)
{
	pthread_t c, p;

	pthread_create(&c, 0, consumer, 0);
	pthread_create(&p, 0, producer, 0);
	pthread_join(c, 0);
	pthread_join(p, 0);
	return 0;
}

/*
 * A bounded buffer between one producer and one consumer: a ring, and counts of elements added and removed.
 *
 * An element must be in the ring before the count includes it, and must be read before its place counts as free. TSO
 * keeps both orders without fences. PSO does not keep the first.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
#ifndef ITEMS
#define ITEMS 3
#endif

#ifdef FENCES
#define acquire memory_order_acquire
#define release memory_order_release
#else
#define acquire memory_order_relaxed
#define release memory_order_relaxed
#endif

static int ring[SIZE];
static atomic_int in, out;

static void *producer(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		while (i - atomic_load_explicit(&out, acquire) == SIZE)
			;
		ring[i % SIZE] = i + 1;
		atomic_store_explicit(&in, i + 1, release);
	}
	return 0;
}

static void *consumer(void *arg)
{
	for (int i = 0; i < ITEMS; i++) {
		while (atomic_load_explicit(&in, acquire) == i)
			;
		assert(ring[i % SIZE] == i + 1);
		atomic_store_explicit(&out, i + 1, release);
	}
	return 0;
}

int main(void)
{
	pthread_t p, c;

	pthread_create(&p, 0, producer, 0);
	pthread_create(&c, 0, consumer, 0);
	pthread_join(p, 0);
	pthread_join(c, 0);
	return 0;
}

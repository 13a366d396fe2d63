/*
 * Fibonacci: one thread adds y to x, another x to y, N times each.
 *
 * From 1 and 1, taking turns gives the Fibonacci numbers, and no schedule gives more than the last of them. A single
 * schedule among exponentially many reaches it, with at least N switches between the threads. A model that lets a
 * thread read older values only makes sums smaller. With REACH, the assertion says that the last number is not
 * reached.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int x = 1, y = 1;

static void *add_to_x(void *arg)
{
	for (int k = 0; k < N; k++)
		set(x, get(x) + get(y));
	return 0;
}

static void *add_to_y(void *arg)
{
	for (int k = 0; k < N; k++)
		set(y, get(y) + get(x));
	return 0;
}

int main(void)
{
	pthread_t a, b;
	int last = 1, before = 1;

	for (int k = 0; k < 2 * N; k++) {
		int sum = last + before;
		before = last;
		last = sum;
	}
	pthread_create(&a, 0, add_to_x, 0);
	pthread_create(&b, 0, add_to_y, 0);
#ifdef REACH
	assert(get(x) < last && get(y) < last);
#else
	assert(get(x) <= last && get(y) <= last);
#endif
	return 0;
}

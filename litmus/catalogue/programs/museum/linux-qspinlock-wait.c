/*
 * Two threads store to two locations in opposite orders, and both locations keep the value that was written first.
 *
 * This is the core of the kernel's queued spinlock's liveness. If it happens, a waiting thread loops for ever.
 */
#include <pthread.h>
#include <stdatomic.h>
#ifndef FIXED
#include <lkmm.h>
#endif

#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#ifdef FIXED
#define fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define fence() smp_wmb()
#endif

static atomic_int y, z;

static void *one(void *arg)
{
	set(y, 1);
	fence();
	set(z, 1);
	return 0;
}

static void *other(void *arg)
{
	set(z, 2);
	fence();
	set(y, 0);
	while (get(y) == 1 && get(z) == 2)
		;
	return 0;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, one, 0);
	pthread_create(&b, 0, other, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}

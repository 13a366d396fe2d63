/*
 * Three threads meet at a barrier, and after it one of them reads data from before it.
 *
 * The leader waits until all threads have arrived, and then lets them go on. After the barrier, the others must see
 * what a thread has written before it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int missing = 1, go;

static void *arriver(void *arg)
{
	data = 1;
#ifdef FIXED
	atomic_store_explicit(&missing, 0, memory_order_release);
#else
	atomic_store_explicit(&missing, 0, memory_order_relaxed);
#endif
	return 0;
}

static void *leader(void *arg)
{
	if (atomic_load_explicit(&missing, memory_order_relaxed))
		return 0; /* and look again */
#ifdef FIXED
	atomic_thread_fence(memory_order_acquire);
#endif
	atomic_store_explicit(&go, 1, memory_order_release);
	return 0;
}

static void *other(void *arg)
{
	if (!atomic_load_explicit(&go, memory_order_acquire))
		return 0; /* and look again */
	assert(data == 1);
	return 0;
}

int main(void)
{
	pthread_t a, l, o;

	pthread_create(&a, 0, arriver, 0);
	pthread_create(&l, 0, leader, 0);
	pthread_create(&o, 0, other, 0);
	pthread_join(a, 0);
	pthread_join(l, 0);
	pthread_join(o, 0);
	return 0;
}

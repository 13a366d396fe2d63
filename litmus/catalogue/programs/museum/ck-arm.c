/*
 * A writer and a reader each announce themselves and then look for the other, with a fence that orders only stores.
 *
 * Both enter if neither sees the other. On 32-bit Arm the fence between an atomic update and a load was "dmb st".
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef FIXED
#include <lkmm.h>
#endif

#ifdef FIXED
#define fence_atomic_load() atomic_thread_fence(memory_order_seq_cst)
#else
#define fence_atomic_load() smp_wmb()
#endif

static atomic_int writers, readers;
static int saw_reader, saw_writer;

static void *writer(void *arg)
{
	atomic_exchange_explicit(&writers, 1, memory_order_relaxed);
	fence_atomic_load();
	saw_reader = atomic_load_explicit(&readers, memory_order_relaxed);
	return 0;
}

static void *reader(void *arg)
{
	atomic_fetch_add_explicit(&readers, 1, memory_order_relaxed);
	fence_atomic_load();
	saw_writer = atomic_load_explicit(&writers, memory_order_relaxed);
	return 0;
}

int main(void)
{
	pthread_t w, r;

	pthread_create(&w, 0, writer, 0);
	pthread_create(&r, 0, reader, 0);
	pthread_join(w, 0);
	pthread_join(r, 0);
	assert(saw_reader || saw_writer);
	return 0;
}

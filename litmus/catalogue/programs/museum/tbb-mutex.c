/*
 * A thread unlocks a mutex and checks for waiters. A new waiter checks the mutex. Both check too early.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked = 1, waiters;
static int woken, found_free;

static void *unlocker(void *arg)
{
	atomic_exchange_explicit(&locked, 0, memory_order_seq_cst);
#ifdef FIXED
	atomic_thread_fence(memory_order_seq_cst);
#endif
#ifdef ACQUIRE
	woken = atomic_load_explicit(&waiters, memory_order_acquire);
#elif defined SEQ_CST
	woken = atomic_load_explicit(&waiters, memory_order_seq_cst);
#else
	woken = atomic_load_explicit(&waiters, memory_order_relaxed);
#endif
	return 0;
}

static void *waiter(void *arg)
{
	atomic_store_explicit(&waiters, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	found_free = !atomic_load_explicit(&locked, memory_order_relaxed);
	return 0;
}

int main(void)
{
	pthread_t u, w;

	pthread_create(&u, 0, unlocker, 0);
	pthread_create(&w, 0, waiter, 0);
	pthread_join(u, 0);
	pthread_join(w, 0);
	assert(woken || found_free);
	return 0;
}

/*
 * One worker sets a latch while the other clears it, and the other, which waits for it, sleeps on.
 *
 * A set latch gets no second signal. A worker that clears a latch looks for work before it sleeps.
 */
#include <pthread.h>
#include <stdatomic.h>

#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int latch = 1, work, signalled;

static void *setter(void *arg)
{
	set(work, 1);
#ifdef FIXED
	atomic_thread_fence(memory_order_seq_cst);
#endif
	if (!get(latch))
		set(signalled, 1);
	return 0;
}

static void *waiter(void *arg)
{
	set(latch, 0);
#ifdef FIXED
	atomic_thread_fence(memory_order_seq_cst);
#endif
	if (!get(work))
		while (!get(signalled))
			; /* asleep */
	return 0;
}

int main(void)
{
	pthread_t s, w;

	pthread_create(&s, 0, setter, 0);
	pthread_create(&w, 0, waiter, 0);
	pthread_join(s, 0);
	pthread_join(w, 0);
	return 0;
}

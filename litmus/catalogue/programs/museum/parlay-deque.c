/*
 * A work queue has two jobs, an owner that takes at the bottom, and two thieves that steal at the top. One job runs
 * twice.
 *
 * The owner needs no atomic update unless the job is the last one. Job 1 must run at most once.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int bottom = 2, top;
static int owner_has, thief_has[2];

static void *owner(void *arg)
{
	int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1, t;

	atomic_store_explicit(&bottom, b, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	t = atomic_load_explicit(&top, memory_order_relaxed);
	owner_has = b > t && b == 1;
	return 0;
}

static void *thief(void *arg)
{
	int *has = arg, t, b;

#ifdef FIXED
	t = atomic_load_explicit(&top, memory_order_acquire);
	b = atomic_load_explicit(&bottom, memory_order_acquire);
#elif defined FENCE
	t = atomic_load_explicit(&top, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	b = atomic_load_explicit(&bottom, memory_order_relaxed);
#else
	t = atomic_load_explicit(&top, memory_order_relaxed);
	b = atomic_load_explicit(&bottom, memory_order_relaxed);
#endif
	if (b > t) {
		int job = t;

		if (atomic_compare_exchange_strong(&top, &t, t + 1))
			*has = job == 1;
	}
	return 0;
}

int main(void)
{
	pthread_t o, a, b;

	pthread_create(&o, 0, owner, 0);
	pthread_create(&a, 0, thief, &thief_has[0]);
	pthread_create(&b, 0, thief, &thief_has[1]);
	pthread_join(o, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(owner_has + thief_has[0] + thief_has[1] <= 1);
	return 0;
}

/*
 * Chase and Lev's queue of work: its owner puts and takes at the bottom, thieves steal at the top.
 *
 * Only for the last task do they compete. The owner says that it takes it, and then looks at the
 * top; a thief looks at the top, and then at the bottom. If the owner's store can wait while it looks (TSO
 * is enough for that), a task is taken and stolen both. FENCES are those that Lê and others proved enough.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2

#ifdef FENCES
#define full_fence() atomic_thread_fence(memory_order_seq_cst)
#define release_fence() atomic_thread_fence(memory_order_release)
#define acquire memory_order_acquire
#else
#define full_fence()
#define release_fence()
#define acquire memory_order_relaxed
#endif
#define relaxed memory_order_relaxed
#define get(x) atomic_load_explicit(&(x), relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, relaxed)

static atomic_int task[SIZE], top, bottom;
static atomic_int done[3]; /* how often a task was had */

static void put(int what)
{
	int b = get(bottom);

	set(task[b % SIZE], what);
	release_fence();
	set(bottom, b + 1);
}

/* take and steal give 0 where there is nothing, or another was quicker. */
static int take(void)
{
	int b = get(bottom) - 1, t, what = 0;

	set(bottom, b);
	full_fence();
	t = get(top);
	if (t <= b) {
		what = get(task[b % SIZE]);
		if (t < b)
			return what;
		if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, relaxed))
			what = 0;
	}
	set(bottom, b + 1);
	return what;
}

static int steal(void)
{
	int t = atomic_load_explicit(&top, acquire), b, what;

	full_fence();
	b = atomic_load_explicit(&bottom, acquire);
	if (t >= b)
		return 0;
	what = get(task[t % SIZE]);
	if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, relaxed))
		return 0;
	return what;
}

static void *owner(void *arg)
{
	put(1);
	put(2);
	atomic_fetch_add_explicit(&done[take()], 1, relaxed);
	atomic_fetch_add_explicit(&done[take()], 1, relaxed);
	return 0;
}

static void *thief(void *arg)
{
	atomic_fetch_add_explicit(&done[steal()], 1, relaxed);
	atomic_fetch_add_explicit(&done[steal()], 1, relaxed);
	return 0;
}

int main(void)
{
	pthread_t o, t;

	pthread_create(&o, 0, owner, 0);
	pthread_create(&t, 0, thief, 0);
	pthread_join(o, 0);
	pthread_join(t, 0);
	assert(done[1] == 1 && done[2] == 1);
	return 0;
}

/*
 * Chase and Lev's work-stealing queue: the owner puts and takes at the bottom, thieves steal at the top.
 *
 * They compete only for the last task. The owner announces that it takes a task, and then loads the top. A thief loads
 * the top, and then the bottom. If the owner's store can wait while the owner loads (TSO is enough for that), a task
 * is both taken and stolen. FENCES are those that Lê and others proved to be enough.
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
static atomic_int done[3]; /* how often each task was taken */

static void put(int what)
{
	int b = get(bottom);

	set(task[b % SIZE], what);
	release_fence();
	set(bottom, b + 1);
}

/* take and steal return 0 if there is no task, or if another thread was quicker. */
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

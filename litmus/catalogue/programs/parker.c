/*
 * A parker: threads sleep until another thread leaves them a permit, and may miss a wake-up.
 *
 * park takes a permit without the mutex if it sees one. The store that takes it may wait in a buffer while the caller
 * checks its condition again, in vain. The store then overwrites the permit of an unpark that saw the old permit, and
 * so woke no thread. The HotSpot virtual machine once had this bug.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCES
#define fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define fence()
#endif
#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int permit = 1, done; /* a permit is left over */
static int asleep, woken;

/* park reports whether the thread sleeps. */
static int park(void)
{
	int sleeps;

	if (get(permit)) {
		set(permit, 0);
		fence();
		return 0;
	}
	pthread_mutex_lock(&mutex);
	sleeps = !get(permit);
	if (sleeps)
		asleep = 1;
	set(permit, 0);
	pthread_mutex_unlock(&mutex);
	return sleeps;
}

static void unpark(void)
{
	int before;

	pthread_mutex_lock(&mutex);
	before = get(permit);
	set(permit, 1);
	if (!before)
		woken = 1;
	pthread_mutex_unlock(&mutex);
}

static void *waiter(void *arg)
{
	for (int k = 0; k < 2 && !get(done); k++)
		if (park())
			break;
	return 0;
}

static void *waker(void *arg)
{
	set(done, 1);
	fence(); /* entering the mutex is not a fence */
	unpark();
	return 0;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, waiter, 0);
	pthread_create(&b, 0, waker, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(!asleep || woken);
	return 0;
}

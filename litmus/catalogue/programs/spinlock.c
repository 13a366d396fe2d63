/*
 * A spinlock: a thread that changes its word from 0 to 1 has the lock, and 0 releases it.
 *
 * The next owner must see what was written under the lock: taking it acquires, releasing it releases.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCES
#define acquire memory_order_acquire
#define release memory_order_release
#else
#define acquire memory_order_relaxed
#define release memory_order_relaxed
#endif

static atomic_int word;
static int visits;

static void lock(void)
{
	while (atomic_exchange_explicit(&word, 1, acquire))
		;
}

static void unlock(void)
{
	atomic_store_explicit(&word, 0, release);
}

static void *visitor(void *arg)
{
	lock();
	visits++;
	unlock();
	return 0;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, visitor, 0);
	pthread_create(&b, 0, visitor, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(visits == 2);
	return 0;
}

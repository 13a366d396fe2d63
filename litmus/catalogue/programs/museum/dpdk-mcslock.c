/*
 * The holder of an MCS lock passes it to a new thread that is not ready to wait yet.
 *
 * The thread that holds the lock unlocks it. The other puts itself into the queue, and would then wait until wait is
 * 0. In the end, a thread that was released must not find its wait at 1.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
	struct node *_Atomic next;
	atomic_int wait;
};

static struct node holder, newcomer;
static struct node *_Atomic tail = &holder;
static int handed;

static void *lock(void *arg)
{
	struct node *before;

	atomic_store_explicit(&newcomer.wait, 1, memory_order_relaxed);
	before = atomic_exchange_explicit(&tail, &newcomer, memory_order_acq_rel);
#if defined FIXED || defined RELEASE
	atomic_store_explicit(&before->next, &newcomer, memory_order_release);
#else
	atomic_store_explicit(&before->next, &newcomer, memory_order_relaxed);
#endif
	return 0;
}

static void *unlock(void *arg)
{
#ifdef FIXED
	struct node *next = atomic_load_explicit(&holder.next, memory_order_acquire);
#else
	struct node *next = atomic_load_explicit(&holder.next, memory_order_relaxed);
#endif

	if (next) {
		atomic_store_explicit(&next->wait, 0, memory_order_release);
		handed = 1;
	}
	return 0;
}

int main(void)
{
	pthread_t n, h;

	pthread_create(&n, 0, lock, 0);
	pthread_create(&h, 0, unlock, 0);
	pthread_join(n, 0);
	pthread_join(h, 0);
	assert(!handed || !newcomer.wait);
	return 0;
}

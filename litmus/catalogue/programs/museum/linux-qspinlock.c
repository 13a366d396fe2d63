/*
 * A new thread in the kernel's queue of waiters is linked before it is ready to wait.
 *
 * The tail is the number of the last node, and node 1 is already in the queue. The new thread has node 2.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
	struct node *_Atomic next;
	atomic_int locked;
};

static struct node one, two;
static atomic_int tail = 1;
static int handed;

static void *newcomer(void *arg)
{
	atomic_store_explicit(&two.locked, 0, memory_order_relaxed);
	if (atomic_exchange_explicit(&tail, 2, memory_order_release) == 1)
#ifdef FIXED
		atomic_store_explicit(&one.next, &two, memory_order_release);
#else
		atomic_store_explicit(&one.next, &two, memory_order_relaxed);
#endif
	return 0;
}

static void *holder(void *arg)
{
#ifdef ACQUIRE
	struct node *next = atomic_load_explicit(&one.next, memory_order_acquire);
#else
	struct node *next = atomic_load_explicit(&one.next, memory_order_relaxed);
#endif

	if (next) {
		atomic_store_explicit(&next->locked, 1, memory_order_release);
		handed = 1;
	}
	return 0;
}

int main(void)
{
	pthread_t n, h;

	pthread_create(&n, 0, newcomer, 0);
	pthread_create(&h, 0, holder, 0);
	pthread_join(n, 0);
	pthread_join(h, 0);
	assert(!handed || two.locked);
	return 0;
}

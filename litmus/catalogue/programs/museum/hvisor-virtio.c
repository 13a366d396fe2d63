/*
 * A guest puts a request into a ring and rings the doorbell if asked to. The host asks for it and goes to sleep.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int rear, wanted;
static int rung, asleep;

static void *guest(void *arg)
{
	set(rear, 1);
#ifdef FIXED
	atomic_thread_fence(memory_order_seq_cst);
#endif
	if (get(wanted))
		rung = 1;
	return 0;
}

static void *host(void *arg)
{
	set(wanted, 1);
#ifdef FIXED
	atomic_thread_fence(memory_order_seq_cst);
#endif
	if (get(rear) == 0)
		asleep = 1; /* until the doorbell rings */
	return 0;
}

int main(void)
{
	pthread_t g, h;

	pthread_create(&g, 0, guest, 0);
	pthread_create(&h, 0, host, 0);
	pthread_join(g, 0);
	pthread_join(h, 0);
	assert(rung || !asleep);
	return 0;
}

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int a, b;

static void *reader(void *unused)
{
	int first = atomic_load_explicit(&x, memory_order_relaxed);
	int second = atomic_load_explicit(&y, memory_order_relaxed);
	if (CONDITION)
		atomic_store_explicit(&z, 1, memory_order_relaxed);
	a = second;
	return 0;
}

static void *other(void *unused)
{
	b = atomic_load_explicit(&z, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return 0;
}

int main(void)
{
	pthread_t r, o;
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	pthread_create(&r, 0, reader, 0);
	pthread_create(&o, 0, other, 0);
	pthread_join(r, 0);
	pthread_join(o, 0);
	assert(!(a == 1 && b == 1));
}

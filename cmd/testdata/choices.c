#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, cell[2];
static atomic_int x, y;
static int seen, read, a, b;

static void *writer(void *unused)
{
	atomic_store_explicit(&cell[1], 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return 0;
}

static void *reader(void *unused)
{
	int f = atomic_load_explicit(&flag, memory_order_relaxed);
	seen = f;
	read = atomic_load_explicit(&cell[CHOICE], memory_order_relaxed);
	return 0;
}

static void *left(void *unused)
{
	int f = atomic_load_explicit(&x, memory_order_relaxed);
	a = f;
	atomic_store_explicit(&y, (CHOICE) | 1, memory_order_relaxed);
	return 0;
}

static void *right(void *unused)
{
	int f = atomic_load_explicit(&y, memory_order_relaxed);
	b = f;
	atomic_store_explicit(&x, (CHOICE) | 1, memory_order_relaxed);
	return 0;
}

int main(void)
{
	pthread_t one, two;
#ifdef WRITES
	pthread_create(&one, 0, left, 0);
	pthread_create(&two, 0, right, 0);
#else
	pthread_create(&one, 0, writer, 0);
	pthread_create(&two, 0, reader, 0);
#endif
	pthread_join(one, 0);
	pthread_join(two, 0);
	assert(!(a == 1 && b == 1));
	assert(!(seen == 1 && read == 0));
}

/*
 * Read-copy-update with its own grace periods: an old version is destroyed when no reader uses it.
 *
 * A reader announces that it reads, and then loads the pointer. The writer changes the pointer, and then checks for
 * readers. Each is a store before a load, so TSO breaks it. With full fences in both threads, one of the two sees the
 * other.
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

static int old = 1, new;
static int *_Atomic current = &old;
static atomic_int reading;

static void *writer(void *arg)
{
	new = 2;
	fence();
	set(current, &new);
	fence();
	while (get(reading))
		;
	fence();
	old = 0; /* destroyed */
	return 0;
}

static void *reader(void *arg)
{
	int *v;

	set(reading, 1);
	fence();
	v = get(current);
	fence();
	assert(*v != 0);
	fence();
	set(reading, 0);
	return 0;
}

int main(void)
{
	pthread_t w, r;

	pthread_create(&w, 0, writer, 0);
	pthread_create(&r, 0, reader, 0);
	pthread_join(w, 0);
	pthread_join(r, 0);
	return 0;
}

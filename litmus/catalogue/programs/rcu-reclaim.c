/*
 * Read-copy-update with grace periods of its own: an old version is destroyed when no reader is left in it.
 *
 * A reader says that it reads, and then fetches the pointer; the writer swings the pointer, and then looks whether
 * anybody reads. Each is a store before a load, so that TSO breaks it: with full fences on both
 * sides, one of the two sees the other.
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

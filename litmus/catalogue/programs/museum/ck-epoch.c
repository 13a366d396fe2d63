/*
 * Reclamation by epochs: an object is freed while a reader holds it.
 *
 * A reader announces that it is active, and its epoch. A thread that frees an object has unpublished it first, and
 * then sees no reader in an older epoch.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#define full_fence() atomic_thread_fence(memory_order_seq_cst)

static atomic_int epoch, active, readers_epoch;
static atomic_int published = 1, object = 1;

static void *reader(void *arg)
{
	int now;

	set(active, 1);
	full_fence();
	now = get(epoch);
#ifdef FIXED
	atomic_thread_fence(memory_order_acquire);
#endif
	set(readers_epoch, now);
	if (get(published))
		assert(get(object) == 1);
	return 0;
}

static void *reclaimer(void *arg)
{
	set(published, 0);
	full_fence();
	if (get(active) && get(readers_epoch) != 0)
		return 0;
	set(epoch, 1);
	full_fence();
	if (get(active) && get(readers_epoch) != 1)
		return 0;
	full_fence();
	set(object, 0); /* freed */
	return 0;
}

int main(void)
{
	pthread_t r, f;

	pthread_create(&r, 0, reader, 0);
	pthread_create(&f, 0, reclaimer, 0);
	pthread_join(r, 0);
	pthread_join(f, 0);
	return 0;
}

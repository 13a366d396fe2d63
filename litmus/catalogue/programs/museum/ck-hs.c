/*
 * A writer moves a key of a hash set to a better slot, and a reader finds it in neither slot.
 *
 * The set has a generation, which the writer increments. A reader that has seen the generation change looks again. Any
 * other reader must find the key.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define KEY 7
#define GONE -1
#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define set(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static atomic_int new_slot, old_slot = KEY, generation;

static void *writer(void *arg)
{
	set(new_slot, KEY);
#ifdef FIXED
	atomic_thread_fence(memory_order_release);
#endif
	set(generation, 1);
	atomic_thread_fence(memory_order_release);
	set(old_slot, GONE);
	return 0;
}

static void *reader(void *arg)
{
	int before = get(generation), found;

	atomic_thread_fence(memory_order_acquire);
	found = get(new_slot) == KEY || get(old_slot) == KEY;
	atomic_thread_fence(memory_order_acquire);
	if (get(generation) == before)
		assert(found);
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

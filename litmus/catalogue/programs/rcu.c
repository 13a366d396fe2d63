/*
 * Read-copy-update, the publishing half: readers follow a pointer to a version that no thread writes any more.
 *
 * The writer fills in a new version and then changes the pointer. Readers take no lock. They see a complete version
 * because of a fence in the writer (lwsync on Power, none on x86) and because their address comes from the pointer,
 * which C11 calls consume. Alpha would need more.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCES
#define consume memory_order_consume
#define release memory_order_release
#else
#define consume memory_order_relaxed
#define release memory_order_relaxed
#endif

struct version {
	int a, b;
};

static struct version old = {1, 1}, new;
static struct version *_Atomic current = &old;

static void *writer(void *arg)
{
	struct version *v = atomic_load_explicit(&current, memory_order_relaxed);

	new.a = v->a + 1;
	new.b = v->b + 1;
	atomic_store_explicit(&current, &new, release);
	return 0;
}

static void *reader(void *arg)
{
	struct version *v = atomic_load_explicit(&current, consume);

	assert(v->a == v->b);
	return 0;
}

int main(void)
{
	pthread_t w, r, s;

	pthread_create(&w, 0, writer, 0);
	pthread_create(&r, 0, reader, 0);
	pthread_create(&s, 0, reader, 0);
	pthread_join(w, 0);
	pthread_join(r, 0);
	pthread_join(s, 0);
	return 0;
}

/*
 * An elimination stack: a push and a pop that conflict exchange a node beside the stack.
 *
 * If the head cannot be changed, a push offers its node in a slot, and a pop may take it from there. Then neither
 * uses the stack. A push withdraws an offer that nobody takes. The exchange, too, must release the contents of the
 * node.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef FENCES
#define acquire memory_order_acquire
#define release memory_order_release
#else
#define acquire memory_order_relaxed
#define release memory_order_relaxed
#endif
#define relaxed memory_order_relaxed

struct node {
	int value;
	struct node *_Atomic next;
};

static struct node nodes[2], gone; /* gone: the offered node is taken */
static struct node *_Atomic head, *_Atomic offered;

static bool try_push(struct node *n)
{
	struct node *h = atomic_load_explicit(&head, relaxed);

	atomic_store_explicit(&n->next, h, relaxed);
	return atomic_compare_exchange_strong_explicit(&head, &h, n, release, relaxed);
}

static bool offer(struct node *n)
{
	struct node *none = 0, *mine = n;

	if (!atomic_compare_exchange_strong_explicit(&offered, &none, n, release, relaxed))
		return false;
	if (atomic_compare_exchange_strong_explicit(&offered, &mine, 0, relaxed, relaxed))
		return false; /* no pop took the node */
	atomic_store_explicit(&offered, 0, relaxed);
	return true;
}

static void push(struct node *n)
{
	while (!try_push(n) && !offer(n))
		;
}

/* pop returns no node if it finds none. */
static struct node *pop(void)
{
	struct node *n = atomic_load_explicit(&head, acquire);

	if (n) {
		struct node *next = atomic_load_explicit(&n->next, relaxed);
		if (atomic_compare_exchange_strong_explicit(&head, &n, next, acquire, relaxed))
			return n;
	}
	n = atomic_load_explicit(&offered, relaxed);
	if (n && n != &gone && atomic_compare_exchange_strong_explicit(&offered, &n, &gone, acquire, relaxed))
		return n;
	return 0;
}

static struct node *popped;

static void *pusher(void *arg)
{
	nodes[1].value = 1;
	push(&nodes[1]);
	return 0;
}

static void *popper(void *arg)
{
	popped = pop();
	if (popped)
		assert(popped->value == 1);
	return 0;
}

int main(void)
{
	pthread_t s, t;
	struct node *n;
	int left = 0;

	nodes[0].value = 1;
	push(&nodes[0]);
	pthread_create(&s, 0, pusher, 0);
	pthread_create(&t, 0, popper, 0);
	pthread_join(s, 0);
	pthread_join(t, 0);
	for (n = atomic_load(&head); n; n = atomic_load(&n->next)) {
		assert(n != popped);
		left++;
	}
	assert(left == (popped ? 1 : 2));
	return 0;
}

/*
 * Treiber's stack: a list whose head is changed by compare-and-swap.
 *
 * The node must be filled in before others can see it: a push releases it and a pop acquires it. With REUSE, a popped
 * node is pushed again at once, and a thread that still has the old head takes it for the same stack (ABA): an element
 * that was popped long ago comes back.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

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

static struct node a, b;
static struct node *_Atomic head;

static void push(struct node *n)
{
	struct node *h = atomic_load_explicit(&head, relaxed);

	do
		atomic_store_explicit(&n->next, h, relaxed);
	while (!atomic_compare_exchange_strong_explicit(&head, &h, n, release, relaxed));
}

static struct node *pop(void)
{
	struct node *h = atomic_load_explicit(&head, acquire), *next;

	do {
		if (!h)
			return 0;
		next = atomic_load_explicit(&h->next, relaxed);
	} while (!atomic_compare_exchange_strong_explicit(&head, &h, next, acquire, acquire));
	return h;
}

static int taken[3]; /* how often a value was popped */

#ifdef REUSE

static struct node *one;

static void *slow(void *arg)
{
	one = pop();
	return 0;
}

static void *quick(void *arg)
{
	struct node *first = pop(), *second = pop();

	if (second)
		taken[second->value]++;
	if (first)
		push(first);
	return 0;
}

int main(void)
{
	pthread_t s, q;
	struct node *n;

	a.value = 1;
	b.value = 2;
	push(&a);
	push(&b);
	pthread_create(&s, 0, slow, 0);
	pthread_create(&q, 0, quick, 0);
	pthread_join(s, 0);
	pthread_join(q, 0);
	if (one)
		taken[one->value]++;
	n = pop();
	if (n)
		taken[n->value]++;
	assert(taken[1] <= 1 && taken[2] <= 1);
	return 0;
}

#else

static void *pusher(void *arg)
{
	a.value = 1;
	push(&a);
	return 0;
}

static void *popper(void *arg)
{
	struct node *n = pop();

	if (n)
		assert(n->value != 0);
	return 0;
}

int main(void)
{
	pthread_t s, t;

	b.value = 2;
	push(&b);
	pthread_create(&s, 0, pusher, 0);
	pthread_create(&t, 0, popper, 0);
	pthread_join(s, 0);
	pthread_join(t, 0);
	return 0;
}

#endif

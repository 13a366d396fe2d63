/*
 * Michael and Scott's queue: a list with a dummy node, and a tail that may lag behind.
 *
 * To enqueue, a thread links a node to the last one and then moves the tail. Other threads advance a tail that lags
 * behind. The links publish nodes, so one side must release them and the other must acquire them.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef FENCES
#define acquire memory_order_acquire
#define release memory_order_release
#else
#define acquire memory_order_relaxed
#define release memory_order_relaxed
#endif

struct node {
	int value;
	struct node *_Atomic next;
};

static struct node nodes[3]; /* the first is the dummy */
static struct node *_Atomic head = &nodes[0], *_Atomic tail = &nodes[0];

#ifdef ALLOCATE
#define node(i) calloc(1, sizeof(struct node))
#else
#define node(i) &nodes[i]
#endif

static void enqueue(struct node *n, int value)
{
	n->value = value;
	for (;;) {
		struct node *last = atomic_load_explicit(&tail, acquire);
		struct node *next = atomic_load_explicit(&last->next, acquire);

		if (!next) {
			if (atomic_compare_exchange_strong_explicit(&last->next, &next, n, release, acquire)) {
				atomic_compare_exchange_strong_explicit(&tail, &last, n, release, acquire);
				return;
			}
		}
		atomic_compare_exchange_strong_explicit(&tail, &last, next, release, acquire);
	}
}

/* dequeue returns 0 if the queue is empty. */
static int dequeue(void)
{
	for (;;) {
		struct node *first = atomic_load_explicit(&head, acquire);
		struct node *last = atomic_load_explicit(&tail, acquire);
		struct node *next = atomic_load_explicit(&first->next, acquire);

		if (first != atomic_load_explicit(&head, acquire))
			continue;
		if (!next)
			return 0;
		if (first == last) {
			atomic_compare_exchange_strong_explicit(&tail, &last, next, release, acquire);
			continue;
		}
		if (atomic_compare_exchange_strong_explicit(&head, &first, next, release, acquire))
			return next->value;
	}
}

static int got[2];

static void *sender(void *arg)
{
	enqueue(node(1), 1);
	enqueue(node(2), 2);
	return 0;
}

static void *receiver(void *arg)
{
	got[0] = dequeue();
	got[1] = dequeue();
	return 0;
}

int main(void)
{
	pthread_t s, r;
	int rest;

	pthread_create(&s, 0, sender, 0);
	pthread_create(&r, 0, receiver, 0);
	pthread_join(s, 0);
	pthread_join(r, 0);
	/* First in, first out, and no element is lost. */
	rest = dequeue() + dequeue();
	assert(got[0] + got[1] + rest == 3);
	assert(got[0] != 2 && !(got[0] == 1 && got[1] == 1));
	return 0;
}

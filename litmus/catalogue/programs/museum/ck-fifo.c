/*
 * A thread finds a queue empty that always has an element: nodes are reused.
 *
 * This is Michael and Scott's queue with three nodes, 0 to 2. The first is the stub. The head is a generation and a
 * node in one word, so a thread that has read it long ago can detect that it has changed.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 3
#define NONE NODES
#define HEAD(generation, node) ((generation) * NODES + (node))

static atomic_int head = HEAD(0, 0), tail = 2;
static atomic_int next[NODES] = {1, 2, NONE};

/* A thread that dequeues, up to the answer "empty". */
static void *taker(void *arg)
{
	int h = head, t = tail, n = next[h % NODES];

	if (h % NODES == t && n == NONE) {
#ifdef FIXED
		if (head != h)
			return 0; /* the head has moved: try again */
#endif
		assert(!"empty");
	}
	return 0;
}

/* Another thread dequeues, and enqueues the old stub again. */
static void *owner(void *arg)
{
	head = HEAD(1, 1);
	next[0] = NONE;
	next[2] = 0;
	tail = 0;
	return 0;
}

int main(void)
{
	pthread_t t, o;

	pthread_create(&t, 0, taker, 0);
	pthread_create(&o, 0, owner, 0);
	pthread_join(t, 0);
	pthread_join(o, 0);
	return 0;
}

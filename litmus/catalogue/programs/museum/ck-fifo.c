/*
 * A queue that always has an element is found empty: its nodes are used again.
 *
 * Michael and Scott's queue of three nodes, 0 to 2, the first of which is the stub. The head is a generation and a
 * node in one word, so that one who has read it long ago can tell that it has moved.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 3
#define NONE NODES
#define HEAD(generation, node) ((generation) * NODES + (node))

static atomic_int head = HEAD(0, 0), tail = 2;
static atomic_int next[NODES] = {1, 2, NONE};

/* One who dequeues, as far as the answer "empty". */
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

/* Another dequeues, and enqueues the stub of before again. */
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

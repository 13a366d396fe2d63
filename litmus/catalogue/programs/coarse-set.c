/*
 * A set as a sorted list with one lock around each of its operations.
 *
 * A node belongs to the thread that allocates it until it is in the list, and to the thread that removes it after
 * that. Taking the lock is an acquire, releasing it a release, so all operations on the list are in one order.
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 2
#endif

#ifdef FENCES
#define acquire memory_order_acquire
#define release memory_order_release
#else
#define acquire memory_order_relaxed
#define release memory_order_relaxed
#endif

struct node {
	int key;
	struct node *next;
};

static struct node last = {INT_MAX, 0}, first = {INT_MIN, &last};
static atomic_int held;

static void lock(void)
{
	int is = 0;

	while (!atomic_compare_exchange_strong_explicit(&held, &is, 1, acquire, memory_order_relaxed))
		is = 0;
}

static void unlock(void)
{
	atomic_store_explicit(&held, 0, release);
}

static struct node *before(int key)
{
	struct node *at = &first;

	while (at->next->key < key)
		at = at->next;
	return at;
}

static int add(int key)
{
	struct node *new = malloc(sizeof *new), *at;
	int is;

	lock();
	at = before(key);
	if ((is = at->next->key != key)) {
		new->key = key;
		new->next = at->next;
		at->next = new;
	}
	unlock();
	if (!is)
		free(new);
	return is;
}

static int cut(int key)
{
	struct node *at, *gone = 0;

	lock();
	at = before(key);
	if (at->next->key == key) {
		gone = at->next;
		at->next = gone->next;
	}
	unlock();
	if (gone)
		free(gone);
	return gone != 0;
}

static int added[THREADS], removed[THREADS];

static void *user(void *arg)
{
	intptr_t i = (intptr_t)arg;

	added[i] = add((int)i + 1);
	removed[i] = cut(1);
	return 0;
}

int main(void)
{
	pthread_t t[THREADS];
	int left = 0;

	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&t[i], 0, user, (void *)i);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(t[i], 0);
		left += added[i] - removed[i];
	}
	for (struct node *at = first.next; at != &last; at = at->next)
		left--;
	assert(left == 0);
	return 0;
}

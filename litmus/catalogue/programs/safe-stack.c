/*
 * Vyukov's safe stack: array indices in a list, which two threads may hold at the same time.
 *
 * A pop marks the first cell as its own with an exchange, moves the head past it, and restores the mark if that fails.
 * count keeps the last cell in the stack. Only with three threads, each with two or three iterations, and with four
 * rounds of a schedule can a cell be taken twice.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef TURNS
#define TURNS 2
#endif
#ifndef CELLS
#define CELLS 3
#endif

static struct {
	int owner;
	atomic_int next; /* -1: no next cell */
} cell[CELLS];
static atomic_int head, count = CELLS;

static int pop(void)
{
	while (atomic_load_explicit(&count, memory_order_acquire) > 1) {
		int first = atomic_load_explicit(&head, memory_order_acquire);
		int next = atomic_exchange(&cell[first].next, -1);

		if (next < 0)
			continue;
		if (atomic_compare_exchange_strong(&head, &first, next)) {
			atomic_fetch_sub(&count, 1);
			return first;
		}
		atomic_exchange(&cell[first].next, next);
	}
	return -1;
}

static void push(int i)
{
	int first = atomic_load_explicit(&head, memory_order_acquire);

	do
		atomic_store_explicit(&cell[i].next, first, memory_order_release);
	while (!atomic_compare_exchange_strong(&head, &first, i));
	atomic_fetch_add(&count, 1);
}

static void *user(void *arg)
{
	int me = (intptr_t)arg;

	for (int k = 0; k < TURNS; k++) {
		int i = pop();

		if (i < 0)
			break;
		cell[i].owner = me;
		assert(cell[i].owner == me);
		push(i);
	}
	return 0;
}

int main(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < CELLS; i++)
		cell[i].next = i + 1 < CELLS ? i + 1 : -1;
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&t[i], 0, user, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], 0);
	return 0;
}

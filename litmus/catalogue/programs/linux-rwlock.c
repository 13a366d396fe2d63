/*
 * A readers-writers lock in one number, as in the Linux kernel for x86: a full count, less one for each reader.
 *
 * A reader subtracts one, a writer subtracts the full count. A thread that has subtracted too much adds it back and
 * waits. A writer that adds the full count back releases its writes to the next owner.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef READERS
#define READERS 1
#endif
#ifndef WRITERS
#define WRITERS 1
#endif

#ifdef FENCES
#define acquire memory_order_acquire
#define release memory_order_release
#else
#define acquire memory_order_relaxed
#define release memory_order_relaxed
#endif
#define relaxed memory_order_relaxed

#define ALL 0x100000

static atomic_int left = ALL;
static int data, twin;

static void read_lock(void)
{
	while (atomic_fetch_sub_explicit(&left, 1, acquire) <= 0) {
		atomic_fetch_add_explicit(&left, 1, relaxed);
		while (atomic_load_explicit(&left, relaxed) <= 0)
			;
	}
}

static void read_unlock(void)
{
	atomic_fetch_add_explicit(&left, 1, release);
}

static void write_lock(void)
{
	while (atomic_fetch_sub_explicit(&left, ALL, acquire) != ALL) {
		atomic_fetch_add_explicit(&left, ALL, relaxed);
		while (atomic_load_explicit(&left, relaxed) != ALL)
			;
	}
}

static void write_unlock(void)
{
	atomic_fetch_add_explicit(&left, ALL, release);
}

static void *reader(void *arg)
{
	read_lock();
	assert(data == twin);
	read_unlock();
	return 0;
}

static void *writer(void *arg)
{
	write_lock();
	data++;
	twin++;
	write_unlock();
	return 0;
}

int main(void)
{
	pthread_t t[READERS + WRITERS];

	for (int i = 0; i < READERS + WRITERS; i++)
		pthread_create(&t[i], 0, i < WRITERS ? writer : reader, 0);
	for (int i = 0; i < READERS + WRITERS; i++)
		pthread_join(t[i], 0);
	assert(data == WRITERS && twin == WRITERS);
	return 0;
}

/*
 * Apache's queue of sockets: a listener passes each socket to an idle worker.
 *
 * The number of idle workers changes only by compare-and-swap, so the listener waits for a worker without the mutex.
 * Sockets and pools go through a queue under the mutex, with a condition variable to wake waiting threads. With ONCE,
 * a worker that wakes does not check the queue again: after a spurious wake-up it takes an element that does not
 * exist.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
#ifndef SOCKETS
#define SOCKETS 1
#endif

#ifdef ONCE
#define until_not(c) if (c)
#else
#define until_not(c) while (c)
#endif

static struct {
	int socket, pool;
} queue[SIZE];
static int in, out;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static atomic_int idle;

static void *listener(void *arg)
{
	for (int i = 1; i <= SOCKETS; i++) {
		int n = atomic_load(&idle);

		while (n == 0 || !atomic_compare_exchange_weak(&idle, &n, n - 1))
			n = atomic_load(&idle);
		pthread_mutex_lock(&mutex);
		queue[in % SIZE].socket = i;
		queue[in % SIZE].pool = 10 * i;
		in++;
		pthread_cond_signal(&filled);
		pthread_mutex_unlock(&mutex);
	}
	return 0;
}

static void *worker(void *arg)
{
	for (int i = 1; i <= SOCKETS; i++) {
		int socket, pool;

		atomic_fetch_add(&idle, 1);
		pthread_mutex_lock(&mutex);
		until_not (in == out)
			pthread_cond_wait(&filled, &mutex);
		socket = queue[out % SIZE].socket;
		pool = queue[out % SIZE].pool;
		out++;
		pthread_mutex_unlock(&mutex);
		assert(socket != 0 && pool == 10 * socket);
	}
	return 0;
}

int main(void)
{
	pthread_t l, w;

	pthread_create(&l, 0, listener, 0);
	pthread_create(&w, 0, worker, 0);
	pthread_join(l, 0);
	pthread_join(w, 0);
	return 0;
}

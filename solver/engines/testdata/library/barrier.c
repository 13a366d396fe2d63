// sc tso power rc11: safe
// sc rc11: unsafe -D NO_BARRIER
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_barrier_t b;
int x[2];
atomic_int serial;

void *meet(void *arg) {
	int i = (long)arg;
	x[i]++;
#ifndef NO_BARRIER
	if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
		serial++;
#endif
	assert(x[1 - i] == 1);
	return 0;
}

int main(void) {
	pthread_t p, q;
	pthread_barrier_init(&b, 0, 2);
	pthread_create(&p, 0, meet, (void *)0);
	pthread_create(&q, 0, meet, (void *)1);
	pthread_join(p, 0);
	pthread_join(q, 0);
	assert(serial == 1);
	END;
}

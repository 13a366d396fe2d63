// sc tso pso power rc11: safe
// sc rc11: unsafe -D NO_LOCK
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;

void *count(void *arg) {
#ifndef NO_LOCK
	pthread_mutex_lock(&m);
#endif
	n++;
#ifndef NO_LOCK
	pthread_mutex_unlock(&m);
#endif
	return 0;
}

int main(void) {
	pthread_t p, q;
	pthread_create(&p, 0, count, 0);
	pthread_create(&q, NULL, count, NULL);
	pthread_join(p, 0);
	pthread_join(q, 0);
	assert(n == 2);
	END;
}

// sc tso rc11: safe
// sc rc11: unsafe -D IF
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, data;

void *produce(void *arg) {
	pthread_mutex_lock(&m);
	data = 1;
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void) {
	pthread_t p;
	pthread_create(&p, 0, produce, 0);
	pthread_mutex_lock(&m);
#ifdef IF /* a wait may end without a signal */
	if (!ready)
#else
	while (!ready)
#endif
		pthread_cond_wait(&c, &m);
	assert(data == 1);
	pthread_mutex_unlock(&m);
	END;
}

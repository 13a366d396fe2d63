// sc tso rc11: safe
// sc tso rc11: unsafe -D NEVER_BUSY
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m;
int busy, late;

void *try(void *arg) {
	if (pthread_mutex_trylock(&m) == EBUSY)
		busy = 1;
	else
		pthread_mutex_unlock(&m);
	int r = pthread_mutex_timedlock(&m, 0);
	assert(r == 0 || r == ETIMEDOUT);
	if (r == 0)
		pthread_mutex_unlock(&m);
	return (void *)3;
}

int main(void) {
	pthread_t p;
	void *r;
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_NORMAL);
	pthread_mutex_init(&m, &attr);
	pthread_create(&p, 0, try, 0);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_join(p, &r);
	assert((long)r == 3);
#ifdef NEVER_BUSY
	assert(!busy);
#endif
	pthread_mutex_destroy(&m);
	END;
}

// sc tso rc11: safe
// sc rc11: unsafe -D NO_WRITER
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x, y;

void *read(void *arg) {
	pthread_rwlock_rdlock(&l);
	int a = x, b = y;
	assert(a == b);
	pthread_rwlock_unlock(&l);
	return 0;
}

void *write(void *arg) {
#ifdef NO_WRITER
	pthread_rwlock_rdlock(&l);
#else
	pthread_rwlock_wrlock(&l);
#endif
	x = 1;
	y = 1;
	pthread_rwlock_unlock(&l);
	return 0;
}

int main(void) {
	pthread_t p, q, r;
	pthread_create(&p, 0, read, 0);
	pthread_create(&q, 0, write, 0);
	pthread_create(&r, 0, read, 0);
	pthread_join(p, 0);
	pthread_join(q, 0);
	pthread_join(r, 0);
	assert(pthread_rwlock_tryrdlock(&l) == 0 && pthread_rwlock_tryrdlock(&l) == 0);
	assert(pthread_rwlock_trywrlock(&l) == EBUSY);
	pthread_rwlock_unlock(&l);
	pthread_rwlock_unlock(&l);
	assert(pthread_rwlock_trywrlock(&l) == 0 && pthread_rwlock_tryrdlock(&l) == EBUSY);
	pthread_rwlock_unlock(&l);
	END;
}

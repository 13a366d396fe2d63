// sc rc11: safe
#include <assert.h>
#include <pthread.h>

pthread_key_t k, other;

void *use(void *arg) {
	assert(pthread_getspecific(k) == 0);
	pthread_setspecific(k, arg);
	pthread_setspecific(other, 0);
	assert(pthread_getspecific(k) == arg);
	return 0;
}

int main(void) {
	pthread_t p, q;
	int i;
	pthread_key_create(&k, 0);
	pthread_key_create(&other, 0);
	assert(k != other);
	pthread_setspecific(k, &i);
	pthread_create(&p, 0, use, (void *)1);
	pthread_create(&q, 0, use, (void *)2);
	pthread_join(p, 0);
	pthread_join(q, 0);
	assert(pthread_getspecific(k) == &i);
	END;
}

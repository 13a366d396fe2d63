// sc tso rc11: safe
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int n;

void begin(void) { n++; }

void *use(void *arg) {
	pthread_once(&once, begin);
	assert(n == 1);
	return 0;
}

int main(void) {
	pthread_t p, q;
	pthread_create(&p, 0, use, 0);
	pthread_create(&q, 0, use, 0);
	pthread_join(p, 0);
	pthread_join(q, 0);
	END;
}

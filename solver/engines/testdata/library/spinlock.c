// sc tso power aarch64 rc11: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_spinlock_t l;
int n;

void *count(void *arg) {
	pthread_spin_lock(&l);
	n++;
	pthread_spin_unlock(&l);
	pthread_exit((void *)5);
}

int main(void) {
	pthread_t p;
	void *r;
	pthread_spin_init(&l, 0);
	pthread_create(&p, 0, count, 0);
	if (pthread_spin_trylock(&l) == EBUSY)
		pthread_spin_lock(&l);
	n++;
	pthread_spin_unlock(&l);
	pthread_join(p, &r);
	assert(n == 2 && r == (void *)5 && pthread_equal(p, p) && !pthread_equal(p, pthread_self()));
	END;
}

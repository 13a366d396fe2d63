// lkmm: safe
// lkmm: unsafe -D NOTHING
#include <assert.h>
#include <linux/spinlock.h>
#include <pthread.h>

pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
int x, y, r, s;

/* An unlock and the lock after it are together a full fence with this barrier alone. */
void *one(void *arg) {
	pthread_mutex_lock(&l);
	WRITE_ONCE(x, 1);
	pthread_mutex_unlock(&l);
	pthread_mutex_lock(&l);
#ifndef NOTHING
	smp_mb__after_unlock_lock();
#endif
	r = READ_ONCE(y);
	pthread_mutex_unlock(&l);
	return 0;
}

int main(void) {
	pthread_t p;
	pthread_create(&p, 0, one, 0);
	WRITE_ONCE(y, 1);
	smp_mb();
	s = READ_ONCE(x);
	pthread_join(p, 0);
	BUG_ON(!r && !s);
	END;
}

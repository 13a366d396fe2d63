// lkmm: safe
// lkmm: unsafe -D NOTHING
#include <assert.h>
#include <linux/spinlock.h>
#include <pthread.h>

DEFINE_SPINLOCK(l);
int x, y, r, s;

/* An unlock and the lock after it are together a full fence with this barrier alone. */
void *one(void *arg) {
	spin_lock(&l);
	WRITE_ONCE(x, 1);
	spin_unlock(&l);
	spin_lock(&l);
#ifndef NOTHING
	smp_mb__after_unlock_lock();
#endif
	r = READ_ONCE(y);
	spin_unlock(&l);
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

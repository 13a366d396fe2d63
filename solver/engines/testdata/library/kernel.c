// lkmm: safe
// lkmm: unsafe -D NO_WMB
// lkmm: unsafe -D NO_RMB
// lkmm: safe -D RELEASE
// lkmm: safe -D RCU
// lkmm: unsafe -D RCU -D NO_GRACE
// lkmm: safe -D SPIN
// lkmm: unsafe -D NO_LOCK
#include <assert.h>
#include <linux/spinlock.h>
#include <pthread.h>

int data, flag;
DEFINE_SPINLOCK(l);

void *producer(void *arg) {
#if defined SPIN
	spin_lock(&l);
	data++;
	spin_unlock(&l);
#elif defined NO_LOCK
	WRITE_ONCE(data, READ_ONCE(data) + 1);
#elif defined RCU
	WRITE_ONCE(data, 1);
#ifndef NO_GRACE
	synchronize_rcu();
#endif
	WRITE_ONCE(flag, 1);
#elif defined RELEASE
	WRITE_ONCE(data, 1);
	smp_store_release(&flag, 1);
#else
	WRITE_ONCE(data, 1);
#ifndef NO_WMB
	smp_wmb();
#endif
	WRITE_ONCE(flag, 1);
#endif
	return 0;
}

int main(void) {
	pthread_t p;
	int r, s = 1;
	pthread_create(&p, 0, producer, 0);
#if defined SPIN
	spin_lock(&l);
	data++;
	spin_unlock(&l);
	pthread_join(p, 0);
	BUG_ON(data != 2);
	BUG_ON(spin_is_locked(&l));
#elif defined NO_LOCK
	WRITE_ONCE(data, READ_ONCE(data) + 1);
	pthread_join(p, 0);
	BUG_ON(data != 2);
#elif defined RCU
	rcu_read_lock();
	s = READ_ONCE(flag);
	r = READ_ONCE(data);
	rcu_read_unlock();
	BUG_ON(s == 1 && r == 0);
#elif defined RELEASE
	s = smp_load_acquire(&flag);
	r = READ_ONCE(data);
	BUG_ON(s == 1 && r == 0);
#else
	s = READ_ONCE(flag);
#ifndef NO_RMB
	smp_rmb();
#endif
	r = READ_ONCE(data);
	BUG_ON(s == 1 && r == 0);
#endif
	END;
}

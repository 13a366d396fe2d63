// lkmm: safe
#include <assert.h>
#include <linux/atomic.h>

atomic_t a = ATOMIC_INIT(1);
atomic64_t b;
atomic_long_t c;
long word = 3;
int *pointer, target;
struct srcu_struct domain;

int main(void) {
	atomic_inc(&a);
	atomic_add(3, &a);
	atomic_sub(1, &a);
	BUG_ON(atomic_read(&a) != 4);
	BUG_ON(atomic_add_return(3, &a) != 7 || atomic_fetch_add_relaxed(1, &a) != 7 || atomic_fetch_sub(2, &a) != 8);
	BUG_ON(atomic_dec_and_test(&a) || atomic_sub_and_test(4, &a) || !atomic_dec_and_test(&a));
	BUG_ON(atomic_inc_not_zero(&a) || atomic_add_unless(&a, 1, 0) || !atomic_add_unless(&a, 5, 1) || atomic_read(&a) != 5);
	BUG_ON(!atomic_add_negative(-6, &a) || atomic_read_acquire(&a) != -1);
	atomic_set_release(&a, 12);
	atomic_andnot(4, &a);
	BUG_ON(atomic_fetch_or(1, &a) != 8 || atomic_xchg(&a, 2) != 9 || atomic_cmpxchg(&a, 1, 7) != 2 || atomic_cmpxchg_acquire(&a, 2, 7) != 2);
	int e = 6;
	BUG_ON(atomic_try_cmpxchg(&a, &e, 1) || e != 7 || !atomic_try_cmpxchg(&a, &e, 1));
	atomic64_set(&b, 1LL << 40);
	BUG_ON(atomic64_inc_return(&b) != (1LL << 40) + 1 || atomic_long_fetch_inc(&c) != 0 || atomic_long_read(&c) != 1);
	BUG_ON(xchg(&word, 4) != 3 || cmpxchg_release(&word, 4, -5) != 4 || cmpxchg(&word, 4, 6) != -5 || word != -5);
	rcu_assign_pointer(pointer, &target);
	BUG_ON(rcu_dereference(pointer) != &target || xchg(&pointer, 0) != &target || READ_ONCE(pointer));
	int index = srcu_read_lock(&domain);
	srcu_read_unlock(&domain, index);
	synchronize_srcu(&domain);
	smp_store_mb(word, 1);
	BUG_ON(smp_cond_load_acquire(&word, VAL == 1) != 1);
	END;
}

// sc rc11 power: safe
#include <assert.h>
#include <stdatomic.h>

atomic_int x;
_Atomic(int *) pointer;
int array[4];
atomic_flag flag = ATOMIC_FLAG_INIT;
_Atomic unsigned char byte = 250;
atomic_bool boolean;
long l = 5;
unsigned u = 0xf0;

int main(void) {
	assert(atomic_fetch_add(&x, 3) == 0 && atomic_load(&x) == 3);
	assert(atomic_exchange_explicit(&x, 9, memory_order_acq_rel) == 3);
	int e = 1;
	assert(!atomic_compare_exchange_strong(&x, &e, 5) && e == 9);
	assert(atomic_compare_exchange_strong_explicit(&x, &e, -5, memory_order_release, memory_order_relaxed) && x == -5);
	atomic_store(&pointer, array);
	assert(atomic_fetch_add(&pointer, 2) == array && pointer == array + 2);
	assert(atomic_fetch_sub_explicit(&pointer, 1, memory_order_relaxed) == &array[2] && atomic_load(&pointer) == &array[1]);
	assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
	atomic_flag_clear(&flag);
	assert(!atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
	assert(atomic_fetch_add(&byte, 10) == 250 && byte == 4);
	atomic_store(&boolean, 7);
	assert(boolean == 1 && atomic_exchange(&boolean, 0) == 1 && !boolean);
	atomic_fetch_or(&x, 4);
	assert(x == -1 && atomic_fetch_xor(&x, 6) == -1 && atomic_fetch_and(&x, 15) == -7 && x == 9);

	assert(__atomic_add_fetch(&l, 2, __ATOMIC_SEQ_CST) == 7 && __atomic_fetch_sub(&l, 0, __ATOMIC_RELAXED) == 7);
	assert(__atomic_fetch_nand(&u, 0x30, __ATOMIC_RELAXED) == 0xf0 && u == ~0x30u);
	long got, put = 11;
	__atomic_load(&l, &got, __ATOMIC_ACQUIRE);
	assert(got == 7);
	__atomic_store(&l, &put, __ATOMIC_RELEASE);
	__atomic_exchange(&l, &put, &got, __ATOMIC_SEQ_CST);
	assert(got == 11 && l == 11);
	long expected = 1;
	assert(!__atomic_compare_exchange_n(&l, &expected, 3, 0, __ATOMIC_SEQ_CST, __ATOMIC_ACQ_REL) && expected == 11);
	put = 12;
	assert(__atomic_compare_exchange(&l, &expected, &put, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && __atomic_load_n(&l, __ATOMIC_CONSUME) == 12);
	assert(__sync_fetch_and_add(&l, 1) == 12 && __sync_add_and_fetch(&l, 1) == 14);
	assert(__sync_bool_compare_and_swap(&l, 14, 1) && __sync_val_compare_and_swap(&l, 2, 3) == 1 && l == 1);
	assert(__sync_lock_test_and_set(&l, 4) == 1);
	__sync_lock_release(&l);
	__sync_synchronize();
	assert(l == 0);

	memory_order order = memory_order_relaxed; /* known only when it runs */
	for (int i = 0; i < 2; i++) {
		atomic_store_explicit(&x, i, order);
		assert(atomic_load_explicit(&x, order) == i);
		order = memory_order_seq_cst;
	}
	END;
}

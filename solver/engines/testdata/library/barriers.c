// tso: safe -D FENCE="mfence"
// tso: unsafe -D FENCE="pause"
// power: safe -D FENCE="sync"
// power: unsafe -D FENCE="lwsync"
// aarch64: safe -D FENCE="dmb\tISH"
// aarch64: unsafe -D FENCE="dmb ishld"
// riscv: safe -D FENCE="fence rw, rw"
// riscv: unsafe -D FENCE="fence r,rw"
// arm: safe -D FENCE="dmb"
// arm: unsafe -D FENCE=""
#include <assert.h>
#include <pthread.h>

volatile int x, y, r, s;

void *one(void *arg) {
	x = 1;
	__asm__ volatile(FENCE ::: "memory");
	r = y;
	return 0;
}

int main(void) {
	pthread_t p;
	pthread_create(&p, 0, one, 0);
	y = 1;
	__asm__ __volatile__(FENCE : : : "memory");
	s = x;
	pthread_join(p, 0);
	assert(r || s);
	END;
}

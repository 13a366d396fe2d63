// sc tso rc11: safe
#include <assert.h>
#include <threads.h>

mtx_t m;
cnd_t c;
int n;

int count(void *arg) {
	mtx_lock(&m);
	n++;
	cnd_signal(&c);
	mtx_unlock(&m);
	thrd_exit(7);
}

int main(void) {
	thrd_t p;
	int r;
	mtx_init(&m, mtx_plain);
	cnd_init(&c);
	thrd_create(&p, count, 0);
	if (mtx_trylock(&m) == thrd_success) {
		n++;
		mtx_unlock(&m);
	} else {
		mtx_lock(&m);
		n++;
		mtx_unlock(&m);
	}
	thrd_join(p, &r);
	assert(r == 7 && n == 2 && !thrd_equal(p, thrd_current()));
	END;
}

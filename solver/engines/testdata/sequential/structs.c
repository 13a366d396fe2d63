#include <assert.h>
struct pair { short a, b; };
union word { unsigned char bytes[8]; long n; };
static struct pair g;
static union word w;
int main(void)
{
	struct pair l, n = {3, 4}, o;
	__atomic_load(&g, &l, __ATOMIC_ACQUIRE);
	assert(l.a == 0 && l.b == 0);
	assert(__atomic_compare_exchange(&g, &l, &n, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
	assert(!__atomic_compare_exchange(&g, &l, &n, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) && l.a == 3 && l.b == 4);
	l.b = -1;
	__atomic_exchange(&g, &l, &o, __ATOMIC_ACQ_REL);
	assert(o.b == 4 && g.b == -1);
	__atomic_store(&g, &n, __ATOMIC_RELEASE);
	assert(g.a == 3);
	union word x = {.n = 0x0102}, y;
	__atomic_store(&w, &x, __ATOMIC_RELAXED);
	__atomic_load(&w, &y, __ATOMIC_RELAXED);
	assert(y.bytes[0] == 2 && y.bytes[1] == 1);
	END;
	return 0;
}

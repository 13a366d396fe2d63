// Functions of a variable number of arguments.
#include <stdarg.h>
struct pair { int x, y; };
static int sum(int n, ...) {
	va_list ap, again;
	int s = 0;
	va_start(ap, n);
	va_copy(again, ap);
	for (int i = 0; i < n; i++) s += va_arg(ap, int);
	for (int i = 0; i < n; i++) s += va_arg(again, int);
	va_end(ap);
	va_end(again);
	return s;
}
static long mixed(const char *kinds, ...) {
	va_list ap;
	long s = 0;
	va_start(ap, kinds);
	for (; *kinds; kinds++)
		switch (*kinds) {
		case 'i': s += va_arg(ap, int); break;
		case 'l': s += va_arg(ap, long); break;
		case 'p': { struct pair *q = va_arg(ap, struct pair *); s += q->x * q->y; break; }
		case 'u': s += va_arg(ap, unsigned);
		}
	va_end(ap);
	return s;
}
static int greatest(int n, va_list ap) { int m = 0; while (n--) { int v = va_arg(ap, int); if (v > m) m = v; } return m; }
static int most(int n, ...) { va_list ap; va_start(ap, n); int r = greatest(n, ap); va_end(ap); return r; }
static struct pair make(int n, ...) { va_list ap; va_start(ap, n); struct pair q; q.x = va_arg(ap, int); q.y = va_arg(ap, int); va_end(ap); return q; }
static int again(int n, ...) { va_list ap; va_start(ap, n); int v = va_arg(ap, int); va_end(ap); return n ? again(n - 1, v + 1) : v; }
static void next(va_list *ap, int *to) { *to = va_arg(*ap, int); }
static int third(int n, ...) { va_list ap; int v; va_start(ap, n); for (int i = 0; i < 3; i++) next(&ap, &v); va_end(ap); return v; }

int test(void) {
	int bad = 0, (*f)(int, ...) = most;
	struct pair q = { 3, 4 };
	char c = 'a';
	short h = -2;
	if (sum(3, 1, 2, 3) != 12 || sum(0) || sum(1, h) != -4) bad |= 1;
	if (mixed("ilpui", -1, 1L << 40, &q, 5u, c) != (1L << 40) + 12 + 4 + 97) bad |= 2;
	if (most(3, 4, 9, 2) != 9 || f(2, 1, sum(2, 3, 4)) != 14) bad |= 4;
	if (make(0, 5, 6).y != 6 || again(3, 10) != 13 || third(0, 7, 8, 9) != 9) bad |= 8;
	return bad;
}

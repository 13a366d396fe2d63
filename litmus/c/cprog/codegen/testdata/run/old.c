// Functions as they were declared before prototypes, and calls through pointers that say nothing of parameters.
struct pair { int a, b; };
int late();
static int scaled(c, n, p) char c; unsigned short n; struct pair p; { return c * n + p.a - p.b; }
static long total(v, n)
	long *v;
	int n;
{
	long s = 0;
	while (n--) s += *v++;
	return s;
}
static int plain(int x, long y) { return x - (int)y; }
static int nothing() { return 9; }
static long (*sum)() = total;
static struct pair (*turn)();
static struct pair turned(p) struct pair p; { struct pair q = { p.b, p.a }; p.a = 0; return q; }
static int implicit(a, b) { return a * 10 + b; }

int test(void) {
	int bad = 0, (*f)() = late;
	long v[3] = { 1, 2, 4 };
	struct pair p = { 3, 5 };
	if (late(6, 7) != 42 || f(2, 4) != 8 || (*f)(3, -3) != -9) bad |= 1;
	if (scaled('a' + 256, 65537, p) != 'a' - 2) bad |= 2;
	if (total(v, 3) != 7 || sum(v + 1, 2) != 6) bad |= 4;
	f = plain;
	if (f(9, 4L) != 5 || plain(9, 4) != 5) bad |= 8;
	f = nothing;
	if (f() != 9 || nothing() != 9) bad |= 16;
	turn = turned;
	if (turn(p).a != 5 || p.a != 3 || turned(p).b != 3) bad |= 32;
	if (implicit(4, 2) != 42) bad |= 64;
	return bad;
}
int late(a, b) int a, b; { return a * b; }

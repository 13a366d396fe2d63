// What is rarer: unions, nested designators, literals as arguments, jumps into blocks, odd declarators.
typedef unsigned char u8;
typedef union { int i; unsigned u; float *unused; } word;
struct list { struct list *next, *prev; };
struct item { int key; struct list link; u8 tail[]; };
#define container_of(p, t, m) ((t *)((char *)(p) - __builtin_offsetof(t, m)))
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

static struct { int a[3]; struct { int b, c; } d[2]; } deep = { .d[1].c = 5, .a = { 1, 2, 3 }, .a[1] = 9, .d[0] = { 7, 8 } };
static int grid[2][3][2] = { { { 1, 2 }, { 3 } }, { [2] = { [1] = 4 } } };
static int flat[2][2] = { 1, 2, 3 };
static char *words[3] = { [1] = "mid", "end" };
static int (*table[2][2])(int);
static const char *const *cursor = (const char *const *)words + 1;
static _Bool flags[3] = { 1, 0, 2 };
extern int later;
int *to_later = &later;
int later = 31;

static int twice(int x) { return 2 * x; }
static int (*pick(int n))(int) { return n ? twice : 0; }
static struct item make(int k) { struct item it = { .key = k }; it.link.next = 0; return it; }
static long sum(const int (*m)[2], int rows) {
	long s = 0;
	for (const int (*p)[2] = m; p < m + rows; p++) s += (*p)[0] + p[0][1];
	return s;
}
static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static void swap(int *a, int *b) { int t = *a; *a = *b, *b = t; }
static unsigned hash(const char *s) { unsigned h = 5381; for (; *s; ++s) h = (h << 5) + h + (u8)*s; return h; }
static int weird(int n) {
	int r = 0;
	switch ((long)n) {
		int unused;
	case 0x7fffffff: r++;
	case 'b' - 'a': { for (;;) { if (r++ > 2) goto out; continue; } }
	default: if (n < 0) { case 77: r = 100; } else r = 50;
	}
	return r;
out:
	return r + 1000;
}

int test(void) {
	int bad = 0;
	word w = { .u = 0xffffffff }, x = w;
	if (w.i != -1 || x.u + 1 != 0 || sizeof w != 8) bad |= 1;
	if (deep.a[0] != 1 || deep.a[1] != 9 || deep.a[2] != 3 || deep.d[0].c != 8 || deep.d[1].b || deep.d[1].c != 5) bad |= 2;
	if (grid[0][1][0] != 3 || grid[1][2][1] != 4 || grid[1][0][0] || flat[1][0] != 3 || flat[1][1]) bad |= 4;
	if (words[0] || words[1][2] != 'd' || cursor[1][0] != 'e' || *cursor[0] != 'm') bad |= 8;
	if (flags[0] != 1 || flags[2] != 1) bad |= 16;
	if (*to_later != 31 || (later = 4, *to_later) != 4) bad |= 32;
	table[1][0] = pick(1);
	if (table[1][0](4) != 8 || pick(0) || (*pick(2))(5) != 10) bad |= 64;
	struct item it = make(6), *p = container_of(&it.link, struct item, link);
	if (p->key != 6 || p != &it || sizeof(struct item) != 24) bad |= 128;
	if (sum(flat, 2) != 6 || sum((const int[][2]){ { 1, 1 }, { 5 } }, 2) != 7) bad |= 256;
	if (fact(6) != 720 || !even(10) || odd(4)) bad |= 512;
	int a = 1, b = 2;
	swap(&a, &b);
	swap(&(int){ 3 }, &a);
	if (a != 3 || b != 1) bad |= 1024;
	if (hash("abc") != 193485963u) bad |= 2048;
	if (weird(1) != 1004 || weird(5) != 50 || weird(-2) != 100 || weird(77) != 100 || weird(2147483647) != 1004) bad |= 4096;
	if (MAX(a, 7L) != 7 || MAX(MAX(1, 2), MAX(4, 3)) != 4) bad |= 8192;
	int *q = &flat[1][1], d = flat[0] - q;
	if (d != -3 || q - 1 != &flat[1][0] || q[-3] != 1) bad |= 16384;
	u8 c = 0;
	c--; c += 2; c = ~c; c <<= 1; c |= 1; c %= 100; c /= 2;
	if (c != 26) bad |= 1 << 15;
	unsigned long long m = -1; m >>= 63; short s = -1; s ^= 0x5555; s >>= 2;
	if (m != 1 || s != -5462) bad |= 1 << 16;
	struct list n1, n2 = { &n1, &n1 }; n1 = (struct list){ &n2, &n2 };
	if (n1.next->next->prev != &n2) bad |= 1 << 17;
	n1.next->next->next = 0;
	if (n1.next) bad |= 1 << 18;
	char text[8] = "xyz", *t = text;
	*t++ = 'a'; *t = *t + 1; (*t)++; t[1] -= 2;
	if (text[0] != 'a' || text[1] != '{' || text[2] != 'x' || t - text != 1) bad |= 1 << 19;
	int i = 0, arr[4] = { 0 };
	arr[i++] = 5; arr[i] = i + 1; i += arr[0] - arr[1];
	if (i != 4 || arr[1] != 2) bad |= 1 << 20;
	for (int j = 0, k = 10; j < k; j += 2, --k) i += k - j;
	if (i != 4 + 10 + 7 + 4 + 1) bad |= 1 << 21;
	const int sz = sizeof arr / sizeof *arr;
	if (sz != 4 || sizeof(text + 0) != 8 || sizeof(char[3][5]) != 15 || _Alignof(short) != 2 || sizeof 'a' != 4) bad |= 1 << 22;
	if ((1 ? (void *)0 : &a) || (a ? &b : 0) != &b || (_Bool)&a != 1) bad |= 1 << 23;
	if (!(a == 3 ? b == 1 ? 1 : 0 : 0) || (a, b) != 1 || ((a = 9) && a != 9)) bad |= 1 << 24;
	return bad;
}

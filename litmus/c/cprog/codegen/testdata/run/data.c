// Structs, arrays, pointers, initialisers and strings.
struct point { int x, y; };
struct shape { char tag; struct point p[2]; union { int i; unsigned u; }; struct { long id; }; };
struct node { int v; struct node *next; };

struct point origin = { .y = 4, .x = 3 };
int table[][3] = { { 1, 2, 3 }, { 4 }, [3] = { [1] = 7, 8 } };
int ranged[10] = { [2 ... 4] = 6, 1 };
struct shape square = { 's', { { 1, 2 }, { 3 } }, { 9 }, .id = 77 };
struct shape flat = { 't', 1, 2, 3, 4, 5, 6 };
char text[] = "hello", cut[3] = "abc", padded[8] = { "xy" };
const char *strings[] = { "one", "two" };
struct node third = { 3 }, second = { 2, &third }, first = { 1, &second };
int *inside = &table[1][0] + 1;
int add(int a, int b) { return a + b; }
int sub(int a, int b) { return a - b; }
int (*ops[2])(int, int) = { add, &sub };
long offset = (long)&((struct shape *)0)->p[1].y;
typedef struct { int n; struct point at; } boxed;
boxed *literal = &(boxed){ 5, { 6, 7 } };

struct point mirror(struct point p) { int t = p.x; p.x = p.y; p.y = t; return p; }
int sum(const int *a, int n) { int s = 0; while (n-- > 0) s += *a++; return s; }
int total(int a[3][3]) { int s = 0; for (int i = 0; i < 3; i++) s += sum(a[i], 3); return s; }
void set(int *p, int v) { *p = v; }
static int counter(void) { static int n = 10; return n++; }

int test(void) {
	int bad = 0;
	if (origin.x != 3 || origin.y != 4) bad |= 1;
	if (sizeof table != 48 || table[1][0] != 4 || table[1][1] || table[3][1] != 7 || table[3][2] != 8) bad |= 2;
	if (ranged[1] || ranged[2] != 6 || ranged[4] != 6 || ranged[5] != 1 || ranged[6]) bad |= 4;
	if (square.p[1].x != 3 || square.p[1].y || square.i != 9 || square.u != 9 || square.id != 77) bad |= 8;
	if (flat.p[1].y != 4 || flat.i != 5 || flat.id != 6) bad |= 16;
	if (sizeof text != 6 || text[4] != 'o' || text[5] || cut[2] != 'c' || padded[1] != 'y' || padded[7]) bad |= 32;
	if (strings[1][0] != 't' || *strings[0] != 'o') bad |= 64;
	int s = 0;
	for (struct node *n = &first; n; n = n->next) s = s * 10 + n->v;
	if (s != 123) bad |= 128;
	if (inside != &table[1][1] || inside - &table[0][0] != 4) bad |= 256;
	if (ops[0](5, 3) != 8 || (*ops[1])(5, 3) != 2 || (0 ? add : sub)(9, 1) != 8) bad |= 512;
	if (offset != 16) bad |= 1024;
	if (literal->at.y != 7) bad |= 2048;
	struct point a = { 1, 2 }, b = mirror(a), c;
	c = b;
	c.x += 10;
	if (a.x != 1 || b.x != 2 || b.y != 1 || c.x != 12 || mirror(mirror(c)).x != 12) bad |= 4096;
	int local[4] = { 1, 2 }, *p = local, k = 5;
	set(&k, 9);
	set(&local[3], k);
	*p++ = 7;
	*++p = 8;
	if (sum(local, 4) != 7 + 2 + 8 + 9 || p - local != 2 || p[-1] != 2 || 1[local] != 2) bad |= 8192;
	if (total(table) != 10) bad |= 16384;
	if (counter() + counter() * 100 != 1110) bad |= 1 << 15;
	boxed box = { .at = { .y = 3 } }, *q = &box;
	q->at.x = q->at.y-- + 1;
	if (box.n || box.at.x != 4 || (*q).at.y != 2) bad |= 1 << 16;
	struct shape many[2] = { [1] = { .p = { [1] = { 5, 6 } } }, [0].tag = 'q' };
	if (many[1].p[1].y != 6 || many[0].tag != 'q' || many[1].tag) bad |= 1 << 17;
	int v = ({ int t = 3; t * t; });
	__auto_type w = v + 1L;
	typeof(v) x = 2;
	if (v != 9 || w != 10 || sizeof w != 8 || x != 2) bad |= 1 << 18;
	if (_Generic(v, long: 1, int: 2, default: 3) != 2 || _Generic(&v, int *: 4, default: 5) != 4) bad |= 1 << 19;
	int *none = 0;
	if (none || !!none || none != (void *)0 || p < local || !(p >= local)) bad |= 1 << 20;
	unsigned long bits = (unsigned long)p;
	if ((int *)bits != p || (int *)(bits + 4) != p + 1) bad |= 1 << 21;
	p += 1; p -= 2; --p;
	if (p != local || &*p != p || &p[2] != local + 2) bad |= 1 << 22;
	int (*row)[3] = table;
	if (row[3][1] != 7 || (*(row + 1))[0] != 4 || sizeof *row != 12) bad |= 1 << 23;
	struct point *ps = (struct point[]){ { 1, 2 }, { 3, 4 } };
	if (ps[1].y != 4) bad |= 1 << 24;
	char word[] = "ab";
	word[0]++;
	if (word[0] != 'b' || sizeof word != 3) bad |= 1 << 25;
	a = *(v ? &b : &c);
	if (a.x != 2) bad |= 1 << 26;
	struct { struct point in; } outer = { b };
	if (outer.in.y != 1) bad |= 1 << 27;
	return bad;
}

/* Bit-fields: where they are, what they are promoted to, and how they are written and copied. */
#include <string.h>

#define assert(c) do { if (!(c)) return __LINE__; } while (0)
struct a { char c; int b : 4; };
struct b { struct a x[2]; unsigned y : 20; char z; };
struct c { unsigned a : 3, b : 30, : 0, d : 5; _Bool e : 1; signed char f : 4; long g : 40; };
struct __attribute__((packed)) d { unsigned a : 3; unsigned b : 30; short s; unsigned long c : 33; };
/* Members of these have the names of bit-fields beside them. */
struct in { long f0; unsigned char f1; volatile int f2; };
struct g { struct in n; char c; int f0 : 3; unsigned f1 : 20; char d; signed f2 : 5; };
struct h { struct in n; struct { short f1; unsigned char f0; }; };
static struct g gg = { .f0 = 2, .f1 = 9, .n = { 5 }, .d = 4 };
static struct h gh = { .f1 = 3, .f0 = 200, .n = { 6 } };
#define F0(v) v.f0
enum e { red, green, blue };
struct f { enum e x : 2; int y : 3; unsigned char z; unsigned short w : 9; };
union u { struct { unsigned locked : 1, pending : 1, tail : 30; }; unsigned word; };
_Static_assert(sizeof(struct a) == 4, "a");
_Static_assert(sizeof(struct b) == 12, "b");
_Static_assert(sizeof(struct c) == 16, "c");
_Static_assert(sizeof(struct d) == 12, "d");
_Static_assert(sizeof(struct f) == 4, "f");
_Static_assert(sizeof(union u) == 4, "u");
static struct c g = { 5, 1000000, .d = 17, 1, -3, 0x123456789aL };
static struct b gb = { { {'a', 3}, {'b', -2} }, 77777, 'z' };
int test(void)
{
  struct f l = { blue, -1, 200, 300 }, m;
  assert(l.x == blue && l.y == -1 && l.z == 200 && l.w == 300);
  l.w += 300; assert(l.w == 88);
  assert(g.a == 5 && g.b == 1000000 && g.d == 17 && g.e && g.f == -3 && (long)g.g == 0x123456789aL);
  assert(gb.x[0].b == 3 && gb.x[1].b == -2 && gb.y == 77777 && gb.z == 'z' && gb.x[1].c == 'b');
  m = l; assert(m.w == 88 && m.y == -1);
  m.y++; assert(m.y == 0); assert(m.y-- == 0); assert(m.y == -1);
  assert((m.y = 9) == 1);
  union u u = { .word = 0 };
  u.pending = 1; u.tail = 5;
  assert(u.word == 22);
  assert(u.tail - 6 < 0);
  struct d d; memset(&d, 0, sizeof d); d.b = 0x3fffffff; d.c = 0x1ffffffffUL;
  unsigned char *p = (unsigned char *)&d;
  assert(p[0] == 0xf8 && p[3] == 0xff && p[4] == 1 && p[5] == 0 && d.s == 0);
  assert(p[7] == 0xff && p[11] == 1);
  d.a = 5; assert(d.a == 5 && d.b == 0x3fffffff);
  struct g *q = &gg;
  assert(gg.f0 == 2 && gg.f1 == 9 && gg.n.f0 == 5 && gg.d == 4);
  q->f0 = 3; assert(F0(gg) == 3); gg.f0 += 3; assert(gg.f0 == -2);
  q->f1 -= 10; assert(gg.f1 == 0xfffff && gg.f1 - 0x100000 == -1 && gg.f1 << 12 >> 12 == -1 && gg.d == 4);
  gg.f2 = 17; assert(gg.f2 == -15 && gg.n.f2 == 0 && gg.n.f0 == 5);
  assert(gh.f1 == 3 && gh.f0 * 3 == 600); gh.f0 += 100; gh.f1--;
  assert(gh.f0 == 44 && gh.f1 == 2 && gh.n.f0 == 6 && gh.n.f1 == 0);
  return 0;
}

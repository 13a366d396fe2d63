#include <assert.h>
#include <math.h>
#include <stdio.h>
static double d = 1.5, z, t[2] = {2, -0.5};
struct s { float f; int i; };
static double half(double x) { return x; }
static float neg(float x) { return -x; }
int main(void)
{
	printf("%f %g %d\n", 2.5, d, 3);
	assert(d == 1.5 && d > 1.0 && 1.0f < 2 && !(d < 1) && d != 1 && z == 0 && !z && d);
	double e = half(d);
	assert(e == 1.5 && e >= 1.5 && e <= 1.5 && !(e > 1.5));
	struct s q = {2.0f, 3}, r = q;
	assert(r.f == 2.0f && r.i == 3 && t[1] < 0 && t[1] < t[0] && -t[1] == 0.5);
	int n = (int)2.9, m = -2.9, k = 7 / 2.0;
	assert(n == 2 && m == -2 && k == 3);
	double w = 3, minus = -0.0, nan = 0.0 / 0.0;
	assert(w == 3.0 && minus == 0 && !minus && !(nan == nan) && nan != nan && !(nan < 1) && nan);
	assert(neg(1.5f) == -1.5f && neg(neg(2)) == 2);
	float half3 = 0.1f + 0.2f;
	assert(half3 == 0.1f + 0.2f && 0.1 + 0.2 != 0.3 && (float)16777217 == 16777216.0f && sizeof(1.0f) == 4);
	_Bool b = 0.5;
	unsigned char c = 200.7;
	assert(b == 1 && c == 200 && (1 ? 1 : 2.5) == 1.0);
	const double *p = &d;
	assert(*p == 1.5 && (d > 1 ? e : w) == 1.5);
	z += 1;
	float fs[5] = {0.1f, -3e38f, 1e-45f, 1.1e-39f, -0.0f};
	assert((double)fs[0] == (double)0.1f && fs[0] != 0.1 && (double)fs[1] == (double)-3e38f);
	assert((double)fs[2] == (double)1e-45f && (double)fs[3] == (double)1.1e-39f && fs[4] == 0.0);
	END;
	return 0;
}

// Conversions, wrap-around and division as C has them.
unsigned char uc = 200;
signed char sc = -100;
short sh = -30000;
unsigned short us = 65535;
int i = -7;
unsigned u = 7;
long l = -5000000000L;
unsigned long ul = 18446744073709551615UL;
_Bool b;
enum colour { RED, GREEN = 5, BLUE };

int check(int n, int ok) { return ok ? 0 : n; }

int test(void) {
	int bad = 0;
	bad |= check(1, uc + uc == 400);
	bad |= check(2, (unsigned char)(uc + uc) == 144);
	bad |= check(4, sc - sc == 0 && sc * 2 == -200);
	bad |= check(8, i / 2 == -3 && i % 2 == -1 && u / 2 == 3);
	bad |= check(16, i > u);           /* i becomes unsigned */
	bad |= check(32, l < u && ul == -1);
	bad |= check(64, us + 1 == 65536 && (unsigned short)(us + 1) == 0);
	b = 256;
	bad |= check(128, b == 1 && sizeof b == 1);
	bad |= check(256, i >> 1 == -4 && (unsigned)i >> 28 == 15 && 1 << 4 == 16);
	bad |= check(512, ~0 == -1 && -u == 4294967289u && !i == 0 && !!i == 1);
	bad |= check(1024, BLUE == 6 && GREEN + RED == 5 && (enum colour)6 == BLUE);
	bad |= check(2048, (char)300 == 44 && (short)70000 == 4464 && (int)4294967295u == -1);
	bad |= check(4096, 'a' == 97 && '\n' == 10 && '\xff' == -1 && "abc"[1] == 'b');
	bad |= check(8192, sh * sh == 900000000 && (short)(sh * 3) == -24464);
	bad |= check(16384, (i ^ 3) == -6 && (i & 12) == 8 && (i | 1) == -7);
	u = 5; u <<= 3; u -= 50; u >>= 1;
	bad |= check(32768, u == 2147483643u);
	uc += 100; sc -= 100; uc++; --sc;
	bad |= check(65536, uc == 45 && sc == 55);
	bad |= check(1 << 17, 0x7fffffff + 1u == 0x80000000 && 10L - 11u < 0 && 10 - 11u > 0);
	bad |= check(1 << 18, (l >> 33) == -1 && (int)l == -705032704);
	int x = 5, y = x++ + 10, z = 2 * --x;
	x++;
	bad |= check(1 << 19, x == 6 && y == 15 && z == 10);
	bad |= check(1 << 20, (x, y) == 15 && (x > 3 ? y : z) == 15 && (0 ?: 9) == 9);
	long long ll = 1LL << 40;
	bad |= check(1 << 21, ll / 3 == 366503875925 && ll % 1000 == 776 && -ll / 3 == -366503875925);
	bad |= check(1 << 22, sizeof(int) == 4 && sizeof(long) == 8 && sizeof(char[10]) == 10 && _Alignof(long) == 8);
	enum colour e = -1; /* it has no negative enumerators, and is unsigned */
	bad |= check(1 << 23, (1 ? (e | e) : us) == 4294967295L && (0 ? us : (e & e)) > 0 && (1 ? i : (e | e)) == 4294967289L);
	return bad;
}

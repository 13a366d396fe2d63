// Attributes and pragmas that change what a program does: when functions run, and where members are.
#if 0
#elifdef NEVER
int way = 1;
#elifndef NEVER
int way = 2;
#else
int way = 3;
#endif
#ifdef NEVER
#nothing that is known
#endif
#ident "attributes"
static int count, order[32];
static void note(int *p) { order[count++] = *p; }
void early(void) __attribute__((constructor));
void early(void) { order[count++] = 100; }
__attribute__((constructor(200))) static void first(void) { order[count++] = 99; }

static int scopes(int k) {
	int a __attribute__((cleanup(note))) = k;
	__attribute__((cleanup(note))) int b = k + 1;
	if (k == 5) return a + b;
	for (int i = 0; i < 3; i++) {
		__attribute__((cleanup(note))) int c = 10 + i;
		if (i == 1) continue;
		if (i == 2) break;
		{ int d __attribute__((cleanup(note))) = 50; if (k == 7) return c; }
	}
	a = ({ int z __attribute__((cleanup(note))) = 77; z + 1; });
	return count;
}

#pragma pack(push, 1)
struct all { char c; int i; char *p; struct { short s; long l; } in; };
union either { char c[3]; int x; };
#pragma pack(pop)
struct none { char c; int i; };
struct one { char c; int i __attribute__((packed)); };
struct tight { char c; int i; short *q[2]; int a; } __attribute__((__packed__));
struct four { char c; int i; } __attribute__((packed, aligned(4)));
struct wide { char c; int i __attribute__((aligned(16))); };
struct widest { char c; } __attribute__((aligned));
struct holds { struct tight t; int x; };
_Static_assert(sizeof(struct all) == 23 && sizeof(union either) == 4 && _Alignof(union either) == 1, "by a pragma");
_Static_assert(sizeof(struct none) == 8 && sizeof(struct one) == 5 && sizeof(struct tight) == 25 && sizeof(struct four) == 8, "by attributes");
_Static_assert(sizeof(struct holds) == 32 && sizeof(struct wide) == 32 && sizeof(struct widest) == 16, "within others");
typedef int narrow __attribute__((__mode__(__SI__)));

int test(void) {
	if (way != 2 || count != 2 || order[0] != 99 || order[1] != 100) return 1;
	int want[] = { 99, 100, 50, 10, 11, 12, 77, 2, 78 };
	if (scopes(1) != 7 || count != 9) return 2;
	for (int i = 0; i < 9; i++)
		if (order[i] != want[i]) return 3;
	if (scopes(5) != 11 || count != 11 || order[9] != 6 || order[10] != 5) return 4;
	if (scopes(7) != 10 || count != 15 || order[11] != 50 || order[12] != 10 || order[13] != 8 || order[14] != 7) return 5;
	struct tight t[2] = { { 1, 2 }, { 3, 4 } };
	t[1].a = 5;
	if (t[0].i != 2 || t[1].c != 3 || t[1].i != 4 || t[1].a != 5 || (char *)&t[1].i - (char *)t != 26) return 6;
	narrow n = 3;
	return n != 3;
}

// sc rc11: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct s {
	int a;
	long b;
	struct s *next;
};

int main(void) {
	struct s *p = malloc(sizeof *p), *q = calloc(2, sizeof *q);
	assert(q[1].b == 0 && !q->next);
	p->a = 1;
	p->b = -2;
	p->next = q;
	memcpy(q, p, sizeof *p);
	assert(q->a == 1 && q->b == -2 && q->next == q);
	memset(p, 0, sizeof *p);
	assert(p->b == 0 && p->next == 0);
	int many[100], three[3] = {1, 2, 3}, copy[3];
	memset(many, 0xff, sizeof many);
	assert(many[99] == -1);
	memcpy(copy, three, sizeof three);
	assert(memcmp(copy, three, sizeof three) == 0);
	copy[2] = 4;
	assert(memcmp(copy, three, sizeof three) != 0);
	char text[10];
	strcpy(text, "abc");
	assert(strlen(text) == 3 && strcmp(text, "abc") == 0 && strcmp(text, "abd") < 0 && strncmp(text, "abx", 2) == 0);
	assert(__builtin_ctz(8) == 3 && __builtin_clz(1) == 31 && __builtin_popcount(0xff0) == 8 && __builtin_parity(7) == 1);
	assert(ffs(0) == 0 && ffs(12) == 3 && __builtin_ffsll(1ll << 40) == 41 && __builtin_bswap32(0x01020304) == 0x04030201);
	assert(abs(-3) == 3 && __builtin_expect(p != 0, 1));
	free(p);
	free(q);
	END;
}

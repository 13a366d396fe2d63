#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct s { char c; long l; };
int main(void)
{
	int *p = malloc(4);
	*p = 7;
	p = realloc(p, 3 * sizeof *p);
	assert(p[0] == 7);
	p[2] = 1;
	p = realloc(p, 4);
	assert(p[0] == 7);
	p = realloc(p, 4);
	assert(p[0] == 7);
	free(p);
	int *q = realloc(NULL, 4);
	*q = 1;
	free(q);
	struct s *t = calloc(2, sizeof *t);
	t[1].c = 3;
	t = reallocarray(t, 3, sizeof *t);
	t[2].l = 4;
	assert(t[1].c == 3 && t[0].l == 0);
	free(t);
	char *text = malloc(3);
	strcpy(text, "ab");
	text = realloc(text, 5);
	strcat(text, "cd");
	assert(!strcmp(text, "abcd"));
	free(text);
	END;
	return 0;
}

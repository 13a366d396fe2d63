#include <assert.h>
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}
struct pair { short key; char value; };
static int keys(const void *a, const void *b) { return ((struct pair *)a)->key - ((struct pair *)b)->key; }
int main(void)
{
	int a[5] = {3, 1, 4, 1, 5}, k = 4;
	qsort(a, 5, sizeof a[0], compare);
	assert(a[0] == 1 && a[1] == 1 && a[2] == 3 && a[3] == 4 && a[4] == 5);
	assert(bsearch(&k, a, 5, sizeof *a, compare) == &a[3]);
	k = 2;
	assert(!bsearch(&k, a, 5, sizeof *a, compare));
	k = 1;
	int *one = bsearch(&k, a, 5, sizeof *a, compare);
	assert(one == a || one == a + 1);
	struct pair p[3] = {{2, 'a'}, {1, 'b'}, {2, 'c'}};
	qsort(p, 3, sizeof *p, keys);
	assert(p[0].value == 'b' && p[1].value + p[2].value == 'a' + 'c');
	qsort(a, 0, sizeof a[0], compare);
	END;
	return 0;
}

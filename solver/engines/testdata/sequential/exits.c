#define _DEFAULT_SOURCE
#include <assert.h>
#include <stdlib.h>
static void ends(int status, void *p) { assert(status == 0 && *(int *)p == 4); END; }
static int x;
static void deeper(void) { x = 4; exit(0); }
int main(void)
{
	on_exit(ends, &x);
	deeper();
	assert(0);
}

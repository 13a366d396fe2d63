#define _DEFAULT_SOURCE
#include <assert.h>
#include <stdlib.h>
static int n;
static void third(void) { assert(n == 2); n = 3; END; }
static void second(int status, void *p) { assert(status == 0 && p == &n && n == 1); n = 2; }
static void first(void) { assert(n == 0); n = 1; }
static void registers(void) { atexit(first); }
int main(void)
{
	assert(!atexit(third) && !on_exit(second, &n) && !atexit(registers));
	return 0;
}

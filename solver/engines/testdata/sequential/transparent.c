#include <assert.h>
typedef union { int *ip; unsigned *up; } __attribute__((transparent_union)) arg;
static int f(arg a){ return *a.ip; }
int main(void)
{
	int x=3;
	unsigned y=4;
	assert(f(&x)==3&&f(&y)==4);
	arg a={&x};
	assert(f(a)==3);
	END;
	return 0;
}

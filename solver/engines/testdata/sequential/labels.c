#include <assert.h>
int main(void)
{
	static void *t[]={&&a,&&b,&&c};
	int n=0;
	goto *t[1];
	a: n+=1;
	goto *t[2];
	b: n+=10;
	goto *t[0];
	c: assert(n==11);
	END;
	return 0;
}

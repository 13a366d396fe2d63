#include <assert.h>
union u { int i; char c[6]; }; struct s { int a; union u u; };
static union u mk(int x){ union u r; r.i=x; return r;} static int get(union u v){ return v.i; } static struct s ms(struct s p){ p.a++; return p; }
int main(void)
{
	union u a=mk(5),b;
	b=a;
	assert(get(b)==5);
	struct s q={1,{.i=7}};
	struct s r=ms(q);
	assert(r.a==2&&r.u.i==7&&q.a==1);
	assert(mk(3).i==3);
	b=(union u){.c="ab"};
	assert(b.c[1]=='b');
	END;
	return 0;
}

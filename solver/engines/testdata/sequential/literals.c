#include <assert.h>
#include <string.h>
static const char *sp = (char[]){"hey"}; static char (*row)[4] = &(char[4]){"abc"}; struct n { char a[3], b[2][3]; } nn = {{"ab"}, {{"c"}, "de"}}; struct n *pn = &(struct n){"x", {"y"}};
char ee[] = {("pq")};
int main(void)
{
	assert(sp[2]=='y'&&!sp[3]);
	assert((*row)[2]=='c');
	assert(nn.a[1]=='b'&&nn.b[0][0]=='c'&&nn.b[1][1]=='e');
	assert(pn->a[0]=='x'&&pn->b[0][0]=='y');
	char one = ((char[1]){"h"})[0];
	assert(one=='h');
	assert(strlen((char[]){"hello"})==5);
	assert(sizeof ee==3&&ee[1]=='q');
	struct n m = {.b = {[1] = "zz"}};
	assert(m.b[1][1]=='z'&&!m.a[0]&&!m.b[0][0]);
	const char *f[2][2]={{"a","b"},{"c"}};
	assert(f[1][0][0]=='c'&&!f[1][1]);
	END;
	return 0;
}

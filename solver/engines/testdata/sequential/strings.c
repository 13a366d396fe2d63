#include <assert.h>
#include <string.h>
char a[]="x"; static char b[]={"xy"}; char c[2][4]={"ab","cd"}; char d[3]="abc"; static char e[5]={[1]='q',[3]='z'};
struct s { char n[4]; int v; } t = {"hey", 3}; struct s u = { .v = 4, .n = {"ab"} }; struct s w[2] = {{"a",1},{"b",2}}; char f[]=("par"); char x[][3]={"a","b","cd"};
unsigned char g[] = "\377\x01" "ab"; static const char *names[] = {"a","bc"};
int main(void)
{
	assert(sizeof a==2 && a[0]=='x' && !a[1]);
	assert(sizeof b==3&&b[1]=='y');
	assert(c[1][1]=='d'&&c[0][2]==0&&c[0][3]==0);
	assert(d[2]=='c');
	assert(e[1]=='q'&&e[0]==0&&e[4]==0);
	assert(t.n[2]=='y'&&t.v==3);
	assert(u.n[1]=='b'&&u.n[3]==0&&u.v==4);
	assert(w[1].n[0]=='b'&&w[1].v==2);
	assert(sizeof f==4&&f[2]=='r');
	assert(sizeof x==9&&x[2][1]=='d');
	assert(g[0]==255&&g[2]=='a'&&sizeof g==5);
	assert(names[1][1]=='c');
	char la[]="x", lb[]={"xy"}, lc[2][4]={"ab","cd"}, ld[3]="abc", le[8]="ab";
	struct s lt={"hey",3};
	struct s lu[2]={[1]={"b",2}};
	assert(la[1]==0&&lb[1]=='y'&&lc[1][1]=='d'&&ld[2]=='c'&&le[7]==0&&lt.n[2]=='y'&&lt.v==3&&lu[1].n[0]=='b'&&lu[0].n[1]==0&&lu[1].v==2);
	assert(strcmp((char[]){"hi"},"hi")==0);
	assert(((struct s){"zz",9}).n[1]=='z');
	END;
	return 0;
}

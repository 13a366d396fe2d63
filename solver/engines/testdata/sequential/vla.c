#include <assert.h>
static int sum(int n, int a[n]){ int s=0; for(int i=0;i<n;i++) s+=a[i]; return s; }
static int stat(int a[static 4]){ return a[3]; }
static int two(int n, int a[n][n]){ return a[1][0]; }
static int cons(int a[const 2][3]){ return a[1][2]; }
int main(void)
{
	int a[4]={1,2,3,4};
	assert(sum(4,a)==10);
	assert(stat(a)==4);
	int b[2][2]={{1,2},{3,4}};
	assert(two(2,b)==3);
	int c[2][3]={{1,2,3},{4,5,6}};
	assert(cons(c)==6);
	int m = 3;
	int g[m][m], (*row)[m] = g;
	g[1][2] = 5;
	row[2][0] = 6;
	m = 1;
	assert(sizeof g == 36 && sizeof g[0] == 12 && g[1][2] == 5 && g[2][0] == 6 && &g[2] - &g[0] == 2 && row++ == g && row[0][2] == 5);
	END;
	return 0;
}

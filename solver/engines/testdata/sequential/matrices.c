#include <assert.h>
static int f(int n, int m, int a[n][m], int (*b)[m], int c[][m]) {
	int (*p)[m] = &a[1];
	n = 9;
	m = 9;
	return (*p)[1] + b[1][0] + c[0][2] + a[n-8][2] + (int)sizeof(*p) + (int)sizeof a[0] + (int)(p - a);
	}
static int g(int n, int a[n][2][n]) { return a[1][1][n-1] + sizeof a[0];
	}
int main(void){
	int a[2][3]={{1,2,3},{4,5,6}};
	assert(f(2,3,a,a,a) == 5+4+3+6+12+12+1);
	int z[2][2][3]={0};
	z[1][1][2]=7;
	assert(g(3,z)==7+24);
	int k=2;
	char t[k][k+1];
	for(int i=0;i<k;i++) for(int j=0;j<=k;j++) t[i][j]=i*10+j;
	assert(t[1][2]==12 && *(*(t+1)+1)==11 && sizeof t[1]==3);
	END;
	return 0;
	}

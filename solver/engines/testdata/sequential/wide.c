#include <assert.h>
#include <stddef.h>
wchar_t a[]=L"xy"; wchar_t b[4]={L"ab"}; const wchar_t *p=L"pq";
int main(void)
{
	assert(a[1]=='y'&&a[2]==0&&sizeof a==3*sizeof(wchar_t));
	assert(b[1]=='b'&&b[3]==0);
	assert(p[1]==L'q');
	wchar_t l[]=L"z";
	assert(l[0]=='z');
	END;
	return 0;
}

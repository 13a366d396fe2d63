#include <assert.h>
#define TAG 'abcd'
// don't 'ab
#if 'ab' != 24930
#error don't do 'that'
#endif
int main(void)
{
	char *s="it's 'ab'";
	assert(s[2]=='\'' && '"'==34);
	assert(TAG==1633837924);
	assert('\n\\'==0x0a5c&&'\x41\101'==0x4141);
	assert('\xff\xff'==0xffff && '\xff\xff\xff\xff'==-1);
	int a[2]={0xA'B,1};
	assert(a[0]==0xab);
	assert('a'==97&&'\377'==-1&&'\0'==0);
	END;
	return 0;
}

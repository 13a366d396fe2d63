#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
int main(void)
{
	char *e;
	const char *s = "0x1fz", *none = " -z";
	assert(atoi(" -42x") == -42 && atol("17") == 17 && atoll("+8") == 8 && atoi("z") == 0);
	assert(strtol(s, &e, 0) == 31 && *e == 'z');
	assert(strtol(s, &e, 10) == 0 && *e == 'x');
	assert(strtol("0xg", &e, 16) == 0 && *e == 'x');
	assert(strtoul("777", NULL, 8) == 511 && strtoul("zz", 0, 36) == 35 * 36 + 35);
	assert(strtol(none, &e, 10) == 0 && e == none);
	assert(strtoul("-1", 0, 10) == ULONG_MAX && strtoull("-1", 0, 10) == ULLONG_MAX);
	errno = 0;
	assert(strtol("-9223372036854775808", 0, 10) == LONG_MIN && errno == 0);
	assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
	errno = 0;
	assert(strtoll("-9223372036854775809", 0, 10) == LLONG_MIN && errno == ERANGE);
	errno = 0;
	assert(strtoul("-99999999999999999999", 0, 10) == ULONG_MAX && errno == ERANGE);
	errno = 0;
	assert(strtol("1", 0, 1) == 0 && errno == EINVAL);
	END;
	return 0;
}

#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
	char b[40];
	int n = snprintf(b, sizeof b, "%d:%u:%x:%s:%c%%", -5, 7u, 255, "hi", 'q');
	assert(n == 14 && n == strlen(b) && !strcmp(b, "-5:7:ff:hi:q%") == 0 || n == 13 && !strcmp(b, "-5:7:ff:hi:q%"));
	n = snprintf(b, 4, "%s", "abcdef");
	assert(n == 6 && !strcmp(b, "abc"));
	assert(snprintf(0, 0, "%ld", 123L) == 3);
	sprintf(b, "%03d|%5s|%-4d|%+d|% d|%.2s|%*d", 7, "a", 3, 1, 2, "xyz", 4, 5);
	assert(!strcmp(b, "007|    a|3   |+1| 2|xy|   5"));
	snprintf(b, sizeof b, "%zu %lu %llx %hhu %#o %#X %.3d %5.3x", sizeof(int), 5UL, 16ULL, (unsigned char)255, 8, 255, 5, 10);
	assert(!strcmp(b, "4 5 10 255 010 0XFF 005   00a"));
	snprintf(b, sizeof b, "%-3cx%3cy%c", 'a', 'b', 'c');
	assert(!strcmp(b, "a  x  byc"));
	snprintf(b, sizeof b, "%d", -2147483647 - 1);
	assert(!strcmp(b, "-2147483648"));
	snprintf(b, sizeof b, "%p", (void *)0x1f);
	assert(!strcmp(b, "0x1f"));
	END;
	return 0;
}

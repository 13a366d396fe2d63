#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <errno.h>
#include <unistd.h>
int main(void)
{
	const char *s = "hello";
	char buffer[8] = "ab";
	assert(memchr(s, 'l', 5) == s + 2 && !memchr(s, 'z', 5) && memrchr(s, 'l', 5) == s + 3);
	char *d = strdup(s), *e = strndup(s, 2);
	assert(!strcmp(d, s) && !strcmp(e, "he"));
	free(d);
	free(e);
	assert(strstr(s, "lo") == s + 3 && !strstr(s, "ll0") && strstr(s, "") == s);
	assert(!strcmp(strncat(buffer, "cde", 2), "abcd"));
	assert(strnlen(s, 3) == 3 && strnlen(s, 9) == 5);
	assert(strspn(s, "eh") == 2 && strcspn(s, "ol") == 2 && strpbrk(s, "xo") == s + 4);
	assert(!strcasecmp("aBc", "AbC") && strncasecmp("abd", "ABC", 3) > 0 && !strncasecmp("abd", "ABC", 2));
	assert(*stpcpy(buffer, "xyz") == 0 && !strcmp(buffer, "xyz"));
	assert(mempcpy(buffer, "q", 1) == buffer + 1);
	assert(strerror(EINVAL)[0]);
	perror("x");
	puts(s);
	fputs(s, stdout);
	putchar('x');
	(void)!write(1, "abc", 3);
	END;
	return 0;
}

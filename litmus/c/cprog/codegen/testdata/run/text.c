// Functions on texts, and data that points to itself.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct list { struct list *next, *prev; };
static struct list empty = { &empty, &empty };
static struct list left, right = { &left, &left }, left = { &right, &right };
static void *self = &self;

int test(void) {
	int bad = 0;
	char b[8] = "ab", c[6], rows[2][4] = { "abc", "abd" };
	if (strcat(b, "cd") != b || strcmp(b, "abcd") || strlen(b) != 4) bad |= 1;
	memset(c, 'x', sizeof c);
	if (strncpy(c, "ab", 4) != c || c[1] != 'b' || c[2] || c[3] || c[4] != 'x') bad |= 2;
	if (strncpy(c, "12345", 2)[1] != '2' || c[2]) bad |= 4;
	if (strchr(b, 'c') != b + 2 || strchr(b, 'q') || strchr(b, 0) != b + 4 || strchr("", 'a')) bad |= 8;
	if (strcmp(strrchr("a.b.c", '.'), ".c") || strrchr(b, 'a') != b || strrchr(b, 'e') || strrchr(b, 0) != b + 4) bad |= 16;
	if (memcmp(&rows[0], &rows[1], 2) || !memcmp(&rows[0], &rows[1], 4)) bad |= 32;
	if (memcmp(&left, &right, sizeof left) == 0 || memcmp(&left, &(struct list){ &right, &right }, sizeof left)) bad |= 512;
	printf("%s %-*s %.2s %.*s %.*s%%\n", b, 9, b, c, 1, rows[0], -1, rows[1]);
	if (!isdigit('7') || isalpha('7') || !isalnum('z') || isalnum('_') || !ispunct('_') || !isspace('\n') || isspace('\b')) bad |= 1024;
	if (!isxdigit('F') || isxdigit('g') || !isprint(' ') || isgraph(' ') || !iscntrl(127) || !isblank('\t') || isblank('\n')) bad |= 2048;
	if (toupper('q') != 'Q' || toupper('{') != '{' || tolower('Z') != 'z' || tolower(-1) != -1 || !isupper('A') || !islower('a')) bad |= 4096;
	if (empty.next != &empty || empty.prev->next != &empty) bad |= 64;
	if (left.next != &right || right.prev->next != &right || left.prev->prev != &left) bad |= 128;
	if (*(void **)self != &self) bad |= 256;
	volatile int four = 4;
	int moved[6] = { 1, 2, 3, 4, 5, 6 };
	memmove(moved + 1, moved, four * sizeof moved[0]); /* as many as no constant says: from the end */
	if (moved[0] != 1 || moved[1] != 1 || moved[2] != 2 || moved[4] != 4 || moved[5] != 6) bad |= 8192;
	memmove(moved, moved + 2, four * sizeof moved[0]);
	if (moved[0] != 2 || moved[1] != 3 || moved[3] != 6 || moved[5] != 6) bad |= 16384;
	memmove((char *)moved + 2, moved, 13 + four / 4);
	if (moved[0] != 2 + (2 << 16) || moved[1] != 3 << 16 || moved[3] != 6 << 16) bad |= 32768;
	return bad;
}

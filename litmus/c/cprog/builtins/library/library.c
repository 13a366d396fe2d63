/* Functions of C's library and of POSIX that are written in C. A call of one that a program makes is code of its own, all of
   which is at the place of the call. Names begin with __litmus_, so that programs may have functions of the same names. */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

_Bool __VERIFIER_nondet_bool(void);

/* Keys of threads. */

enum { max_keys = 128, rounds = 4 };
static unsigned keys;
static void (*destructors[max_keys])(void *);
static _Thread_local void *kept[max_keys];
static _Thread_local _Bool due[max_keys]; /* it was set, and not to null, and no destructor has been called with it */
static _Thread_local unsigned used; /* no key from here on was ever used by the thread */

int __litmus_key_create(unsigned *key, void (*destructor)(void *))
{
	unsigned k = __atomic_fetch_add(&keys, 1, __ATOMIC_RELAXED);
	if (k >= max_keys)
		return EAGAIN;
	if (destructor)
		__atomic_store_n(&destructors[k], destructor, __ATOMIC_RELAXED);
	*key = k;
	return 0;
}

int __litmus_key_delete(unsigned key)
{
	if (key >= max_keys)
		return EINVAL;
	if (__atomic_load_n(&destructors[key], __ATOMIC_RELAXED))
		__atomic_store_n(&destructors[key], (void (*)(void *))0, __ATOMIC_RELAXED);
	return 0;
}

void *__litmus_getspecific(unsigned key)
{
	return key < max_keys ? kept[key] : 0;
}

int __litmus_setspecific(unsigned key, const void *value)
{
	if (key >= max_keys)
		return EINVAL;
	kept[key] = (void *)value;
	due[key] = value != 0;
	if (used <= key)
		used = key + 1;
	return 0;
}

/* POSIX, pthread_key_create: what is not null is set to null, and its destructor is called with it, in any order; again as long
   as there is some, four times at most. What is due depends on what the thread itself has set alone: so it is known how often
   the loops go round. */
void __litmus_destroy(void)
{
	for (int round = 0; round < rounds; round++) {
		unsigned todo = 0;
		_Bool now[max_keys];
		for (unsigned k = 0; k < used; k++) {
			now[k] = due[k];
			todo += due[k];
			due[k] = 0;
		}
		if (!todo)
			return;
		for (unsigned n = used; todo; todo--) {
			unsigned next = n, left = todo;
			for (unsigned k = 0; k < n && next == n; k++)
				if (now[k] && (--left == 0 || __VERIFIER_nondet_bool()))
					next = k;
			void (*destructor)(void *) = __atomic_load_n(&destructors[next], __ATOMIC_RELAXED);
			void *value = kept[next];
			now[next] = 0;
			if (destructor && value) {
				kept[next] = 0;
				due[next] = 0;
				destructor(value);
			}
		}
	}
}

void *__litmus_thread(void *(*function)(void *), void *argument)
{
	void *result = function(argument);
	__litmus_destroy();
	return result;
}

int __litmus_thrd(int (*function)(void *), void *argument)
{
	int result = function(argument);
	__litmus_destroy();
	return result;
}

/* The end of the program. */

enum { max_last = 32 };
struct last {
	void (*function)(void);
	void (*with)(int, void *);
	void *argument;
};
static unsigned lasts, quick_lasts;
static struct last last[max_last], quick_last[max_last];

int __litmus_atexit(void (*function)(void))
{
	unsigned n = __atomic_fetch_add(&lasts, 1, __ATOMIC_RELAXED);
	if (n >= max_last)
		return -1;
	__atomic_store_n(&last[n].function, function, __ATOMIC_RELAXED);
	return 0;
}

int __litmus_on_exit(void (*function)(int, void *), void *argument)
{
	unsigned n = __atomic_fetch_add(&lasts, 1, __ATOMIC_RELAXED);
	if (n >= max_last)
		return -1;
	__atomic_store_n(&last[n].with, function, __ATOMIC_RELAXED);
	__atomic_store_n(&last[n].argument, argument, __ATOMIC_RELAXED);
	return 0;
}

int __litmus_at_quick_exit(void (*function)(void))
{
	unsigned n = __atomic_fetch_add(&quick_lasts, 1, __ATOMIC_RELAXED);
	if (n >= max_last)
		return -1;
	__atomic_store_n(&quick_last[n].function, function, __ATOMIC_RELAXED);
	return 0;
}

/* Functions are called in the reverse order of their registration, and those that they register right behind them. */
void __litmus_last(int status)
{
	unsigned n;
	while ((n = __atomic_load_n(&lasts, __ATOMIC_RELAXED))) {
		__atomic_store_n(&lasts, n - 1, __ATOMIC_RELAXED);
		if (n > max_last)
			continue;
		void (*function)(void) = __atomic_load_n(&last[n - 1].function, __ATOMIC_RELAXED);
		void (*with)(int, void *) = __atomic_load_n(&last[n - 1].with, __ATOMIC_RELAXED);
		void *argument = __atomic_load_n(&last[n - 1].argument, __ATOMIC_RELAXED);
		__atomic_store_n(&last[n - 1].function, (void (*)(void))0, __ATOMIC_RELAXED);
		__atomic_store_n(&last[n - 1].with, (void (*)(int, void *))0, __ATOMIC_RELAXED);
		if (function)
			function();
		if (with)
			with(status, argument);
	}
}

void __litmus_quick_last(void)
{
	unsigned n;
	while ((n = __atomic_load_n(&quick_lasts, __ATOMIC_RELAXED))) {
		__atomic_store_n(&quick_lasts, n - 1, __ATOMIC_RELAXED);
		if (n > max_last)
			continue;
		void (*function)(void) = __atomic_load_n(&quick_last[n - 1].function, __ATOMIC_RELAXED);
		if (function)
			function();
	}
}

/* Searching and sorting. */

/* Bytes are moved by words where they can be, as a compiler moves structures. */
static void move(char *to, const char *from, size_t size)
{
	size_t bits = (size_t)to | (size_t)from | size;
	if (bits % sizeof(long) == 0)
		memcpy((long *)to, (const long *)from, size);
	else if (bits % sizeof(int) == 0)
		memcpy((int *)to, (const int *)from, size);
	else if (bits % sizeof(short) == 0)
		memcpy((short *)to, (const short *)from, size);
	else
		memcpy(to, from, size);
}

/* C leaves the order of elements that compare as equal open: they come in any. */
void __litmus_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	char *a = base, *other;
	if (count < 2 || !size)
		return;
	other = malloc(size);
	for (size_t i = 1; i < count; i++)
		for (size_t j = i; j > 0; j--) {
			char *at = a + j * size;
			int order = compare(at - size, at);
			if (order < 0 || order == 0 && !__VERIFIER_nondet_bool())
				break;
			move(other, at, size);
			move(at, at - size, size);
			move(at - size, other, size);
		}
	free(other);
}

/* Of several that compare as equal, C leaves open which is found. */
void *__litmus_bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	const char *a = base;
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare(key, a + middle * size);
		if (order == 0) {
			while (middle > 0 && compare(key, a + (middle - 1) * size) == 0 && __VERIFIER_nondet_bool())
				middle--;
			while (middle + 1 < count && compare(key, a + (middle + 1) * size) == 0 && __VERIFIER_nondet_bool())
				middle++;
			return (void *)(a + middle * size);
		}
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return 0;
}

/* Memory and texts. */

void *__litmus_memchr(const void *memory, int byte, size_t size)
{
	const unsigned char *m = memory;
	for (size_t i = 0; i < size; i++)
		if (m[i] == (unsigned char)byte)
			return (void *)(m + i);
	return 0;
}

void *__litmus_memrchr(const void *memory, int byte, size_t size)
{
	const unsigned char *m = memory;
	while (size-- > 0)
		if (m[size] == (unsigned char)byte)
			return (void *)(m + size);
	return 0;
}

void *__litmus_mempcpy(void *to, const void *from, size_t size)
{
	memcpy(to, from, size);
	return (char *)to + size;
}

size_t __litmus_strnlen(const char *text, size_t most)
{
	size_t n = 0;
	while (n < most && text[n])
		n++;
	return n;
}

char *__litmus_strndup(const char *text, size_t most)
{
	size_t n = __litmus_strnlen(text, most);
	char *copy = malloc(n + 1);
	memcpy(copy, text, n);
	copy[n] = 0;
	return copy;
}

char *__litmus_strdup(const char *text)
{
	size_t n = strlen(text) + 1;
	char *copy = malloc(n);
	memcpy(copy, text, n);
	return copy;
}

char *__litmus_stpcpy(char *to, const char *from)
{
	while ((*to = *from)) {
		to++;
		from++;
	}
	return to;
}

char *__litmus_strncat(char *to, const char *from, size_t most)
{
	char *end = to + strlen(to);
	while (most-- > 0 && *from)
		*end++ = *from++;
	*end = 0;
	return to;
}

char *__litmus_strstr(const char *text, const char *part)
{
	size_t n;
	do {
		for (n = 0; part[n] && text[n] == part[n]; n++)
			;
		if (!part[n])
			return (char *)text;
	} while (*text++);
	return 0;
}

static _Bool among(char c, const char *set)
{
	for (; *set; set++)
		if (*set == c)
			return 1;
	return 0;
}

size_t __litmus_strspn(const char *text, const char *set)
{
	size_t n = 0;
	while (text[n] && among(text[n], set))
		n++;
	return n;
}

size_t __litmus_strcspn(const char *text, const char *set)
{
	size_t n = 0;
	while (text[n] && !among(text[n], set))
		n++;
	return n;
}

char *__litmus_strpbrk(const char *text, const char *set)
{
	text += __litmus_strcspn(text, set);
	return *text ? (char *)text : 0;
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

int __litmus_strncasecmp(const char *a, const char *b, size_t most)
{
	for (size_t i = 0; i < most; i++) {
		int x = lower((unsigned char)a[i]), y = lower((unsigned char)b[i]);
		if (x != y)
			return x < y ? -1 : 1;
		if (!x)
			break;
	}
	return 0;
}

int __litmus_strcasecmp(const char *a, const char *b) { return __litmus_strncasecmp(a, b, -1); }

/* Numbers in texts. */

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = lower(c);
	return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

/* What does not fit is the most there is, or the least, and errno is ERANGE. */
static unsigned long long number(const char *text, char **end, int base, unsigned long long most, unsigned long long least, _Bool isSigned)
{
	const char *at = text;
	_Bool negative = 0, any = 0, over = 0;
	unsigned long long n = 0;
	if (base < 0 || base == 1 || base > 36) {
		errno = EINVAL;
		if (end)
			*end = (char *)text;
		return 0;
	}
	while (*at == ' ' || *at >= '\t' && *at <= '\r')
		at++;
	if (*at == '-' || *at == '+')
		negative = *at++ == '-';
	if ((base == 0 || base == 16) && *at == '0' && (at[1] == 'x' || at[1] == 'X') && digit(at[2]) < 16) {
		at += 2;
		base = 16;
	} else if (base == 0)
		base = *at == '0' ? 8 : 10;
	unsigned long long bound = isSigned && negative ? least : most;
	for (int d; (d = digit(*at)) < base; at++) {
		any = 1;
		if (n > (bound - d) / base)
			over = 1;
		else
			n = n * base + d;
	}
	if (end)
		*end = (char *)(any ? at : text);
	if (over) {
		errno = ERANGE;
		n = bound;
		if (!isSigned)
			return n;
	}
	return negative ? -n : n;
}

long __litmus_strtol(const char *text, char **end, int base)
{
	return number(text, end, base, LONG_MAX, (unsigned long)LONG_MAX + 1, 1);
}

unsigned long __litmus_strtoul(const char *text, char **end, int base)
{
	return number(text, end, base, (unsigned long)-1, 0, 0);
}

long long __litmus_strtoll(const char *text, char **end, int base)
{
	return number(text, end, base, 0x7fffffffffffffff, 0x8000000000000000, 1);
}

unsigned long long __litmus_strtoull(const char *text, char **end, int base)
{
	return number(text, end, base, -1, 0, 0);
}

/* What does not fit has no meaning in C: glibc takes the lower bits of strtol's. */
int __litmus_atoi(const char *text) { return __litmus_strtol(text, 0, 10); }
long __litmus_atol(const char *text) { return __litmus_strtol(text, 0, 10); }
long long __litmus_atoll(const char *text) { return __litmus_strtoll(text, 0, 10); }

/* What is printed into a text. Each part is put behind what there is, of which there are so many bytes, though no more than
   there is room for are written. */

size_t __litmus_put(char *to, size_t room, size_t at, char c)
{
	if (at + 1 < room)
		to[at] = c;
	return at + 1;
}

/* The flags of a conversion. */
enum { left = 1, plus = 2, blank = 4, sharp = 8, zero = 16, upper = 32, negative = 64 };

static size_t pad(char *to, size_t room, size_t at, char c, int n)
{
	for (; n > 0; n--)
		at = __litmus_put(to, room, at, c);
	return at;
}

size_t __litmus_put_number(char *to, size_t room, size_t at, unsigned long long n, unsigned base, int flags, int width, int precision)
{
	char digits[24], prefix[2];
	int count = 0, prefixes = 0;
	if (width < 0) {
		flags |= left;
		width = -width;
	}
	if (n && flags & sharp && base == 16) {
		prefix[prefixes++] = '0';
		prefix[prefixes++] = flags & upper ? 'X' : 'x';
	} else if (flags & (negative | plus | blank))
		prefix[prefixes++] = flags & negative ? '-' : flags & plus ? '+' : ' ';
	for (; n || !count && precision; n /= base) {
		unsigned d = n % base;
		digits[count++] = d < 10 ? '0' + d : (flags & upper ? 'A' : 'a') + d - 10;
	}
	if (flags & sharp && base == 8 && (!count || digits[count - 1] != '0') && precision <= count)
		precision = count + 1;
	int zeros = precision - count;
	if (precision < 0 && (flags & (zero | left)) == zero)
		zeros = width - prefixes - count;
	if (zeros < 0)
		zeros = 0;
	int blanks = width - prefixes - zeros - count;
	if (!(flags & left))
		at = pad(to, room, at, ' ', blanks);
	for (int i = 0; i < prefixes; i++)
		at = __litmus_put(to, room, at, prefix[i]);
	at = pad(to, room, at, '0', zeros);
	while (count > 0)
		at = __litmus_put(to, room, at, digits[--count]);
	return flags & left ? pad(to, room, at, ' ', blanks) : at;
}

size_t __litmus_put_text(char *to, size_t room, size_t at, const char *text, int flags, int width, int precision)
{
	if (width < 0) {
		flags |= left;
		width = -width;
	}
	size_t n = __litmus_strnlen(text, precision < 0 ? (size_t)-1 : precision);
	int blanks = width - (int)n;
	if (!(flags & left))
		at = pad(to, room, at, ' ', blanks);
	for (size_t i = 0; i < n; i++)
		at = __litmus_put(to, room, at, text[i]);
	return flags & left ? pad(to, room, at, ' ', blanks) : at;
}

size_t __litmus_put_char(char *to, size_t room, size_t at, char c, int flags, int blanks)
{
	if (flags & left || blanks < 0) {
		if (blanks < 0)
			blanks = -blanks - 2;
		at = __litmus_put(to, room, at, c);
		return pad(to, room, at, ' ', blanks);
	}
	return __litmus_put(to, room, pad(to, room, at, ' ', blanks), c);
}

int __litmus_put_end(char *to, size_t room, size_t at)
{
	if (room > 0)
		to[at < room ? at : room - 1] = 0;
	return at;
}

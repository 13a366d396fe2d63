/* It may be read again, with NDEBUG defined or not. */
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) __litmus_assert(!!(e), #e)
#endif
#ifndef __litmus_assert_h
#define __litmus_assert_h
void __litmus_assert(int, const char *);
#define static_assert _Static_assert
void __assert_fail(const char *, const char *, unsigned, const char *);
#endif

#ifndef __litmus_err_h
#define __litmus_err_h
#include <stdarg.h>
void err(int, const char *, ...) __attribute__((__noreturn__));
void errx(int, const char *, ...) __attribute__((__noreturn__));
void warn(const char *, ...);
void warnx(const char *, ...);
void verr(int, const char *, va_list) __attribute__((__noreturn__));
void verrx(int, const char *, va_list) __attribute__((__noreturn__));
void vwarn(const char *, va_list);
void vwarnx(const char *, va_list);
#endif

#ifndef __litmus_stdarg_h
#define __litmus_stdarg_h
typedef __builtin_va_list va_list;
#define va_start(list, ...) __builtin_va_start(list, __VA_ARGS__)
#define va_end(list) __builtin_va_end(list)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_arg(list, type) __builtin_va_arg(list, type)
#endif

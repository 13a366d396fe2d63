#ifndef __litmus_stdarg_h
#define __litmus_stdarg_h
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_end(list) __builtin_va_end(list)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_arg(list, type) (*(type *)__builtin_va_arg(list))
void *__builtin_va_arg();
#endif

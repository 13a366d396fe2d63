/* What a compiler knows before it reads a program. Names with a macro here are generic:
   the macro gives the call of the builtin its type. */

#define __FILE_NAME__ __FILE__
#if __SIZEOF_LONG__ == 8
#define __litmus_pri64 "l"
#else
#define __litmus_pri64 "ll"
#endif

int __predefined_declarator;
typedef __SIZE_TYPE__ __predefined_size_t;
typedef __PTRDIFF_TYPE__ __predefined_ptrdiff_t;
typedef __WCHAR_TYPE__ __predefined_wchar_t;
/* Arguments that have no parameter stand one behind another, in eight bytes each. */
typedef void *__builtin_va_list;
void *__litmus_arguments(void);
#define __builtin_va_start(list, ...) ((void)((list) = __litmus_arguments()))
#define __builtin_va_arg(list, type) (*(type *)(((list) += 8) - 8))
#define __builtin_va_copy(to, from) ((void)((to) = (from)))
#define __builtin_va_end(list) ((void)(list))

#define __extension__
/* Of C23. */
#define nullptr ((void *)0)
#define constexpr const
#define typeof_unqual __typeof__
#define __FUNCTION__ __func__
#define __PRETTY_FUNCTION__ __func__
#define __builtin_offsetof(type, member) ((__SIZE_TYPE__)&((type *)0)->member)
#define __builtin_types_compatible_p(a, b) __ccgo__types_compatible_p((a){0}, (b){0})
int __ccgo__types_compatible_p();

/* Memory orders and GCC's builtins on memory. */
#define __CLANG_ATOMIC_INT_LOCK_FREE 2

#define __litmus_of(p) (__typeof__(*(p)))
#define __atomic_load_n(p, o) (__litmus_of(p) __atomic_load_n((p), (o)))
#define __atomic_exchange_n(p, v, o) (__litmus_of(p) __atomic_exchange_n((p), (v), (o)))
#define __atomic_fetch_add(p, v, o) (__litmus_of(p) __atomic_fetch_add((p), (v), (o)))
#define __atomic_fetch_sub(p, v, o) (__litmus_of(p) __atomic_fetch_sub((p), (v), (o)))
#define __atomic_fetch_and(p, v, o) (__litmus_of(p) __atomic_fetch_and((p), (v), (o)))
#define __atomic_fetch_or(p, v, o) (__litmus_of(p) __atomic_fetch_or((p), (v), (o)))
#define __atomic_fetch_xor(p, v, o) (__litmus_of(p) __atomic_fetch_xor((p), (v), (o)))
#define __atomic_fetch_nand(p, v, o) (__litmus_of(p) __atomic_fetch_nand((p), (v), (o)))
#define __atomic_add_fetch(p, v, o) (__litmus_of(p) __atomic_add_fetch((p), (v), (o)))
#define __atomic_sub_fetch(p, v, o) (__litmus_of(p) __atomic_sub_fetch((p), (v), (o)))
#define __atomic_and_fetch(p, v, o) (__litmus_of(p) __atomic_and_fetch((p), (v), (o)))
#define __atomic_or_fetch(p, v, o) (__litmus_of(p) __atomic_or_fetch((p), (v), (o)))
#define __atomic_xor_fetch(p, v, o) (__litmus_of(p) __atomic_xor_fetch((p), (v), (o)))
#define __atomic_nand_fetch(p, v, o) (__litmus_of(p) __atomic_nand_fetch((p), (v), (o)))
void __atomic_load();
void __atomic_store();
void __atomic_store_n();
void __atomic_exchange();
_Bool __atomic_compare_exchange();
_Bool __atomic_compare_exchange_n();
_Bool __atomic_test_and_set();
void __atomic_clear();
void __atomic_thread_fence();
void __atomic_signal_fence();
#define __atomic_always_lock_free(size, p) ((size) == 1 || (size) == 2 || (size) == 4 || (size) == 8)
#define __atomic_is_lock_free(size, p) __atomic_always_lock_free(size, p)
#define __atomic_fetch_max(p, v, o) (__litmus_of(p) __atomic_fetch_max((p), (v), (o)))
#define __atomic_fetch_min(p, v, o) (__litmus_of(p) __atomic_fetch_min((p), (v), (o)))
#define __atomic_max_fetch(p, v, o) (__litmus_of(p) __atomic_max_fetch((p), (v), (o)))
#define __atomic_min_fetch(p, v, o) (__litmus_of(p) __atomic_min_fetch((p), (v), (o)))
#define __sync_fetch_and_max(p, ...) (__litmus_of(p) __sync_fetch_and_max((p), __VA_ARGS__))
#define __sync_fetch_and_min(p, ...) (__litmus_of(p) __sync_fetch_and_min((p), __VA_ARGS__))
#define __sync_fetch_and_umax(p, ...) (__litmus_of(p) __sync_fetch_and_umax((p), __VA_ARGS__))
#define __sync_fetch_and_umin(p, ...) (__litmus_of(p) __sync_fetch_and_umin((p), __VA_ARGS__))

#define __sync_fetch_and_add(p, ...) (__litmus_of(p) __sync_fetch_and_add((p), __VA_ARGS__))
#define __sync_fetch_and_sub(p, ...) (__litmus_of(p) __sync_fetch_and_sub((p), __VA_ARGS__))
#define __sync_fetch_and_or(p, ...) (__litmus_of(p) __sync_fetch_and_or((p), __VA_ARGS__))
#define __sync_fetch_and_and(p, ...) (__litmus_of(p) __sync_fetch_and_and((p), __VA_ARGS__))
#define __sync_fetch_and_xor(p, ...) (__litmus_of(p) __sync_fetch_and_xor((p), __VA_ARGS__))
#define __sync_fetch_and_nand(p, ...) (__litmus_of(p) __sync_fetch_and_nand((p), __VA_ARGS__))
#define __sync_add_and_fetch(p, ...) (__litmus_of(p) __sync_add_and_fetch((p), __VA_ARGS__))
#define __sync_sub_and_fetch(p, ...) (__litmus_of(p) __sync_sub_and_fetch((p), __VA_ARGS__))
#define __sync_or_and_fetch(p, ...) (__litmus_of(p) __sync_or_and_fetch((p), __VA_ARGS__))
#define __sync_and_and_fetch(p, ...) (__litmus_of(p) __sync_and_and_fetch((p), __VA_ARGS__))
#define __sync_xor_and_fetch(p, ...) (__litmus_of(p) __sync_xor_and_fetch((p), __VA_ARGS__))
#define __sync_nand_and_fetch(p, ...) (__litmus_of(p) __sync_nand_and_fetch((p), __VA_ARGS__))
#define __sync_val_compare_and_swap(p, ...) (__litmus_of(p) __sync_val_compare_and_swap((p), __VA_ARGS__))
#define __sync_lock_test_and_set(p, ...) (__litmus_of(p) __sync_lock_test_and_set((p), __VA_ARGS__))
_Bool __sync_bool_compare_and_swap();
void __sync_lock_release();
void __sync_synchronize();

/* Clang's, which take atomic objects. */
#define __c11_atomic_load(p, o) __atomic_load_n(p, o)
#define __c11_atomic_store(p, v, o) __atomic_store_n(p, v, o)
#define __c11_atomic_init(p, v) atomic_init(p, v)
#define __c11_atomic_exchange(p, v, o) __atomic_exchange_n(p, v, o)
#define __c11_atomic_fetch_add(p, v, o) __litmus_fetch_add(p, v, o)
#define __c11_atomic_fetch_sub(p, v, o) __litmus_fetch_sub(p, v, o)
#define __c11_atomic_fetch_and(p, v, o) __atomic_fetch_and(p, v, o)
#define __c11_atomic_fetch_or(p, v, o) __atomic_fetch_or(p, v, o)
#define __c11_atomic_fetch_xor(p, v, o) __atomic_fetch_xor(p, v, o)
#define __c11_atomic_compare_exchange_strong(p, e, v, o, f) __atomic_compare_exchange_n(p, e, v, 0, o, f)
#define __c11_atomic_compare_exchange_weak(p, e, v, o, f) __atomic_compare_exchange_n(p, e, v, 1, o, f)
#define __c11_atomic_thread_fence(o) __atomic_thread_fence(o)
#define __c11_atomic_signal_fence(o) __atomic_signal_fence(o)
#define __litmus_fetch_add(p, v, o) (__litmus_of(p) atomic_fetch_add_explicit((p), (v), (o)))
#define __litmus_fetch_sub(p, v, o) (__litmus_of(p) atomic_fetch_sub_explicit((p), (v), (o)))
void atomic_init();

/* Other builtins. */
long __builtin_expect(long, long);
long __builtin_expect_with_probability(long, long, double);
int __builtin_ffs(int);
int __builtin_ffsl(long);
int __builtin_ffsll(long long);
int __builtin_clz(unsigned);
int __builtin_clzl(unsigned long);
int __builtin_clzll(unsigned long long);
int __builtin_ctz(unsigned);
int __builtin_ctzl(unsigned long);
int __builtin_ctzll(unsigned long long);
int __builtin_popcount(unsigned);
int __builtin_popcountl(unsigned long);
int __builtin_popcountll(unsigned long long);
int __builtin_parity(unsigned);
int __builtin_parityl(unsigned long);
int __builtin_parityll(unsigned long long);
__UINT16_TYPE__ __builtin_bswap16(__UINT16_TYPE__);
__UINT32_TYPE__ __builtin_bswap32(__UINT32_TYPE__);
__UINT64_TYPE__ __builtin_bswap64(__UINT64_TYPE__);
int __builtin_abs(int);
long __builtin_labs(long);
long long __builtin_llabs(long long);
void __builtin_prefetch();
void __builtin_unreachable(void);
void __builtin_trap(void);
void __builtin_abort(void);
void __builtin_exit(int);
void *__builtin_malloc(__SIZE_TYPE__);
void *__builtin_calloc(__SIZE_TYPE__, __SIZE_TYPE__);
void __builtin_free(void *);
void *__builtin_realloc(void *, __SIZE_TYPE__);
void *__builtin_memchr(const void *, int, __SIZE_TYPE__);
char *__builtin_strdup(const char *);
char *__builtin_strndup(const char *, __SIZE_TYPE__);
int __builtin_sprintf(char *, const char *, ...);
int __builtin_snprintf(char *, __SIZE_TYPE__, const char *, ...);
void *__builtin_memcpy(void *, const void *, __SIZE_TYPE__);
void *__builtin_memmove(void *, const void *, __SIZE_TYPE__);
void *__builtin_memset(void *, int, __SIZE_TYPE__);
int __builtin_memcmp(const void *, const void *, __SIZE_TYPE__);
__SIZE_TYPE__ __builtin_strlen(const char *);
char *__builtin_strcpy(char *, const char *);
int __builtin_printf(const char *, ...);
int __builtin_puts(const char *);
int __builtin_putchar(int);
void *__builtin_assume_aligned(const void *, __SIZE_TYPE__, ...);
__SIZE_TYPE__ __builtin_object_size(const void *, int);

/* Verifiers' intrinsics that programs call without a declaration, where it is not int that they give. */
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
unsigned __VERIFIER_nondet_uint(void);
unsigned __VERIFIER_nondet_unsigned(void);
unsigned __VERIFIER_nondet_unsigned_int(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
__SIZE_TYPE__ __VERIFIER_nondet_size_t(void);
__UINT8_TYPE__ __VERIFIER_nondet_uint8_t(void);
__INT8_TYPE__ __VERIFIER_nondet_int8_t(void);
__UINT16_TYPE__ __VERIFIER_nondet_uint16_t(void);
__INT16_TYPE__ __VERIFIER_nondet_int16_t(void);
__UINT32_TYPE__ __VERIFIER_nondet_uint32_t(void);
__UINT64_TYPE__ __VERIFIER_nondet_uint64_t(void);
__INT64_TYPE__ __VERIFIER_nondet_int64_t(void);
void *__VERIFIER_nondet_pointer(void);
char *__VERIFIER_nondet_pchar(void);

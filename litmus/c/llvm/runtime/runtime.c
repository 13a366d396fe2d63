/* Functions of the runtime of C++, in C. Each part is compiled if the module declares its function: NEED_ and the name. */

/* Copies and fills of a size that the compiler does not know, in words of some bytes. */
#if defined(NEED_copy8)
#define WORDS(bytes, word) \
	void shim_copy##bytes(word *to, const word *from, size_t n) \
	{ \
		n /= bytes; \
		if (to <= from) \
			for (size_t i = 0; i < n; i++) \
				to[i] = from[i]; \
		else \
			for (size_t i = n; i > 0; i--) \
				to[i - 1] = from[i - 1]; \
	} \
	void shim_set##bytes(word *to, unsigned char value, size_t n) \
	{ \
		for (size_t i = 0; i < n / bytes; i++) \
			to[i] = (word)(value * 0x0101010101010101UL); \
	}
WORDS(8, unsigned long long)
WORDS(4, unsigned)
WORDS(2, unsigned short)
#endif
#if defined(NEED_pthread_join)
int shim_pthread_join(pthread_t t, void **result) { return result ? pthread_join(t, result) : pthread_join(t, 0); }
#endif
#if defined(NEED_pthread_mutex_init)
int shim_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a)
{
	return a ? pthread_mutex_init(m, a) : pthread_mutex_init(m, 0);
}
#endif
#if defined(NEED_bcmp)
int shim_bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }
#endif
#if defined(NEED_nanosleep)
int shim_nanosleep(const void *time, void *left) { return 0; }
#endif
#if defined(NEED___errno_location)
#include <errno.h>
int *shim___errno_location(void) { return &errno; }
#endif
#if defined(NEED_syscall) && !defined(NEED_rust_start)
/* Only futexes, by the numbers of the call on x86-64 and x86, and on Arm and RISC-V. */
long shim_syscall(long number, void *word, int op, int value, void *time, void *other, int bits)
{
	__litmus_assert(number == 202 || number == 240 || number == 98, "a system call other than futex is not supported");
	return time ? syscall(SYS_futex, word, op, value, time, other, bits)
	            : syscall(SYS_futex, word, op, value, 0, other, bits);
}
#endif

/* Memory: [new.delete]. A failure of new is not modelled, as malloc has none here. */
#if defined(NEED__Znwm)
void *shim__Znwm(size_t n) { return malloc(n); }
#endif
#if defined(NEED__Znam)
void *shim__Znam(size_t n) { return malloc(n); }
#endif
#if defined(NEED__ZnwmRKSt9nothrow_t)
void *shim__ZnwmRKSt9nothrow_t(size_t n, const void *nothrow) { return malloc(n); }
#endif
#if defined(NEED__ZnamRKSt9nothrow_t)
void *shim__ZnamRKSt9nothrow_t(size_t n, const void *nothrow) { return malloc(n); }
#endif
#if defined(NEED__ZnwmSt11align_val_t)
void *shim__ZnwmSt11align_val_t(size_t n, size_t align) { return aligned_alloc(align, n); }
#endif
#if defined(NEED__ZnamSt11align_val_t)
void *shim__ZnamSt11align_val_t(size_t n, size_t align) { return aligned_alloc(align, n); }
#endif
#if defined(NEED__ZdlPv)
void shim__ZdlPv(void *p) { free(p); }
#endif
#if defined(NEED__ZdlPvm)
void shim__ZdlPvm(void *p, size_t n) { free(p); }
#endif
#if defined(NEED__ZdlPvSt11align_val_t)
void shim__ZdlPvSt11align_val_t(void *p, size_t align) { free(p); }
#endif
#if defined(NEED__ZdlPvmSt11align_val_t)
void shim__ZdlPvmSt11align_val_t(void *p, size_t n, size_t align) { free(p); }
#endif
#if defined(NEED__ZdaPv)
void shim__ZdaPv(void *p) { free(p); }
#endif
#if defined(NEED__ZdaPvm)
void shim__ZdaPvm(void *p, size_t n) { free(p); }
#endif
#if defined(NEED__ZdaPvSt11align_val_t)
void shim__ZdaPvSt11align_val_t(void *p, size_t align) { free(p); }
#endif

/* The compiler calls it in programs that it compiles as for ThreadSanitizer. */
#if defined(NEED___tsan_init)
void shim___tsan_init(void) {}
#endif

/* Ends. */
#if defined(NEED__ZSt9terminatev)
void shim__ZSt9terminatev(void) { __litmus_assert(0, "std::terminate() is called"); }
#endif
#if defined(NEED___cxa_pure_virtual)
void shim___cxa_pure_virtual(void) { __litmus_assert(0, "a pure virtual function is called"); }
#endif
#if defined(NEED___cxa_deleted_virtual)
void shim___cxa_deleted_virtual(void) { __litmus_assert(0, "a deleted virtual function is called"); }
#endif
#if defined(NEED___cxa_atexit) || defined(NEED_atexit)
/* Functions that run when the program ends, last registered first: Itanium C++ ABI, 3.3.6. Those of atexit have no
   parameter. */
enum { shim_most_ends = 32 };
static void (*shim_ends[shim_most_ends])(void *);
static void (*shim_plain_ends[shim_most_ends])(void);
static void *shim_end_arguments[shim_most_ends];
static int shim_ends_used;
static int shim_end(void (*end)(void *), void (*plain)(void), void *argument)
{
	__litmus_assert(shim_ends_used < shim_most_ends, "more than 32 functions or destructors run at the program's end");
	shim_ends[shim_ends_used] = end;
	shim_plain_ends[shim_ends_used] = plain;
	shim_end_arguments[shim_ends_used] = argument;
	shim_ends_used++;
	return 0;
}
int shim___cxa_atexit(void (*end)(void *), void *argument, void *dso) { return shim_end(end, 0, argument); }
int shim_atexit(void (*end)(void)) { return shim_end(0, end, 0); }
void shim_last(void)
{
	while (shim_ends_used > 0) {
		shim_ends_used--;
		if (shim_plain_ends[shim_ends_used])
			shim_plain_ends[shim_ends_used]();
		else
			shim_ends[shim_ends_used](shim_end_arguments[shim_ends_used]);
	}
}
#endif

/* Exceptions: Itanium C++ ABI, exception handling. Each has a header before it: its type, its destructor, and the number of
   handlers that are at it, which is negative after it was thrown again. The handlers of a thread that are active are a list.
   If the program has std::exception_ptr, an exception counts its owners, and one that several threads may throw again has
   a header of its own in each of them, with the address of the object. */
#if defined(NEED_thrown)
#if defined(NEED__ZNSt15__exception_ptr13exception_ptr10_M_releaseEv) || \
	defined(NEED__ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE)
#define SHIM_POINTERS
#endif
struct shim_header {
	void *type;
	void (*destroy)(void *);
	long handlers;
	struct shim_header *outer;
#if defined(SHIM_POINTERS)
	void *object; /* 0: it is behind this header */
	_Atomic long owners;
#endif
};
#if defined(NEED__ZSt18uncaught_exceptionv) || defined(NEED__ZSt19uncaught_exceptionsv)
static _Thread_local int shim_uncaught_count;
#define SHIM_UNCAUGHT(change) (shim_uncaught_count += (change))
_Bool shim__ZSt18uncaught_exceptionv(void) { return shim_uncaught_count > 0; }
int shim__ZSt19uncaught_exceptionsv(void) { return shim_uncaught_count; }
#else
#define SHIM_UNCAUGHT(change) (void)0
#endif
static _Thread_local void *shim_in_flight, *shim_in_flight_type;
static _Thread_local struct shim_header *shim_caught;
void *shim_thrown(void) { return &shim_in_flight; }
void *shim_thrown_type(void) { return &shim_in_flight_type; }
void shim_uncaught(void) { __litmus_assert(!shim_in_flight, "an exception is not caught: std::terminate() is called"); }
void *shim___cxa_allocate_exception(size_t n)
{
	struct shim_header *h = malloc(sizeof *h + n);
	h->handlers = 0;
#if defined(SHIM_POINTERS)
	h->object = 0;
	h->owners = 1;
#endif
	return h + 1;
}
void shim___cxa_free_exception(void *object) { free((struct shim_header *)object - 1); }
void shim___cxa_throw(void *object, void *type, void (*destroy)(void *))
{
	struct shim_header *h = (struct shim_header *)object - 1;
	h->type = type;
	h->destroy = destroy;
	SHIM_UNCAUGHT(1);
	shim_in_flight_type = type;
	shim_in_flight = object;
}
static void *shim_object(struct shim_header *h)
{
#if defined(SHIM_POINTERS)
	if (h->object)
		return h->object;
#endif
	return h + 1;
}
static void shim_disown(struct shim_header *h)
{
#if defined(SHIM_POINTERS)
	if (h->object) {
		struct shim_header *of = (struct shim_header *)h->object - 1;
		free(h);
		h = of;
	}
	if (__atomic_sub_fetch(&h->owners, 1, __ATOMIC_ACQ_REL) > 0)
		return;
#endif
	if (h->destroy)
		h->destroy(h + 1);
	free(h);
}
void *shim___cxa_begin_catch(void *object)
{
	struct shim_header *h = (struct shim_header *)object - 1;
	h->handlers = (h->handlers < 0 ? -h->handlers : h->handlers) + 1;
	if (shim_caught != h) {
		h->outer = shim_caught;
		shim_caught = h;
	}
	SHIM_UNCAUGHT(-1);
	return shim_object(h);
}
void *shim___cxa_get_exception_ptr(void *object) { return shim_object((struct shim_header *)object - 1); }
void shim___cxa_end_catch(void)
{
	struct shim_header *h = shim_caught;
	if (h->handlers < 0) { /* it was thrown again */
		if (++h->handlers == 0)
			shim_caught = h->outer;
		return;
	}
	if (--h->handlers > 0)
		return;
	shim_caught = h->outer;
	shim_disown(h);
}
void shim___cxa_rethrow(void)
{
	__litmus_assert(shim_caught != 0, "throw without an exception: std::terminate() is called");
	shim_caught->handlers = -shim_caught->handlers;
	SHIM_UNCAUGHT(1);
	shim_in_flight_type = shim_caught->type;
	shim_in_flight = shim_caught + 1;
}
/* An exception of the standard library: its table of virtual functions has two destructors and what(). */
static void shim_nothing(void *object) {}
static const char *shim_what(void *object) { return "an exception"; }
static void *shim_virtual[] = { (void *)shim_nothing, (void *)shim_nothing, (void *)shim_what };
void *shim_exception(void)
{
	void **object = shim___cxa_allocate_exception(16);
	((struct shim_header *)object - 1)->destroy = 0;
	object[0] = shim_virtual;
	SHIM_UNCAUGHT(1);
	return object;
}
#define STANDARD(name) \
	void shim__ZNSt##name##C1ERKS_(void **object, void **from) { object[0] = from[0]; } \
	void shim__ZNSt##name##C2ERKS_(void **object, void **from) { object[0] = from[0]; } \
	void shim__ZNSt##name##C2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(void **object, void *what) \
	{ \
		object[0] = shim_virtual; \
	} \
	void shim__ZNSt##name##C1EPKc(void **object, const char *what) { object[0] = shim_virtual; } \
	void shim__ZNSt##name##C2EPKc(void **object, const char *what) { object[0] = shim_virtual; } \
	void shim__ZNSt##name##C1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(void **object, void *what) \
	{ \
		object[0] = shim_virtual; \
	} \
	void shim__ZNSt##name##D1Ev(void *object) {} \
	void shim__ZNSt##name##D2Ev(void *object) {}
STANDARD(13runtime_error)
STANDARD(11logic_error)
STANDARD(16invalid_argument)
STANDARD(12out_of_range)
STANDARD(12length_error)
STANDARD(12domain_error)
STANDARD(11range_error)
STANDARD(14overflow_error)
STANDARD(15underflow_error)
void shim__ZNSt9exceptionD1Ev(void *object) {}
void shim__ZNSt9exceptionD2Ev(void *object) {}
const char *shim__ZNKSt9exception4whatEv(void *object) { return "std::exception"; }

/* std::exception_ptr: an address of the exception, which it owns with others. */
#if defined(SHIM_POINTERS)
void shim__ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void **p)
{
	if (*p)
		__atomic_add_fetch(&((struct shim_header *)*p - 1)->owners, 1, __ATOMIC_RELAXED);
}
void shim__ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **p)
{
	if (*p)
		shim_disown((struct shim_header *)*p - 1);
	*p = 0;
}
void shim__ZNSt15__exception_ptr13exception_ptrC1EPv(void **p, void *object)
{
	*p = object;
	shim__ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(p);
}
void *shim___cxa_init_primary_exception(void *object, void *type, void (*destroy)(void *))
{
	struct shim_header *h = (struct shim_header *)object - 1;
	h->type = type;
	h->destroy = destroy;
	h->owners = 0;
	return h;
}
void shim__ZSt17current_exceptionv(void **p)
{
	*p = shim_caught ? shim_object(shim_caught) : 0;
	shim__ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(p);
}
void shim__ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE(void **p)
{
	__litmus_assert(*p != 0, "std::rethrow_exception() of a null std::exception_ptr");
	struct shim_header *of = (struct shim_header *)*p - 1, *h = malloc(sizeof *h);
	__atomic_add_fetch(&of->owners, 1, __ATOMIC_RELAXED);
	h->object = *p;
	h->handlers = 0;
	h->type = of->type;
	SHIM_UNCAUGHT(1);
	shim_in_flight_type = of->type;
	shim_in_flight = h + 1;
}
#endif
#endif

/* std::future of libstdc++: the base of results begins with its table, then has the exception. */
#if defined(NEED__ZNSt13__future_base12_Result_baseC2Ev)
void shim__ZNSt13__future_base12_Result_baseC2Ev(void **result) { result[1] = 0; }
#endif
#if defined(NEED__ZNSt13__future_base12_Result_baseD2Ev)
void shim__ZNSt13__future_base12_Result_baseD2Ev(void **result)
{
#if defined(SHIM_POINTERS)
	shim__ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(result + 1);
#endif
}
#endif
#if defined(NEED__ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj)
void shim__ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(unsigned *word)
{
	syscall(SYS_futex, word, 1, 0x7fffffff, 0, 0, 0);
}
#endif
#if defined(NEED__ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE) || \
	defined(NEED__ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE)
#define TIMED_FUTEX(name) \
	_Bool shim_##name(void *base, unsigned *word, unsigned value, _Bool timed, long seconds, long nanoseconds) \
	{ \
		if (timed && __VERIFIER_nondet_bool()) \
			return 0; \
		syscall(SYS_futex, word, 0, value, 0, 0, 0); \
		return 1; \
	}
#endif
#if defined(NEED__ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE)
TIMED_FUTEX(_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE)
#endif
#if defined(NEED__ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE)
TIMED_FUTEX(_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE)
#endif

/* std::error_category: a table of virtual functions whose message() makes an empty std::string. */
#if defined(NEED__ZSt15future_categoryv) || defined(NEED__ZNSt3_V215system_categoryEv) || \
	defined(NEED__ZNSt3_V216generic_categoryEv)
static void shim_category_end(void *category) {}
static const char *shim_category_name(void *category) { return "category"; }
static void shim_category_message(void **string, void *category, int code)
{
	string[0] = string + 2;
	string[1] = 0;
	*(char *)(string + 2) = 0;
}
static void *shim_category[] = {
	(void *)shim_category_end, (void *)shim_category_end, (void *)shim_category_name, 0, (void *)shim_category_message,
};
static void *shim_categories[3] = { shim_category, shim_category, shim_category };
void *shim__ZSt15future_categoryv(void) { return &shim_categories[0]; }
void *shim__ZNSt3_V215system_categoryEv(void) { return &shim_categories[1]; }
void *shim__ZNSt3_V216generic_categoryEv(void) { return &shim_categories[2]; }
#endif
#if defined(NEED__ZTVSt12future_error)
static void shim_error_end(void *error) {}
static const char *shim_error_what(void *error) { return "std::future_error"; }
static void *shim_future_error[] = { 0, 0, (void *)shim_error_end, (void *)shim_error_end, (void *)shim_error_what };
void *shim__ZTVSt12future_error(void) { return &shim_future_error; }
#endif
#if defined(NEED__ZNSt12future_errorD1Ev)
void shim__ZNSt12future_errorD1Ev(void *error) {}
#endif

/* dynamic_cast: Itanium C++ ABI, 2.9.5. Typeinfo objects begin with the table of their own class: no base, one public base
   at offset 0, or a list of bases with offsets and flags. */
#if defined(NEED___dynamic_cast)
static void *shim_class[8], *shim_single[8], *shim_multiple[8];
void *shim__ZTVN10__cxxabiv117__class_type_infoE(void) { return &shim_class; }
void *shim__ZTVN10__cxxabiv120__si_class_type_infoE(void) { return &shim_single; }
void *shim__ZTVN10__cxxabiv121__vmi_class_type_infoE(void) { return &shim_multiple; }
struct shim_base {
	void **type;
	long flags;
};
static void *shim_part(char *object, void **type, void **wanted)
{
	while (type != wanted && type[0] == (void *)(shim_single + 2))
		type = type[2];
	if (type == wanted)
		return object;
	if (type[0] != (void *)(shim_multiple + 2))
		return 0;
	unsigned bases = ((unsigned *)(type + 2))[1];
	void *found = 0;
	for (unsigned i = 0; i < bases; i++) {
		struct shim_base *base = (struct shim_base *)(type + 3) + i;
		long offset = base->flags >> 8;
		if (base->flags & 1)
			offset = *(long *)(*(char **)object + offset);
		void *part = base->flags & 2 ? shim_part(object + offset, base->type, wanted) : 0;
		__litmus_assert(!found || !part || found == part, "dynamic_cast to a base that a class has twice is not supported");
		if (part)
			found = part;
	}
	return found;
}
void *shim___dynamic_cast(char *object, void **from, void **wanted, long hint)
{
	void **table = *(void ***)object;
	return shim_part(object + (long)table[-2], table[-1], wanted);
}
#endif

/* Clocks: any time that is not earlier than the last one that the thread saw. A program can tell nothing else. */
#if defined(NEED__ZNSt6chrono3_V212steady_clock3nowEv)
static _Thread_local long shim_steady;
long shim__ZNSt6chrono3_V212steady_clock3nowEv(void)
{
	long now = __VERIFIER_nondet_long();
	__VERIFIER_assume(now >= shim_steady && now < 1L << 61);
	return shim_steady = now;
}
#endif
#if defined(NEED__ZNSt6chrono3_V212system_clock3nowEv)
long shim__ZNSt6chrono3_V212system_clock3nowEv(void)
{
	long now = __VERIFIER_nondet_long();
	__VERIFIER_assume(now >= 0 && now < 1L << 61);
	return now;
}
#endif
#if defined(NEED_pthread_cond_clockwait)
int shim_pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, int clock, const struct timespec *time)
{
	return pthread_cond_timedwait(c, m, time);
}
#endif
#if defined(NEED_pthread_mutex_clocklock)
int shim_pthread_mutex_clocklock(pthread_mutex_t *m, int clock, const struct timespec *time)
{
	return pthread_mutex_timedlock(m, time);
}
#endif
#if defined(NEED_pthread_rwlock_clockrdlock) || defined(NEED_pthread_rwlock_clockwrlock) || \
	defined(NEED_pthread_rwlock_timedrdlock) || defined(NEED_pthread_rwlock_timedwrlock)
#define TIMED_LOCK(name, with, lock) \
	int shim_pthread_rwlock_##name(pthread_rwlock_t *l with, const struct timespec *time) \
	{ \
		return __VERIFIER_nondet_bool() ? 110 : pthread_rwlock_##lock(l); \
	}
#define SHIM_CLOCK , int clock
#endif
#if defined(NEED_pthread_rwlock_clockrdlock)
TIMED_LOCK(clockrdlock, SHIM_CLOCK, rdlock)
#endif
#if defined(NEED_pthread_rwlock_clockwrlock)
TIMED_LOCK(clockwrlock, SHIM_CLOCK, wrlock)
#endif
#if defined(NEED_pthread_rwlock_timedrdlock)
TIMED_LOCK(timedrdlock, , rdlock)
#endif
#if defined(NEED_pthread_rwlock_timedwrlock)
TIMED_LOCK(timedwrlock, , wrlock)
#endif
#if defined(NEED_clock_nanosleep)
int shim_clock_nanosleep(int clock, int flags, const void *time, void *left) { return 0; }
#endif

/* Containers of libstdc++. A tree is not balanced, which a program cannot see; std::map and std::set compare keys only
   with keys on the way down. The header has the colour 0, which tells it from the root. */
#if defined(NEED__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_) || \
	defined(NEED__ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base) || \
	defined(NEED__ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base) || \
	defined(NEED__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_)
struct shim_node {
	int colour;
	struct shim_node *parent, *left, *right;
};
void shim__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(
	_Bool left, struct shim_node *x, struct shim_node *p, struct shim_node *header)
{
	x->colour = 1;
	x->parent = p;
	x->left = x->right = 0;
	if (left) {
		p->left = x; /* the header's left is the least node */
		if (p == header) {
			header->parent = x;
			header->right = x;
		} else if (p == header->left)
			header->left = x;
	} else {
		p->right = x;
		if (p == header->right)
			header->right = x;
	}
}
struct shim_node *shim__ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct shim_node *x)
{
	if (x->right) {
		for (x = x->right; x->left; x = x->left)
			;
		return x;
	}
	struct shim_node *y = x->parent;
	for (; x == y->right; y = y->parent)
		x = y;
	return x->right != y ? y : x;
}
struct shim_node *shim__ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct shim_node *x)
{
	if (x->colour == 0 && x->parent->parent == x)
		return x->right;
	if (x->left) {
		for (x = x->left; x->right; x = x->right)
			;
		return x;
	}
	struct shim_node *y = x->parent;
	for (; x == y->left; y = y->parent)
		x = y;
	return y;
}
struct shim_node *shim__ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(struct shim_node *x)
{
	return shim__ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(x);
}
struct shim_node *shim__ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(struct shim_node *x)
{
	return shim__ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(x);
}
static void shim_replace(struct shim_node *header, struct shim_node *z, struct shim_node *by)
{
	if (header->parent == z)
		header->parent = by;
	else if (z->parent->left == z)
		z->parent->left = by;
	else
		z->parent->right = by;
	if (by)
		by->parent = z->parent;
}
struct shim_node *shim__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(
	struct shim_node *z, struct shim_node *header)
{
	struct shim_node *next = shim__ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(z);
	struct shim_node *last = z->left ? z->left : z->parent;
	if (z->left)
		while (last->right)
			last = last->right;
	if (header->left == z)
		header->left = next;
	if (header->right == z)
		header->right = last;
	if (!z->left)
		shim_replace(header, z, z->right);
	else if (!z->right)
		shim_replace(header, z, z->left);
	else { /* the next node, which has no left one, comes to its place */
		if (next->parent != z) {
			next->parent->left = next->right;
			if (next->right)
				next->right->parent = next->parent;
			next->right = z->right;
			next->right->parent = next;
		}
		next->left = z->left;
		next->left->parent = next;
		shim_replace(header, z, next);
	}
	return z;
}
#endif
#if defined(NEED__ZNSt8__detail15_List_node_base7_M_hookEPS0_)
void shim__ZNSt8__detail15_List_node_base7_M_hookEPS0_(void **node, void **before)
{
	void **previous = before[1];
	node[0] = before;
	node[1] = previous;
	previous[0] = node;
	before[1] = node;
}
#endif
#if defined(NEED__ZNSt8__detail15_List_node_base9_M_unhookEv)
void shim__ZNSt8__detail15_List_node_base9_M_unhookEv(void **node)
{
	void **next = node[0], **previous = node[1];
	previous[0] = next;
	next[1] = previous;
}
#endif
#if defined(NEED__ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm)
/* The largest load factor is taken to be 1, which is its default. */
struct shim_rehash {
	_Bool needed;
	size_t buckets;
};
void shim__ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(
	struct shim_rehash *result, size_t *policy, size_t buckets, size_t elements, size_t more)
{
	static const size_t primes[] = { 13, 29, 59, 127, 257, 541, 1109 };
	result->needed = 0;
	result->buckets = 0;
	if (elements + more <= policy[1])
		return;
	size_t wanted = elements + more >= buckets ? elements + more + 1 : buckets;
	if (elements + more >= buckets) {
		if (wanted < buckets * 2)
			wanted = buckets * 2;
		for (unsigned i = 0;; i++) {
			__litmus_assert(i < 7, "a hash table with more than 1109 buckets is not supported");
			if (primes[i] >= wanted) {
				result->needed = 1;
				result->buckets = primes[i];
				break;
			}
		}
		policy[1] = result->buckets;
	} else
		policy[1] = buckets;
}
#endif
#if defined(NEED__ZSt11_Hash_bytesPKvmm)
size_t shim__ZSt11_Hash_bytesPKvmm(const void *bytes, size_t n, size_t seed)
{
	if (n == 8)
		return *(const size_t *)bytes ^ seed;
	if (n == 4)
		return *(const unsigned *)bytes ^ seed;
	for (size_t i = 0; i < n; i++)
		seed = seed * 31 + ((const unsigned char *)bytes)[i];
	return seed;
}
#endif

/* Static variables in functions: Itanium C++ ABI, 3.3.3. The first byte says that the variable is initialised, the second
   that a thread is at it. */
#if defined(NEED___cxa_guard_acquire)
int shim___cxa_guard_acquire(unsigned char *guard)
{
	for (;;) {
		if (__atomic_load_n(&guard[0], __ATOMIC_ACQUIRE))
			return 0;
		if (__atomic_exchange_n(&guard[1], 1, __ATOMIC_ACQUIRE) == 0) {
			if (!__atomic_load_n(&guard[0], __ATOMIC_ACQUIRE))
				return 1;
			__atomic_store_n(&guard[1], 0, __ATOMIC_RELEASE);
			return 0;
		}
	}
}
#endif
#if defined(NEED___cxa_guard_release)
void shim___cxa_guard_release(unsigned char *guard)
{
	__atomic_store_n(&guard[0], 1, __ATOMIC_RELEASE);
	__atomic_store_n(&guard[1], 0, __ATOMIC_RELEASE);
}
#endif
#if defined(NEED___cxa_guard_abort)
void shim___cxa_guard_abort(unsigned char *guard) { __atomic_store_n(&guard[1], 0, __ATOMIC_RELEASE); }
#endif

/* std::call_once of libstdc++: it leaves in variables of the thread what to call, and passes pthread_once a function. */
#if defined(NEED__ZSt15__once_callable)
static _Thread_local void *shim_once_callable;
void *shim__ZSt15__once_callable(void) { return &shim_once_callable; }
#endif
#if defined(NEED__ZSt11__once_call)
static _Thread_local void (*shim_once_call)(void);
void *shim__ZSt11__once_call(void) { return &shim_once_call; }
#if defined(NEED___once_proxy)
void shim___once_proxy(void) { shim_once_call(); }
#endif
#endif

/* std::thread of libstdc++. A thread runs a state: an object whose table of virtual functions begins with two destructors,
   of which the second deletes it, and goes on with the function that runs. */
#if defined(NEED__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE)
static void *shim_thread(void *state)
{
	void (**table)(void *) = *(void (***)(void *))state;
	table[2](state);
#if defined(NEED_thrown)
	__litmus_assert(!shim_in_flight, "an exception leaves the thread: std::terminate() is called");
#endif
	table[1](state);
	return 0;
}
void shim__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
	pthread_t *thread, void **state, void (*depend)(void))
{
	void *owned = *state;
	*state = 0;
	pthread_create(thread, 0, shim_thread, owned);
}
#endif
#if defined(NEED__ZNSt6thread6_StateD2Ev)
void shim__ZNSt6thread6_StateD2Ev(void *state) {}
#endif
#if defined(NEED__ZNSt6thread4joinEv)
void shim__ZNSt6thread4joinEv(pthread_t *thread)
{
	__litmus_assert(*thread != 0, "std::thread::join() of a thread that is not joinable throws std::system_error");
	pthread_join(*thread, 0);
	*thread = 0;
}
#endif
#if defined(NEED__ZNSt6thread6detachEv)
void shim__ZNSt6thread6detachEv(pthread_t *thread)
{
	__litmus_assert(*thread != 0, "std::thread::detach() of a thread that is not joinable throws std::system_error");
	pthread_detach(*thread);
	*thread = 0;
}
#endif
#if defined(NEED__ZNSt6thread20hardware_concurrencyEv)
unsigned shim__ZNSt6thread20hardware_concurrencyEv(void) { return rand(); }
#endif

/* std::condition_variable of libstdc++. std::unique_lock<std::mutex> begins with the address of its mutex. */
#if defined(NEED__ZNSt18condition_variableC1Ev)
void shim__ZNSt18condition_variableC1Ev(pthread_cond_t *c) { pthread_cond_init(c, 0); }
#endif
#if defined(NEED__ZNSt18condition_variableD1Ev)
void shim__ZNSt18condition_variableD1Ev(pthread_cond_t *c) {}
#endif
#if defined(NEED__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE)
void shim__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(pthread_cond_t *c, pthread_mutex_t **lock)
{
	pthread_cond_wait(c, *lock);
}
#endif
#if defined(NEED__ZNSt18condition_variable10notify_oneEv)
void shim__ZNSt18condition_variable10notify_oneEv(pthread_cond_t *c) { pthread_cond_signal(c); }
#endif
#if defined(NEED__ZNSt18condition_variable10notify_allEv)
void shim__ZNSt18condition_variable10notify_allEv(pthread_cond_t *c) { pthread_cond_broadcast(c); }
#endif
#if defined(NEED_pthread_cond_timedwait)
int shim_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *time)
{
	return pthread_cond_timedwait(c, m, time);
}
#endif
#if defined(NEED_pthread_mutex_timedlock)
int shim_pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *time)
{
	return pthread_mutex_timedlock(m, time);
}
#endif
#if defined(NEED_sem_timedwait)
int shim_sem_timedwait(sem_t *s, const struct timespec *time) { return sem_timedwait(s, time); }
#endif
#if defined(NEED_sem_clockwait)
int shim_sem_clockwait(sem_t *s, int clock, const struct timespec *time) { return sem_timedwait(s, time); }
#endif

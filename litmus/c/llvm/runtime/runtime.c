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
#if defined(NEED___cxa_atexit)
/* Functions that run when the program ends, last registered first: Itanium C++ ABI, 3.3.6. */
enum { shim_most_ends = 32 };
static void (*shim_ends[shim_most_ends])(void *);
static void *shim_end_arguments[shim_most_ends];
static int shim_ends_used;
int shim___cxa_atexit(void (*end)(void *), void *argument, void *dso)
{
	__litmus_assert(shim_ends_used < shim_most_ends, "more than 32 objects have a destructor that runs at the program's end");
	shim_ends[shim_ends_used] = end;
	shim_end_arguments[shim_ends_used] = argument;
	shim_ends_used++;
	return 0;
}
void shim_last(void)
{
	while (shim_ends_used > 0) {
		shim_ends_used--;
		shim_ends[shim_ends_used](shim_end_arguments[shim_ends_used]);
	}
}
#endif

/* Exceptions: Itanium C++ ABI, exception handling. Each has a header before it: its type, its destructor, and the number of
   handlers that are at it, which is negative after it was thrown again. The handlers of a thread that are active are a list. */
#if defined(NEED_thrown)
struct shim_header {
	void *type;
	void (*destroy)(void *);
	long handlers;
	struct shim_header *outer;
};
static _Thread_local void *shim_in_flight, *shim_in_flight_type;
static _Thread_local struct shim_header *shim_caught;
void *shim_thrown(void) { return &shim_in_flight; }
void *shim_thrown_type(void) { return &shim_in_flight_type; }
void shim_uncaught(void) { __litmus_assert(!shim_in_flight, "an exception is not caught: std::terminate() is called"); }
void *shim___cxa_allocate_exception(size_t n)
{
	struct shim_header *h = malloc(sizeof *h + n);
	h->handlers = 0;
	return h + 1;
}
void shim___cxa_free_exception(void *object) { free((struct shim_header *)object - 1); }
void shim___cxa_throw(void *object, void *type, void (*destroy)(void *))
{
	struct shim_header *h = (struct shim_header *)object - 1;
	h->type = type;
	h->destroy = destroy;
	shim_in_flight_type = type;
	shim_in_flight = object;
}
void *shim___cxa_begin_catch(void *object)
{
	struct shim_header *h = (struct shim_header *)object - 1;
	h->handlers = (h->handlers < 0 ? -h->handlers : h->handlers) + 1;
	if (shim_caught != h) {
		h->outer = shim_caught;
		shim_caught = h;
	}
	return object;
}
void *shim___cxa_get_exception_ptr(void *object) { return object; }
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
	if (h->destroy)
		h->destroy(h + 1);
	free(h);
}
void shim___cxa_rethrow(void)
{
	__litmus_assert(shim_caught != 0, "throw without an exception: std::terminate() is called");
	shim_caught->handlers = -shim_caught->handlers;
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
	return object;
}
#define STANDARD(name) \
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

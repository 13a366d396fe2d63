/* Functions of the runtime of C++, in C. Each part is compiled if the module declares its function: NEED_ and the name. */

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
#if defined(NEED_syscall)
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

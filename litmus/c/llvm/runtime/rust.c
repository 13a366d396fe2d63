/* Functions of Rust's standard library, in C: rust.txt has the paths that they stand for. Each follows what the
   documentation of std says, and its states where std's inlined code sees them. */

#if defined(NEED_rust_current) || defined(NEED_rust_id)
/* The handle of the current thread, which is null before it has one, and the number of the thread. */
static _Thread_local char *rust_current;
static _Thread_local long rust_id;
void *shim_rust_current(void) { return &rust_current; }
void *shim_rust_id(void) { return &rust_id; }
#endif

/* Clocks show any time that is not earlier than the last one that the thread saw. The clock of a thread also passes the limit
   of a wait that has ended because of its limit, and a sleep. */
#if defined(NEED_rust_instant) || defined(NEED_rust_timespec)
static _Thread_local long rust_seconds;
static _Thread_local unsigned rust_nanoseconds;
struct rust_time {
	long seconds;
	unsigned nanoseconds;
};
static void rust_now(struct rust_time *now)
{
	long seconds = __VERIFIER_nondet_long();
	unsigned nanoseconds = __VERIFIER_nondet_uint();
	__VERIFIER_assume(seconds >= 0 && seconds < 1L << 40 && nanoseconds < 1000000000 &&
		(seconds > rust_seconds || seconds == rust_seconds && nanoseconds >= rust_nanoseconds));
	now->seconds = rust_seconds = seconds;
	now->nanoseconds = rust_nanoseconds = nanoseconds;
}
void shim_rust_instant(struct rust_time *now) { rust_now(now); }
void shim_rust_timespec(struct rust_time *now, int clock) { rust_now(now); }
static void rust_until(long seconds, unsigned nanoseconds)
{
	if (seconds > rust_seconds || seconds == rust_seconds && nanoseconds > rust_nanoseconds) {
		rust_seconds = seconds;
		rust_nanoseconds = nanoseconds;
	}
}
static void rust_pass(long seconds, unsigned nanoseconds)
{
	if (seconds < 0 || seconds >= 1L << 38)
		return;
	rust_seconds += seconds;
	rust_nanoseconds += nanoseconds;
	if (rust_nanoseconds >= 1000000000) {
		rust_seconds++;
		rust_nanoseconds -= 1000000000;
	}
}
#else
static void rust_until(long seconds, unsigned nanoseconds) {}
static void rust_pass(long seconds, unsigned nanoseconds) {}
#endif
#if defined(NEED_rust_sleep)
void shim_rust_sleep(long seconds, unsigned nanoseconds) { rust_pass(seconds, nanoseconds); }
#endif

/* A wait lasts until the word differs from the value: all of std's waits are in loops that test the word, and std changes it
   before it wakes anybody. So a wake has nothing to do; that it reports no woken thread is one of its results. */
static void rust_wait(unsigned *futex, unsigned value)
{
	while (__atomic_load_n(futex, __ATOMIC_RELAXED) == value)
		;
}
/* A wait with a limit ends when the word differs, or at any moment. */
static _Bool rust_wait_limited(unsigned *futex, unsigned value)
{
	if (__VERIFIER_nondet_bool())
		return 0;
	__VERIFIER_assume(__atomic_load_n(futex, __ATOMIC_RELAXED) != value);
	return 1;
}
#if defined(NEED_syscall) && defined(NEED_rust_start)
#include <errno.h>
/* The limit of std's waits in the kernel is absolute, by the clock that Instant shows. */
long shim_syscall(long number, unsigned *word, int op, unsigned value, long *time, void *other, int bits)
{
	__litmus_assert(number == 202, "a system call other than futex is not supported");
	if ((op & 127) == 1 || (op & 127) == 10)
		return 0;
	if (!time)
		rust_wait(word, value);
	else if (!rust_wait_limited(word, value)) {
		rust_until(time[0], time[1]);
		errno = 110;
		return -1;
	}
	return 0;
}
#endif

/* Destructors of variables of a thread: they run when the thread ends, the last first. */
#if defined(NEED_rust_register)
enum { rust_most_destructors = 32 };
static _Thread_local struct {
	void *object;
	void (*destroy)(void *);
} rust_destructors[rust_most_destructors];
static _Thread_local int rust_destructors_used;
void shim_rust_register(void *object, void (*destroy)(void *))
{
	__litmus_assert(rust_destructors_used < rust_most_destructors, "a thread has more than 32 variables with a destructor");
	rust_destructors[rust_destructors_used].object = object;
	rust_destructors[rust_destructors_used].destroy = destroy;
	rust_destructors_used++;
}
static void rust_destroy(void)
{
	while (rust_destructors_used > 0) {
		rust_destructors_used--;
		rust_destructors[rust_destructors_used].destroy(rust_destructors[rust_destructors_used].object);
	}
}
#else
static void rust_destroy(void) {}
#endif

#if defined(NEED_rust_start)
/* The closure of main: its table of functions has drop, size, alignment, call_once, call_mut and call. */
long shim_rust_start(void *closure, void **table, long argc, void *argv, char sigpipe)
{
	long status = ((int (*)(void *))table[5])(closure);
	rust_destroy();
	return status;
}
#endif

#if defined(NEED_rust_thread_new)
/* What a new thread gets: its handle, and a closure with its table of functions. */
struct rust_init {
	char *handle;
	void *closure;
	void **table;
};
/* What a handle points to. */
struct rust_inner {
	long strong, weak;
	long id;
	char *name;
	long name_length;
};
static void *rust_thread(void *argument)
{
	struct rust_init *init = argument;
	struct rust_inner *inner = (void *)init->handle;
	void *closure = init->closure;
	void **table = init->table;
	free(init);
#if defined(NEED_rust_current) || defined(NEED_rust_id)
	rust_id = inner->id;
	rust_current = (char *)&inner->id;
#endif
	((void (*)(void *))table[3])(closure);
	if (table[1])
		free(closure);
	rust_destroy();
#if defined(NEED_rust_current) || defined(NEED_rust_id)
	rust_current = (char *)2;
#endif
	if (__atomic_fetch_sub(&inner->strong, 1, __ATOMIC_RELEASE) == 1) {
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (inner->name)
			free(inner->name);
		if (__atomic_fetch_sub(&inner->weak, 1, __ATOMIC_RELEASE) == 1) {
			__atomic_thread_fence(__ATOMIC_ACQUIRE);
			free(inner);
		}
	}
	return 0;
}
/* An io::Result<Thread>: 0 and the thread. */
void shim_rust_thread_new(void **result, long stack, void *init)
{
	pthread_t t;
	pthread_create(&t, 0, rust_thread, init);
	result[0] = 0;
	result[1] = (void *)t;
}
#endif
#if defined(NEED_rust_thread_join)
void shim_rust_thread_join(pthread_t t) { pthread_join(t, 0); }
#endif
#if defined(NEED_rust_yield)
void shim_rust_yield(void) { sched_yield(); }
#endif

#if defined(NEED_rust_run_spawn_hooks)
/* No hooks: an empty vector, and null. Hooks are an unstable feature. */
void shim_rust_run_spawn_hooks(long *hooks, void *thread)
{
	hooks[0] = 0;
	hooks[1] = 8;
	hooks[2] = 0;
	hooks[3] = 0;
}
#endif
#if defined(NEED_environment)
/* None. */
void shim_environment(unsigned long *result, void *name, long length) { result[0] = 1UL << 63; }
#endif

/* Locks. A Mutex is 0, 1 if it is locked, 2 if threads may wait, too. */
#if defined(NEED_rust_lock_contended) || defined(NEED_rust_condition_wait) || defined(NEED_rust_condition_timeout)
static void rust_contend(unsigned *futex)
{
	while (__atomic_exchange_n(futex, 2, __ATOMIC_ACQUIRE) != 0)
		rust_wait(futex, 2);
}
void shim_rust_lock_contended(unsigned *futex) { rust_contend(futex); }
#endif

/* Condition variables: a word that a notification changes. A wait may end without a notification, which std allows. Unless
   the property is termination, every wait does, since the runs in which it goes on are those in which it ends late; if
   it is, a wait has the choice, so that a lost notification is found. The waits of std itself, such as those of Barrier,
   are in loops that test for an early end, and last until the word has changed. */
#if defined(NEED_rust_condition_wait) || defined(NEED_rust_condition_timeout)
static void rust_release(unsigned *mutex) { __atomic_exchange_n(mutex, 0, __ATOMIC_RELEASE); }
static void rust_acquire(unsigned *mutex)
{
	unsigned unlocked = 0;
	if (!__atomic_compare_exchange_n(mutex, &unlocked, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		rust_contend(mutex);
}
void shim_rust_condition_firm(unsigned *condition, unsigned *mutex)
{
	unsigned seen = __atomic_load_n(condition, __ATOMIC_RELAXED);
	rust_release(mutex);
	rust_wait(condition, seen);
	rust_acquire(mutex);
}
void shim_rust_condition_wait(unsigned *condition, unsigned *mutex)
{
#if defined(TERMINATION)
	if (__VERIFIER_nondet_bool()) {
		shim_rust_condition_firm(condition, mutex);
		return;
	}
#endif
	rust_release(mutex);
	rust_acquire(mutex);
}
/* Whether it was notified. */
_Bool shim_rust_condition_timeout(unsigned *condition, unsigned *mutex, long seconds, unsigned nanoseconds)
{
	_Bool notified = __VERIFIER_nondet_bool();
	rust_release(mutex);
	if (!notified)
		rust_pass(seconds, nanoseconds);
	rust_acquire(mutex);
	return notified;
}
#endif

/* Channels of std::sync::mpsc. A thread that waits for a message or for room registers itself and parks, until a thread at the
   other end selects it. These are the waits alone: they last until what std tests before it parks has come about. std
   looks again behind each wait. The words are std's; its orders there are seq_cst, and weaker here. */
#if defined(NEED_rust_list_receive) || defined(NEED_rust_array_receive) || defined(NEED_rust_array_send)
/* What a closure holds: a token, the channel, and the limit, whose nanoseconds are 1000000000 if there is none. */
struct rust_channel_wait {
	void *token;
	char *channel;
	struct {
		long seconds;
		unsigned nanoseconds;
	} *limit;
};
static unsigned long rust_word(struct rust_channel_wait *w, int offset)
{
	return __atomic_load_n((unsigned long *)(w->channel + offset), __ATOMIC_RELAXED);
}
static unsigned long rust_field(struct rust_channel_wait *w, int offset) { return *(unsigned long *)(w->channel + offset); }
#define CHANNEL_WAIT(name, ready) \
	void shim_rust_##name(struct rust_channel_wait *w, void *context) \
	{ \
		if (w->limit->nanoseconds < 1000000000) { \
			if (__VERIFIER_nondet_bool()) \
				rust_until(w->limit->seconds, w->limit->nanoseconds); \
			else \
				__VERIFIER_assume(ready); \
			return; \
		} \
		while (!(ready)) \
			; \
	}
#endif
/* A list: the index of the head, whose lowest bit is a mark, and at 128 that of the tail, whose mark is a disconnection. */
#if defined(NEED_rust_list_receive)
static _Bool rust_list_ready(struct rust_channel_wait *w)
{
	unsigned long head = rust_word(w, 0), tail = rust_word(w, 128);
	return head >> 1 != tail >> 1 || tail & 1;
}
CHANNEL_WAIT(list_receive, rust_list_ready(w))
#endif
/* An array: the stamps of the head and the tail, and at 392 the stamp of a lap and at 400 the bit of a disconnection. */
#if defined(NEED_rust_array_receive)
static _Bool rust_array_filled(struct rust_channel_wait *w)
{
	unsigned long head = rust_word(w, 0), tail = rust_word(w, 128), mark = rust_field(w, 400);
	return (tail & ~mark) != head || tail & mark;
}
CHANNEL_WAIT(array_receive, rust_array_filled(w))
#endif
#if defined(NEED_rust_array_send)
static _Bool rust_array_free(struct rust_channel_wait *w)
{
	unsigned long tail = rust_word(w, 128), head = rust_word(w, 0), mark = rust_field(w, 400);
	return head + rust_field(w, 392) != (tail & ~mark) || tail & mark;
}
CHANNEL_WAIT(array_send, rust_array_free(w))
#endif

/* A RwLock: the low 30 bits count readers, all ones for a writer; bit 30 for readers that wait, bit 31 for writers that wait
   for the second word to change. */
#if defined(NEED_rust_read_contended)
void shim_rust_read_contended(unsigned *futex)
{
	unsigned state = __atomic_load_n(futex, __ATOMIC_RELAXED);
	for (;;) {
		if ((state & 0x3FFFFFFF) < 0x3FFFFFFE && !(state & 0xC0000000)) {
			if (__atomic_compare_exchange_n(futex, &state, state + 1, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
				return;
			continue;
		}
		if (!(state & 0x40000000) && !__atomic_compare_exchange_n(futex, &state, state | 0x40000000, 0,
				__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			continue;
		rust_wait(futex, state | 0x40000000);
		state = __atomic_load_n(futex, __ATOMIC_RELAXED);
	}
}
#endif
#if defined(NEED_rust_write_contended)
void shim_rust_write_contended(unsigned *futex)
{
	unsigned state = __atomic_load_n(futex, __ATOMIC_RELAXED), others = 0;
	for (;;) {
		if ((state & 0x3FFFFFFF) == 0) {
			if (__atomic_compare_exchange_n(futex, &state, state | 0x3FFFFFFF | others, 1, __ATOMIC_ACQUIRE,
					__ATOMIC_RELAXED))
				return;
			continue;
		}
		if (!(state & 0x80000000) && !__atomic_compare_exchange_n(futex, &state, state | 0x80000000, 0,
				__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			continue;
		others = 0x80000000;
		unsigned seen = __atomic_load_n(futex + 1, __ATOMIC_ACQUIRE);
		state = __atomic_load_n(futex, __ATOMIC_RELAXED);
		if ((state & 0x3FFFFFFF) == 0 || !(state & 0x80000000))
			continue;
		rust_wait(futex + 1, seen);
		state = __atomic_load_n(futex, __ATOMIC_RELAXED);
	}
}
#endif

/* Memory, which never runs out, and is 0: see decides in memory.go. */
#if defined(NEED_rust_alloc)
void *shim_rust_alloc(unsigned long n, unsigned long align) { return calloc(1, n); }
#endif
#if defined(NEED_rust_alloc_zeroed)
void *shim_rust_alloc_zeroed(unsigned long n, unsigned long align) { return calloc(1, n); }
#endif
#if defined(NEED_rust_dealloc)
void shim_rust_dealloc(void *p, unsigned long n, unsigned long align) { free(p); }
#endif
#if defined(NEED_rust_realloc)
void *shim_rust_realloc(void *p, unsigned long from, unsigned long align, unsigned long to)
{
	char *q = calloc(1, to);
	unsigned long n = from < to ? from : to;
	if (align >= 8 && n % 8 == 0)
		for (unsigned long i = 0; i < n / 8; i++)
			((void **)q)[i] = ((void **)p)[i];
	else if (align >= 4 && n % 4 == 0)
		for (unsigned long i = 0; i < n / 4; i++)
			((unsigned *)q)[i] = ((unsigned *)p)[i];
	else
		for (unsigned long i = 0; i < n; i++)
			q[i] = ((char *)p)[i];
	free(p);
	return q;
}
#endif

/* Functions of Rust's standard library, in C: rust.txt has the paths that they stand for. Each follows what the
   documentation of std says, and its states where std's inlined code sees them. */

#if defined(NEED_rust_current) || defined(NEED_rust_id)
/* The handle of the current thread, which is null before it has one, and the number of the thread. */
static _Thread_local char *rust_current;
static _Thread_local long rust_id;
void *shim_rust_current(void) { return &rust_current; }
void *shim_rust_id(void) { return &rust_id; }
#endif

/* A wait lasts until the word differs from the value: all of std's waits are in loops that test the word, and std changes it
   before it wakes anybody. So a wake has nothing to do; that it reports no woken thread is one of its results. */
static void rust_wait(unsigned *futex, unsigned value)
{
	while (__atomic_load_n(futex, __ATOMIC_RELAXED) == value)
		;
}
#if defined(NEED_syscall) && defined(NEED_rust_start)
long shim_syscall(long number, unsigned *word, int op, unsigned value, void *time, void *other, int bits)
{
	__litmus_assert(number == 202, "a system call other than futex is not supported");
	if ((op & 127) == 1 || (op & 127) == 10)
		return 0;
	if (!time)
		rust_wait(word, value);
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
#if defined(NEED_rust_lock_contended)
void shim_rust_lock_contended(unsigned *futex)
{
	while (__atomic_exchange_n(futex, 2, __ATOMIC_ACQUIRE) != 0)
		rust_wait(futex, 2);
}
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

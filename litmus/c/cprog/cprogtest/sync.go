package cprogtest

import "pgregory.net/rapid"

// DrawSync writes a random program whose threads wait for one another: by locks of all kinds, semaphores, barriers,
// conditions, loops that only wait, and retried updates.
func DrawSync(t *rapid.T) string {
	w := &writer{T: t}
	threads := 2 + w.upTo(4, "threads")/3
	bodies := w.bodies(&threads)
	w.line("#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n\n" +
		"extern _Bool __VERIFIER_nondet_bool(void);\n")
	w.line("static atomic_int x, y;")
	w.line("static int d, ready;")
	w.line("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")
	w.line("static pthread_cond_t c = PTHREAD_COND_INITIALIZER;")
	w.line("static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;")
	w.line("static sem_t s;")
	w.line("static int out[%d];\n", threads)
	for i := range bodies {
		w.line("static void *thread%d(void *arg)\n{", i)
		w.indent++
		w.line("int r = 0, old = 0;")
		for range 1 + w.upTo(5-threads, "statements") {
			w.syncStatement(true)
		}
		if bodies == threads {
			w.line("out[%d] = r;", i)
		}
		w.line("return 0;")
		w.indent--
		w.line("}\n")
	}
	w.line("int main(void)\n{")
	w.indent++
	w.line("pthread_t id[%d];", threads)
	w.line("sem_init(&s, 0, %d);", w.upTo(2, "tokens"))
	for i := range threads {
		w.line("pthread_create(&id[%d], 0, thread%d, 0);", i, i%bodies)
	}
	if w.upTo(3, "more") == 0 {
		w.line("int r = 0, old = 0;")
		w.syncStatement(true)
		w.line("(void)r; (void)old;")
	}
	for i := range threads {
		w.line("pthread_join(id[%d], 0);", i)
	}
	w.line("assert(!(%s == %d && %s == %d));", w.pick("result", "out[0]", "x", "d"), w.upTo(4, "value"),
		w.pick("result", "out[1]", "y", "d"), w.upTo(4, "value"))
	w.indent--
	w.line("}")
	return w.String()
}

// bodies are how many functions the threads run: one for each thread, or one for all three.
func (w *writer) bodies(threads *int) int {
	if w.upTo(4, "alike") > 0 {
		return *threads
	}
	*threads = 3
	return 1
}

func (w *writer) data() {
	w.line("%s", w.pick("data", "d = d + 1;", "d = 1;", "r = d;", "r = r + d;", "d = r;"))
}

// syncStatement writes a statement that uses a synchronisation primitive; outer says that it is not inside another
// statement.
func (w *writer) syncStatement(outer bool) {
	at := w.pick("at", "x", "x", "y")
	orders := func(of ...string) string { return w.order(of...) }
	switch n := w.upTo(22, "sync statement"); {
	case n < 2:
		w.line("atomic_store_explicit(&%s, %d, %s);", at, 1+w.upTo(2, "value"), orders("relaxed", "release", "seq_cst"))
	case n < 4:
		w.line("r = atomic_load_explicit(&%s, %s);", at, orders("relaxed", "acquire", "seq_cst"))
	case n == 4:
		w.line("r = atomic_fetch_add_explicit(&%s, 1, %s);", at,
			orders("relaxed", "acquire", "release", "acq_rel", "seq_cst"))
	case n == 5:
		w.line("old = %d; r = atomic_compare_exchange_strong_explicit(&%s, &old, 2, %s, %s);", w.upTo(2, "old"), at,
			orders("acquire", "acq_rel", "seq_cst", "release", "relaxed"), orders("relaxed", "acquire"))
	case n == 6:
		w.line("r = atomic_exchange_explicit(&%s, %d, %s);", at, 1+w.upTo(2, "value"),
			orders("relaxed", "acquire", "release", "acq_rel"))
	case n == 7:
		w.line("old = atomic_load_explicit(&%s, memory_order_relaxed);", at)
		w.line("while (!atomic_compare_exchange_%s_explicit(&%s, &old, old + 1, %s, memory_order_relaxed)) ;",
			w.pick("kind", "strong", "weak"), at,
			orders("relaxed", "acq_rel", "release"))
	case n == 8 && outer:
		w.line("while (atomic_load_explicit(&%s, %s) != %d) ;", at, orders("relaxed", "acquire", "seq_cst"),
			1+w.upTo(2, "awaited"))
	case n == 9:
		w.line("atomic_thread_fence(%s);", orders("acquire", "release", "acq_rel", "seq_cst"))
	case n == 10 && outer:
		w.line("sem_wait(&s);")
		w.data()
		w.line("sem_post(&s);")
	case n == 11:
		w.line("%s", w.pick("semaphore", "sem_post(&s);", "if (sem_trywait(&s) == 0) r = 3;"))
	case n < 14 && outer:
		w.line("pthread_mutex_lock(&m);")
		w.data()
		w.syncStatement(false)
		w.line("pthread_mutex_unlock(&m);")
	case n == 14 && outer:
		w.line("if (pthread_mutex_trylock(&m) == 0) {")
		w.data()
		w.line("pthread_mutex_unlock(&m); }")
	case n == 15 && outer:
		w.line("pthread_rwlock_%s(&l);", w.pick("rwlock", "rdlock", "wrlock"))
		w.data()
		w.line("pthread_rwlock_unlock(&l);")
	case n == 16 && outer:
		w.line("pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m);")
		w.data()
		w.line("pthread_mutex_unlock(&m);")
	case n == 17 && outer:
		w.line("pthread_mutex_lock(&m); ready = 1; pthread_cond_%s(&c);", w.pick("wake", "signal", "broadcast"))
		w.line("pthread_mutex_unlock(&m);")
	case n == 18:
		w.line("*(int *)&%s = %d;", at, 1+w.upTo(2, "value")) // which is plain
	case n == 19 && outer:
		w.line("while (*(volatile int *)&%s != %d) ;", at, 1+w.upTo(2, "awaited"))
	case n == 20 && outer:
		w.line("%s",
			w.pick("at will", "if (__VERIFIER_nondet_bool()) r = 1;", "if (__VERIFIER_nondet_bool()) x = 1;",
				"x = __VERIFIER_nondet_bool();"))
	default:
		w.data()
	}
}

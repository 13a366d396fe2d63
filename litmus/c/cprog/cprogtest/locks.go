package cprogtest

import (
	"strconv"

	"pgregory.net/rapid"
)

// DrawLocks writes a random program about locks: threads that take some, one within the other, in any order; that see
// what others do who hold one, wait for it, or stop while they hold it; and now and then do with a lock what is no
// taking and leaving.
func DrawLocks(t *rapid.T) string {
	w := &writer{T: t}
	threads, kinds := 2+w.upTo(3, "threads"), 1+w.upTo(3, "locks")
	w.line("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n")
	w.line("static atomic_int x, y;")
	w.line("static int d;")
	w.line("static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;")
	w.line("static pthread_spinlock_t m2;")
	w.line("static pthread_t id[%d];", threads)
	w.line("static int out[%d];\n", threads)
	statements := 6 / threads
	for i := range threads {
		w.line("static void *thread%d(void *arg)\n{", i)
		w.indent++
		w.line("int r = 0;")
		for range 1 + w.upTo(statements, "statements") {
			w.lockStatement(kinds, i, nil)
		}
		w.line("out[%d] = r;", i)
		w.line("return 0;")
		w.indent--
		w.line("}\n")
	}
	w.line("int main(void)\n{")
	w.indent++
	w.line("int r = 0;")
	w.line("pthread_spin_init(&m2, 0);")
	for i := range threads {
		w.line("pthread_create(&id[%d], 0, thread%d, 0);", i, i)
	}
	if w.upTo(4, "more") == 0 {
		w.lockStatement(kinds, 0, nil)
	}
	joined := w.upTo(4, "joined") > 0
	for i := range threads {
		if joined {
			w.line("pthread_join(id[%d], 0);", i)
		}
	}
	if joined {
		w.line("assert(!(%s == %d && %s == %d));", w.pick("result", "out[0]", "x", "d"), w.upTo(4, "value"),
			w.pick("result", "out[1]", "y", "d"), w.upTo(4, "value"))
	}
	w.line("return r != r;")
	w.indent--
	w.line("}")
	return w.String()
}

// lockStatement is one of a thread that is in some locks.
func (w *writer) lockStatement(kinds, thread int, in []int) {
	at := w.pick("at", "x", "x", "y")
	switch n := w.upTo(24, "lock statement"); {
	case n < 10 && len(in) < 2:
		i := w.upTo(kinds, "lock")
		for _, k := range in {
			if k == i && w.upTo(4, "again") > 0 { // which waits for itself for ever
				w.data()
				return
			}
		}
		of := "mutex"
		if i == 2 {
			of = "spin"
		}
		lock := "m" + strconv.Itoa(i)
		if w.upTo(12, "tries") == 0 {
			w.line("if (pthread_%s_trylock(&%s) == 0) {", of, lock)
		} else {
			w.line("pthread_%s_lock(&%s); {", of, lock)
		}
		w.indent++
		for range w.upTo(3, "within") {
			w.lockStatement(kinds, thread, append(in, i))
		}
		if w.upTo(16, "stays") > 0 {
			w.line("pthread_%s_unlock(&%s);", of, lock)
		}
		w.indent--
		w.line("}")
	case n < 12:
		w.line("atomic_store_explicit(&%s, %d, %s);", at, 1+w.upTo(2, "value"),
			w.order("relaxed", "release", "seq_cst"))
	case n < 15:
		w.line("r = atomic_load_explicit(&%s, %s);", at, w.order("relaxed", "acquire", "seq_cst"))
	case n == 15:
		w.line("r = atomic_fetch_add_explicit(&%s, 1, %s);", at, w.order("relaxed", "acq_rel", "seq_cst"))
	case n == 16:
		w.line("while (atomic_load_explicit(&%s, %s) != %d) ;", at, w.order("relaxed", "acquire", "seq_cst"),
			1+w.upTo(2, "awaited"))
	case n == 17:
		w.line("if (r %s %d) return 0;", w.pick("comparison", "==", "!="), w.upTo(2, "compared"))
	case n == 18:
		w.line("assert(r != %d);", 1+w.upTo(3, "refuted"))
	case n == 19 && w.upTo(4, "odd") == 0:
		w.line("%s",
			w.pick("odd", "pthread_mutex_unlock(&m0);", "pthread_mutex_init(&m0, 0);", "r = *(int *)&m0;",
				"pthread_spin_init(&m2, 0);"))
	case n == 20 && thread > 0 && w.upTo(2, "joins") == 0:
		w.line("pthread_join(id[%d], 0);", w.upTo(thread, "of"))
	default:
		w.data()
	}
}

package cprogtest

import "pgregory.net/rapid"

// DrawSections writes a random program whose threads have atomic sections, in some of which they wait, or fail.
func DrawSections(t *rapid.T) string {
	w := &writer{T: t}
	threads := 2 + w.upTo(4, "threads")/3
	bodies := w.bodies(&threads)
	w.line("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n")
	w.line("extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);")
	w.line("static atomic_int z;\nstatic int x, y;\nstatic int out[%d];", threads)
	w.line("static int __VERIFIER_atomic_next(int n) { x = y + n; return x; }\n")
	for i := range bodies {
		w.line("static void *thread%d(void *arg)\n{", i)
		w.indent++
		w.line("int r = 0;")
		for range 1 + w.upTo(5-threads, "statements") {
			w.section()
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
	for i := range threads {
		w.line("pthread_create(&id[%d], 0, thread%d, 0);", i, i%bodies)
	}
	if w.upTo(3, "more") == 0 {
		w.line("int r = 0;")
		w.section()
		w.line("(void)r;")
	}
	for i := range threads {
		w.line("pthread_join(id[%d], 0);", i)
	}
	w.line("assert(!(%s == %d && %s == %d));", w.pick("result", "out[0]", "x", "z"), w.upTo(4, "value"),
		w.pick("result", "out[1]", "y", "z"), w.upTo(3, "value"))
	w.indent--
	w.line("}")
	return w.String()
}

// section writes a section, or what is in none.
func (w *writer) section() {
	switch w.upTo(9, "section") {
	case 0:
		w.line("r = __VERIFIER_atomic_next(%d);", w.upTo(3, "added"))
	case 1, 2:
		w.inSection()
	case 3:
		w.line("while (%s != %d) ;", w.pick("awaited", "z", "x"), w.upTo(2, "number"))
	default:
		w.line("__VERIFIER_atomic_begin();")
		for range 1 + w.upTo(3, "in it") {
			w.inSection()
		}
		w.line("__VERIFIER_atomic_end();")
	}
}

func (w *writer) inSection() {
	at := w.pick("at", "x", "y", "z")
	switch w.upTo(10, "statement") {
	case 0, 1:
		w.line("%s = %s + 1;", at, w.pick("at", "x", "y", "z"))
	case 2, 3:
		w.line("%s = %d;", at, w.upTo(3, "number"))
	case 4, 5:
		w.line("r = %s;", at)
	case 6:
		w.line("if (%s == %d) %s = r;", at, w.upTo(2, "number"), w.pick("at", "x", "y"))
	case 7:
		w.line("__VERIFIER_assume(%s == %d);", at, w.upTo(2, "number"))
	case 8:
		w.line("assert(%s != %d);", at, w.upTo(4, "number"))
	case 9:
		w.line("r = atomic_fetch_add_explicit(&z, 1, %s);", w.order("relaxed", "acq_rel"))
	}
}

package cprogtest

import (
	"fmt"

	"pgregory.net/rapid"
)

// DrawViews writes a random program whose threads share a union of eight bytes, which they access at several widths. Of
// one that is for a model of C, atomic accesses of the union are of one width.
func DrawViews(t *rapid.T, forC bool) string {
	w := &writer{T: t}
	threads := 2 + w.upTo(4, "threads")/3
	w.line("#include <assert.h>\n#include <pthread.h>\n#include <stdint.h>\n#include <string.h>\n")
	w.line("static union { uint8_t b[8]; uint16_t h[4]; uint32_t w[2]; uint64_t q[1]; } x;")
	w.line("static int f;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int64_t out[%d];\n", threads)
	statements := 7 / threads
	for i := range threads {
		w.line("static void *thread%d(void *arg)\n{", i)
		w.indent++
		w.line("int64_t r = 0;")
		for range 1 + w.upTo(statements, "statements") {
			w.view(forC)
		}
		w.line("out[%d] = r;", i)
		w.line("return 0;")
		w.indent--
		w.line("}\n")
	}
	w.line("int main(void)\n{")
	w.indent++
	w.line("pthread_t id[%d];", threads)
	if w.upTo(3, "set") == 0 {
		w.line("x.%s = 1;", w.member())
	}
	for i := range threads {
		w.line("pthread_create(&id[%d], 0, thread%d, 0);", i, i)
	}
	for i := range threads {
		w.line("pthread_join(id[%d], 0);", i)
	}
	w.line("assert(!(%s == %d && %s == %s));", w.pick("result", "out[0]", "x."+w.member()), w.upTo(4, "value"),
		w.pick("result", "out[1]", "x.w[0]", "x.h[0]"), w.pick("number", "0", "1", "0x101", "0x100", "2"))
	w.indent--
	w.line("}")
	return w.String()
}

// member is one of the union: those of few bytes at its beginning overlap most.
func (w *writer) member() string {
	return w.pick("member", "b[0]", "b[0]", "b[1]", "b[2]", "h[0]", "h[0]", "h[1]", "w[0]", "w[0]", "w[1]", "q[0]")
}

// view is a statement about the union.
func (w *writer) view(forC bool) {
	member := w.member()
	if forC {
		member = "w[0]"
	}
	order := func(orders ...string) string { return "__ATOMIC_" + w.pick("order", orders...) }
	v := w.pick("value", "1", "2", "0x100", "0x101")
	switch n := w.upTo(16, "view"); {
	case n < 3:
		w.line("__atomic_store_n(&x.%s, (typeof(x.%s))%s, %s);", member, member, v,
			order("RELAXED", "RELEASE", "SEQ_CST"))
	case n < 6:
		w.line("r = __atomic_load_n(&x.%s, %s);", member, order("RELAXED", "ACQUIRE", "SEQ_CST"))
	case n == 6:
		w.line("r = __atomic_fetch_add(&x.%s, 1, %s);", member, order("RELAXED", "ACQ_REL"))
	case n == 7:
		w.line("r = __atomic_exchange_n(&x.%s, (typeof(x.%s))%s, %s);", member, member, v, order("RELAXED", "ACQ_REL"))
	case n == 8:
		w.line("{ typeof(x.%s) e = 0; __atomic_compare_exchange_n(&x.%s, &e, (typeof(x.%s))%s, %d, %s, "+
			"__ATOMIC_RELAXED); r = e; }", member, member, member, v, w.upTo(4, "weak")/3,
			order("RELAXED", "ACQUIRE", "SEQ_CST"))
	case n == 9:
		w.line("__atomic_store_n(&f, 1, %s);", order("RELAXED", "RELEASE", "SEQ_CST"))
	case n == 10:
		w.line("%s = __atomic_load_n(&f, %s);", w.pick("to", "r", "r"), order("RELAXED", "ACQUIRE", "SEQ_CST"))
	case n == 11:
		w.line("while (__atomic_load_n(&%s, %s) == 0) ;", w.pick("awaited", "f", "x."+member),
			order("RELAXED", "ACQUIRE"))
	case n == 12:
		w.line("__atomic_thread_fence(%s);", order("RELEASE", "ACQUIRE", "SEQ_CST"))
	default:
		w.guarded(w.plainView(), forC)
	}
}

// plainView is a plain access.
func (w *writer) plainView() string {
	member := w.member()
	switch w.upTo(6, "plain view") {
	case 0, 1:
		return fmt.Sprintf("x.%s = %s;", member, w.pick("value", "1", "2"))
	case 2, 3:
		return fmt.Sprintf("r = x.%s;", member)
	case 4:
		return fmt.Sprintf("{ uint32_t c; memcpy(&c, (char *)&x + %d, %d); r = c; }", w.upTo(3, "from"),
			1+w.upTo(4, "bytes"))
	}
	return fmt.Sprintf("memset((char *)&x + %d, 1, %d);", w.upTo(3, "from"), 1+w.upTo(3, "bytes"))
}

// guarded has a statement be in a section of the lock, most often where races leave all undefined.
func (w *writer) guarded(statement string, often bool) {
	if n := w.upTo(8, "guarded"); n == 0 || often && n < 7 {
		w.line("pthread_mutex_lock(&m); %s pthread_mutex_unlock(&m);", statement)
		return
	}
	w.line("%s", statement)
}

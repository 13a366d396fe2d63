package cprogtest

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// Shape says what programs to draw.
type Shape struct {
	// Atomics: all shared objects are atomic, with all orders of C11; otherwise most are
	// plain, for hardware models.
	Atomics bool
	// Statements is the maximum number of statements in a thread, without nested ones. With more than two, there may be
	// three threads.
	Statements int
}

// Draw writes a random program that asserts something.
func Draw(t *rapid.T, s Shape) string {
	w := &writer{T: t, Shape: s}
	return w.program()
}

// writer writes a random C program: two or three threads, each of a few statements over globals,
// a struct, an array and pointers, with a mutex, branches and loops.
type writer struct {
	*rapid.T
	strings.Builder
	Shape
	indent int
	locked bool
	places []string // shared objects
}

// upTo draws a number below n, uniformly: rapid's own draws prefer small numbers.
func (w *writer) upTo(n int, what string) int {
	return int(rapid.Uint64().Draw(w.T, what) * 0x9e3779b97f4a7c15 >> 33 % uint64(n))
}

func (w *writer) pick(what string, from ...string) string { return from[w.upTo(len(from), what)] }

func (w *writer) line(format string, args ...any) {
	w.WriteString(strings.Repeat("\t", w.indent) + fmt.Sprintf(format, args...) + "\n")
}

// program writes the whole program.
func (w *writer) program() string {
	threads := 2
	if w.Statements > 2 && w.upTo(4, "threads") == 0 {
		threads = 3
	}
	for range 2 + w.upTo(3, "places") {
		w.places = append(w.places,
			w.pick("place", "x", "y", "x", "y", "s.a", "p->a", "p->b", "*q", "v[0]", "v[r0 & 1]"))
	}
	w.globals()
	w.line("static int out[%d];\n", threads)
	classic := w.upTo(2, "classic") == 0
	shape := shapes[w.upTo(len(shapes), "shape")]
	a, b := w.pick("a", "x", "s.a", "p->b", "*q"), w.pick("b", "y", "v[0]", "v[1]")
	for i := range threads {
		w.line("static void *thread%d(void *arg)\n{", i)
		w.indent++
		w.line("int r0 = 0, r1 = 0;")
		if classic && i < 2 {
			w.accesses(strings.NewReplacer("A", a, "B", b).Replace(shape.threads[i]))
		} else {
			w.block(1+w.upTo(w.Statements, "statements"), 2)
		}
		w.line("out[%d] = r0 + 3 * r1;", i)
		w.line("return 0;")
		w.indent--
		w.line("}\n")
	}
	w.line("int main(void)\n{")
	w.indent++
	w.line("pthread_t id[%d];", threads)
	for i := range threads {
		w.line("pthread_create(&id[%d], 0, thread%d, 0);", i, i)
	}
	if w.upTo(5, "joined") > 0 {
		for i := range threads {
			w.line("pthread_join(id[%d], 0);", i)
		}
	}
	var holds []string
	for range 1 + w.upTo(2, "terms") {
		holds = append(holds,
			fmt.Sprintf("%s == %d", w.pick("result", "x", "y", "z", "v[1]", "s.a", "t.b", "out[0]", "out[1]"),
				w.upTo(4, "value")))
	}
	refuted := strings.Join(holds, " && ")
	if classic {
		refuted = strings.NewReplacer("A", a, "B", b).Replace(shape.holds)
	}
	w.line("assert(!(%s));", refuted)
	w.line("return 0;")
	w.indent--
	w.line("}")
	return w.String()
}

// globals writes the shared objects.
func (w *writer) globals() {
	kind := "int"
	if w.Atomics {
		kind = "atomic_int"
	}
	w.line("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n")
	w.line("struct pair { %s a, b; };", kind)
	w.line("static %s x, y, v[2];", kind)
	w.line("static atomic_int z;")
	w.line("static struct pair s, t = {1, 2}, *p = &s;")
	w.line("static %s *q = &x;", kind)
	w.line("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")
	w.line("static int next(int n) { return n + 1; }")
	w.line("static int twice(int n) { return 2 * n; }")
	w.line("static int (*f)(int) = next;")
}

// shapes are those of classic tests on two places, A and B: the accesses of two threads, and what
// asks whether they may be out of order.
var shapes = []struct {
	threads [2]string
	holds   string
}{
	{[2]string{"A = 1, r0 = B", "B = 1, r0 = A"}, "out[0] == 0 && out[1] == 0"},
	{[2]string{"A = 1, B = 1", "r0 = B, r1 = A"}, "out[1] == 1"},
	{[2]string{"A = 1, B = 1", "B = 2, r0 = A"}, "B == 2 && out[1] == 0"},
	{[2]string{"A = 2, B = 1", "r0 = B, A = 1"}, "A == 2 && out[1] == 1"},
	{[2]string{"A = 1, B = 2", "B = 1, A = 2"}, "A == 1 && B == 1"},
	{[2]string{"r0 = A, B = 1", "r0 = B, A = 1"}, "out[0] == 1 && out[1] == 1"},
}

// accesses writes the accesses of a classic test, with other statements between some of them.
func (w *writer) accesses(list string) {
	for i, access := range strings.Split(list, ", ") {
		if i > 0 && w.upTo(3, "between") == 0 {
			w.block(1, 1)
		}
		to, value, _ := strings.Cut(access, " = ")
		switch {
		case !w.Atomics:
			w.line("%s = %s;", to, value)
		case strings.HasPrefix(to, "r"):
			w.line("%s = atomic_load_explicit(&%s, %s);", to, value, w.order("relaxed", "acquire", "seq_cst"))
		default:
			w.line("atomic_store_explicit(&%s, %s, %s);", to, value, w.order("relaxed", "release", "seq_cst"))
		}
	}
}

func (w *writer) block(statements, depth int) {
	for range statements {
		w.statement(depth)
	}
}

// place returns a shared lvalue.
func (w *writer) place() string {
	return w.pick("place", w.places...)
}

func (w *writer) register() string { return w.pick("register", "r0", "r1") }

func (w *writer) value() string {
	return w.pick("value", "1", "2", "1", "2", "3", "r0", "r1", "r0 + 1", "r0 ^ r1", "r1 * 2")
}

func (w *writer) order(of ...string) string { return "memory_order_" + w.pick("order", of...) }

func (w *writer) read() {
	if r := w.register(); w.Atomics {
		w.line("%s = atomic_load_explicit(&%s, %s);", r, w.place(), w.order("relaxed", "acquire", "seq_cst"))
	} else {
		w.line("%s = %s;", r, w.place())
	}
}

func (w *writer) write() {
	if w.Atomics {
		w.line("atomic_store_explicit(&%s, %s, %s);", w.place(), w.value(), w.order("relaxed", "release", "seq_cst"))
	} else {
		w.line("%s = %s;", w.place(), w.value())
	}
}

// statement writes a random statement; depth is that of the enclosing statements.
func (w *writer) statement(depth int) {
	switch c := w.upTo(19, "statement"); {
	case c < 4:
		w.read()
	case c < 7:
		w.write()
	case c < 9: // as in the classic tests: a write before a read
		w.write()
		w.read()
	case c == 9:
		w.line("%s = atomic_fetch_add_explicit(&z, 1, %s);", w.register(), w.order("relaxed", "acq_rel", "seq_cst"))
	case c == 10:
		w.line("atomic_thread_fence(%s);", w.order("seq_cst", "release", "acquire"))
	case c == 11:
		w.line("{ int old = %d; if (atomic_compare_exchange_strong(&z, &old, %s)) r0 = 1; else r1 = old; }",
			w.upTo(2, "old"), w.value())
	case c == 12 && !w.Atomics: // pointers that change race, where nothing orders them
		w.line("%s", w.pick("pointer", "q = &y;", "q = &v[1];", "p = &t;", "q = &p->b;", "f = twice;"))
	case c == 13 && !w.locked && depth > 0:
		w.locked = true
		w.line("pthread_mutex_lock(&m);")
		w.block(1+w.upTo(2, "locked"), depth-1)
		w.line("pthread_mutex_unlock(&m);")
		w.locked = false
	case c == 14 && depth > 0:
		w.line("if (%s %s %d) {", w.register(), w.pick("comparison", "==", "!=", "<"), w.upTo(3, "compared"))
		w.indent++
		w.block(1, depth-1)
		if !w.locked && w.upTo(4, "leaves") == 0 {
			w.line("return 0;")
		}
		w.indent--
		if w.upTo(2, "else") == 0 {
			w.line("} else {")
			w.indent++
			w.block(1, depth-1)
			w.indent--
		}
		w.line("}")
	case c == 15 && depth > 1:
		w.line("for (int i = 0; i < 2; i++) {")
		w.indent++
		w.block(1+w.upTo(2, "body"), 0)
		w.indent--
		w.line("}")
	case c == 16 && !w.Atomics:
		w.line("{ struct pair *n = calloc(1, sizeof *n); n->a = %s; p = n; }", w.value())
	case c == 17:
		w.line("assert(%s != %d);", w.register(), 1+w.upTo(3, "refuted"))
	case c == 18:
		w.line("%s = f(%s);", w.register(), w.register())
	default:
		w.read()
	}
}

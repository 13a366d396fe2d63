package cprogtest

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// Twins are a litmus test in C and a program of the same threads. The program has %s where its condition is to stand:
// of that of the test, with the names of Observed in the place of the test's own.
type Twins struct {
	Test, Program string
	Observed      [][2]string
}

// DrawTwins writes a test whose threads access an object, x, at several widths. Of one that is for a model of C, most
// often all atomic accesses of it are of one width, and few plain ones are where they race.
func DrawTwins(t *rapid.T, forC bool) Twins {
	w := &twins{writer: writer{T: t}, forC: forC}
	w.atomic = w.view()
	var threads []string
	for range 2 {
		threads = append(threads, w.thread())
	}
	begins := w.pick("begins", "0", "0x10203", "0xff80")
	object := w.pick("object", "uint32_t", "uint32_t", "int32_t")
	said, params := object, []string{w.view().typ, w.view().typ}
	if w.upTo(2, "said") == 0 { // by a parameter, of the widest type
		said, params[w.upTo(2, "sayer")] = "", object
	}
	made := Twins{Observed: [][2]string{{"x", "x"}, {"y", "y"}}}

	var test, program strings.Builder
	fmt.Fprintf(&test, "C drawn\n{ %s x = %s; }\n", said, begins)
	fmt.Fprintf(&program, "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"+
		"#include <stdbool.h>\n#include <stdint.h>\n\nstatic %s x = %s;\nstatic atomic_int y;\n", object, begins)
	for i, body := range threads {
		fmt.Fprintf(&test, "\nP%d(%s *x, atomic_int *y) {\n%s}\n", i, params[i], body)
		fmt.Fprintf(&program, "static long out%d[%d];\n", i, w.locals[i])
		fmt.Fprintf(&program, "static void p%d(%s *x, atomic_int *y)\n{\n%s", i, params[i], body)
		for k := range w.locals[i] {
			fmt.Fprintf(&program, "\tout%d[%d] = r%d;\n", i, k, k)
			made.Observed = append(made.Observed,
				[2]string{fmt.Sprintf("%d:r%d", i, k), fmt.Sprintf("out%d[%d]", i, k)})
		}
		fmt.Fprintf(&program, "}\nstatic void *thread%d(void *arg) { p%d((void *)&x, &y); return 0; }\n", i, i)
	}
	program.WriteString("\nint main(void)\n{\n\tpthread_t id[2];\n" +
		"\tpthread_create(&id[0], 0, thread0, 0);\n\tpthread_create(&id[1], 0, thread1, 0);\n" +
		"\tpthread_join(id[0], 0);\n\tpthread_join(id[1], 0);\n\tassert(!(%s));\n}\n")
	var shown []string
	for _, o := range made.Observed {
		shown = append(shown, o[0]+";")
	}
	fmt.Fprintf(&test, "\nlocations [%s]\nexists true\n", strings.Join(shown, " "))
	made.Test, made.Program = test.String(), program.String()
	return made
}

// twins writes the threads of both.
type twins struct {
	writer
	forC   bool
	atomic view // the parts of x with atomic accesses, for a model of C
	locals []int
}

// view is a part of x: where it is, and its type.
type view struct {
	typ string
	at  int // in elements of the type
}

func (w *twins) view() view {
	typ := w.pick("type", "uint8_t", "uint8_t", "int8_t", "uint16_t", "uint16_t", "uint16_t", "int16_t", "uint32_t",
		"uint32_t", "int32_t")
	places := map[string]int{"uint8_t": 3, "int8_t": 3, "uint16_t": 2, "int16_t": 2}[typ]
	return view{typ, w.upTo(max(places, 1), "place")}
}

// thread is the body of a thread.
func (w *twins) thread() string {
	w.Reset()
	w.indent = 1
	w.locals = append(w.locals, 0)
	for range 1 + w.upTo(3, "length") {
		w.statement()
	}
	body := w.String()
	w.Reset()
	for k := range w.locals[len(w.locals)-1] {
		w.line("%s r%d = 0;", w.pick("type", "int", "int", "long", "uint32_t", "int16_t"), k)
	}
	return w.String() + body
}

// local is a new one.
func (w *twins) local() string {
	n := &w.locals[len(w.locals)-1]
	*n++
	return fmt.Sprintf("r%d", *n-1)
}

func (w *twins) order(orders ...string) string { return "memory_order_" + w.pick("order", orders...) }

// statement writes one statement of a thread, in both notations.
func (w *twins) statement() {
	n := w.upTo(14, "statement")
	v := w.atomic
	if !w.forC || w.upTo(8, "two widths") == 0 {
		v = w.view()
	}
	at := fmt.Sprintf("(_Atomic(%s) *)x", v.typ)
	if v.at > 0 {
		at = fmt.Sprintf("(_Atomic(%s) *)x + %d", v.typ, v.at)
	}
	value := w.pick("value", "1", "2", "0x80", "0x101", "0x1ff")
	switch {
	case n == 0:
		w.line("atomic_store_explicit(%s, %s, %s);", at, value, w.order("relaxed", "release", "seq_cst"))
	case n == 1, n == 2:
		w.line("%s = atomic_load_explicit(%s, %s);", w.local(), at, w.order("relaxed", "acquire", "seq_cst"))
	case n == 3:
		w.line("%s = atomic_fetch_%s_explicit(%s, %s, %s);", w.local(), w.pick("update", "add", "or", "xor"), at, value,
			w.order("relaxed", "acq_rel"))
	case n == 4:
		w.line("%s = atomic_exchange_explicit(%s, %s, %s);", w.local(), at, value, w.order("relaxed", "acq_rel"))
	case n == 5:
		w.line("{ %s e = %s; %s = atomic_compare_exchange_strong_explicit(%s, &e, %s, %s, memory_order_relaxed); }",
			v.typ, w.pick("expected", "0", "1"), w.local(), at, value, w.order("relaxed", "acquire"))
	case n == 6:
		w.line("atomic_store_explicit(y, 1, %s);", w.order("relaxed", "release", "release"))
	case n == 7:
		w.line("atomic_thread_fence(%s);", w.order("release", "acquire", "seq_cst"))
	case n == 8, n == 9:
		r := w.local()
		w.line("%s = atomic_load_explicit(y, %s);", r, w.order("relaxed", "acquire", "acquire"))
		w.line("if (%s) %s", r, w.plain())
	default:
		w.line("%s", w.plain())
	}
}

// plain is a plain access.
func (w *twins) plain() string {
	v := w.view()
	place := fmt.Sprintf("*(%s *)x", v.typ)
	if v.at > 0 {
		place = w.pick("form", fmt.Sprintf("((%s *)x)[%d]", v.typ, v.at), fmt.Sprintf("*((%s *)x + %d)", v.typ, v.at))
	}
	switch w.upTo(5, "plain") {
	case 0, 1:
		return fmt.Sprintf("%s = %s;", place, w.pick("value", "1", "2", "0x80", "0x101", "-2"))
	case 2:
		return fmt.Sprintf("%s %s %s;", place, w.pick("operator", "+=", "^=", "-="), w.pick("value", "1", "0x81"))
	}
	return fmt.Sprintf("%s = %s;", w.local(), place)
}

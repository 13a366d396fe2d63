package cprogtest

import "pgregory.net/rapid"

// DrawHeap writes a random program whose threads share allocated and freed memory, and locals of calls, through
// pointers.
func DrawHeap(t *rapid.T) string {
	w := &writer{T: t}
	threads := 2 + w.upTo(5, "threads")/4
	bodies := w.bodies(&threads)
	w.line("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n")
	w.line("struct node { int v; struct node *next; };")
	w.line("static struct node *_Atomic p, *_Atomic q;")
	w.line("static atomic_int z;")
	w.line("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")
	w.line("static int local(int n) { struct node o = {n, 0}; p = &o; atomic_fetch_add(&z, 1); return o.v; }\n")
	for i := range bodies {
		w.line("static void *thread%d(void *arg)\n{", i)
		w.indent++
		w.line("int r = 0;\n\tstruct node *n = p;")
		for range 1 + w.upTo(3, "statements") {
			w.heapStatement(true)
		}
		w.line("return (void *)(long)r;")
		w.indent--
		w.line("}\n")
	}
	w.line("int main(void)\n{")
	w.indent++
	w.line("pthread_t id[%d];", threads)
	w.line("p = %s;", w.allocation())
	if w.upTo(2, "two") == 0 {
		w.line("q = p;")
	} else {
		w.line("q = %s;", w.allocation())
	}
	for i := range threads {
		w.line("pthread_create(&id[%d], 0, thread%d, 0);", i, i%bodies)
	}
	for i := range threads {
		w.line("pthread_join(id[%d], 0);", i)
	}
	if w.upTo(3, "freed") == 0 {
		w.line("free(p);")
	}
	w.line("assert(z != %d);", 1+w.upTo(3, "refuted"))
	w.indent--
	w.line("}")
	return w.String()
}

func (w *writer) allocation() string {
	return w.pick("allocation", "calloc(1, sizeof(struct node))", "calloc(1, sizeof(struct node))",
		"malloc(sizeof(struct node))")
}

// heapStatement writes a statement that allocates, accesses or frees memory; outer says that it is not inside another
// statement.
func (w *writer) heapStatement(outer bool) {
	switch c := w.upTo(16, "heap statement"); {
	case c == 0:
		w.line("free(%s);", w.pick("freed", "p", "q", "n"))
	case c == 1:
		w.line("free(atomic_exchange(&%s, 0));", w.pick("taken", "p", "q"))
	case c == 2:
		w.line("n = %s;", w.allocation())
	case c == 3:
		w.line("%s = n;", w.pick("shared", "p", "q"))
	case c == 4:
		w.line("n = atomic_load_explicit(&%s, memory_order_%s);", w.pick("shared", "p", "q"),
			w.pick("order", "relaxed", "acquire", "seq_cst"))
	case c < 7:
		w.line("if (n) n->v = %d;", 1+w.upTo(3, "value"))
	case c < 9:
		w.line("if (n) r = n->v;")
	case c == 9:
		w.line("z = r + 1;")
	case c == 10 && outer:
		w.line("r = local(%d);", w.upTo(3, "value"))
	case c == 11 && outer:
		w.line("{ int a[2] = {1, 2}; p = (struct node *)a; r = a[0]; }")
	case c == 12 && outer:
		w.line("while (z == %d) ;", w.upTo(2, "awaited"))
	case c == 13 && outer:
		w.line("while (n && n->v == %d) ;", w.upTo(2, "awaited"))
	case outer:
		w.line("pthread_mutex_lock(&m);")
		w.heapStatement(false)
		w.heapStatement(false)
		w.line("pthread_mutex_unlock(&m);")
	default:
		w.line("if (z == %d) r = 2;", w.upTo(3, "value"))
	}
}

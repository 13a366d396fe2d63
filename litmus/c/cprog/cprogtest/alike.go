package cprogtest

import (
	"fmt"

	"pgregory.net/rapid"
)

// DrawAlike writes a random program in which some threads run the same code, on the same argument or another, begun and
// waited for one right after the other or with something in between, or not waited for at all.
func DrawAlike(t *rapid.T, atomics bool) string {
	w := &writer{T: t, Shape: Shape{Atomics: atomics}, places: []string{"x", "y", "x", "v[0]"}}
	alike, others := 2+w.upTo(3, "alike")/2, w.upTo(3, "others")/2
	threads := alike + others
	w.globals()
	w.line("static int d;")
	last := others == 0 || w.upTo(2, "last") == 0 // the other thread begins last, and may wait
	waits := last && others > 0 && w.upTo(3, "waits") == 0
	if waits {
		w.line("static pthread_t id[%d];", threads)
	}
	w.line("")
	for i := range 1 + others {
		w.line("static void *thread%d(void *arg)\n{", i)
		w.indent++
		w.line("int r0 = 0, r1 = (int)(long)arg;")
		for range 1 + w.upTo(2, "statements") {
			switch w.upTo(8, "what") {
			case 0:
				w.line("r0 = atomic_fetch_add_explicit(&z, 1, %s);", w.order("relaxed", "acq_rel", "seq_cst"))
			case 1:
				w.line("pthread_mutex_lock(&m); %s pthread_mutex_unlock(&m);",
					w.pick("locked", "d++;", "r0 = d;", "d = r1;"))
			case 2:
				w.line("while (atomic_load_explicit(&z, %s) < %d) ;", w.order("relaxed", "acquire"),
					w.upTo(3, "awaited"))
			case 3:
				if i > 0 && waits {
					w.line("pthread_join(id[%d], 0);", w.upTo(alike, "of"))
				}
				fallthrough
			default:
				w.statement(1)
			}
		}
		w.line("return 0;")
		w.indent--
		w.line("}\n")
	}
	w.line("int main(void)\n{")
	w.indent++
	w.line("int r0 = 0, r1 = 0;")
	if !waits {
		w.line("pthread_t id[%d];", threads)
	}
	between := func() {
		if w.upTo(6, "between") == 0 {
			w.statement(0)
		}
	}
	argument := w.pick("argument", "0", "0", "1", "i", "r0")
	between()
	other := func(now bool) {
		if others > 0 && now {
			w.line("pthread_create(&id[%d], 0, thread1, 0);", alike)
		}
	}
	other(!last)
	for i := range alike {
		arg := argument
		if arg == "i" {
			arg = fmt.Sprint(i)
		}
		w.line("pthread_create(&id[%d], 0, thread0, (void *)(long)%s);", i, arg)
		between()
	}
	other(last)
	joins := w.upTo(5, "joins")
	for i := range threads {
		if joins > 0 && (joins > 1 || i != 1) {
			w.line("pthread_join(id[%d], 0);", i)
			between()
		}
	}
	w.line("assert(!(%s == %d && %s == %d));", w.pick("result", "x", "z", "v[1]"), w.upTo(4, "value"),
		w.pick("result", "x", "y", "z"), w.upTo(4, "value"))
	w.line("return 0;")
	w.indent--
	w.line("}")
	return w.String()
}

package orders_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog"
	"litmuscope/litmus/c/cprog/orders"
)

// client is a program of one file, and headers.
func client(main string, headers map[string]string, defines ...string) (map[string]string, orders.Client) {
	texts := maps.Clone(headers)
	if texts == nil {
		texts = map[string]string{}
	}
	texts["main.c"] = main
	return texts, func(changed map[string]string) ([]string, error) {
		all := maps.Clone(texts)
		maps.Copy(all, changed)
		files := fstest.MapFS{}
		for name, text := range all {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		return cprog.Preprocessed(
			cprog.Source{Files: []cprog.File{{Name: "main.c", Text: all["main.c"]}}, Include: files, Defines: defines})
	}
}

func read(t *testing.T, main string, headers map[string]string, o orders.Options, defines ...string) *orders.Text {
	t.Helper()
	texts, one := client(main, headers, defines...)
	if o.Only == nil {
		o.Only = []string{"main.c"}
	}
	text, err := orders.Read(texts, []orders.Client{one}, o)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func weakest(t *orders.Text) []c.Order {
	out := t.Orders()
	for i, p := range t.Places {
		out[i] = p.Can[0]
	}
	return out
}

// list formats the result of a search: places with their orders, and operations without a place.
func list(t *orders.Text) string {
	var b strings.Builder
	for _, p := range t.Places {
		var can []string
		for _, o := range p.Can {
			can = append(can, orders.Word(o, p.Fence))
		}
		fmt.Fprintf(&b, "%d:%d %s in %q: %s of %s\n", p.Line, p.Column, p.Operation, p.Function,
			orders.Word(p.Was, p.Fence), strings.Join(can, " "))
	}
	for _, l := range t.Left {
		fmt.Fprintf(&b, "%d:%d %s left: %s\n", l.At.Line, l.At.Col, l.Operation, l.Why)
	}
	return b.String()
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
	}
}

// What orders a text says or implies, and the text that says the weakest ones.
func TestPlaces(t *testing.T) {
	const (
		all  = "relaxed acquire release acq_rel seq_cst"
		gone = "none acquire release acq_rel seq_cst"
	)
	for _, test := range []struct{ name, text, places, weakest string }{
		{
			"with an order", "atomic_store_explicit(&x, f(1, 2), memory_order_release);",
			`memory_order_release of relaxed release seq_cst`,
			"atomic_store_explicit(&x, f(1, 2), memory_order_relaxed);",
		},
		{
			"a load", "r = atomic_load_explicit(&x, memory_order_consume);",
			"consume of relaxed consume acquire seq_cst",
			"r = atomic_load_explicit(&x, memory_order_relaxed);",
		},
		{
			"implied", "r = atomic_load(&x);", "seq_cst of relaxed acquire seq_cst",
			"r = atomic_load_explicit(&x, memory_order_relaxed);",
		},
		{
			"one in the other", "atomic_store(&x, atomic_load(&y) + 1);", "two",
			"atomic_store_explicit(&x, atomic_load_explicit(&y, memory_order_relaxed) + 1, memory_order_relaxed);",
		},
		{
			"two orders", "atomic_compare_exchange_strong(&x, &r, 1);", "two",
			"atomic_compare_exchange_strong_explicit(&x, &r, 1, memory_order_relaxed, memory_order_relaxed);",
		},
		{
			"GCC's", "__atomic_fetch_add(&r, 1, __ATOMIC_ACQ_REL);", "acq_rel of " + all,
			"__atomic_fetch_add(&r, 1, __ATOMIC_RELAXED);",
		},
		{
			"GCC's older ones", "__sync_fetch_and_add(&r, 1);", "seq_cst of " + all,
			"__atomic_fetch_add(&r, 1, __ATOMIC_RELAXED);",
		},
		{
			"a lock of GCC's", "__sync_lock_release(&r);", "release of relaxed release seq_cst",
			"__atomic_store_n(&r, 0, __ATOMIC_RELAXED);",
		},
		{"a fence", "r = 1; atomic_thread_fence(memory_order_seq_cst); r = 2;", "seq_cst of " + gone, "r = 1;  r = 2;"},
		{
			"a fence by itself", "r = 1;\n\tatomic_thread_fence(memory_order_seq_cst);\n\tr = 2;", "seq_cst of " + gone,
			"r = 1;\n\n\tr = 2;",
		},
		{"GCC's fence", "r = 1; __sync_synchronize();", "seq_cst of " + gone, "r = 1; "},
		{
			"a fence that a condition controls", "if (r)\n\t\tatomic_thread_fence(memory_order_acquire);\n\tr = 2;",
			"acquire of " + gone, "if (r)\n\t\t(void)0;\n\tr = 2;",
		},
		{
			"a macro for an order", "atomic_store_explicit(&x, 1, rel);", "release of relaxed release seq_cst",
			"atomic_store_explicit(&x, 1, rlx);",
		},
		{"comments and strings", "/* atomic_load(&x) */ puts(\"atomic_load(&x)\"); // atomic_load(&x)", "", ""},
		{"what is left out", "#if 0\n\tatomic_load(&x);\n#endif", "", ""},
		{
			"a number", "r = __atomic_load_n(&r, 2);", "acquire of relaxed acquire seq_cst",
			"r = __atomic_load_n(&r, __ATOMIC_RELAXED);",
		},
		{"a variable", "atomic_store_explicit(&x, 1, r);", "left: its order is r, which is not an order here", ""},
		{"by value", "__sync_bool_compare_and_swap(&r, 0, 1);", "left: it has no variant with an order", ""},
		{"the kernel's", "smp_mb();", "left: a kernel primitive", ""},
		{"a mutex", "mtx_lock(&m);", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			head := "#include <stdatomic.h>\n#define rel memory_order_release\n" +
				"#define rlx memory_order_relaxed\nint f(int, int); atomic_int x, y; int r;\nvoid one(void)\n{\n\t"
			got := read(t, head+test.text+"\n}\n", nil, orders.Options{})
			switch text := list(got); {
			case test.places == "two" && len(got.Places) != 2, test.places == "" && text != "":
				t.Errorf("places:\n%s", text)
			case test.places != "two" && !strings.Contains(text, strings.TrimPrefix(test.places, "memory_order_")):
				t.Errorf("got\n%s\nwant %s", text, test.places)
			}
			written := got.With(weakest(got), false)["main.c"]
			if test.weakest == "" && len(got.Places) == 0 {
				same(t, "weakest", written, "")
			} else {
				same(t, "weakest", strings.TrimSuffix(strings.TrimPrefix(written, head), "\n}\n"), test.weakest)
			}
			if len(got.With(got.Orders(), true)) > 0 {
				t.Errorf("the orders that are there change the text: %v", got.With(got.Orders(), true))
			}
		})
	}
}

// An order passed on is a place where the text gives it: in the call, or at the definition of a variable.
func TestPassed(t *testing.T) {
	const head = "#include <stdatomic.h>\n#define rel memory_order_release\natomic_int x; int r;\n"
	for _, test := range []struct{ name, text, places, weakest string }{
		{
			"a parameter", "void put(atomic_int *p, memory_order o) { atomic_store_explicit(p, 1, o); }\n" +
				"void f(void) { put(&x, memory_order_seq_cst); put(&x, rel); }\n",
			"5:24 put in \"f\": seq_cst of relaxed release seq_cst\n" +
				"5:55 put in \"f\": release of relaxed release seq_cst\n",
			"void put(atomic_int *p, memory_order o) { atomic_store_explicit(p, 1, o); }\n" +
				"void f(void) { put(&x, memory_order_relaxed); put(&x, memory_order_relaxed); }\n",
		},
		{
			"one of several of a call", "int cas(int e, memory_order o) { return " +
				"atomic_compare_exchange_strong_explicit(&x, &e, 1, o, memory_order_acquire); }\n" +
				"int f(void) { return cas(0, memory_order_acq_rel); }\n",
			"4:95 atomic_compare_exchange_strong_explicit in \"cas\": acquire of relaxed acquire seq_cst\n" +
				"5:29 cas in \"f\": acq_rel of relaxed acquire release acq_rel seq_cst\n",
			"int cas(int e, memory_order o) { return atomic_compare_exchange_strong_explicit(&x, &e, 1, o, " +
				"memory_order_relaxed); }\nint f(void) { return cas(0, memory_order_relaxed); }\n",
		},
		{
			"to several calls", "void both(memory_order o) { atomic_store_explicit(&x, 1, o); r = " +
				"atomic_load_explicit(&x, o); }\nvoid f(void) { both(memory_order_seq_cst); }\n",
			"5:21 both in \"f\": seq_cst of relaxed seq_cst\n",
			"void both(memory_order o) { atomic_store_explicit(&x, 1, o); r = atomic_load_explicit(&x, o); }\n" +
				"void f(void) { both(memory_order_relaxed); }\n",
		},
		{
			"and on", "void put(int o) { __atomic_store_n(&r, 1, o); }\n" +
				"void twice(int how) { put(how); put(how); }\nvoid f(void) { twice(3); }\n",
			"6:22 twice in \"f\": release of relaxed release seq_cst\n",
			"void put(int o) { __atomic_store_n(&r, 1, o); }\nvoid twice(int how) { put(how); put(how); }\n" +
				"void f(void) { twice(__ATOMIC_RELAXED); }\n",
		},
		{
			"a macro's argument", "#define PUT(p, o) do { atomic_store_explicit(p, 1, o); } while (0)\n" +
				"void f(void) { PUT(&x, memory_order_seq_cst); PUT(&x, rel); }\n",
			"5:24 PUT in \"f\": seq_cst of relaxed release seq_cst\n" +
				"5:55 PUT in \"f\": release of relaxed release seq_cst\n",
			"#define PUT(p, o) do { atomic_store_explicit(p, 1, o); } while (0)\n" +
				"void f(void) { PUT(&x, memory_order_relaxed); PUT(&x, memory_order_relaxed); }\n",
		},
		{
			"a fence's", "void full(memory_order o) { atomic_thread_fence(o); }\n" +
				"void f(void) { full(memory_order_seq_cst); }\n",
			"5:21 full in \"f\": seq_cst of relaxed acquire release acq_rel seq_cst\n",
			"void full(memory_order o) { atomic_thread_fence(o); }\nvoid f(void) { full(memory_order_relaxed); }\n",
		},
		{
			"a constant", "static const memory_order how = memory_order_acquire;\n" +
				"int f(void) { return atomic_load_explicit(&x, how) + atomic_load_explicit(&x, how); }\n",
			"4:33 how in \"\": acquire of relaxed acquire seq_cst\n",
			"static const memory_order how = memory_order_relaxed;\n" +
				"int f(void) { return atomic_load_explicit(&x, how) + atomic_load_explicit(&x, how); }\n",
		},
		{
			"a constant of a function's, handed on", "void put(memory_order o) { atomic_store_explicit(&x, 1, o); " +
				"}\nvoid f(void) { const memory_order how = rel; put(how); }\n",
			"5:41 how in \"f\": release of relaxed release seq_cst\n",
			"void put(memory_order o) { atomic_store_explicit(&x, 1, o); }\n" +
				"void f(void) { const memory_order how = memory_order_relaxed; put(how); }\n",
		},
		{
			"a variable",
			"memory_order how = memory_order_acquire;\nint f(void) { return atomic_load_explicit(&x, how); }\n",
			"5:22 atomic_load_explicit left: its order is how, a variable that may change: declare it const\n", "",
		},
		{
			"a parameter that decides", "int get(memory_order o) { if (o) r = 1; return atomic_load_explicit(&x, " +
				"o); }\nint f(void) { return get(memory_order_acquire); }\n",
			"4:48 atomic_load_explicit left: its order is o, a parameter that get uses for more than the order of " +
				"its calls\n", "",
		},
		{
			"a constant that decides", "const memory_order how = memory_order_acquire;\n" +
				"int f(void) { if (how) r = 1; return atomic_load_explicit(&x, how); }\n",
			"5:38 atomic_load_explicit left: its order is how, which is used for more than the order of calls\n", "",
		},
		{
			"what is computed", "int get(memory_order o) { return atomic_load_explicit(&x, o); }\n" +
				"int f(void) { return get(r ? memory_order_acquire : memory_order_relaxed); }\n",
			"5:22 get left: its order is r, which is not an order here\n", "",
		},
	} {
		for _, each := range []bool{false, true} {
			t.Run(fmt.Sprint(test.name, each), func(t *testing.T) {
				got := read(t, head+test.text, nil, orders.Options{Each: each})
				same(t, "places", list(got), test.places)
				same(t, "weakest", strings.TrimPrefix(got.With(weakest(got), false)["main.c"], head), test.weakest)
				for i, p := range got.Places {
					text := got.Reaching(i, got.Orders())["main.c"]
					calls := 1
					if p.Operation == "how" { // for its uses
						calls = strings.Count(test.text, ", how)") + strings.Count(test.text, "(how)")
					}
					if strings.Count(text, "("+orders.Reached+", ") != calls {
						t.Errorf("%d: %s", i, text)
					}
				}
			})
		}
	}
	got := read(t, head+"void put(memory_order o) { atomic_store_explicit(&x, 1, o); }\nvoid f(void) { put(rel); }\n",
		nil, orders.Options{Only: []string{"put"}})
	same(t, "calls elsewhere", list(got), "4:28 atomic_store_explicit left: its order is o, which is written in "+
		"calls outside --only: add them\n")
	got = read(t, head+"const memory_order how = rel;\nvoid f(void) { atomic_store_explicit(&x, 1, how); }\n", nil,
		orders.Options{Only: []string{"f"}})
	same(t, "a constant elsewhere", list(got),
		"5:16 atomic_store_explicit left: its order is how, which is written in main.c:4: add that to --only\n")
}

// A fence that stands by itself leaves no line behind, where it is to be neat.
func TestNeat(t *testing.T) {
	got := read(t,
		"#include <stdatomic.h>\nint main(void)\n{\n\tatomic_thread_fence(memory_order_seq_cst);\n\treturn 0;\n}\n",
		nil, orders.Options{})
	same(t, "neat", got.With(weakest(got), true)["main.c"],
		"#include <stdatomic.h>\nint main(void)\n{\n\treturn 0;\n}\n")
}

// Names that end in an order are those that the program has.
func TestSuffixes(t *testing.T) {
	lib := "static inline int vatomic32_read(int *p) { return __atomic_load_n(p, 5); }\n" +
		"static inline int vatomic32_read_acq(int *p) { return __atomic_load_n(p, 2); }\n" +
		"static inline int vatomic32_read_rlx(int *p);\n" +
		"static inline void vatomic32_init(int *p) { }\n" +
		"static inline void vatomic_fence(void) { }\nstatic inline void vatomic_fence_rel(void) { }\n" +
		"static inline void vatomic_fence_rlx(void) { }\n"
	got := read(t, "#include \"lib.h\"\nint x;\n"+
		"int main(void)\n{\n\tvatomic32_init(&x);\n\tvatomic_fence_rel();\n"+
		"\treturn vatomic32_read(&x) + vatomic32_read_rlx(&x);\n}\n", map[string]string{"lib.h": lib}, orders.Options{})
	same(t, "places", list(got), `6:2 vatomic_fence_rel in "main": release of none release seq_cst
7:9 vatomic32_read in "main": seq_cst of relaxed acquire seq_cst
7:30 vatomic32_read_rlx in "main": relaxed of relaxed acquire seq_cst
`)
	want := []c.Order{c.SeqCst, c.Acquire, c.SeqCst}
	same(t, "with", got.With(want, true)["main.c"], "#include \"lib.h\"\nint x;\n"+
		"int main(void)\n{\n\tvatomic32_init(&x);\n\tvatomic_fence();\n"+
		"\treturn vatomic32_read_acq(&x) + vatomic32_read(&x);\n}\n")
}

// A macro that is one call is one place; or each of its uses is, where it comes to something.
func TestMacros(t *testing.T) {
	const text = `#include <stdatomic.h>
#ifdef FENCES
#define fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define fence()
#endif
#define full() fence()
#define get(x) atomic_load(&(x))
atomic_int x, y[2];
int main(void)
{
	fence();
	int r = get(y[get(x)]);
	full();
	return r;
}
`
	got := read(t, text, nil, orders.Options{}, "FENCES")
	same(t, "places", list(got), `3:37 atomic_thread_fence in "": seq_cst of none acquire release acq_rel seq_cst
8:16 atomic_load in "": seq_cst of relaxed acquire seq_cst
`)
	one := got.With(weakest(got), true)["main.c"]
	for _, line := range []string{
		"#define fence() (void)0\n",
		"#define get(x) atomic_load_explicit(&(x), memory_order_relaxed)\n",
	} {
		if !strings.Contains(one, line) {
			t.Errorf("%q is not in\n%s", line, one)
		}
	}
	got = read(t, text, nil, orders.Options{Each: true}, "FENCES")
	same(t, "each use", list(got), `12:2 fence in "main": seq_cst of none acquire release acq_rel seq_cst
13:10 get in "main": seq_cst of relaxed acquire seq_cst
13:16 get in "main": seq_cst of relaxed acquire seq_cst
14:2 full in "main": seq_cst of none acquire release acq_rel seq_cst
`)
	each := got.With([]c.Order{c.Relaxed, c.Acquire, c.Relaxed, c.AcqRel}, true)["main.c"]
	if !strings.HasSuffix(each, `{
	int r = atomic_load_explicit(&(y[atomic_load_explicit(&(x), memory_order_relaxed)]), memory_order_acquire);
	atomic_thread_fence(memory_order_acq_rel);
	return r;
}
`) {
		t.Errorf("each use: %s", each)
	}
	got = read(t, text, nil, orders.Options{Each: true})
	if text := list(got); strings.Contains(text, "fence") || strings.Contains(text, "full") {
		t.Errorf("without FENCES there are fences:\n%s", text)
	}
}

// The search covers the named files and functions; what there is not is an error.
func TestOnly(t *testing.T) {
	headers := map[string]string{
		"lib/a.h": "static inline void put(void)\n{\n\tatomic_store(&x, 1);\n}\n" +
			"static inline void both(void) { put(); atomic_store(&x, 2); }\n",
	}
	const main = "#include <stdatomic.h>\natomic_int x;\n#include \"lib/a.h\"\n" +
		"int main(void) { both(); return atomic_load(&x); }\n"
	for only, places := range map[string]int{
		"main.c": 1, "./main.c": 1, "lib/a.h": 2, "lib/../lib/a.h": 2, "put": 1,
		"both": 1, "main": 1,
	} {
		if got := read(t, main, headers, orders.Options{Only: []string{only}}); len(got.Places) != places {
			t.Errorf("%s: %s", only, list(got))
		}
	}
	texts, one := client(main, headers)
	for only, want := range map[string]string{
		"lib/b.h": "no client contains a file lib/b.h",
		"putt":    "no client defines a function putt",
	} {
		if _, err := orders.Read(texts, []orders.Client{one}, orders.Options{Only: []string{only}}); err == nil ||
			err.Error() != want {
			t.Errorf("%s: %v, want %s", only, err, want)
		}
	}
}

// What comes before what, and what does not.
func TestWeaker(t *testing.T) {
	all := []c.Order{c.Relaxed, c.Acquire, c.Release, c.AcqRel, c.SeqCst}
	for _, a := range all {
		for _, b := range all {
			sides := slices.Contains([]c.Order{c.Acquire, c.Release}, a) &&
				slices.Contains([]c.Order{c.Acquire, c.Release}, b)
			if want := a < b && !sides; orders.Weaker(a, b) != want {
				t.Errorf("%s weaker than %s: %v", a, b, !want)
			}
		}
	}
}

// Whatever the text, reading it ends, and the orders that it has change nothing.
func FuzzRead(f *testing.F) {
	f.Add("#define get(x) atomic_load(&(x))\nint main(void) { return get(get(x)); }")
	f.Add("#define a() b()\n#define b() a()\nvoid f(void){ a(); __sync_synchronize() }")
	f.Add("void put(int o) { __atomic_store_n(&x, 1, o); } void f(void) { const int a = 2; put(a); put(3); }")
	f.Add("{ ( [ #define x( \\\n atomic_store(,,) \"\\")
	f.Fuzz(func(t *testing.T, text string) {
		for _, each := range []bool{false, true} {
			words := func(changed map[string]string) ([]string, error) {
				if marked, ok := changed["main.c"]; ok {
					return strings.Fields(marked), nil
				}
				return strings.Fields(text), nil
			}
			got, err := orders.Read(map[string]string{"main.c": text}, []orders.Client{words},
				orders.Options{Only: []string{"main.c"}, Each: each})
			if err != nil {
				continue
			}
			if len(got.With(got.Orders(), true)) > 0 {
				t.Error("the orders that are there change the text")
			}
			got.With(weakest(got), true)
			for i := range got.Places {
				got.Reaching(i, got.Orders())
			}
		}
	})
}

package optimise_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/orders"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth/optimise"
)

// question is about programs by their names, under models.
func question(programs map[string]string, models ...string) optimise.Question {
	q := optimise.Question{Runner: engines.Local{}, Workers: 2}
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		q.Only = append(q.Only, name)
		for _, model := range models {
			t := solver.VerifyTask{
				Path: name, Files: []solver.SourceFile{{Name: name, Text: programs[name]}}, Model: model,
				Engine:  "axiomatic",
				Options: solver.DefaultOptions(), Verify: solver.Verify{Properties: []ir.Property{ir.Assertion}},
			}
			t.Options.Witnesses = true
			q.Pairs = append(q.Pairs, t)
		}
	}
	return q
}

func find(t *testing.T, q optimise.Question) *optimise.Answer {
	t.Helper()
	a, err := optimise.Find(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// threads is a program of two threads, and what holds in the end.
func threads(declared, left, right, holds string) string {
	return "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n" + declared + "\n" +
		"static void *left(void *arg)\n{\n" + left + "\treturn 0;\n}\n" +
		"static void *right(void *arg)\n{\n" + right + "\treturn 0;\n}\n" +
		"int main(void)\n{\n\tpthread_t a, b;\n\tpthread_create(&a, 0, left, 0);\n" +
		"\tpthread_create(&b, 0, right, 0);\n" +
		"\tpthread_join(a, 0);\n\tpthread_join(b, 0);\n\tassert(" + holds + ");\n\treturn 0;\n}\n"
}

var (
	messagePassing = threads("atomic_int flag; int data, r0, r1;",
		"\tdata = 1;\n\tatomic_store(&flag, 1);\n", "\tr0 = atomic_load(&flag);\n\tif (r0)\n\t\tr1 = data;\n",
		"!r0 || r1")
	storeBuffering = threads("atomic_int x, y; int r0, r1;",
		"\tatomic_store(&x, 1);\n\tatomic_thread_fence(memory_order_seq_cst);\n\tr0 = atomic_load(&y);\n",
		"\tatomic_store(&y, 1);\n\tatomic_thread_fence(memory_order_seq_cst);\n\tr1 = atomic_load(&x);\n", "r0 || r1")
	spinlock = threads("atomic_int word; int visits;\nstatic void lock(void)\n{\n"+
		"\twhile (atomic_exchange(&word, 1))\n\t\t;\n}\nstatic void unlock(void)\n{\n\tatomic_store(&word, 0);\n}\n",
		"\tlock();\n\tvisits++;\n\tunlock();\n", "\tlock();\n\tvisits++;\n\tunlock();\n", "visits == 2")
	handedOn = threads("atomic_int flag; int data, r0, r1;\nstatic const memory_order how = memory_order_seq_cst;\n"+
		"#define GET(p, o) atomic_load_explicit(p, o)\n"+
		"static void put(atomic_int *p, int v, memory_order o) { atomic_store_explicit(p, v, o); }\n",
		"\tput(&flag, 0, memory_order_seq_cst);\n\tdata = 1;\n\tput(&flag, 1, memory_order_seq_cst);\n",
		"\tif (GET(&flag, memory_order_seq_cst) == 1)\n\t\tr0 = 1;\n\tif (r0)\n"+
			"\t\tr1 = data;\n\tatomic_load_explicit(&flag, how);\n", "!r0 || r1")
	counter = threads("atomic_int n;", "\tatomic_fetch_add(&n, 1);\n", "\tatomic_fetch_add(&n, 1);\n", "n == 2")
	stack   = threads(`struct node { int value; struct node *_Atomic next; };
static struct node a, b;
static struct node *_Atomic head;
static void push(struct node *n)
{
	struct node *h = atomic_load(&head);
	do
		atomic_store(&n->next, h);
	while (!atomic_compare_exchange_strong(&head, &h, n));
}
static struct node *pop(void)
{
	struct node *h = atomic_load(&head), *next;
	do {
		if (!h)
			return 0;
		next = atomic_load(&h->next);
	} while (!atomic_compare_exchange_strong(&head, &h, next));
	return h;
}
`, "\ta.value = 1;\n\tpush(&a);\n", "\tstruct node *n = pop();\n\tif (n)\n\t\tassert(n->value == 1);\n", "1")
)

// Orders of small programs, as everybody knows them.
func TestFind(t *testing.T) {
	for _, test := range []struct {
		name, text string
		models     []string
		want       string // orders of the places
	}{
		{"message passing", messagePassing, []string{"rc11"}, "release acquire"},
		{"message passing", messagePassing, []string{"aarch64", "power"}, "release acquire"},
		{"message passing", messagePassing, []string{"tso"}, "relaxed relaxed"},
		{"store buffering", storeBuffering, []string{"rc11"}, "relaxed seq_cst relaxed relaxed seq_cst relaxed"},
		{"store buffering", storeBuffering, []string{"tso", "rc11"}, "relaxed seq_cst relaxed relaxed seq_cst relaxed"},
		{"store buffering", storeBuffering, []string{"sc"}, "relaxed none relaxed relaxed none relaxed"},
		{"spinlock", spinlock, []string{"rc11"}, "acquire release"},
		{"spinlock", spinlock, []string{"tso"}, "relaxed relaxed"},
		{"handed on", handedOn, []string{"rc11"}, "relaxed relaxed release acquire"},
		{"counter", counter, []string{"rc11", "power"}, "relaxed relaxed"},
		{"stack", stack, []string{"rc11"}, "relaxed relaxed release relaxed relaxed relaxed acquire relaxed"},
	} {
		t.Run(test.name+" "+strings.Join(test.models, "+"), func(t *testing.T) {
			a := find(t, question(map[string]string{"p.c": test.text}, test.models...))
			var got []string
			for _, p := range a.Places {
				got = append(got, p.Is)
				for _, w := range p.Weaker {
					if p.Why != optimise.Needed || w.Fails == nil || w.Fails.Verdict != solver.Unsafe &&
						w.Fails.Race == nil {
						t.Errorf("%d: %s is no counterexample: %+v", p.Line, w.Order, w)
					}
				}
			}
			// The table claims nothing about failure orders of compare-and-exchanges and about places that no client
			// reaches.
			if text := strings.Join(got, " "); text != test.want {
				var b strings.Builder
				_ = a.Write(&b, "table")
				t.Errorf("got %s\nwant %s\n%s", text, test.want, b.String())
			}
			if len(a.Clients) != len(test.models) {
				t.Errorf("%d clients of %d say that it holds", len(a.Clients), len(test.models))
			}
		})
	}
}

// If a client fails unchanged, the search changes nothing and reports its execution; with the strongest orders, repair
// may mend it.
func TestUnsafe(t *testing.T) {
	broken := strings.ReplaceAll(storeBuffering, "memory_order_seq_cst", "memory_order_acq_rel")
	broken = strings.ReplaceAll(broken, "atomic_store(&x, 1)", "atomic_store_explicit(&x, 1, memory_order_relaxed)")
	q := question(map[string]string{"p.c": broken}, "rc11")
	a := find(t, q)
	if a.Unsafe == nil || a.Unsafe.Failure == nil || a.Unsafe.Failure.Graph == nil || a.Diff != "" ||
		len(a.Places) > 0 {
		t.Errorf("%+v", a)
	}
	q.Strongest = true
	if a = find(t, q); a.Unsafe != nil || !strings.Contains(a.Diff, "+\tatomic_thread_fence(memory_order_seq_cst);") {
		t.Errorf("%s\n%s", a.Summary(), a.Diff)
	}
}

// An unknown answer is not safe: orders stay, and the answer says why.
func TestUndecided(t *testing.T) {
	q := question(map[string]string{"p.c": messagePassing}, "rc11")
	q.Runner = hesitant{}
	a := find(t, q)
	for _, p := range a.Places {
		if p.Is != p.Was || p.Why != optimise.Undecided || len(p.Weaker) == 0 || p.Weaker[0].Reason == "" {
			t.Errorf("%+v", p)
		}
	}
	if !a.Open() || a.Diff != "" {
		t.Errorf("open: %v, diff %q", a.Open(), a.Diff)
	}
}

// hesitant decides about programs without relaxed accesses, acquires and releases alone.
type hesitant struct{ engines.Local }

func (h hesitant) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	if strings.Contains(q.(solver.VerifyTask).Files[0].Text, "_explicit") {
		return engines.Stopped(q.(solver.VerifyTask), "time limit reached"), nil
	}
	return h.Local.Run(ctx, q)
}

// What no client comes to stays as it is. One client more, and it does not.
func TestUnreached(t *testing.T) {
	lib := "static atomic_int word;\nstatic int try(void)\n{\n\treturn !atomic_exchange(&word, 1);\n}\n" +
		"static void lock(void)\n{\n\twhile (atomic_exchange(&word, 1))\n\t\t;\n}\n" +
		"static void unlock(void)\n{\n\tatomic_store(&word, 0);\n}\n"
	waiter := threads("#include \"lock.h\"\nint visits;", "\tlock();\n\tvisits++;\n\tunlock();\n",
		"\tlock();\n\tvisits++;\n\tunlock();\n", "visits == 2")
	trier := threads("#include \"lock.h\"\nint visits;", "\tif (try()) {\n\t\tvisits++;\n\t\tunlock();\n\t}\n",
		"\tlock();\n\tvisits++;\n\tunlock();\n", "visits > 0")
	for _, test := range []struct {
		clients map[string]string
		want    string
	}{
		{map[string]string{"a.c": waiter}, "seq_cst unreached, acquire needed, release needed"},
		{map[string]string{"a.c": waiter, "b.c": trier}, "acquire needed, acquire needed, release needed"},
	} {
		q := question(test.clients, "rc11")
		q.Only = []string{"lock.h"}
		for i := range q.Pairs {
			q.Pairs[i].Include = map[string]string{"lock.h": lib}
		}
		a := find(t, q)
		var got []string
		for _, p := range a.Places {
			got = append(got, p.Is+" "+string(p.Why))
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("got %s, want %s", text, test.want)
		}
	}
}

// For random programs, the result is safe, and no single order can be weaker, as an enumeration of all choices
// confirms; and the patch gives the checked text.
func TestRandom(t *testing.T) {
	irtest.AtMost(t, 8)
	rapid.Check(t, func(t *rapid.T) {
		text := drawn(t)
		model := rapid.SampledFrom([]string{"rc11", "tso", "aarch64", "power", "imm"}).Draw(t, "model")
		q := question(map[string]string{"p.c": text}, model)
		a, err := optimise.Find(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		holds := func(text string) bool {
			task := q.Pairs[0]
			task.Files = []solver.SourceFile{{Name: "p.c", Text: text}}
			v, err := solver.Ask(context.Background(), q.Runner, task)
			if err != nil || v.Status != solver.OK {
				t.Fatal(err, v.Error, v.Reason)
			}
			return v.Verdict == solver.Safe && v.Race == nil
		}
		if a.Unsafe != nil {
			if holds(text) {
				t.Fatalf("it is said to fail:\n%s", text)
			}
			t.Skip("it fails as it is")
		}
		places, err := orders.Read(map[string]string{"p.c": text},
			[]orders.Client{func(changed map[string]string) ([]string, error) {
				return engines.Preprocessed(optimise.Changed(q.Pairs[0], changed))
			}}, q.Options)
		if err != nil {
			t.Fatal(err)
		}
		written := func(choice []c.Order) string {
			if changed, ok := places.With(choice, true)["p.c"]; ok {
				return changed
			}
			return text
		}
		is := places.Orders()
		for i, p := range a.Places {
			for _, o := range places.Places[i].Can {
				if orders.Word(o, places.Places[i].Fence) == p.Is {
					is[i] = o
				}
			}
		}
		found := text
		if changed, ok := a.Files["p.c"]; ok {
			found = changed
		}
		if found != written(is) || !holds(found) {
			t.Fatalf("this does not hold under %s:\n%s\nof\n%s", model, found, text)
		}
		// All choices, in one fixed order: that no weaker one holds is what maximal means, where weaker ones allow
		// more.
		choice := places.Orders()
		var all func(i int)
		all = func(i int) {
			if i == len(choice) {
				weaker := false
				for k := range choice {
					if choice[k] != is[k] && !orders.Weaker(choice[k], is[k]) {
						return
					}
					weaker = weaker || choice[k] != is[k]
				}
				if weaker && holds(written(choice)) {
					t.Fatalf("under %s this holds, too:\n%s\nand not only\n%s", model, written(choice), found)
				}
				return
			}
			was := choice[i]
			for _, o := range places.Places[i].Can {
				if o == was || orders.Weaker(o, was) {
					choice[i] = o
					all(i + 1)
				}
			}
			choice[i] = was
		}
		all(0)
	})
}

// drawn is a program of two threads with two or three accesses each to two locations, with fences between some, and an
// outcome that is not to be.
func drawn(t *rapid.T) string {
	var bodies [2]string
	var reads []string
	for i := range bodies {
		for n := rapid.IntRange(2, 3).Draw(t, "accesses"); n > 0; n-- {
			x := rapid.SampledFrom([]string{"x", "y"}).Draw(t, "location")
			r := fmt.Sprintf("r%d", len(reads))
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0, 1:
				bodies[i] += fmt.Sprintf("\tatomic_store_explicit(&%s, 1, %s);\n", x,
					rapid.SampledFrom(
						[]string{"memory_order_relaxed", "memory_order_release", "memory_order_seq_cst"}).Draw(t,
						"order"))
			case 2, 3:
				bodies[i] += fmt.Sprintf("\t%s = atomic_load_explicit(&%s, %s);\n", r, x,
					rapid.SampledFrom(
						[]string{"memory_order_relaxed", "memory_order_acquire", "memory_order_seq_cst"}).Draw(t,
						"order"))
				reads = append(reads, r)
			case 4:
				bodies[i] += fmt.Sprintf("\t%s = atomic_fetch_add_explicit(&%s, 1, memory_order_acq_rel);\n", r, x)
				reads = append(reads, r)
			default:
				bodies[i] += "\tatomic_thread_fence(memory_order_seq_cst);\n"
			}
		}
	}
	var holds string
	if len(reads) > 0 {
		var all []string
		for _, r := range reads {
			all = append(all, fmt.Sprintf("%s == %d", r, rapid.IntRange(0, 1).Draw(t, "value")))
		}
		holds = "!(" + strings.Join(all, " && ") + ")"
	} else {
		bodies[0] += "\tr0 = atomic_load_explicit(&x, memory_order_seq_cst);\n"
		holds = "r0 < 2"
	}
	return threads("atomic_int x, y; int r0, r1, r2, r3, r4, r5;", bodies[0], bodies[1], holds)
}

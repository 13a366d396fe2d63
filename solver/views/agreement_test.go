package views_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
	"litmuscope/solver/operational"
	"litmuscope/solver/operational/operationaltest"
	"litmuscope/solver/views"
)

// asks compares the answers of the axiomatic engine and the view machine about a test: outcomes, verdict and flags. It
// returns the axiomatic engine's answer, and an error for a difference.
func asks(ctx context.Context, source string) (*solver.Result, error) {
	p, err := dialect.Parse("t.litmus", source)
	if err != nil {
		return nil, err
	}
	m, _ := models.Find("rc11")
	q := solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()}
	q.Options.States, q.Options.Executions, q.Options.Timeout = 100_000, 0, 0
	axioms, err := axiomatic.Engine{}.Explore(ctx, q)
	if err != nil {
		return nil, err
	}
	machine, err := views.Answer(ctx, q, "machine")
	if err != nil {
		return nil, err
	}
	// The axiomatic engine also counts rounds of loops that only runs reach which are no executions.
	bound := !axioms.Complete && machine.Complete
	if bound && !slices.EqualFunc(axioms.States, machine.States, slices.Equal) {
		return nil, fmt.Errorf("within the bound, the axioms allow %v, the machine %v", axioms.States, machine.States)
	}
	if a, b := operationaltest.Summary(axioms), operationaltest.Summary(machine); !bound && a != b {
		return nil, fmt.Errorf("the axioms say %s, the machine says %s", a, b)
	}
	return axioms, nil
}

// The machine gives the axioms' answers about the tests of the catalogue in C, and about those of the reference corpus.
func TestMachineAsAxiomsOnKnownTests(t *testing.T) {
	inC := func(e *catalogue.Entry) bool { return dialect.Tongue(e.Source) == "C" }
	same, refused := 0, 0
	for name, text := range operationaltest.Known(t, inC, "c11", "lkmm") {
		_, err := asks(t.Context(), text)
		switch {
		case err == nil:
			same++
		case strings.Contains(err.Error(), "has a fence of a location, which the machine of rc11 does not support"):
			refused++
		default:
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Logf("%d tests, %d refused", same, refused)
	if same < 150 {
		t.Errorf("only %d tests", same)
	}
}

// statements are what a random test in C is drawn from. In a line, {a} and {b} are atomic locations, {p} is one with
// plain accesses, {r}, {q} and {e} are fresh registers, {s} is one that may be set, {l}, {w}, {u} and {f}
// are orders of loads, stores, updates and fences, and %n is a number.
var statements = []string{
	"int {r} = atomic_load_explicit({a}, {l});", "int {r} = atomic_load_explicit({a}, {l});",
	"int {r} = atomic_load_explicit({a}, {l});",
	"atomic_store_explicit({a}, %n, {w});", "atomic_store_explicit({a}, %n, {w});",
	"atomic_store_explicit({a}, %n, {w});", "atomic_store_explicit({a}, {s} + 1, {w});",
	"atomic_thread_fence({f});", "atomic_thread_fence({f}); atomic_store_explicit({a}, %n, {w});",
	"*{p} = %n; atomic_store_explicit({a}, 1, {w});",
	"atomic_store_explicit({b}, 1, {w}); atomic_store_explicit({a}, 1, {w});",
	"int {r} = atomic_load_explicit({a}, {l}); atomic_thread_fence({f});",
	"int {r} = atomic_load_explicit({a}, {l}); int {q} = atomic_load_explicit({b}, {l});",
	"int {r} = atomic_load_explicit({a}, {l}); if ({r}) { int {q} = *{p}; }",
	"int {r} = *{p};", "*{p} = %n;", "if ({s}) *{p} = %n;", "if ({s}) { int {r} = *{p}; }",
	"*{a} = %n;", "if ({s}) atomic_store_explicit({a}, %n, {w});",
	"int {r} = atomic_exchange_explicit({a}, %n, {u});", "int {r} = atomic_fetch_add_explicit({a}, %n, {u});",
	"if ({s}) atomic_store_explicit({a}, 2, {w}); else atomic_exchange_explicit({a}, 2, {u});",
	"if ({s}) atomic_load_explicit({a}, {l}); else atomic_load_explicit({a}, {l});",
	"if ({s}) atomic_thread_fence({f}); else atomic_store_explicit({b}, 1, {w});",
	"while (atomic_load_explicit({a}, {l}) != %n) {}", "while (atomic_exchange_explicit({a}, 1, {u})) {}",
	"int {e} = 0; int {r} = atomic_compare_exchange_strong_explicit({a}, &{e}, %n, {u}, {l});",
	"int {e} = {s}; int {r} = atomic_compare_exchange_weak_explicit({a}, &{e}, %n, {u}, {l});",
}

// orders of accesses and fences, by their sign in statements. The sequentially consistent ones are last.
var orders = []struct {
	sign string
	of   []string
}{
	{"{l}", []string{"relaxed", "consume", "acquire", "acquire", "seq_cst", "seq_cst"}},
	{"{w}", []string{"relaxed", "relaxed", "release", "release", "seq_cst", "seq_cst"}},
	{"{u}", []string{"relaxed", "acquire", "release", "acq_rel", "seq_cst", "seq_cst"}},
	{"{f}", []string{"acquire", "release", "acq_rel", "relaxed", "seq_cst", "seq_cst"}},
}

// draft is a random test while it is drawn.
type draft struct {
	*rapid.T
	text  strings.Builder
	weak  bool     // no access or fence is sequentially consistent
	sc    bool     // most are
	shown []string // registers and locations in the outcome

	thread, lines int
	set           []string // what {s} may be in the thread
}

func (d *draft) oneIn(n int, label string) bool { return rapid.IntRange(1, n).Draw(d.T, label) == 1 }

// function begins the function of a thread.
func (d *draft) function() {
	fmt.Fprintf(&d.text, "P%d(atomic_int* x, atomic_int* y, atomic_int* z, int* p, mtx_t* m) {\n", d.thread)
	d.set, d.lines = []string{"0"}, 0
}

// line adds a line with statements.
func (d *draft) line(line string) {
	d.lines++
	a, b := "x", "y"
	if strings.Contains(line, "{a}") && rapid.Bool().Draw(d.T, "location") {
		a, b = b, a
	}
	name := func(letter string) string { return fmt.Sprint(letter, d.lines) }
	text := strings.NewReplacer(
		"{a}", a, "{b}", b, "{p}", "p", "{r}", name("r"), "{q}", name("q"), "{e}", name("e"),
		"{s}", rapid.SampledFrom(d.set).Draw(d.T, "source"), "%n", fmt.Sprint(rapid.IntRange(1, 2).Draw(d.T, "number")),
	).Replace(line)
	for _, o := range orders {
		for strings.Contains(text, o.sign) {
			of := o.of
			if d.weak {
				of = of[:4]
			} else if d.sc && !d.oneIn(4, "weaker") {
				of = of[4:]
			}
			order := "memory_order_" + rapid.SampledFrom(of).Draw(d.T, "order")
			text = strings.Replace(text, o.sign, order, 1)
		}
	}
	fmt.Fprintf(&d.text, "  %s\n", text)
	for _, letter := range []string{"r", "q"} {
		if before, _, sets := strings.Cut(line, "int {"+letter+"}"); sets && !strings.Contains(before, "if") {
			d.set = append(d.set, name(letter))
			d.shown = append(d.shown, fmt.Sprintf("%d:%s", d.thread, name(letter)))
		}
	}
}

// end ends the function of a thread.
func (d *draft) end() {
	d.text.WriteString("}\n")
	d.thread++
}

// drawTest draws a test. A third of the tests have no sequentially consistent events.
func drawTest(r *rapid.T) string {
	strength := rapid.IntRange(0, 2).Draw(r, "strength")
	d := &draft{T: r, weak: strength == 0, sc: strength == 2, shown: []string{"x", "y", "z", "p"}}
	return d.finish(rapid.SampledFrom([]func(){d.anything, d.chain, d.ring, d.branches}).Draw(r, "shape"))
}

// finish returns the text of a test whose threads are drawn by a function.
func (d *draft) finish(threads func()) string {
	d.text.WriteString("C random\n{}\n")
	threads()
	if len(d.shown) > 0 {
		fmt.Fprintf(&d.text, "locations [%s;]\n", strings.Join(d.shown, "; "))
	}
	d.text.WriteString("exists (x=1)\n")
	return d.text.String()
}

// anything draws threads of any statements.
func (d *draft) anything() {
	mutex := d.oneIn(8, "mutex")
	threads := rapid.IntRange(2, 4).Draw(d.T, "threads")
	for range threads {
		d.function()
		for range rapid.IntRange(1, []int{5, 3, 2}[threads-2]).Draw(d.T, "lines") {
			line := rapid.SampledFrom(statements).Draw(d.T, "line")
			if mutex && d.oneIn(2, "locked") {
				line = "mtx_lock(m); " + line + " mtx_unlock(m);"
			} else if mutex && d.oneIn(9, "unlocks") {
				line = "mtx_unlock(m);"
			}
			d.line(line)
		}
		d.end()
	}
}

// chain draws threads that pass a message on: the first writes data and then y, others update y, overwrite it or pass
// it on in z, and the last reads y or z and then the data.
func (d *draft) chain() {
	pick := func(lines ...string) { d.line(rapid.SampledFrom(lines).Draw(d.T, "line")) }
	fence := func() {
		if d.oneIn(2, "fence") {
			d.line("atomic_thread_fence({f});")
		}
	}
	d.function()
	pick("atomic_store_explicit(x, 1, {w});", "atomic_store_explicit(x, 1, {w});", "*p = 1;")
	fence()
	pick("atomic_store_explicit(y, 1, {w});", "atomic_store_explicit(y, 1, {w});",
		"int {r} = atomic_exchange_explicit(y, 1, {u});")
	if d.oneIn(2, "again") {
		pick("atomic_store_explicit(y, 2, {w});", "*y = 2;", "int {r} = atomic_fetch_add_explicit(y, 1, {u});")
	}
	d.end()
	from := "y"
	for range rapid.IntRange(0, 2).Draw(d.T, "between") {
		d.function()
		switch {
		case d.oneIn(3, "passes"):
			pick("int {r} = atomic_load_explicit(y, {l});", "int {r} = *y;")
			fence()
			d.line("atomic_store_explicit(z, {s}, {w});")
			from = "z"
		case d.oneIn(3, "compares"):
			d.line("int {e} = %n; int {r} = atomic_compare_exchange_strong_explicit(y, &{e}, 4, {u}, {l});")
		case d.oneIn(4, "overwrites"):
			pick("atomic_store_explicit(y, 4, {w});", "*y = 4;")
		case d.oneIn(4, "swaps"):
			d.line("int {r} = cmpxchg_relaxed(y, 1, 4);")
		default:
			d.line("int {r} = atomic_fetch_add_explicit(y, 4, {u});")
			if d.oneIn(3, "again") {
				d.line("atomic_store_explicit(y, 7, {w});")
			}
		}
		d.end()
	}
	d.function()
	pick("int {r} = atomic_load_explicit("+from+", {l});", "int {r} = atomic_load_explicit("+from+", {l});",
		"int {r} = *"+from+";", "int {r} = atomic_fetch_add_explicit("+from+", 1, {u});")
	fence()
	pick("int {r} = atomic_load_explicit(x, {l});", "int {r} = *p;", "if ({s}) { int {r} = *p; }",
		"int {r} = atomic_load_explicit(x, {l}); int {q} = atomic_load_explicit(y, {l});")
	d.end()
}

// ring draws threads each of which begins at the location at which the one before it ends, and the first at which the
// last ends: shapes such as store buffering and independent reads of independent writes.
func (d *draft) ring() {
	access := func(loc string) {
		d.line(strings.ReplaceAll(rapid.SampledFrom([]string{
			"int {r} = atomic_load_explicit(@, {l});", "int {r} = atomic_load_explicit(@, {l});",
			"atomic_store_explicit(@, %n, {w});", "atomic_store_explicit(@, %n, {w});",
			"int {r} = atomic_exchange_explicit(@, %n, {u});",
		}).Draw(d.T, "access"), "@", loc))
	}
	locs := []string{"x", "y", "z"}
	threads := rapid.IntRange(2, 4).Draw(d.T, "threads")
	at, turns := 0, 0
	for t := range threads {
		d.function()
		access(locs[at])
		if d.oneIn(8, "twice") {
			access(locs[at])
		}
		last := t == threads-1 && turns > 0
		if last && at != 0 || !last && turns < 2 && !d.oneIn(4, "stays") {
			if d.oneIn(2, "fence") {
				d.line("atomic_thread_fence({f});")
			}
			at, turns = (at+1)%3, turns+1
			if last || d.oneIn(3, "back") {
				at = 0
			}
			access(locs[at])
		}
		d.end()
	}
}

// The machine reaches the outcomes of random tests that the axioms allow, and no others, and finds the same races.
func TestMachineAsAxioms(t *testing.T) {
	irtest.AtMost(t, 100)
	undefined, all := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		text := drawTest(r)
		axioms, err := asks(t.Context(), text)
		if err != nil {
			r.Fatalf("%v\n%s", err, text)
		}
		all++
		if axioms.Undefined() == solver.Yes {
			undefined++
		}
	})
	t.Logf("%d of %d tests have undefined behaviour", undefined, all)
	if undefined == 0 || undefined == all {
		t.Error("the tests do not tell races from none")
	}
}

// Runs that reach the same state continue in the same way: without merging, the search finds nothing else.
func TestMergingLosesNothing(t *testing.T) {
	irtest.AtMost(t, 200)
	m, _ := models.Find("rc11")
	merged, apart := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		d := &draft{T: r, weak: true, shown: []string{"x", "y", "z", "p"}}
		text := d.finish(d.branches)
		p, err := dialect.Parse("t.litmus", text)
		if err != nil {
			r.Fatalf("%v\n%s", err, text)
		}
		a, err := views.Explore(t.Context(), p, m, operational.Limits{})
		if err != nil {
			r.Fatal(err)
		}
		b, err := views.ExploreApart(t.Context(), p, m)
		if err != nil {
			r.Fatal(err)
		}
		found := func(f operational.Found) (out []string) {
			for _, o := range f.Outcomes {
				out = append(out, p.FormatState(p.Visible(o.State)))
			}
			slices.Sort(out)
			for i, x := range f.Flagged {
				if x != nil {
					out = append(out, m.Flags[i].Name)
				}
			}
			return out
		}
		if with, without := found(a), found(b); !slices.Equal(with, without) {
			r.Fatalf("with merging %q, without %q\n%s", with, without, text)
		}
		merged, apart = merged+a.States, apart+b.States
	})
	t.Logf("%d states, %d without merging", merged, apart)
}

// branches draws threads whose runs often reach one state with different pasts: they branch by what they have read, and
// few registers are in the outcome.
func (d *draft) branches() {
	action := func() string {
		return rapid.SampledFrom([]string{
			"atomic_store_explicit({a}, 2, {w});", "atomic_exchange_explicit({a}, 2, {u});",
			"atomic_load_explicit({a}, {l});", "atomic_thread_fence({f});", "atomic_fetch_add_explicit({b}, 1, {u});",
			"atomic_store_explicit({b}, 1, {w});", "*p = 1;", "mtx_lock(m);", "atomic_store_explicit(p, 1, {w});",
			"atomic_load_explicit(p, {l});",
		}).Draw(d.T, "action")
	}
	for range 3 {
		d.function()
		for range rapid.IntRange(2, 4).Draw(d.T, "lines") {
			switch {
			case len(d.set) > 1 && d.oneIn(2, "branches"):
				d.line("if ({s}) { " + action() + " } else { " + action() + " }")
			case d.oneIn(3, "reads"):
				d.line("int {r} = atomic_load_explicit({a}, {l});")
			case d.oneIn(3, "reads data"):
				d.line("int {r} = *p;")
			case d.oneIn(8, "unlocks"):
				d.line("mtx_unlock(m);")
			default:
				d.line(action())
			}
		}
		d.end()
	}
	d.shown = slices.DeleteFunc(d.shown, func(string) bool { return d.oneIn(2, "hidden") })
}

// The machine also gives the axioms' answers about tests of an architecture: exclusive pairs of RISC-V are updates.
func TestExclusivePairs(t *testing.T) {
	irtest.AtMost(t, 100)
	rapid.Check(t, func(r *rapid.T) {
		var columns [2][]string
		var shown []string
		for t := range columns {
			for i := range rapid.IntRange(1, 3).Draw(r, "lines") {
				line := rapid.SampledFrom([]string{
					"lw {d},0({x})", "sw {n},0({x})", "amoadd.w {d},{n},({x})", "lr.w {d},0({x});sc.w {t},{n},0({x})",
					"lr.w {d},0({x})", "sc.w {t},{n},0({x})", "lr.w {d},0({x});sw {n},0({x});sc.w {t},{n},0({x})",
				}).Draw(r, "line")
				text := strings.NewReplacer(
					"{d}", fmt.Sprintf("x%d", 5+2*i), "{t}", fmt.Sprintf("x%d", 6+2*i),
					"{x}", rapid.SampledFrom([]string{"x20", "x21"}).Draw(r, "address"),
					"{n}", rapid.SampledFrom([]string{"x22", "x23"}).Draw(r, "number"),
				).Replace(line)
				columns[t] = append(columns[t], strings.Split(text, ";")...)
				for n := range 2 {
					shown = append(shown, fmt.Sprintf("%d:x%d", t, 5+2*i+n))
				}
			}
		}
		var b strings.Builder
		b.WriteString("RISCV random\n{ ")
		for t := range columns {
			fmt.Fprintf(&b, "%d:x20=x; %d:x21=y; %d:x22=1; %d:x23=2; ", t, t, t, t)
		}
		b.WriteString("}\n P0 | P1 ;\n")
		for i := range max(len(columns[0]), len(columns[1])) {
			cell := func(t int) string {
				if i < len(columns[t]) {
					return columns[t][i]
				}
				return ""
			}
			fmt.Fprintf(&b, " %s | %s ;\n", cell(0), cell(1))
		}
		fmt.Fprintf(&b, "locations [x; y; %s;]\nexists (x=1)\n", strings.Join(shown, "; "))
		if _, err := asks(t.Context(), b.String()); err != nil {
			r.Fatalf("%v\n%s", err, b.String())
		}
	})
}

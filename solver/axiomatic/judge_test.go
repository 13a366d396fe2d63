package axiomatic_test

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/models/replay"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// enumerate is the plain way to an answer: every value for every read, every write that may have given it, every order
// of the writes to a location, and the concrete checker on each. It shows the executions that the model allows to see,
// and returns their outcomes, sorted.
func enumerate(t *rapid.T, p *ir.Program, m *models.Model, see func(*models.Execution)) (states []string) {
	found := map[string]bool{}
	checker, candidates, orders := evaluation.NewChecker(m), 0, 0
	for x := range runs(p, written(t, p)) {
		for x := range communicate(x) {
			if candidates++; candidates > 3000 {
				t.Skip("too many candidates")
			}
			if orders += ordersOf(m, len(x.Events)); orders > 1_000_000 {
				t.Skip("too many orders")
			}
			if !fromThinAir(x) && len(checker.Check(x)) == 0 {
				see(x)
				found[p.FormatState(p.Visible(x.Final()))] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// ordersOf is how many orders of n events the checker may try for a model that leaves one open.
func ordersOf(m *models.Model, n int) int {
	if len(m.Orders) == 0 {
		return 0
	}
	all := 1
	for i := range min(n, 12) {
		all *= i + 1
	}
	return all
}

// written are the values that a read may return: a write with a new value opens more runs. The numbers in the text of a
// test are there from the start, because the write of a value may depend on its read.
func written(t *rapid.T, p *ir.Program) map[uint64]bool {
	values := map[uint64]bool{1: true, 2: true, 3: true}
	for _, l := range p.Locs {
		values[l.Init] = true
	}
	for grown := true; grown; {
		grown = false
		for x := range runs(p, maps.Clone(values)) {
			for _, e := range x.Events {
				if e.Kind == models.Write && !values[e.Value] {
					values[e.Value], grown = true, true
				}
			}
		}
		if len(values) > 12 {
			t.Skip("too many values")
		}
	}
	return values
}

// fromThinAir tells whether a value feeds on itself, through reads-from and data.
func fromThinAir(x *models.Execution) bool {
	after := func(e int) (next []int) {
		for r, w := range x.RF {
			if w == e {
				next = append(next, r)
			}
		}
		for _, d := range x.Data {
			if d[0] == e {
				next = append(next, d[1])
			}
		}
		return next
	}
	var reaches func(from, to int, seen map[int]bool) bool
	reaches = func(from, to int, seen map[int]bool) bool {
		for _, n := range after(from) {
			if n == to {
				return true
			}
			if !seen[n] {
				seen[n] = true
				if reaches(n, to, seen) {
					return true
				}
			}
		}
		return false
	}
	for e := range x.Events {
		if reaches(e, e, map[int]bool{}) {
			return true
		}
	}
	return false
}

// runs tries all values for the reads of one thread after another.
func runs(p *ir.Program, values map[uint64]bool) iter.Seq[*models.Execution] {
	return func(yield func(*models.Execution) bool) {
		reads := make([][]uint64, len(p.Threads))
		var extend func(thread int, prefix []uint64) bool
		extend = func(thread int, prefix []uint64) bool {
			if thread == len(p.Threads) {
				x, err := replay.Replay(p, reads)
				return err != nil || yield(x)
			}
			reads[thread] = prefix
			switch wants(p, thread, prefix) {
			case nothing:
				return extend(thread+1, nil)
			case aValue:
				for v := range values {
					if !extend(thread, append(slices.Clone(prefix), v)) {
						return false
					}
				}
			case success:
				return extend(thread, append(slices.Clone(prefix), 0)) &&
					extend(thread, append(slices.Clone(prefix), 1))
			}
			return true
		}
		extend(0, nil)
	}
}

type want int

const (
	nothing want = iota
	aValue
	success   // of a store-conditional, or a choice: 1 or 0
	neverMind // the thread leaves the locations, or an assumption fails
)

// wants tells whether a thread needs another value after those given.
func wants(p *ir.Program, thread int, prefix []uint64) want {
	c := ir.NewCursor(p, thread, false)
	for {
		a, err := c.Next()
		if err != nil {
			return neverMind
		}
		switch a.Kind {
		case ir.ActEnd:
			return nothing
		case ir.ActBlocked:
			return neverMind
		case ir.ActLoad, ir.ActRMW:
			if len(prefix) == 0 {
				return aValue
			}
			if prefix[0] > ir.Mask(p.Locs[a.Loc].Bits) {
				return neverMind
			}
			c.Read(prefix[0])
			prefix = prefix[1:]
		case ir.ActStoreCond:
			if len(prefix) == 0 {
				return success
			}
			if prefix[0] > 1 {
				return neverMind
			}
			c.Conditional(prefix[0] == 1)
			prefix = prefix[1:]
		case ir.ActChoose:
			if len(prefix) == 0 {
				return success
			}
			c.Choose(prefix[0] == 1)
			prefix = prefix[1:]
		default:
			c.Pass()
		}
	}
}

// communicate tries all ways for reads to take their values, and with each all coherence orders.
func communicate(x *models.Execution) iter.Seq[*models.Execution] {
	return func(yield func(*models.Execution) bool) {
		see := func() bool {
			own := *x // for the checker goes by what has changed
			own.RF, own.CO = slices.Clone(x.RF), slices.Clone(x.CO)
			return yield(&own)
		}
		var take func(e int) bool
		take = func(e int) bool {
			if e == len(x.Events) {
				return serialise(x, 0, see)
			}
			r := x.Events[e]
			if r.Kind != models.Read {
				return take(e + 1)
			}
			for _, w := range x.Events {
				if w.Kind == models.Write && w.Loc == r.Loc && w.Value == r.Value &&
					!slices.Contains(x.RMW, models.Pair{e, w.ID}) {
					x.RF[e] = w.ID
					if !take(e + 1) {
						return false
					}
				}
			}
			return true
		}
		take(0)
	}
}

// serialise tries all coherence orders, from a location on, until its callback asks to stop.
func serialise(x *models.Execution, loc int, visit func() bool) bool {
	if loc == len(x.CO) {
		return visit()
	}
	order := []int{loc} // the initial write
	var rest []int
	for _, w := range x.Events {
		if w.Kind == models.Write && w.Loc == loc && w.Thread != models.InitThread {
			rest = append(rest, w.ID)
		}
	}
	var place func(rest []int) bool
	place = func(rest []int) bool {
		if len(rest) == 0 {
			x.CO[loc] = slices.Clone(order)
			return serialise(x, loc+1, visit)
		}
		for i, w := range rest {
			order = append(order, w)
			if !place(slices.Concat(rest[:i], rest[i+1:])) {
				return false
			}
			order = order[:len(order)-1]
		}
		return true
	}
	return place(rest)
}

// The engine and plain enumeration agree on random models, the odd ones included: without coherence, with recursion,
// differences and complements. The number of executions is the same too, and so are the raised flags.
func TestAxiomaticIsEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawModel(t)
		m, err := models.Parse("random.cat", text, dialect.Vocabulary())
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		source := drawSmallTest(t)
		p, err := dialect.Parse("random.litmus", source)
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		options := solver.DefaultOptions()
		options.Acyclicity = drawAcyclicity(t)
		r, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: options})
		if err != nil && strings.Contains(err.Error(), "too large for this test") {
			t.Skip("the engine declines")
		}
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, source)
		}
		executions, raised := 0, make([]bool, len(m.Flags))
		want := enumerate(t, p, m, func(x *models.Execution) {
			executions++
			for i, is := range evaluation.NewChecker(m).Flags(x) {
				raised[i] = raised[i] || is
			}
		})
		got := printed(r.States)
		for i, f := range r.Flags {
			if f.Raised == nil && strings.Contains(text, "let rec") {
				continue // the least solution was too large
			}
			if f.Raised == nil || *f.Raised != raised[i] {
				t.Fatalf("flag %s: got %v, want raised %v\n%s\n%s", f.Name, f.Raised, raised[i], text, source)
			}
			if f.Undefined && raised[i] && (r.ConditionHolds == nil || *r.ConditionHolds) {
				t.Fatalf("behaviour is undefined, yet the condition holds\n%s\n%s", text, source)
			}
		}
		counted := r.Positive != nil && *r.Positive+*r.Negative == executions || r.Positive == nil &&
			executions > options.Executions
		if !slices.Equal(got, want) || !counted {
			t.Fatalf("%s\n%s\nengine:\n  %s\nenumeration, %d executions:\n  %s", text, source,
				strings.Join(got, "\n  ")+counts(r), executions, strings.Join(want, "\n  "))
		}
	})
}

// printed are states as enumerate gives them.
func printed(states []solver.State) []string {
	var out []string
	for _, s := range states {
		var b strings.Builder
		for i, e := range s {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(e.Name + "=" + e.Value + ";")
		}
		out = append(out, b.String())
	}
	slices.Sort(out)
	return out
}

func counts(r *solver.Result) string {
	if r.Positive == nil {
		return "\nnot counted"
	}
	return fmt.Sprintf("\n%d executions", *r.Positive+*r.Negative)
}

// drawSmallTest has few enough accesses for enumeration.
func drawSmallTest(t *rapid.T) string {
	if rapid.IntRange(0, 3).Draw(t, "riscv") == 0 {
		return drawSmallRISCV(t)
	}
	var columns [2][]string
	for i := range columns {
		for range rapid.IntRange(1, 3).Draw(t, "length") {
			loc := rapid.SampledFrom([]string{"x", "y"}).Draw(t, "loc")
			columns[i] = append(columns[i], rapid.SampledFrom([]string{
				"MOV [" + loc + "],$1", "MOV [" + loc + "],$2", "MOV EAX,[" + loc + "]", "MOV EBX,[" + loc + "]",
				"MOV [" + loc + "],EAX", "MFENCE", "XCHG [" + loc + "],EAX",
			}).Draw(t, "instruction"))
		}
	}
	var b strings.Builder
	b.WriteString("X86 small\n{ x=0; y=0; }\n P0 | P1 ;\n")
	for i := range max(len(columns[0]), len(columns[1])) {
		cell := func(c []string) string {
			if i < len(c) {
				return c[i]
			}
			return ""
		}
		b.WriteString(" " + cell(columns[0]) + " | " + cell(columns[1]) + " ;\n")
	}
	b.WriteString("locations [x; y; 0:EBX; 1:EBX;]\nexists (0:EAX=1 /\\ 1:EAX=0)\n")
	return b.String()
}

// drawSmallRISCV has exclusive pairs and dependencies.
func drawSmallRISCV(t *rapid.T) string {
	one := func(label string, choices ...string) string { return rapid.SampledFrom(choices).Draw(t, label) }
	thread := func() [2]string {
		at := one("at", "x1", "x2")
		return rapid.SampledFrom([][2]string{
			{"lr.w x7,(" + at + ")", "sc.w x9,x5,(" + at + ")"},
			{"sw x5,0(" + at + ")", "lw x7,0(x2)"},
			{"lw x7,0(" + at + ")", "sw x7,0(x2)"},
			{"sw x5,0(" + at + ")", "sw x6,0(x2)"},
			{"lr.w x7,(" + at + ")", "sc.w x9,x7,(x1)"},
		}).Draw(t, "thread")
	}
	a, b := thread(), thread()
	return fmt.Sprintf(`RISCV small
{ 0:x1=x; 0:x2=y; 0:x5=1; 0:x6=2; 1:x1=x; 1:x2=y; 1:x5=2; 1:x6=1; }
 P0 | P1 ;
 %s | %s ;
 %s | %s ;
locations [x; y; 0:x9; 1:x9;]
exists (0:x7=1 /\ 1:x7=0)
`, a[0], b[0], a[1], b[1])
}

// drawModel makes a random model of a few axioms over random expressions.
func drawModel(t *rapid.T) string {
	var b strings.Builder
	if rapid.IntRange(0, 2).Draw(t, "coherent") > 0 {
		b.WriteString("acyclic po-loc | rf | fr | co as uniproc\n")
	}
	switch rapid.IntRange(0, 4).Draw(t, "recursive") {
	case 0:
		fmt.Fprintf(&b, "let rec r = %s | %s and s = [W];r | s;%s\n", drawRelation(t, 1, "po"),
			rapid.SampledFrom([]string{"r;r", "r;po", "s;rf"}).Draw(t, "step"), drawRelation(t, 0, "po"))
	case 1: // sets, and a recursion that is not monotone: pairs of a nesting, say
		fmt.Fprintf(&b, "let rec opened = %s \\ domain(r) and closed = %s \\ range(r) and open = opened | closed\n"+
			"and s = [open];po;[open] and r = r | (([opened];%s;[closed]) \\ (s;s))\n", drawSet(t), drawSet(t),
			drawRelation(t, 0, "po"))
	default:
		fmt.Fprintf(&b, "let r = %s\nlet s = %s\n", drawRelation(t, 2, "rf"), drawRelation(t, 1, "co"))
	}
	if rapid.IntRange(0, 3).Draw(t, "order") == 0 {
		fmt.Fprintf(&b, "with o from %s(%s, %s)\n",
			rapid.SampledFrom([]string{"linearisations", "generate_orders"}).Draw(t, "orders"), drawSet(t),
			drawRelation(t, 1, "po"))
		fmt.Fprintf(&b, "%s %s\n",
			rapid.SampledFrom([]string{"acyclic", "irreflexive", "empty", "~empty"}).Draw(t, "kind"),
			drawRelation(t, 3, "o"))
	}
	for range rapid.IntRange(1, 2).Draw(t, "axioms") {
		kind := rapid.SampledFrom(
			[]string{"acyclic", "acyclic", "irreflexive", "empty", "~empty", "~irreflexive"}).Draw(t, "kind")
		fmt.Fprintf(&b, "%s %s\n", kind, drawRelation(t, 3, "r"))
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "flags") {
		kind := rapid.SampledFrom(
			[]string{"acyclic", "irreflexive", "empty", "~acyclic", "~irreflexive", "~empty"}).Draw(t, "kind")
		role := rapid.SampledFrom([]string{"flag", "flag", "undefined_unless"}).Draw(t, "role")
		fmt.Fprintf(&b, "%s %s %s as %s\n", role, kind, drawRelation(t, 2, "r"), []string{"first", "second"}[i])
	}
	return b.String()
}

func drawSet(t *rapid.T) string {
	return rapid.SampledFrom([]string{"R", "W", "_", "MFENCE", "FW", "range(rfe)", "LOCKED"}).Draw(t, "set")
}

func drawRelation(t *rapid.T, depth int, leaf string) string {
	if depth == 0 {
		return rapid.SampledFrom(
			[]string{
				leaf, leaf, "po", "rf", "co", "fr", "rfe", "coe", "rmw", "loc", "ext", "[W]", "[R & _]", "R*W",
				"data", "fencerel(MFENCE)", "[LOCKED]", "[FW]",
			}).Draw(t, "leaf")
	}
	sub := func() string { return drawRelation(t, depth-1, leaf) }
	switch rapid.IntRange(0, 10).Draw(t, "operator") {
	case 0, 1:
		return "(" + sub() + " | " + sub() + ")"
	case 2:
		return "(" + sub() + " & " + sub() + ")"
	case 3, 4:
		return "(" + sub() + " ; " + sub() + ")"
	case 5:
		return "(" + sub() + " \\ " + sub() + ")"
	case 6:
		return "(" + sub() + ")^-1"
	case 7:
		return "(" + sub() + ")+"
	case 8:
		return "~(" + sub() + ")"
	case 9:
		return "different-values(" + sub() + ")"
	default:
		if leaf == "r" { // in an axiom, where both have definitions
			return rapid.SampledFrom([]string{"r", "s"}).Draw(t, "name")
		}
		return leaf
	}
}

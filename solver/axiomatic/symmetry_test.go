package axiomatic_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/c/cprog"
	"litmuscope/litmus/c/cprog/cprogtest"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/family"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// The verdict, which takes threads of the same code in one order, agrees with the states, which do not: under every
// model, of random programs with threads that are alike, asked for what may tell them apart.
func TestSymmetryHidesNoAnswer(t *testing.T) {
	decided := map[solver.Observation]int{}
	rapid.Check(t, func(t *rapid.T) {
		source := drawAlike(t)
		p, err := dialect.Parse("random.litmus", source)
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		name := rapid.SampledFrom(append(models.Names(), "random")).Draw(t, "model")
		m, ok := models.Find(name)
		if !ok {
			name = drawModel(t)
			if m, err = models.Parse("random.cat", name, dialect.Vocabulary()); err != nil {
				t.Fatalf("%v\n%s", err, name)
			}
		}
		options := solver.DefaultOptions()
		options.Executions = 0
		r, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: options})
		if err != nil && strings.Contains(err.Error(), "too large for this test") {
			t.Skip("the engine declines")
		}
		if err != nil || r.Satisfying == nil {
			t.Fatalf("%v\n%s\n%s", err, name, source)
		}
		if !r.Complete {
			t.Skip("a loop is cut")
		}
		want := solver.Sometimes
		switch *r.Satisfying {
		case 0:
			want = solver.Never
		case len(r.States):
			want = solver.Always
		}
		if r.Observation != want {
			t.Fatalf("%s, but %d of %d states satisfy\n%s\n%s", r.Observation, *r.Satisfying,
				len(r.States), name, source)
		}
		decided[want]++
	})
	t.Log(decided)
}

// Programs with interchangeable threads have the same answer, and as many executions, as with registers that
// distinguish the threads: under every model.
func TestSymmetryHidesNoFailure(t *testing.T) {
	irtest.AtMost(t, 25)
	said, less := map[string]int{}, 0
	rapid.Check(t, func(r *rapid.T) {
		name := rapid.SampledFrom(append(models.Names(), "rc11")).Draw(r, "model")
		m, _ := models.Find(name)
		o := cprog.Options{Unroll: 1, Target: cprog.Target(m.Target()), Waits: m.Waits(), Ahead: !m.ForbidsThinAir()}
		switch o.Target {
		case cprog.Language, cprog.Kernel:
		default:
			o.Target = cprog.Generic
		}
		var text string
		switch atomics := o.Target != cprog.Generic; rapid.IntRange(0, 3).Draw(r, "of") {
		case 0:
			text = cprogtest.DrawSync(r)
		default:
			text = cprogtest.DrawAlike(r, atomics)
		}
		o.Properties = rapid.SampledFrom(
			[][]ir.Property{{ir.Assertion}, {ir.Assertion}, {ir.DataRace}, {ir.Termination}, {ir.Memory}}).Draw(r,
			"properties")
		p, err := cprog.Lower(t.Context(), cprog.Source{Files: []cprog.File{{Name: "random.c", Text: text}}}, o)
		if err != nil && strings.Contains(err.Error(), "steps when its loops are unrolled") {
			r.Skip("too large")
		}
		if err != nil {
			r.Fatalf("%v\n%s", err, text)
		}
		want := solver.Verify{
			Properties: o.Properties, Count: true,
			ByReads: rapid.IntRange(0, 3).Draw(r, "by reads") == 0, Minimise: rapid.Bool().Draw(r, "minimise"),
		}
		ask := func() (string, int) {
			q := solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()}
			q.Options.Timeout, q.Options.Executions = 0, 20_000
			v, err := axiomatic.Engine{}.Verify(t.Context(), q, want)
			if err != nil {
				r.Fatalf("under %s: %v\n%s", name, err, text)
			}
			return fmt.Sprintf("%s %s, complete %v, %d executions, race %v, undefined %v", v.Verdict, v.Reason,
				v.Complete, counted(v), v.Race != nil, v.Undefined != nil), v.Stats.Clauses
		}
		got, clauses := ask()
		for t := range p.Threads { // one more, which nothing uses
			p.Threads[t].Regs = append(slices.Clone(p.Threads[t].Regs), ir.Register{Bits: t + 1})
		}
		alone, all := ask()
		if got != alone {
			r.Fatalf("under %s: %s, but with threads told apart %s\n%s", name, got, alone, text)
		}
		if clauses != all {
			less++
		}
		said[strings.Fields(got)[0]]++
	})
	t.Logf("%v; %d times there were threads to exchange", said, less)
	if !t.Failed() && less == 0 {
		t.Error("no threads could be exchanged")
	}
}

// drawAlike makes a test of two or three threads of the same code, and maybe another.
func drawAlike(t *rapid.T) string {
	alike := rapid.IntRange(2, 3).Draw(t, "alike")
	other := rapid.IntRange(0, 1).Draw(t, "other")
	riscv := rapid.Bool().Draw(t, "riscv")
	column := func(n int) (lines []string) {
		if !riscv && rapid.Bool().Draw(t, "any") {
			return drawThread(t, n)
		}
		if !riscv {
			return drawContention(t, n)
		}
		for i := range n {
			lines = append(lines, drawRISCVInstructions(t, fmt.Sprintf("L%d", i))...)
		}
		return lines
	}
	columns := slices.Repeat([][]string{column(rapid.IntRange(1, 5-alike).Draw(t, "length"))}, alike)
	for range other {
		columns = slices.Insert(columns, rapid.IntRange(0, alike).Draw(t, "at"), column(1))
	}
	arch, init, regs := "X86", "x=0; y=1; p=x;", registers
	if riscv {
		arch, init, regs = "RISCV", "", []string{"x7", "x8", "x9"}
		for i := range columns {
			init += fmt.Sprintf(" %d:x1=x; %d:x2=y; %d:x5=1; %d:x6=2;", i, i, i, i)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s alike\n{ %s }\n", arch, init)
	for r := -1; slices.ContainsFunc(columns, func(c []string) bool { return r < len(c) }); r++ {
		for i, c := range columns {
			cell := fmt.Sprintf("P%d", i)
			if r >= len(c) {
				cell = ""
			} else if r >= 0 {
				cell = c[r]
			}
			b.WriteString(strings.Repeat(" |", min(i, 1)) + " " + cell)
		}
		b.WriteString(" ;\n")
	}
	number := func() int { return rapid.IntRange(0, 2).Draw(t, "number") }
	atom := func() string {
		thread := func() int { return rapid.IntRange(0, len(columns)-1).Draw(t, "thread") }
		reg := rapid.SampledFrom(regs).Draw(t, "register")
		switch rapid.IntRange(0, 4).Draw(t, "atom") {
		case 0:
			return fmt.Sprintf("%s=%d", rapid.SampledFrom([]string{"x", "y"}).Draw(t, "location"), number())
		case 1: // of all threads
			n, all := number(), []string(nil)
			for i := range columns {
				all = append(all, fmt.Sprintf("%d:%s=%d", i, reg, n))
			}
			return "(" + strings.Join(all, rapid.SampledFrom([]string{` /\ `, ` \/ `}).Draw(t, "all")) + ")"
		case 2:
			return fmt.Sprintf("%d:%s=%d:%s", thread(), reg, thread(), rapid.SampledFrom(regs).Draw(t, "register"))
		}
		return fmt.Sprintf("%d:%s=%d", thread(), reg, number())
	}
	prop := func() string {
		return atom() + rapid.SampledFrom([]string{` /\ `, ` /\ ~`, ` \/ `}).Draw(t, "connective") + atom()
	}
	if rapid.IntRange(0, 3).Draw(t, "filter") == 0 {
		fmt.Fprintf(&b, "filter (%s)\n", prop())
	}
	fmt.Fprintf(&b, "%s (%s)\n", rapid.SampledFrom([]string{"exists", "~exists", "forall"}).Draw(t, "quantifier"),
		prop())
	return b.String()
}

// drawContention makes a thread that does by what it reads, from a location that others
// write, too.
func drawContention(t *rapid.T, n int) (lines []string) {
	for i := range n {
		lines = append(lines, rapid.SampledFrom([][]string{
			{"LOCK INC [x]"},
			{"MOV EBX,$1", "LOCK XADD [x],EBX"},
			{"MOV EBX,$1", "LOCK CMPXCHG [x],EBX"},
			{"MOV EAX,[x]", "INC EAX", "MOV [x],EAX"},
			{"MOV EAX,[x]", "CMP EAX,$1", fmt.Sprintf("JE C%d", i), "INC EAX", "MOV [x],EAX", fmt.Sprintf("C%d:", i)},
			{"MOV EAX,[x]"},
			{"MOV EBX,[y]", "MOV [y],$0"},
			{"MOV ECX,[x]", "MOV [y],ECX"},
		}).Draw(t, "contention")...)
	}
	return lines
}

// A dozen threads that increment a counter have too many executions to visit, except by symmetry.
func TestSymmetricThreads(t *testing.T) {
	f, _ := family.Find("lockinc")
	row := func(cell func(thread int) string) string {
		var cells []string
		for t := range 12 {
			cells = append(cells, cell(t))
		}
		return strings.Join(cells, " | ") + " ;\n"
	}
	all := func(cell string) string { return row(func(int) string { return cell }) }
	for _, source := range []string{
		f.Test(16),
		// Here, the key is the increment, though another write comes first.
		"X86 mark\n{ }\n" + row(func(t int) string { return fmt.Sprint("P", t) }) + all("MOV [y],$1") +
			all("LOCK INC [x]") + "forall (x=12)\n",
	} {
		for _, name := range []string{"sc", "tso", "power", "aarch64"} {
			if r := decide(t, source, name); r.Observation != solver.Always {
				t.Errorf("%s: %s, want Always\n%s", name, r.Observation, source)
			}
		}
	}
}

// failing is a test, a benchmark or a property.
type failing interface {
	Helper()
	Fatal(args ...any)
}

func decide(t failing, source, model string) *solver.Result {
	t.Helper()
	p, err := dialect.Parse("family.litmus", source)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := models.Find(model)
	options := solver.DefaultOptions()
	options.States = 0
	r, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// BenchmarkVerdict asks for the verdict alone, of families that grow fast.
func BenchmarkVerdict(b *testing.B) {
	for _, c := range []struct {
		family string
		size   int
	}{{"lockinc", 8}, {"lockinc", 11}, {"fib", 5}, {"fib-never", 5}} {
		b.Run(fmt.Sprint(c.family, c.size), func(b *testing.B) {
			f, _ := family.Find(c.family)
			for b.Loop() {
				if r := decide(b, f.Test(c.size), "tso"); (r.Verdict == solver.Allowed) != f.Allowed {
					b.Fatal(r.Verdict)
				}
			}
		})
	}
}

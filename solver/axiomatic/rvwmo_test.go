package axiomatic_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
	"litmuscope/solver/axiomatic/encode"
)

// rvwmo has each rule as the manual puts it, and makes one node of the two events of an AMO: a path that reaches one of
// them continues from the other. All annotations are RCsc, Zalasr's (version 1.0) as those of the A extension.
const rvwmo = `"RVWMO by the letter"
acyclic po-loc | rf | fr | co as coherence
empty rmw & (fre ; coe) as atomicity
let f(P, B, S) = [P] ; po ; [B] ; po ; [S]
let r4 = f(R, Fence.r.r, R) | f(R, Fence.r.w, W) | f(R, Fence.r.rw, M)
  | f(W, Fence.w.r, R) | f(W, Fence.w.w, W) | f(W, Fence.w.rw, M)
  | f(M, Fence.rw.r, R) | f(M, Fence.rw.w, W) | f(M, Fence.rw.rw, M)
  | f(R, Fence.tso, M) | f(W, Fence.tso, W)
let AQ = Acq | AcqRel
let RL = Rel | AcqRel
let RCsc = AQ | RL
let r1 = [M] ; po-loc ; [W]
let r2 = ([R] ; (po-loc \ (po-loc? ; [W] ; po-loc)) ; [R]) \ (rf^-1 ; rf)
let r3 = [AMO | StCond] ; rfi ; [R]
let r5 = [AQ] ; po ; [M]
let r6 = [M] ; po ; [RL]
let r7 = [RCsc] ; po ; [RCsc]
let r11 = [M] ; ctrl ; [W]
let r12 = [M] ; (addr | data) ; [W] ; rfi ; [R]
let r13 = [M] ; addr ; [M] ; po ; [W]
let ppo = r1 | r2 | r3 | r4 | r5 | r6 | r7 | rmw | addr | data | r11 | r12 | r13
let amo = rmw & (AMO * AMO)
acyclic ((ppo | rfe | fr | co) \ amo) ; (amo | amo^-1)? as model`

// The built-in model leaves out what follows from the rest, and gives the store of an
// AMO what its load has. That comes to the same.
func TestRVWMO(t *testing.T) {
	letter, err := models.Parse("rvwmo", rvwmo, dialect.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	builtin, _ := models.Find("riscv")
	rapid.Check(t, func(t *rapid.T) {
		source := drawRVWMO(t)
		p, err := dialect.Parse("random.litmus", source)
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		var answers []string
		for _, m := range []*models.Model{builtin, letter} {
			r, err := axiomatic.Engine{}.Explore(context.Background(),
				solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
			if err != nil {
				t.Fatalf("%s: %v\n%s", m.Name, err, source)
			}
			answers = append(answers, fmt.Sprintf("%d executions: %v", *r.Positive+*r.Negative, r.States))
		}
		if answers[0] != answers[1] {
			t.Fatalf("%s\nbuilt in %s\nby the letter %s", source, answers[0], answers[1])
		}
	})
}

// A store-conditional that fails is nowhere in the order: what is before it and what is behind it come in any.
func TestFailedStoreConditionalOrdersNothing(t *testing.T) {
	riscv, _ := models.Find("riscv")
	p, err := dialect.Parse("MP.litmus", `RISCV MP
{ 0:x5=1; 0:x6=x; 0:x7=y; 1:x5=1; 1:x6=x; 1:x7=y; }
 P0          | P1                  ;
 sw x5,0(x7) | lw x10,0(x6)        ;
 fence w,w   | lr.w x11,(x7)       ;
 sw x5,0(x6) | sc.w.rl x12,x5,(x7) ;
             | lw x13,0(x7)        ;
exists (1:x10=1 /\ 1:x11=0 /\ 1:x12=1 /\ 1:x13=0)
`)
	if err != nil {
		t.Fatal(err)
	}
	r, err := axiomatic.Engine{}.Explore(context.Background(),
		solver.Query{Program: p, Model: riscv, Options: solver.DefaultOptions()})
	if err != nil {
		t.Fatal(err)
	}
	if *r.Positive != 1 {
		t.Errorf("%d executions, want the one in which both reads come before the other thread's writes", *r.Positive)
	}
}

// drawRVWMO makes a random test of two or three threads on two locations, with every
// kind of access, annotation, fence and dependency that the rules speak of.
func drawRVWMO(t *rapid.T) string {
	threads := rapid.IntRange(2, 3).Draw(t, "threads")
	var init, observed strings.Builder
	columns := make([][]string, threads)
	rows := 0
	for i := range columns {
		fmt.Fprintf(&init, "%d:x5=1; %d:x6=x; %d:x7=y; %d:x8=2; ", i, i, i, i)
		d := &rvwmoThread{T: t}
		for range rapid.IntRange(1, 7-2*threads+1).Draw(t, "length") {
			d.access()
		}
		columns[i] = d.code
		rows = max(rows, len(d.code))
		for r := range d.regs {
			fmt.Fprintf(&observed, " %d:x%d;", i, firstFree+r)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "RISCV random\n{ %s}\n", init.String())
	for row := -1; row < rows; row++ {
		for i, c := range columns {
			cell := ""
			switch {
			case row < 0:
				cell = fmt.Sprintf("P%d", i)
			case row < len(c):
				cell = c[row]
			}
			b.WriteString(strings.Repeat("| ", min(i, 1)) + cell + " ")
		}
		b.WriteString(";\n")
	}
	fmt.Fprintf(&b, "locations [x; y;%s]\nexists true\n", observed.String())
	return b.String()
}

const firstFree = 10 // registers from x10 on get a value once

// rvwmoThread is a thread under construction.
type rvwmoThread struct {
	*rapid.T
	code []string
	regs int      // that have a value
	read []string // those of them that a load or a store-conditional has set
}

func (d *rvwmoThread) one(choices ...string) string {
	return rapid.SampledFrom(choices).Draw(d.T, "one")
}

func (d *rvwmoThread) add(format string, args ...any) {
	d.code = append(d.code, fmt.Sprintf(format, args...))
}

func (d *rvwmoThread) fresh() string {
	d.regs++
	return fmt.Sprintf("x%d", firstFree+d.regs-1)
}

// access adds a fence or an access, perhaps with a dependency on an earlier one.
func (d *rvwmoThread) access() {
	at, from := d.one("x6", "x7"), d.one("x5", "x8")
	if len(d.read) > 0 {
		r := d.one(d.read...)
		switch d.one("addr", "data", "ctrl", "", "", "") {
		case "addr":
			zero, sum := d.fresh(), d.fresh()
			d.add("xor %s,%s,%s", zero, r, r)
			d.add("add %s,%s,%s", sum, at, zero)
			at = sum
		case "data":
			from = r
		case "ctrl":
			d.add("bne %s,x0,L%d", r, len(d.code)+1)
			d.add("L%d:", len(d.code))
		}
	}
	order := []string{"", ".aq", ".rl", ".aq.rl"}
	switch d.one("load", "store", "fence", "amo", "pair") {
	case "load":
		to := d.fresh()
		d.add("lw%s %s,0(%s)", d.one("", "", ".aq"), to, at)
		d.read = append(d.read, to)
	case "store":
		d.add("sw%s %s,0(%s)", d.one("", "", ".rl"), from, at)
	case "fence":
		sets := []string{"r", "w", "rw"}
		d.add("%s", d.one("fence.tso", "fence "+d.one(sets...)+","+d.one(sets...)))
	case "amo":
		to := d.fresh()
		d.add("%s.w%s %s,%s,(%s)", d.one("amoswap", "amoadd"), d.one(order...), to, from, at)
		d.read = append(d.read, to)
	case "pair":
		to, status := d.fresh(), d.fresh()
		d.add("lr.w%s %s,(%s)", d.one(order...), to, at)
		d.add("sc.w%s %s,%s,(%s)", d.one(order...), status, from, at)
		d.read = append(d.read, to, status)
	}
}

// Each acyclicity axiom has an order of its own, which contains program order as certain and shares co: for all events,
// whether they execute or not, in clauses, or in the solver's graph. That is equivalent to clocks, which know only
// events that execute.
func TestOrdersAreClocks(t *testing.T) {
	defer encode.KeepOrders(false)
	rapid.Check(t, func(t *rapid.T) {
		pieces := []string{
			"(R * R) & po", "(R * W) & po", "(W * W) & po", "(M * RELEASE) & po", "(ACQUIRE * M) & po", "po-loc",
			"po-loc & (M * W)", "rmw",
			"addr | data", "ctrl & (M * W)", "fence",
		}
		text := "\"drawn\"\ninclude \"generic.cat\"\n"
		if rapid.Bool().Draw(t, "coherent") {
			text += "acyclic po-loc | rf | fr | co as coherence\n"
		}
		for i := range rapid.IntRange(1, 2).Draw(t, "axioms") {
			kept := rapid.SliceOfNDistinct(rapid.SampledFrom(pieces), 1, 4, rapid.ID[string]).Draw(t, "kept")
			if round := rapid.SampledFrom(
				[]string{"", "addr", "rmw", "rfi", "po-loc", "[R] ; po", "(R * R) & po ; [M]"}).Draw(t,
				"round"); round != "" {
				// A roundabout formulation, whose fixed point the solver finds.
				text += fmt.Sprintf("let kept%d = %s\nacyclic kept%d | rfe | fr | co | %s ; kept%d%s as model%d\n", i,
					strings.Join(kept, " | "), i, round, i,
					rapid.SampledFrom([]string{"+", "+ ; [W]", "* ; [R]", "*"}).Draw(t, "end"), i)
				// Others use definitions, choices, differences or restrictions to sets; and some that are forbidden to
				// end where they began, once.
				text += strings.ReplaceAll(rapid.SampledFrom([]string{
					"", "let on# = kept#*\nacyclic co | (W * W) & (rfe? ; po ; on#) as more#\n",
					"acyclic fr | (rfe | po ; [R] ; kept#+)? ; addr ; kept#* as more#\n",
					"irreflexive fre ; kept#+ as more#\n",
					"let on# = kept#*\nirreflexive fr ; ((W * W) & (rfe ; on#) | po ; on# ; [R]) as more#\n",
					"irreflexive co ; (rfe ; kept#+)? ; [R] ; (po | addr ; kept#*) as more#\n",
				}).Draw(t, "more"), "#", fmt.Sprint(i))
				continue
			}
			text += fmt.Sprintf("acyclic %s | rfe | fr | co as model%d\n", strings.Join(kept, " | "), i)
		}
		m, err := models.Parse("drawn", text, dialect.Vocabulary())
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		source := drawRVWMO(t)
		p, err := dialect.Parse("random.litmus", source)
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		var answers []string
		for i, how := range []string{"order", "clocks", "order"} {
			options := solver.DefaultOptions()
			options.Acyclicity = how
			encode.KeepOrders(i == 2)
			r, err := axiomatic.Engine{}.Explore(context.Background(),
				solver.Query{Program: p, Model: m, Options: options})
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, text, source)
			}
			if r.Positive == nil {
				return // there are more than the limit of the count
			}
			answers = append(answers, fmt.Sprintf("%d executions: %v", *r.Positive+*r.Negative, r.States))
		}
		if answers[0] != answers[1] || answers[0] != answers[2] {
			t.Fatalf("%s\n%s\nby orders %s\nby clocks %s\nby orders that are kept %s", text, source, answers[0],
				answers[1], answers[2])
		}
	})
}

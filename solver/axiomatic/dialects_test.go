package axiomatic_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// assembly has an architecture's spelling of the parts of random threads. In each row, $d is a new register for the
// value read, $s one with a value, $r the target of an earlier read if there is one, $z a spare one, $a one with a
// location's address, $l a label.
type assembly struct {
	arch, model string
	init        string   // of thread P
	regs        []string // $d and $z
	addresses   [2]string
	values      [2]string
	one         string // sets $d to 1

	loads, stores, barriers, flushes []string
	zero, loadAt, storeAt            string // a false dependency, and accesses to $a plus $z
	branch                           []string
	exclusive, conditional           []string
	// go to $l where the store-conditional has failed; the last goes back to it
	failed []string
	others [][]string

	// reached are what some random test has to have in an execution that the model
	// allows: tags, and what covered knows.
	reached []string
}

var assemblies = []assembly{
	{
		arch: "PPC", model: "power",
		init: "P:r1=x; P:r2=y; P:r3=1; P:r4=2;", regs: numbered("r", 10, 20), addresses: [2]string{"r1", "r2"},
		values: [2]string{"r3", "r4"}, one: "li $d,1",
		loads: []string{"lwz $d,0($a)"}, stores: []string{"stw $s,0($a)"},
		barriers: []string{"sync", "lwsync", "lwsync", "eieio"}, flushes: []string{"isync"},
		zero: "xor $z,$r,$r", loadAt: "lwzx $d,$z,$a", storeAt: "stwx $s,$z,$a",
		branch:    []string{"cmpwi $r,1", "bne $l"},
		exclusive: []string{"lwarx $d,r0,$a"}, conditional: []string{"stwcx. $s,r0,$a"}, failed: []string{"bne $l"},
		reached: []string{
			"SYNC", "LWSYNC", "EIEIO", "ctrl ISYNC", "X", "rmw", "failed conditional",
			"addr", "data", "ctrl",
		},
	},
	{
		arch: "ARM", model: "arm",
		init: "P:R1=x; P:R2=y; P:R3=1; P:R4=2; P:R9=0;",
		regs: append(numbered("R", 5, 8), "R0", "R10", "R11", "R12", "R14"), addresses: [2]string{"R1", "R2"},
		values: [2]string{"R3", "R4"}, one: "MOV $d,#1",
		loads: []string{"LDR $d,[$a]"}, stores: []string{"STR $s,[$a]"},
		barriers: []string{"DMB", "DMB ST", "DSB", "DMB NSH"}, flushes: []string{"ISB"},
		zero: "EOR $z,$r,$r", loadAt: "LDR $d,[$a,$z]", storeAt: "STR $s,[$a,$z]",
		branch:    []string{"CMP $r,#1", "BNE $l"},
		exclusive: []string{"LDREX $d,[$a]"}, conditional: []string{"STREX R9,$s,[$a]"},
		failed: []string{"CMP R9,#0", "BNE $l"},
		others: [][]string{{"CMP $r,#1", "MOVEQ R9,#1", "STR R9,[$a]"}},
		reached: []string{
			"DMB.SY", "DMB.ST", "DSB.SY", "DMB.NSH", "ctrl ISB", "X", "rmw", "failed conditional", "addr",
			"data", "ctrl",
		},
	},
	{
		arch: "AArch64", model: "aarch64",
		init: "P:X1=x; P:X2=y; P:X3=1; P:X4=2; P:X9=0;", regs: numbered("W", 10, 20), addresses: [2]string{"X1", "X2"},
		values: [2]string{"W3", "W4"}, one: "MOV $d,#1",
		loads:    []string{"LDR $d,[$a]", "LDR $d,[$a]", "LDAR $d,[$a]", "LDAPR $d,[$a]"},
		stores:   []string{"STR $s,[$a]", "STR $s,[$a]", "STLR $s,[$a]"},
		barriers: []string{"DMB SY", "DMB LD", "DMB ST", "DSB ST"}, flushes: []string{"ISB"},
		zero: "EOR $z,$r,$r", loadAt: "LDR $d,[$a,$z,SXTW]", storeAt: "STR $s,[$a,$z,SXTW]",
		branch:      []string{"CMP $r,#1", "B.NE $l"},
		exclusive:   []string{"LDXR $d,[$a]", "LDAXR $d,[$a]"},
		conditional: []string{"STXR W9,$s,[$a]", "STLXR W9,$s,[$a]"}, failed: []string{"CBNZ W9,$l"},
		others: [][]string{
			{"SWP $s,$d,[$a]"},
			{"LDSETAL $s,$d,[$a]"},
			{"STSET $s,[$a]"},
			{"MOV $d,$r", "CAS $d,$s,[$a]"},
			{"MOV $d,$s", "CASA $d,$r,[$a]"},
			{"CMP $r,#1", "CSEL $d,$r,$s,EQ"},
			{"CMP $r,$s", "CSET $z,NE", "STR $z,[$a]"},
		},
		reached: []string{
			"DMB.SY", "DMB.LD", "DMB.ST", "DSB.ST", "ctrl ISB", "X", "rmw", "failed conditional",
			"addr", "data", "ctrl",
			"A", "Q", "L", "AMO", "CAS", "NoRet", string(ir.TagPick), "to a pick", "from a pick", "select",
			"compare that fails",
		},
	},
	{
		arch: "MIPS", model: "mips",
		init: "P:$4=x; P:$5=y; P:$2=1; P:$3=2;", regs: numbered("$", 8, 18), addresses: [2]string{"$4", "$5"},
		values: [2]string{"$2", "$3"}, one: "li $d,1",
		loads: []string{"lw $d,0($a)"}, stores: []string{"sw $s,0($a)"}, barriers: []string{"sync"},
		zero: "xor $z,$r,$r\naddu $z,$z,$a", loadAt: "lw $d,0($z)", storeAt: "sw $s,0($z)",
		branch:    []string{"bne $r,$2,$l"},
		exclusive: []string{"ll $d,0($a)"}, conditional: []string{"move $7,$s\nsc $7,0($a)"},
		failed:  []string{"beq $7,$0,$l"},
		reached: []string{"SYNC", "X", "rmw", "failed conditional", "addr", "data", "ctrl"},
	},
}

func numbered(prefix string, from, to int) []string {
	var out []string
	for n := from; n <= to; n++ {
		out = append(out, fmt.Sprint(prefix, n))
	}
	return out
}

// evenly draws one of n numbers, each as often, where rapid prefers the first.
func evenly(t *rapid.T, label string, n int) int {
	v := 0
	for limit := 1; limit < 8*n; limit *= 2 {
		v *= 2
		if rapid.Bool().Draw(t, label) {
			v++
		}
	}
	return v % n
}

func among(t *rapid.T, label string, of []string) string { return of[evenly(t, label, len(of))] }

// thread is a thread under construction.
type thread struct {
	*rapid.T
	assembly
	rows     []string
	observed []string // registers
	read     []string // those of them that depend on memory
	regs     int      // the numbered registers in use
	labels   int
}

func (d *thread) fresh() string {
	d.regs++
	return d.assembly.regs[d.regs-1]
}

// add spells rows, which share $a, $z, $r, $l and $d.
func (d *thread) add(rows ...string) {
	all := strings.Join(rows, "\n")
	value, source := append(d.values[:], d.read...), d.values[:]
	if len(d.read) > 0 {
		source = d.read
	}
	spell := []string{
		"$a", among(d.T, "address", d.addresses[:]), "$s", among(d.T, "value", value), "$r",
		among(d.T, "source", source),
	}
	if strings.Contains(all, "$l") {
		d.labels++
		spell = append(spell, "$l", fmt.Sprint("L", d.labels))
	}
	if strings.Contains(all, "$z") {
		spell = append(spell, "$z", d.fresh())
	}
	if strings.Contains(all, "$d") {
		to := d.fresh()
		spell = append(spell, "$d", to)
		d.observed = append(d.observed, to)
		d.read = append(d.read, to)
	}
	d.rows = append(d.rows, strings.Split(strings.NewReplacer(spell...).Replace(all), "\n")...)
}

// move adds something to the thread; retry, loops that retry a store-conditional too.
func (d *thread) move(retry bool) {
	branch := strings.Join(d.branch, "\n")
	pair := among(d.T, "exclusive", d.exclusive) + "\n" + among(d.T, "conditional", d.conditional)
	failed := strings.Join(d.failed, "\n")
	access := among(d.T, "access", append(slices.Clone(d.loads), d.stores...))
	kinds := 15
	if retry {
		kinds++
	}
	switch k := evenly(d.T, "kind", kinds); k {
	case 0:
		d.add(among(d.T, "load", d.loads))
	case 1, 2:
		d.add(among(d.T, "store", d.stores))
	case 3:
		d.add(d.zero, d.loadAt)
	case 4:
		d.add(d.zero, d.storeAt)
	case 5:
		d.add(branch, "$l:")
	case 6:
		d.add(branch, access, "$l:")
	case 7, 8:
		if len(d.flushes) > 0 {
			d.add(branch, "$l:", among(d.T, "flush", d.flushes))
			return
		}
		d.add(among(d.T, "barrier", d.barriers))
	case 9, 10:
		d.add(among(d.T, "barrier", d.barriers))
	case 11:
		d.add(pair)
	case 12: // and whether it has succeeded
		d.add(pair)
		d.add(failed, d.one, "$l:")
	case 13, 14:
		if len(d.others) > 0 {
			d.add(d.others[evenly(d.T, "other", len(d.others))]...)
			return
		}
		d.add(among(d.T, "load", d.loads))
	default:
		d.add("$l:", pair, failed)
	}
}

// draw makes a random test of the architecture, with at most so many moves per thread.
func (a assembly) draw(t *rapid.T, threads, moves int, retry bool) string {
	var init, observed strings.Builder
	columns := make([][]string, threads)
	rows := 0
	var first []string
	for i := range columns {
		init.WriteString(strings.ReplaceAll(a.init, "P:", fmt.Sprint(i, ":")) + " ")
		d := &thread{T: t, assembly: a}
		for range 1 + evenly(t, "moves", moves) {
			d.move(retry)
		}
		columns[i] = d.rows
		rows = max(rows, len(d.rows))
		for k, r := range d.observed {
			if a.arch == "AArch64" {
				r = "X" + r[1:]
			}
			fmt.Fprintf(&observed, " %d:%s;", i, r)
			if k == 0 {
				first = append(first, fmt.Sprintf("%d:%s=%d", i, r, evenly(t, "wanted", 3)))
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s random\n{ %s}\n", a.arch, init.String())
	for row := -1; row < rows; row++ {
		for i, c := range columns {
			cell := ""
			switch {
			case row < 0:
				cell = fmt.Sprint("P", i)
			case row < len(c):
				cell = c[row]
			}
			b.WriteString(strings.Repeat("| ", min(i, 1)) + cell + " ")
		}
		b.WriteString(";\n")
	}
	first = append(first, fmt.Sprintf("x=%d", evenly(t, "wanted", 3)))
	fmt.Fprintf(&b, "locations [x; y;%s]\n%s (%s)\n", observed.String(),
		among(t, "quantifier", []string{"exists", "~exists", "forall"}), strings.Join(first, " /\\ "))
	return b.String()
}

// The machines, too, take what the other architectures have: exclusive pairs, choices,
// and loops that retry.
func TestAxiomaticIsMachineOnDialects(t *testing.T) {
	agreeOn(t, func(t *rapid.T) string {
		return assemblies[evenly(t, "architecture", len(assemblies))].draw(t, 2, 4, true)
	})
}

// Each architecture's random programs have the states, the verdict and the number of
// executions under its own model, another one or a random one that plain enumeration
// finds.
func TestAxiomaticIsEnumerationOnDialects(t *testing.T) {
	reached, programs := map[string]map[string]int{}, 0
	for _, a := range assemblies {
		reached[a.arch] = map[string]int{}
	}
	rapid.Check(t, func(t *rapid.T) {
		a := assemblies[evenly(t, "architecture", len(assemblies))]
		source := a.draw(t, 2, 3, false)
		p, err := dialect.Parse("random.litmus", source)
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		name := a.model
		m, _ := models.Find(name)
		switch evenly(t, "model", 4) {
		case 0:
			name = among(t, "model", models.Names())
			m, _ = models.Find(name)
		case 1:
			name = drawModel(t)
			if m, err = models.Parse("random.cat", name, dialect.Vocabulary()); err != nil {
				t.Fatalf("%v\n%s", err, name)
			}
		}
		if !enumerable(p) {
			t.Skip("too many runs")
		}
		options := solver.DefaultOptions()
		options.Executions = rapid.SampledFrom([]int{2048, 0}).Draw(t, "executions")
		r, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: options})
		if err != nil && strings.Contains(err.Error(), "too large for this test") {
			t.Skip("the engine declines")
		}
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, name, source)
		}
		found, executions := map[string]int{}, 0
		want := enumerate(t, p, m, func(x *models.Execution) {
			executions++
			cover(x, found)
			if p.Satisfies(p.Condition.Prop, x.Final()) {
				found["yes"]++
			} else {
				found["no"]++
			}
		})
		observation := solver.Sometimes
		switch {
		case found["yes"] == 0:
			observation = solver.Never
		case found["no"] == 0:
			observation = solver.Always
		}
		if got := printed(r.States); !slices.Equal(got, want) || r.Observation != observation || r.Positive != nil &&
			*r.Positive+*r.Negative != executions {
			t.Fatalf("%s\n%s\nengine: %s\n  %s\nenumeration: %s, %d executions\n  %s", name, source,
				r.Observation, strings.Join(got, "\n  ")+counts(r), observation, executions, strings.Join(want, "\n  "))
		}
		programs++
		for what := range found {
			reached[a.arch][what]++
		}
	})
	for _, a := range assemblies {
		for _, what := range a.reached {
			if reached[a.arch][what] == 0 && programs >= 2000 {
				t.Errorf("%s: no execution of a random program had this in it: %s", a.arch, what)
			}
		}
	}
}

// enumerable reports whether plain enumeration takes only a moment.
func enumerable(p *ir.Program) bool {
	reads, writes := 0, 0
	for _, th := range p.Threads {
		for _, s := range th.Code {
			switch s.Op.(type) {
			case ir.Load:
				reads++
			case ir.RMW:
				reads, writes = reads+1, writes+1
			case ir.Store, ir.StoreCond:
				writes++
			}
		}
	}
	return reads <= 4 && writes <= 4
}

// cover records the features of an execution.
func cover(x *models.Execution, found map[string]int) {
	ctrl := map[int]bool{}
	for _, c := range x.Ctrl {
		ctrl[c[1]] = true
	}
	successes := map[[2]int]bool{}
	for _, e := range x.Events {
		for _, tag := range e.Tags {
			found[string(tag)]++
			if ctrl[e.ID] {
				found["ctrl "+string(tag)]++
			}
		}
		successes[[2]int{e.Thread, e.Step}] = e.Kind == models.Write
	}
	found["addr"] += len(x.Addr)
	found["data"] += len(x.Data)
	found["ctrl"] += len(x.Ctrl)
	found["rmw"] += len(x.RMW)
	for _, d := range slices.Concat(x.Addr, x.Data, x.Ctrl) {
		if x.Events[d[0]].Tags.Has(ir.TagPick) {
			found["from a pick"]++
		}
		if x.Events[d[1]].Tags.Has(ir.TagPick) {
			found["to a pick"]++
		}
	}
	for t, th := range x.Program.Threads {
		for i, s := range th.Code {
			wrote, executed := successes[[2]int{t, i}]
			switch op := s.Op.(type) {
			case ir.StoreCond:
				if !executed {
					found["failed conditional"]++
				}
			case ir.RMW:
				if executed && !wrote && op.If != nil {
					found["compare that fails"]++
				}
			case ir.Assign:
				ir.WalkExpr(op.Value, func(e ir.Expr) bool {
					if _, ok := e.(ir.Select); ok {
						found["select"]++
					}
					return true
				})
			}
		}
	}
	maps.DeleteFunc(found, func(_ string, n int) bool { return n == 0 })
}

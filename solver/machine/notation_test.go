package machine

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/evaluation"
)

// These tests write programs in a small notation, so that they depend on no dialect. "||" separates threads, ";"
// separates instructions:
//
//	x=1          store            a=x            load (a … d are registers)
//	x=a          store of a       a=b            copy
//	a=x<-1       swap             a=x<-1?0       write 1 if x is 0
//	a=x++        fetch and add 1
//	mf           full fence       ww wr rr rw    fence of one kind
//	L:           label            if a=1 L       conditional branch
//	goto L
//
// Locations are w x y z, initially 0. Registers are 32 bits wide.
var locNames = []string{"w", "x", "y", "z"}

const regNames = "abcd"

// parse builds a program with the observables named in observed.
func parse(t testing.TB, text, observed string) *ir.Program {
	t.Helper()
	always := litmus.Condition{Prop: litmus.Bool(true)}
	p := &ir.Program{
		File: "t.litmus", Name: "t", Arch: "T",
		Condition: always,
	}
	for i, name := range locNames {
		p.Locs = append(p.Locs, ir.Location{Name: name, Bits: 32, Address: uint64(0x1000 + 8*i), Signed: true})
	}
	for id, column := range strings.Split(text, "||") {
		th := ir.Thread{ID: id}
		for _, r := range regNames {
			th.Regs = append(th.Regs, ir.Register{Name: string(r), Bits: 32})
		}
		labels := map[string]int{}
		type jump struct {
			step  int
			label string
		}
		var jumps []jump
		for _, ins := range strings.Split(column, ";") {
			ins = strings.TrimSpace(ins)
			if label, ok := strings.CutSuffix(ins, ":"); ok {
				labels[label] = len(th.Code)
				continue
			}
			op, label := parseOp(t, ins)
			if label != "" {
				jumps = append(jumps, jump{len(th.Code), label})
			}
			th.Code = append(th.Code, ir.Step{Op: op, Source: len(th.Source)})
			th.Source = append(th.Source,
				litmus.Cell{Text: ins, Pos: litmus.Pos{File: "t.litmus", Line: len(th.Source) + 1, Col: id + 1}})
		}
		for _, j := range jumps {
			b := th.Code[j.step].Op.(ir.Branch)
			b.Target = labels[j.label]
			th.Code[j.step].Op = b
		}
		p.Threads = append(p.Threads, th)
	}
	for _, name := range strings.Fields(observed) {
		o := ir.Observable{Name: name, Thread: -1, Bits: 32, Signed: true}
		if thread, reg, ok := strings.Cut(name, ":"); ok {
			o.Thread, _ = strconv.Atoi(thread)
			o.Index = strings.Index(regNames, reg)
		} else {
			o.Index = slices.Index(locNames, name)
		}
		p.Observed = append(p.Observed, o)
	}
	p.Shown = len(p.Observed)
	return p
}

func parseOp(t testing.TB, ins string) (op ir.Op, label string) {
	t.Helper()
	value := func(s string) ir.Expr {
		if i := strings.Index(regNames, s); i >= 0 {
			return ir.Reg{Index: i, Bits: 32}
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%q: no value", ins)
		}
		return ir.Const{Value: uint64(n), Bits: 32}
	}
	isLoc := func(s string) bool { return slices.Contains(locNames, s) }
	at := func(s string) ir.Expr { return ir.Addr{Loc: slices.Index(locNames, s), Bits: 64} }
	equal := func(x, y ir.Expr) ir.Expr { return ir.Binary{Op: ir.Eq, X: x, Y: y} }
	old := ir.Old{Bits: 32}
	switch words := strings.Fields(ins); {
	case ins == "mf":
		return ir.Fence{Tags: ir.FullFence}, ""
	case slices.Contains([]string{"ww", "wr", "rr", "rw"}, ins):
		return ir.Fence{Tags: ir.Tags{ir.Tag("F" + strings.ToUpper(ins))}}, ""
	case words[0] == "goto":
		return ir.Branch{}, words[1]
	case words[0] == "if":
		l, r, _ := strings.Cut(words[1], "=")
		return ir.Branch{Cond: equal(value(l), value(r))}, words[2]
	}
	left, right, _ := strings.Cut(ins, "=")
	if isLoc(left) {
		return ir.Store{Addr: at(left), Value: value(right)}, ""
	}
	dst := strings.Index(regNames, left)
	locked := ir.Tags{ir.TagLocked}
	if isLoc(right) {
		return ir.Load{Dst: dst, Addr: at(right), Bits: 32}, ""
	}
	if loc, ok := strings.CutSuffix(right, "++"); ok {
		add := ir.Binary{Op: ir.Add, X: old, Y: value("1")}
		return ir.RMW{Dst: dst, Addr: at(loc), Bits: 32, New: add, Tags: locked}, ""
	}
	if loc, v, ok := strings.Cut(right, "<-"); ok {
		rmw := ir.RMW{Dst: dst, Addr: at(loc), Bits: 32, Tags: locked}
		v, expected, cas := strings.Cut(v, "?")
		rmw.New = value(v)
		if cas {
			rmw.If = equal(old, value(expected))
		}
		return rmw, ""
	}
	return ir.Assign{Dst: dst, Value: value(right)}, ""
}

// outcomes runs a search to its end and prints the outcomes' values, sorted: "0,0 0,1".
func outcomes(t testing.TB, p *ir.Program, k Kind, full bool) string {
	t.Helper()
	s := newSearch(p, k, 0)
	s.full = full
	if err := s.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if s.stopped != "" {
		t.Fatal(s.stopped)
	}
	checkTraces(t, s)
	slices.SortFunc(s.found, p.CompareStates)
	var out []string
	for _, f := range s.found {
		_, values := p.Format(f)
		out = append(out, strings.Join(values, ","))
	}
	return strings.Join(out, " ")
}

// checkTraces replays the way to each outcome: it must end there, as an execution that
// the model allows.
func checkTraces(t testing.TB, s *search) {
	t.Helper()
	m, _ := models.Find(s.kind.String())
	checker := evaluation.NewChecker(m)
	for n := range s.finals {
		if _, err := s.witness(n, checker); err != nil {
			t.Fatal(err)
		}
	}
}

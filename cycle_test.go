package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/suite"
)

// shape is a program with all names gone: of registers, locations, threads and values'
// temporary places. Threads are in every order, and the least text is taken.
type shape struct{ program, condition string }

// symbols walks a thread without loops over expressions as text.
type symbols struct {
	p     *ir.Program
	loc   func(int) string
	regs  []string
	lines []string
	loads int
}

var number = regexp.MustCompile(`^\d+$`)

func (s *symbols) text(e ir.Expr) string {
	switch e := e.(type) {
	case ir.Const:
		return fmt.Sprint(e.Value)
	case ir.Addr:
		return s.loc(e.Loc)
	case ir.Reg:
		return s.regs[e.Index]
	case ir.Old:
		return "old"
	case ir.Extend:
		return s.text(e.X)
	case ir.Extract:
		if e.Lo == 0 {
			return s.text(e.X)
		}
		return fmt.Sprintf("%s>>%d", s.text(e.X), e.Lo)
	case ir.Unary:
		return fmt.Sprintf("(%d %s)", e.Op, s.text(e.X))
	case ir.Binary:
		x, y := s.text(e.X), s.text(e.Y)
		if number.MatchString(x) && number.MatchString(y) {
			return fmt.Sprint(ir.EvalBinary(e.Op, literal(x), literal(y), e.Width()))
		}
		op := e.Op
		if y == "0" && (op == ir.Add || op == ir.BitOr) {
			return x
		}
		if x == "0" && (op == ir.Add || op == ir.BitOr) {
			return y
		}
		// Either puts a number where a false dependency has left a 0.
		if op == ir.BitOr {
			op = ir.Add
		}
		if op == ir.Add && x > y {
			x, y = y, x
		}
		return fmt.Sprintf("(%s %d %s)", x, op, y)
	case ir.Cond:
		return fmt.Sprintf("(%s?%s:%s)", s.text(e.If), s.text(e.Then), s.text(e.Else))
	case ir.Select:
		return fmt.Sprintf("(%s??%s:%s)", s.text(e.If), s.text(e.Then), s.text(e.Else))
	}
	return fmt.Sprintf("%T", e)
}

func literal(text string) (v uint64) {
	fmt.Sscan(text, &v)
	return v
}

func (s *symbols) line(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

func (s *symbols) result() string {
	s.loads++
	return fmt.Sprintf("L%d", s.loads)
}

func (s *symbols) walk(t *ir.Thread) {
	s.regs = make([]string, len(t.Regs))
	for i, r := range t.Regs {
		s.regs[i] = fmt.Sprint(r.Init)
		if loc, ok := s.p.LocationAt(r.Init); ok {
			s.regs[i] = s.loc(loc)
		}
	}
	targets := map[int]bool{}
	for i, step := range t.Code {
		if targets[i] {
			s.line("label")
		}
		switch op := step.Op.(type) {
		case ir.Assign:
			s.regs[op.Dst] = s.text(op.Value)
		case ir.Load:
			s.line("load %s %v %v", s.text(op.Addr), op.Tags, op.Reserve)
			s.regs[op.Dst] = s.result()
		case ir.Store:
			s.line("store %s %s %v", s.text(op.Addr), s.text(op.Value), op.Tags)
		case ir.RMW:
			s.line("rmw %s %s %v %v", s.text(op.Addr), s.text(op.New), op.Tags, op.WriteTags)
			s.regs[op.Dst] = s.result()
		case ir.StoreCond:
			s.line("conditional %s %s %v", s.text(op.Addr), s.text(op.Value), op.Tags)
			s.regs[op.Status] = s.result()
		case ir.Fence:
			s.line("fence %v", op.Tags)
		case ir.Branch:
			cond := ""
			if op.Cond != nil {
				cond = s.text(op.Cond)
			}
			s.line("branch %s", cond)
			targets[op.Target] = true
		default:
			s.line("%T", op)
		}
	}
}

// shapeOf gives a program's shape.
func shapeOf(p *ir.Program) shape {
	order := make([]int, len(p.Threads))
	for i := range order {
		order[i] = i
	}
	var least *shape
	permute(order, 0, func(order []int) {
		names := map[int]string{}
		loc := func(i int) string {
			if names[i] == "" {
				names[i] = fmt.Sprintf("v%d", len(names))
			}
			return names[i]
		}
		var all []string
		finals := make([][]string, len(p.Threads))
		place := make([]int, len(p.Threads))
		for n, t := range order {
			s := &symbols{p: p, loc: loc}
			s.walk(&p.Threads[t])
			all = append(all, strings.Join(s.lines, "\n"))
			finals[t], place[t] = s.regs, n
		}
		for i, l := range p.Locs {
			if l.Init != 0 && names[i] != "" {
				all = append(all, fmt.Sprintf("%s=%d", loc(i), l.Init))
			}
		}
		got := shape{program: strings.Join(all, "\n--\n")}
		got.condition = fmt.Sprint(p.Condition.Quantifier) + " " + conjunction(p.Condition.Prop, func(c litmus.Compare) string {
			o := p.Observed[c.Obs]
			name := loc(o.Index)
			if o.Thread >= 0 {
				name = fmt.Sprintf("%d:%s", place[o.Thread], finals[o.Thread][o.Index])
			}
			return fmt.Sprintf("%s=%d", name, c.Value)
		})
		if least == nil || cmp.Or(strings.Compare(got.program, least.program), strings.Compare(got.condition, least.condition)) < 0 {
			least = &got
		}
	})
	return *least
}

// conjunction is a proposition as text: atoms in a row, whatever their order.
func conjunction(p litmus.Prop, atom func(litmus.Compare) string) string {
	var atoms []string
	var walk func(p litmus.Prop) bool
	walk = func(p litmus.Prop) bool {
		switch p := p.(type) {
		case litmus.And:
			for _, arg := range p.Args {
				if !walk(arg) {
					return false
				}
			}
			return true
		case litmus.Compare:
			atoms = append(atoms, atom(p))
			return !p.NotEqual && p.Other < 0
		}
		return false
	}
	if !walk(p) {
		return "another"
	}
	slices.Sort(atoms)
	return strings.Join(slices.Compact(atoms), " ")
}

func permute(order []int, from int, f func([]int)) {
	if from == len(order) {
		f(order)
		return
	}
	for i := from; i < len(order); i++ {
		order[from], order[i] = order[i], order[from]
		permute(order, from+1, f)
		order[from], order[i] = order[i], order[from]
	}
}

// cycleLines are the cycles that a test says it is of, Orig= first.
func cycleLines(t *litmus.Test) []string {
	var out []string
	for _, key := range []string{"Orig", "Cycle"} {
		for _, info := range t.Info {
			if info.Key == key && strings.TrimSpace(info.Value) != "" {
				out = append(out, strings.TrimSpace(info.Value))
			}
		}
	}
	return out
}

func TestCycleLines(t *testing.T) {
	corpus := corpusFolder(t)
	var paths []string
	for _, arch := range []string{"x86", "x86_64", "ppc", "arm", "aarch64", "riscv", "mips"} {
		paths = append(paths, filepath.Join(corpus, arch))
	}
	type count struct{ lines, covered, identical, program int }
	counts := map[string]*count{}
	differing := map[string][]string{}
	debug := os.Getenv("CYCLE_DEBUG")
	for e := range suite.Collect(context.Background(), paths, nil) {
		test, err := litmus.Parse(e.Path, e.Source)
		if err != nil {
			continue
		}
		lines := cycleLines(test)
		if len(lines) == 0 {
			continue
		}
		n := counts[test.Arch]
		if n == nil {
			n = &count{}
			counts[test.Arch] = n
		}
		n.lines++
		c, err := cycle.ParseCycle(test.Arch, lines[0])
		if err != nil {
			differing["parse "+test.Arch+": "+err.Error()] = append(differing["parse "+test.Arch+": "+err.Error()], e.Path)
			continue
		}
		n.covered++
		source, err := cycle.Generate(test.Arch, c, test.Name)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		made, err := dialect.Parse("made", source)
		if err != nil {
			t.Errorf("%s: %v\n%s", e.Path, err, source)
			continue
		}
		theirs, err := dialect.Lower(test)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		a, b := shapeOf(made), shapeOf(theirs)
		key := ""
		switch {
		case a == b:
			n.identical++
		case a.program == b.program:
			n.program++
			key = test.Arch + " condition"
		default:
			key = test.Arch + " program"
		}
		if key != "" {
			differing[key] = append(differing[key], e.Path)
			if debug != "" && strings.Contains(e.Path, debug) {
				t.Logf("%s\n%s\n%s\nmade:\n%s\n%s\ntheirs:\n%s\n%s", e.Source, source, lines, a.program, a.condition, b.program, b.condition)
			}
		}
	}
	for _, arch := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%s: %+v", arch, *counts[arch])
	}
	for _, key := range slices.Sorted(maps.Keys(differing)) {
		t.Logf("%s: %d", key, len(differing[key]))
		for _, p := range differing[key][:min(200, len(differing[key]))] {
			t.Logf("    %s", p)
		}
	}
}

package cmd

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/suite"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// shape is the text of a program without the names of registers, locations, threads and temporary values. It is the
// smallest text over all orders of the threads.
type shape struct{ program, condition string }

// symbols executes a thread without loops on expressions, which are texts.
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
		// Both replace the 0 of a false dependency by a number.
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

func literal(text string) uint64 {
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		panic("BUG: " + err.Error())
	}
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
		case ir.Scope:
		default:
			s.line("%T", op)
		}
	}
}

// shapeOf returns a program's shape.
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
		got.condition = fmt.Sprint(p.Condition.Quantifier) + " " +
			conjunction(p.Condition.Prop, func(c litmus.Compare) string {
				o := p.Observed[c.Obs]
				name := loc(o.Index)
				if o.Thread < 0 && !c.NotEqual && c.Other < 0 && writtenOnce(all, name, c.Value) {
					return ""
				}
				if o.Thread >= 0 {
					name = fmt.Sprintf("%d:%s", place[o.Thread], finals[o.Thread][o.Index])
				}
				return fmt.Sprintf("%s=%d", name, c.Value)
			})
		if least == nil ||
			cmp.Or(strings.Compare(got.program, least.program), strings.Compare(got.condition, least.condition)) < 0 {
			least = &got
		}
	})
	return *least
}

// writtenOnce reports whether a location's final value is always this one: one store writes it, and no other access of
// any thread writes the location.
func writtenOnce(threads []string, loc string, value uint64) bool {
	writes, same := 0, false
	mentioned := regexp.MustCompile(`\b` + loc + `\b`)
	written := regexp.MustCompile(fmt.Sprintf(`^store \S*( \S+)* (%d|\(\((L\d+) 5 L\d+\) 0 %[1]d\)) \[`, value))
	for _, thread := range threads {
		for _, line := range strings.Split(thread, "\n") {
			if !strings.HasPrefix(line, "load") && mentioned.MatchString(line) {
				writes, same = writes+1, written.MatchString(line)
			}
		}
	}
	return writes == 1 && same
}

// conjunction returns a proposition as text that does not depend on the order of its atoms.
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
			if a := atom(p); a != "" {
				atoms = append(atoms, a)
			}
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

// cycleLines returns the cycles that a test claims: Orig= first, then Cycle=, otherwise its doc string if that is a
// cycle.
func cycleLines(t *litmus.Test) []string {
	var out []string
	for _, key := range []string{"Orig", "Cycle"} {
		for _, info := range t.Info {
			if info.Key == key && strings.TrimSpace(info.Value) != "" {
				out = append(out, strings.TrimSpace(info.Value))
			}
		}
	}
	if _, err := cycle.ParseCycle(t.Arch, t.Doc); err == nil && out == nil {
		out = []string{t.Doc}
	}
	return out
}

// happens reports whether a model allows what a test asks about: its condition or, for a forall, a violation of its
// condition.
func happens(t *testing.T, path, source, model string) bool {
	t.Helper()
	r, err := engines.Run(t.Context(), solver.Task{Path: path, Source: source, Model: model, Options: verdictOnly})
	if err != nil || r.Status != solver.OK || r.ConditionHolds == nil {
		t.Fatalf("%s under %s: %v %v %s %s", path, model, err, r.Status, r.Error, r.Reason)
	}
	if strings.Contains(r.Condition, "forall") {
		return !*r.ConditionHolds
	}
	return r.Verdict == solver.Allowed
}

var verdictOnly = func() solver.Options {
	o := solver.DefaultOptions()
	o.States, o.Executions = 0, 0
	return o
}()

// lineCount counts the results of a dialect's tests that claim a cycle.
type lineCount struct {
	tests     int
	covered   int // the cycle is one that can be read
	identical int // the test made of it is the same up to names
	equal     int // it is not, but the verdict in every built-in model is the same
	explained int // a verdict differs, and why is known
}

// lineShares has for each dialect the smallest permitted percentages of covered tests, of identical tests, and of
// identical or equal tests.
var lineShares = map[string][3]int{
	"AArch64": {99, 82, 96},
	"ARM":     {100, 85, 89},
	"C":       {100, 74, 75},
	"MIPS":    {100, 100, 100},
	"PPC":     {100, 78, 98},
	"RISCV":   {100, 90, 96},
	"X86":     {100, 30, 60},
	"X86_64":  {100, 100, 100},
}

// byHand lists tests that somebody has edited so that their claimed cycles are wrong.
var byHand = map[string]string{
	"MP+dmb+pos-ctrlisb+BIS": "its Detour goes by a write that the condition does not ask for",
	"CO-RSDWI+CTRL+ADDR":     "written by hand: values, a branch and an address that are none of the cycle's",
}

// remade lists edits of the kernel's tests after they were generated from their cycles.
var remade = []struct {
	what  string
	test  func(p *ir.Program)
	cycle func(e *cycle.Edge)
}{
	{"locks stand around its accesses, which are READ_ONCE and WRITE_ONCE", unlock, func(e *cycle.Edge) {
		e.From.Mark, e.To.Mark = "Once", "Once"
	}},
	{"the branch of the control dependency is gone", func(*ir.Program) {}, func(e *cycle.Edge) {
		if e.Kind == cycle.Dp && e.Name == "Ctrl" {
			e.Kind, e.Name = cycle.Po, ""
		}
	}},
}

// unlock removes the operations on spinlocks from a program.
func unlock(p *ir.Program) {
	for i := range p.Threads {
		code := p.Threads[i].Code
		for j := range code {
			switch op := code[j].Op.(type) {
			case ir.RMW:
				if op.Tags.Has("LKR") {
					code[j].Op = ir.Assign{Dst: op.Dst, Value: ir.Number(0, op.Bits)}
				}
			case ir.Store:
				if op.Tags.Has("UL") {
					code[j].Op = ir.Scope{}
				}
			case ir.Assume:
				code[j].Op = ir.Scope{}
			}
		}
	}
}

// remadeOf returns the edit of remade that turns the test of a cycle into the corpus's test of that cycle, or "".
func remadeOf(t *testing.T, test *litmus.Test, c cycle.Cycle) string {
	t.Helper()
	for _, r := range remade {
		other := slices.Clone(c)
		for i := range other {
			r.cycle(&other[i])
		}
		theirs, err := dialect.Lower(test)
		if err != nil {
			t.Fatal(err)
		}
		r.test(theirs)
		source, err := cycle.Generate(test.Arch, other, test.Name)
		if err != nil {
			continue
		}
		made, err := dialect.Parse("made", source)
		if err != nil {
			t.Fatal(err)
		}
		if shapeOf(made) == shapeOf(theirs) {
			return r.what
		}
	}
	return ""
}

// explain returns the known reason why a model distinguishes a test from the one that gen makes from its cycle, or "".
func explain(test *litmus.Test, made, theirs shape, differing []string) string {
	onlyRMO := slices.Equal(differing, []string{"rmo"})
	ours, asked := strings.Fields(made.condition), strings.Fields(theirs.condition)
	within := func(some, all []string) bool {
		return !slices.ContainsFunc(some, func(atom string) bool { return !slices.Contains(all, atom) })
	}
	switch {
	case byHand[test.Name] != "":
		return byHand[test.Name]
	case slices.Contains(asked, "another") && made.program == theirs.program:
		return "the condition is a list of outcomes, not the cycle; the program is the same"
	case slices.Contains(asked, "another"):
		return "the condition is a list of outcomes, not the cycle; here writes are numbered in another way, or " +
			"observed"
	case made.program != theirs.program && strings.Contains(test.Source, "amoswap.w.rl x0,"):
		return "releases are atomic instructions, not sw.rl"
	case made.program == theirs.program && onlyRMO && within(ours, asked):
		return "the condition also asks for what a read has seen that no communication ends in"
	case made.program == theirs.program && onlyRMO && within(asked, ours):
		return "the order of two writes is left to a thread that reads both, which rmo lets it do in any order"
	}
	return ""
}

// TestCycleLines makes a test from the cycle that each test of the corpus claims, and compares the two tests.
func TestCycleLines(t *testing.T) {
	corpus := corpusFolder(t)
	var paths []string
	for _, arch := range []string{"x86", "x86_64", "ppc", "arm", "aarch64", "riscv", "mips", "lkmm"} {
		paths = append(paths, filepath.Join(corpus, arch))
	}
	counts := map[string]*lineCount{}
	listed := map[string][]string{}
	list := func(path, format string, args ...any) {
		why := fmt.Sprintf(format, args...)
		listed[why] = append(listed[why], path)
	}
	seen := 0
	for e := range suite.Collect(t.Context(), paths, nil) {
		if seen++; testing.Short() && seen%3 != 0 {
			continue
		}
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
			n = &lineCount{}
			counts[test.Arch] = n
		}
		n.tests++
		c, err := cycle.ParseCycle(test.Arch, lines[0])
		if err != nil {
			list(e.Path, "%s: not covered: %s: %v", test.Arch, lines[0], err)
			continue
		}
		n.covered++
		for _, line := range lines[1:] {
			if other, err := cycle.ParseCycle(test.Arch, line); err != nil ||
				!slices.Equal(other.Canonical(), c.Canonical()) {
				list(e.Path, "%s: lines that are not of one cycle: %s, %s %v", test.Arch, lines[0], line, err)
			}
		}
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
		if a == b {
			n.identical++
			continue
		}
		if test.Arch == "C" {
			if why := remadeOf(t, test, c); why != "" {
				n.explained++
				list(e.Path, "%s: %s", test.Arch, why)
				continue
			}
		}
		var differing []string
		for _, model := range models.For(dialect.Tongue(source)) {
			if happens(t, "made", source, model) != happens(t, e.Path, e.Source, model) {
				differing = append(differing, model)
			}
		}
		if differing == nil {
			n.equal++
			continue
		}
		why := explain(test, a, b, differing)
		if why == "" {
			t.Errorf("%s: other verdicts in %s:\n%s", e.Path, strings.Join(differing, ", "), source)
			continue
		}
		n.explained++
		list(e.Path, "%s: other verdicts: %s", test.Arch, why)
	}
	for _, arch := range slices.Sorted(maps.Keys(counts)) {
		n := *counts[arch]
		share := func(part, of int) float64 { return 100 * float64(part) / float64(max(of, 1)) }
		shares := [3]float64{
			share(n.covered, n.tests), share(n.identical, n.covered),
			share(n.identical+n.equal, n.covered),
		}
		t.Logf("%-7s %4d tests with a cycle, %4d of them covered (%.1f%%); of these %4d identical up to names "+
			"(%.1f%%), %3d more of equal verdicts in %d models (%.1f%% together), %2d that differ as listed",
			arch, n.tests, n.covered, shares[0], n.identical, shares[1], n.equal, len(models.For(arch)),
			shares[2], n.explained)
		for i, least := range lineShares[arch] {
			if !testing.Short() && shares[i] < float64(least) {
				t.Errorf("%s: share %d has fallen to %.1f%%, below %d%%", arch, i, shares[i], least)
			}
		}
	}
	for _, why := range slices.Sorted(maps.Keys(listed)) {
		t.Logf("%s: %d", why, len(listed[why]))
		for _, path := range listed[why] {
			t.Logf("    %s", strings.TrimPrefix(path, corpus))
		}
	}
}

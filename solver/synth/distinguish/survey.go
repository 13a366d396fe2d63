package distinguish

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"litmuscope/litmus/cycle"
	"litmuscope/solver"
	"litmuscope/solver/batch"
)

// Range says which tests to ask about: of all critical cycles over some relaxations.
type Range struct {
	Arch string
	Over [][]cycle.Edge
	Most int // the most accesses in a cycle, at least two
}

// Test is the test of a cycle.
type Test struct {
	Name    string
	Cycle   cycle.Cycle
	Events  int // accesses of the cycle
	Threads int
	Source  string
	effort  int
}

// Row is a test, and what every side says of it, in the order of the sides.
type Row struct {
	Test
	Verdicts []solver.Verdict // "" for a side without an answer
	// Open says, of a side that has not decided, why; "" for the others.
	Open []string
	// Wild are the sides under which the test has undefined behaviour, which says nothing of them.
	Wild []bool
}

// Survey says which sides to ask about which tests, and which runner answers.
type Survey struct {
	Runner  solver.Runner
	Workers int
	Over    Range
	Sides   []solver.Task
	// asked about behind all others: tests to ask about last, with questions outside critical cycles, such as whether
	// another write can come between an update's read and write
	Also []Test
	// Every is the size up to which two sides also decide all straight programs; 0 for none.
	Every int
	// Executions is the size up to which two sides decide all executions with the instructions of Words, tests, and
	// cycles; 0 for none.
	Executions int
	Words      []Test
	// Wanted returns, for a test, which sides, by their index, to ask about it, each when those before it have
	// answered; nil for all, always. Several workers call it.
	Wanted func(t Test) func(side int, so Row) bool
}

// Run asks the sides about all tests. It passes the rows on in the order of the tests, all of a size before those of
// the next, and asks after each size whether to continue. It skips a cycle without a test in the dialect: it has no
// verdict. The error is the context's, a runner's, or one of out.
func (s Survey) Run(ctx context.Context, out func(Row) error, more func(size int) bool) error {
	names := make(cycle.Names)
	for size := 2; size <= s.Over.Most; size++ {
		tests, ended := s.Over.tests(ctx, size, names)
		if err := errors.Join(s.askAll(ctx, tests, out), ended()); err != nil {
			return err
		}
		if !more(size) {
			return nil
		}
	}
	if len(s.Also) == 0 {
		return nil
	}
	err := s.askAll(ctx, slices.Values(s.Also), out)
	more(s.Over.Most)
	return err
}

// askAll passes on the rows of tests in their order.
func (s Survey) askAll(ctx context.Context, tests iter.Seq[Test], out func(Row) error) error {
	err := batch.InOrder(ctx, s.Workers, tests, s.ask,
		func(a asked) error {
			if a.err != nil {
				return a.err
			}
			return out(a.Row)
		})
	return errors.Join(err, ctx.Err())
}

// errEnough ends a family that nobody wants more of.
var errEnough = errors.New("enough")

// tests are those of one size; ended tells afterwards whether they were all.
func (o Range) tests(ctx context.Context, size int, names cycle.Names) (all iter.Seq[Test], ended func() error) {
	var err error
	all = func(yield func(Test) bool) {
		err = cycle.Family(ctx, o.Over, size, size, func(c cycle.Cycle) error {
			t := Test{Name: names.Of(c), Cycle: c, Events: len(c), effort: effort(o.Arch, c)}
			var err error
			if t.Source, err = cycle.Generate(o.Arch, c, t.Name); err != nil {
				return nil // as where a fence has no form between two accesses of one instruction
			}
			for _, p := range c.Places(o.Arch) {
				t.Threads = max(t.Threads, p.Thread+1)
			}
			if !yield(t) {
				return errEnough
			}
			return nil
		})
	}
	return all, func() error {
		if errors.Is(err, errEnough) {
			return nil
		}
		return err
	}
}

// asked is a row, or why there is none.
type asked struct {
	Row
	err error
}

// ask asks every side for its verdict, and no more.
func (s Survey) ask(ctx context.Context, t Test) asked {
	n := len(s.Sides)
	a := asked{Row: Row{Test: t, Verdicts: make([]solver.Verdict, n), Open: make([]string, n), Wild: make([]bool, n)}}
	wanted := func(int, Row) bool { return true }
	if s.Wanted != nil {
		wanted = s.Wanted(t)
	}
	for i, side := range s.Sides {
		if !wanted(i, a.Row) {
			continue
		}
		side.Path, side.Source = t.Name, t.Source
		side.Options.States = 0
		result, err := batch.Ask(ctx, s.Runner, side)
		if err != nil {
			a.err = err
			return a
		}
		a.Verdicts[i] = result.Verdict
		if result.Status != solver.OK {
			a.Verdicts[i], a.Open[i] = solver.Undecided, fmt.Sprintf("%s: %s", result.Model, result.Reason+result.Error)
		}
		a.Wild[i] = result.Undefined() != solver.No
	}
	return a
}

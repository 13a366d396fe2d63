package executions

import (
	"context"
	"fmt"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/solver/sat"
)

// The approach is that of MemSynth and Memalloy: an execution is a small relational structure, a model is a formula
// over it, and a SAT solver looks for a structure on which two formulas differ. Compared with enumerating tests, it
// finds the smallest distinguishing execution without listing programs, and proves that there is none up to a size. The
// price is that an execution need not belong to a program, because values stay open.

// Verdict is a model's verdict on an execution.
type Verdict string

// The verdicts. Undefined executions count as allowed, and so does any other behaviour.
const (
	Allowed   Verdict = "allowed"
	Forbidden Verdict = "forbidden"
	Undefined Verdict = "undefined"
)

// Found is an execution on which two models have different verdicts.
type Found struct {
	Events      int // without initial writes
	Left, Right Verdict
	Text        string
}

// Distinguish looks for an execution with a number of events, not counting initial writes, on which the verdicts of two
// models differ. If forbids is true, the left model must forbid it and the right one allow it, with defined behaviour.
// It returns nil if there is no such execution; an error says why the search cannot decide this.
//
// The question is one formula: the constraints of the space, the two models' verdicts as literals, and a clause that
// they differ. A first question excludes executions in which recursive definitions did not converge. If none remains, a
// second question asks whether such executions exist at all, since they would invalidate the answer "none". The models'
// own checker confirms each execution.
func Distinguish(
	ctx context.Context, left, right *models.Model, forbids bool, v *Vocabulary, events int,
) (*Found, error) {
	names := map[string]bool{}
	named(left, names)
	named(right, names)
	s := newSpace(v.seen(names), events)
	var allowed, undefined [2]sat.Lit
	unsettled := sat.False
	for i, m := range []*models.Model{left, right} {
		e := &evaluator{space: s, model: m}
		var err error
		if allowed[i], undefined[i], err = e.judge(); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		unsettled = s.Or(unsettled, e.unsettled)
	}
	apart := s.And(allowed[0].Not(), allowed[1], undefined[1].Not())
	if !forbids {
		apart = s.Or(apart, s.And(allowed[1].Not(), allowed[0], undefined[0].Not()),
			s.And(allowed[0], allowed[1], s.Xor(undefined[0], undefined[1])))
	}
	s.Define(apart)
	s.Define(unsettled)
	solver := s.Solver(sat.Options{Backend: "cdcl"})
	switch status, err := solver.Solve(ctx, apart, unsettled.Not()); {
	case err != nil:
		return nil, err
	case status == sat.Sat:
		a := s.Assignment(solver)
		x := s.execution(a)
		f := &Found{Events: events, Text: describe(x)}
		for i, says := range []*Verdict{&f.Left, &f.Right} {
			switch {
			case !a.True(allowed[i]):
				*says = Forbidden
			case a.True(undefined[i]):
				*says = Undefined
			default:
				*says = Allowed
			}
			if m := []*models.Model{left, right}[i]; check(m, x) != *says {
				return nil, fmt.Errorf("BUG: %s gives %s for %s, which was found as %s", m.Name,
					check(m, x), f.Text, *says)
			}
		}
		return f, nil
	}
	if unsettled != sat.False {
		switch status, err := solver.Solve(ctx, unsettled); {
		case err != nil:
			return nil, err
		case status == sat.Sat:
			return nil, fmt.Errorf("recursive definitions do not converge within %d rounds", events)
		}
	}
	return nil, nil
}

// check returns the verdict of the model's checker, which shares no code with this package.
func check(m *models.Model, x *models.Execution) Verdict {
	c := evaluation.NewChecker(m)
	if len(c.Check(x)) > 0 {
		return Forbidden
	}
	for i, raised := range c.Flags(x) {
		if raised && m.Flags[i].Undefined() {
			return Undefined
		}
	}
	return Allowed
}

// execution returns the execution of an assignment.
func (s *space) execution(a *sat.Assignment) *models.Execution {
	n := s.n
	x := &models.Execution{CO: make([][]int, n)}
	// In package models, initial writes come first.
	for l := range n {
		x.Events = append(x.Events,
			models.Event{ID: l, Thread: models.InitThread, Step: -1, Kind: models.Write, Loc: l})
		x.CO[l], x.RF = []int{l}, append(x.RF, -1)
	}
	id := func(i int) int {
		if i >= n {
			return i - n
		}
		return i + n
	}
	thread := -1
	for i := range n {
		if a.True(s.begins[i]) {
			thread++
		}
		e := models.Event{ID: id(i), Thread: thread, Step: i, Kind: models.Fence, Loc: -1, Value: uint64(i + 1)}
		for k, w := range s.words {
			if !a.True(s.is[i][k]) {
				continue
			}
			switch {
			case w.reads():
				e.Kind = models.Read
			case w.writes():
				e.Kind = models.Write
			}
			if e.Tags = w.tags; w.second {
				e.Tags = w.write
			}
		}
		for l := range n {
			if a.True(s.at[i][l]) {
				e.Loc = l
			}
		}
		x.Events, x.RF = append(x.Events, e), append(x.RF, -1)
	}
	related := func(name string) (out []models.Pair) {
		for i, row := range s.base(name).rel {
			for j, l := range row {
				if a.True(l) {
					out = append(out, models.Pair{id(i), id(j)})
				}
			}
		}
		return out
	}
	for _, p := range related("rf") {
		x.RF[p[1]] = p[0]
		x.Events[p[1]].Value = x.Events[p[0]].Value
	}
	for i := n; i < 2*n; i++ { // insert each write after those that precede it
		if x.Events[i].Kind != models.Write {
			continue
		}
		l := x.Events[i].Loc
		at := 1
		for at < len(x.CO[l]) && a.True(s.order[x.CO[l][at]-n][i-n]) {
			at++
		}
		x.CO[l] = append(x.CO[l][:at:at], append([]int{i}, x.CO[l][at:]...)...)
	}
	x.Addr, x.Data, x.Ctrl, x.RMW = related("addr"), related("data"), related("ctrl"), related("rmw")
	return x
}

// It reads the assignment through the same base relations as the models, so that the result is what the solver saw.
// Each write gets a value of its own, which makes rf visible in the values.

// describe returns an execution in one line: its events by thread, with tags, and the relations between them.
func describe(x *models.Execution) string {
	n := len(x.CO)
	name := func(e int) string {
		if e < n {
			return "i" + location(e)
		}
		return string(rune('a' + e - n))
	}
	var b strings.Builder
	for i, e := range x.Events[n:] {
		switch {
		case i == 0:
			fmt.Fprintf(&b, "P%d:", e.Thread)
		case e.Thread != x.Events[n+i-1].Thread:
			fmt.Fprintf(&b, "; P%d:", e.Thread)
		default:
			b.WriteString(",")
		}
		fmt.Fprintf(&b, " %s %s%s", name(e.ID), e.Kind, tagged(e.Tags))
		if e.Loc >= 0 {
			b.WriteString(" " + location(e.Loc))
		}
	}
	list := func(what string, pairs []models.Pair) {
		for i, p := range pairs {
			if i == 0 {
				b.WriteString(" | " + what)
			}
			fmt.Fprintf(&b, " %s->%s", name(p[0]), name(p[1]))
		}
	}
	var rf, co []models.Pair
	for read, w := range x.RF {
		if w >= 0 {
			rf = append(rf, models.Pair{w, read})
		}
	}
	for _, order := range x.CO {
		for i := range order[1:] {
			if i > 0 {
				co = append(co, models.Pair{order[i], order[i+1]})
			}
		}
	}
	list("rf", rf)
	list("co", co)
	list("rmw", x.RMW)
	list("addr", x.Addr)
	list("data", x.Data)
	list("ctrl", x.Ctrl)
	return b.String()
}

// location names a location: x, y, z, w, and then x4, x5 and so on.
func location(l int) string {
	if names := "xyzw"; l < len(names) {
		return names[l : l+1]
	}
	return fmt.Sprintf("x%d", l)
}

// tagged prints tags in brackets, or nothing if there are none.
func tagged(tags ir.Tags) string {
	if len(tags) == 0 {
		return ""
	}
	words := make([]string, len(tags))
	for i, t := range tags {
		words[i] = string(t)
	}
	return "[" + strings.Join(words, " ") + "]"
}

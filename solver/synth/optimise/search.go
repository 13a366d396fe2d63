package optimise

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/orders"
	"litmuscope/solver"
)

// Find answers a question. The error is the user's, the context's, or a runner's.
//
// The search has three phases. relax weakens orders in groups, since usually most of them can be weaker at once, and
// each success saves one question per order. Then orders that no client executes get their original value back: no
// client says anything about them. At last, least asks about each remaining order one step weaker, alone. Only this
// phase justifies the answer that a program needs an order; relax may have missed an order, because weakening two
// orders together can fail where each alone would not.
func Find(ctx context.Context, q Question) (*Answer, error) {
	begin := time.Now()
	a := newAsker(q)
	if err := a.readText(); err != nil {
		var wrong *programError
		if errors.As(err, &wrong) {
			return &Answer{
				Status: solver.Failed, Error: err.Error(), From: "written", Places: []Place{},
				Left: []Left{}, Clients: []*solver.Verification{},
			}, nil
		}
		return nil, err
	}
	out := &Answer{
		Status: solver.OK, From: "written", Remarks: remarksOf(q.Pairs), Places: []Place{}, Left: []Left{},
		Clients: []*solver.Verification{},
	}
	for _, l := range a.text.leftOut() {
		out.Left = append(out.Left, Left{l.At.File, l.At.Line, l.At.Col, l.Operation, l.Why})
	}
	if len(a.text.places()) == 0 {
		return nil, nothing(q, a.text.leftOut())
	}
	err := a.search(ctx, out)
	out.Asked, out.MS = a.asked, float64(time.Since(begin).Microseconds())/1000
	return out, err
}

// The search prints the files "neat" in the end: without the blank lines that keep line numbers stable while orders
// change. It asks about the neat text once more, under all pairs, so that the answer is about exactly the printed text.

// nothing returns the error that there is nothing to relax, with likely reasons.
func nothing(q Question, left []orders.Left) error {
	var all []string
	for _, l := range left {
		all = append(all,
			fmt.Sprintf("%s:%d:%d: %s stays unchanged: %s", l.At.File, l.At.Line, l.At.Col, l.Operation, l.Why))
	}
	text := "nothing to relax: no atomic access or fence in " + strings.Join(q.Only, ", ") +
		" is part of a client: name headers and functions with --only"
	return errors.New(strings.Join(append([]string{text}, all...), "\n"))
}

// search runs the phases and fills in the answer.
func (a *asker) search(ctx context.Context, out *Answer) error {
	now := a.text.Orders()
	if a.Strongest {
		out.From = "seq_cst"
		for i, p := range a.text.places() {
			now[i] = p.Can[len(p.Can)-1]
		}
	}
	switch j, err := a.check(ctx, now, false); {
	case err != nil:
		return err
	case j.verdict == unsafe:
		out.Unsafe = j.answer
		return nil
	case j.answer != nil && j.answer.Status == solver.Failed:
		out.Status, out.Error = solver.Failed, j.answer.Error
		return nil
	case j.verdict == open:
		out.Status = solver.Unknown
		out.Reason = fmt.Sprintf("%s under %s with the written orders: %s", j.answer.Path, j.answer.Model, j.reason)
		return nil
	}
	if err := a.relax(ctx, now); err != nil {
		return err
	}
	unreached := make([]string, len(now))
	for i, p := range a.text.places() {
		if now[i] != p.Can[0] || now[i] == p.Was && !a.Strongest {
			continue
		}
		yes, reason, err := a.reached(ctx, i, now)
		if err != nil {
			return err
		}
		if !yes {
			now[i], unreached[i] = p.Was, "no client reaches it"
			if reason != "" {
				unreached[i] = "it is undecided whether a client reaches it: " + reason
			}
		}
	}
	weaker, err := a.least(ctx, now, unreached)
	if err != nil {
		return err
	}
	for i, p := range a.text.places() {
		out.Places = append(out.Places, a.report(p, now[i], weaker[i], unreached[i]))
	}
	whole, err := a.check(ctx, now, true)
	if err != nil {
		return err
	}
	if whole.verdict != safe {
		out.Status = solver.Unknown
		out.Reason = fmt.Sprintf("%s under %s with all new orders: %s", whole.answer.Path, whole.answer.Model,
			whole.reason)
		if whole.verdict == unsafe {
			return errors.New("BUG: a program that was safe with blank lines fails without them")
		}
		return nil
	}
	for pair := range a.Pairs {
		out.Clients = append(out.Clients, a.known[a.key(pair, now, true)].answer)
	}
	out.Files = a.shown(a.text.With(now, true))
	for _, name := range slices.Sorted(maps.Keys(out.Files)) {
		out.Diff += a.difference(name, out.Files[name])
	}
	return nil
}

// report returns the result for one place.
func (a *asker) report(p orders.Place, is c.Order, weaker []Weaker, unreached string) Place {
	out := Place{
		File: p.File, Line: p.Line, Column: p.Column, Function: p.Function, Operation: p.Operation, Failure: p.Failure,
		Was: orders.Word(p.Was, p.Fence), Is: orders.Word(is, p.Fence), Weaker: weaker, was: p.Was, is: is,
	}
	switch {
	case unreached != "":
		out.Why = Unreached
		if unreached != "no client reaches it" {
			out.Why, out.Weaker = Undecided, []Weaker{{Order: orders.Word(p.Can[0], p.Fence), Reason: unreached}}
		}
	case len(weaker) == 0:
		out.Why = Free
	case slices.ContainsFunc(weaker, func(w Weaker) bool { return w.Fails == nil }):
		out.Why = Undecided
	default:
		out.Why = Needed
	}
	return out
}

// relax tries the weakest order of each place for a whole group. If that fails, it tries both halves of the group; a
// single place that fails tries its next order in the next round.
func (a *asker) relax(ctx context.Context, now []c.Order) error {
	ahead := make([][]c.Order, len(now)) // by place: orders to try, the weakest first
	for i, p := range a.text.places() {
		for _, o := range p.Can {
			if orders.Weaker(o, now[i]) {
				ahead[i] = append(ahead[i], o)
			}
		}
	}
	var try func(group []int) error
	try = func(group []int) error {
		if len(group) == 0 {
			return nil
		}
		next := slices.Clone(now)
		for _, i := range group {
			next[i] = ahead[i][0]
		}
		verdict := unsafe
		if !a.hopeless(next) {
			j, err := a.check(ctx, next, false)
			if err != nil {
				return err
			}
			verdict = j.verdict
		}
		switch {
		case verdict == safe:
			copy(now, next)
			for _, i := range group {
				ahead[i] = nil
			}
		case len(group) == 1:
			ahead[group[0]] = ahead[group[0]][1:]
		default:
			if err := try(group[:len(group)/2]); err != nil {
				return err
			}
			return try(group[len(group)/2:])
		}
		return nil
	}
	for {
		var group []int
		for i := range ahead {
			if len(ahead[i]) > 0 {
				group = append(group, i)
			}
		}
		if len(group) == 0 {
			return nil
		}
		if err := try(group); err != nil {
			return err
		}
	}
}

// Memory orders are a partial order: acquire and release are incomparable, between relaxed and acq_rel. One step weaker
// therefore may mean two orders, both of which have to fail before an order counts as needed.

// below returns the orders of a place that are one step weaker than another, the weakest first.
func below(p orders.Place, o c.Order) (out []c.Order) {
	for _, w := range p.Can {
		if orders.Weaker(w, o) &&
			!slices.ContainsFunc(p.Can, func(m c.Order) bool { return orders.Weaker(w, m) && orders.Weaker(m, o) }) {
			out = append(out, w)
		}
	}
	return out
}

// If one order turns out to be weaker after all, earlier results of least may be wrong: they were about a program
// with the stronger order. So it starts again; cached answers make the repetition cheap.

// least asks about each order that some client executes, one step weaker. If one is safe after all, it takes that one
// and asks all questions again. It returns the results of the weaker orders by place.
func (a *asker) least(ctx context.Context, now []c.Order, unreached []string) ([][]Weaker, error) {
again:
	out := make([][]Weaker, len(now))
	for i, p := range a.text.places() {
		if unreached[i] != "" {
			continue
		}
		for _, o := range below(p, now[i]) {
			next := slices.Clone(now)
			next[i] = o
			j, err := a.check(ctx, next, false)
			if err != nil {
				return nil, err
			}
			w := Weaker{Order: orders.Word(o, p.Fence)}
			switch j.verdict {
			case safe:
				copy(now, next)
				goto again
			case unsafe:
				w.Fails = j.answer
			case open:
				w.Reason = fmt.Sprintf("%s under %s: %s", j.answer.Path, j.answer.Model, j.reason)
			}
			out[i] = append(out[i], w)
		}
	}
	return out, nil
}

// difference returns the unified diff of a file against its original.
func (a *asker) difference(name, is string) string {
	was := ""
	for _, t := range a.Pairs {
		if text, ok := t.Include[name]; ok {
			was = text
		}
		for _, f := range t.Files {
			if f.Name == name {
				was = f.Text
			}
		}
	}
	return difference(name, was, is)
}

// difference returns the unified diff of two texts of a file.
func difference(name, was, is string) string {
	text := string(diff.Diff(name, []byte(was), name, []byte(is)))
	_, text, _ = strings.Cut(text, "\n") // the first line has the command
	return text
}

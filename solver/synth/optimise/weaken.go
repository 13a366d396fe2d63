package optimise

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/orders"
	"litmuscope/litmus/change"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth"
)

// A program that is safe under all its models may have orders and fences that it does not need. The search of [Find]
// makes one place after another weaker and asks the engine after each step, so it ends in a local minimum: each order
// that remains is needed where all others are as they are now, and a different sequence of steps may end in another
// minimum. The reply lists what remains with the failure that appears without it, because a reader asks first why a
// barrier has to stay.
//
// Prices only add up what the changes save. They do not guide the search, unlike those of [Repair], which has to choose
// between places where the program becomes safe.

// Weakened is [Find] for a child process, with the result as a reply: one set of changes that makes orders weaker, and
// the orders that remain with what fails without them. It searches the files that [Repair] searches by default, and
// calls tell with the number of questions after each. A program that cannot be read, that is not safe, or a limit gives
// a reply that says so.
func Weakened(q Asking, tell func(*synth.Reply)) (*synth.Reply, error) {
	if read, err := engines.ReadProgram(q.Pairs[0]); err != nil {
		return nil, err
	} else if len(read.Bad) > 0 {
		r := failed(q, read.Bad)
		r.BadTest = read.Bad
		return r, nil
	}
	prices, err := synth.ReadCosts("costs", q.Costs)
	if err != nil {
		return failed(q, err), nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), q.Timeout)
	defer cancel()
	ask := Question{Pairs: q.Pairs, Runner: engines.Local{}, Workers: 1}
	ask.Each, ask.Only = true, searched(q.Pairs)
	r := newReply(q.Pairs)
	a := newAsker(ask)
	a.Asked = func(n int) {
		soFar := *r
		soFar.Asked = n
		tell(&soFar)
	}
	if err := a.readText(); err != nil {
		return failed(q, err), nil
	}
	began, out := time.Now(), &Answer{Status: solver.OK}
	if len(a.text.places()) > 0 {
		switch err := a.search(ctx, out); {
		case err != nil && ctx.Err() != nil:
			out.Status, out.Reason = solver.Unknown, fmt.Sprintf("time limit of %v reached", q.Timeout)
		case err != nil:
			return failed(q, err), nil
		}
	}
	a.weakening(r, out, prices["C"])
	r.MS = float64(time.Since(began).Microseconds()) / 1000
	return r, nil
}

// weakening completes the reply with the changes, what they save, and the orders that remain. An order remains for one
// of two reasons: the search has found a failure without it, or the place is one that it cannot change.
func (a *asker) weakening(r *synth.Reply, out *Answer, prices map[string]int) {
	r.Asked, r.Status, r.Reason, r.Error = a.asked, out.Status, out.Reason, out.Error
	r.Verdict = solver.Safe
	if out.Unsafe != nil {
		r.Verdict, r.Impossible = solver.Unsafe, true
		r.Reason = "the program fails under " + models.Label(out.Unsafe.Model) + ", so there is nothing to preserve"
	}
	if r.Impossible || r.Status != solver.OK {
		return
	}
	r.Minimal = !out.Open()
	if !r.Minimal {
		r.Reason = "it is undecided whether some order can be weaker"
	}
	rep := synth.Repair{Changes: []synth.Change{}, Diff: out.Diff}
	for _, name := range slices.Sorted(maps.Keys(out.Files)) {
		rep.Files = append(rep.Files, solver.SourceFile{Name: name, Text: out.Files[name]})
		rep.Source = out.Files[name]
	}
	for i, p := range out.Places {
		place := a.text.places()[i]
		before, _ := priceOf(prices, place, p.was)
		after, _ := priceOf(prices, place, p.is)
		rep.Cost += after
		rep.Saved += before - after
		if p.was != p.is {
			rep.Changes = append(rep.Changes, weaker(p, place, after-before))
		}
		if p.is != c.Relaxed && (p.Why != Free || after > 0) {
			rep.Kept = append(rep.Kept, synth.Kept{
				File: p.File, Function: p.Function, Line: p.Line, Text: p.Is + " in " + p.called(), Cost: after,
				Why: out.why(p),
			})
		}
	}
	for _, l := range a.text.leftOut() {
		rep.Kept = append(rep.Kept, synth.Kept{
			File: l.At.File, Line: l.At.Line, Text: l.Operation, Why: "stays unchanged: " + l.Why,
		})
	}
	r.Repairs = []synth.Repair{rep}
}

// weaker describes a weaker order at a place.
func weaker(p Place, place orders.Place, cost int) synth.Change {
	ch := synth.Change{
		File: p.File, Function: p.Function, Line: p.Line, Kind: change.Order, Cost: cost, Text: p.Is,
		Place: p.Was + " in " + p.called(),
	}
	if place.Fence && p.is == c.Relaxed {
		ch.Kind, ch.Text, ch.Place = change.Fence, "", p.called()+" ("+p.Was+")"
	}
	return ch
}

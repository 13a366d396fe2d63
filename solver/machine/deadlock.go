package machine

import (
	"context"
	"fmt"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models/display"
)

// Wait is a thread that cannot end.
type Wait struct {
	Pos litmus.Pos // the instruction that it is at
	Msg string     // "P1 waits for lock l, which P0 has taken"
}

// Deadlock looks, under SC, for a run in which all threads of a program end, whatever its filter says about the end. If
// there is none, it says which threads wait for what in a state in which no thread can continue, or, if the threads
// repeat loops for ever, which threads do. It gives neither within a number of states that are too few.
//
// A program without executions under SC has none under weaker models, unless these let threads run ahead in a way that
// SC does not: callers ask about programs of which their model allows no execution.
func Deadlock(ctx context.Context, p *ir.Program, states int) (waits []Wait, ends bool, err error) {
	s := newSearch(p, SC, states)
	cur, next := newState(p), newState(p)
	acts := make([]ir.Action, len(p.Threads))
	if err := cur.begin(); err != nil {
		return nil, false, err
	}
	writers := [][]int{make([]int, len(p.Locs))} // by state and location: the thread that has written it last, from 1
	s.table.add(cur.encode(nil), -1)
	var key []byte
	var steps []step
	stuck, most := -1, -1 // a state in which no thread continues, and one in which most threads have ended
	ended := 0
	for n := 0; n < s.table.len(); n++ {
		if s.limited(ctx, n) {
			return nil, false, ctx.Err()
		}
		cur.decode(s.table.key(n))
		if err := cur.actions(acts); err != nil {
			return nil, false, err
		}
		steps = cur.steps(SC, acts, steps[:0])
		over := 0
		for _, a := range acts {
			if a.Kind == ir.ActEnd {
				over++
			}
		}
		if over == len(acts) {
			return nil, true, nil
		}
		if len(steps) == 0 && stuck < 0 {
			stuck = n
		}
		if over >= ended {
			ended, most = over, n
		}
		for _, st := range steps {
			next.set(cur)
			a := acts[st.thread]
			if err := next.take(SC, st, a); err != nil {
				return nil, false, err
			}
			key = next.encode(key[:0])
			before := s.table.len()
			s.table.add(key, n)
			if s.table.len() > before {
				by := writers[n]
				if a.Loc >= 0 && (a.Kind == ir.ActStore || a.Kind == ir.ActRMW) {
					by = append([]int(nil), by...)
					by[a.Loc] = st.thread + 1
				}
				writers = append(writers, by)
			}
		}
	}
	at := stuck
	if at < 0 {
		at = most
	}
	cur.decode(s.table.key(at))
	if err := cur.actions(acts); err != nil {
		return nil, false, err
	}
	for t, a := range acts {
		if a.Kind != ir.ActEnd {
			waits = append(waits, waiting(p, t, a, stuck < 0, writers[at]))
		}
	}
	return waits, false, nil
}

// waiting says what a thread waits for at an action.
func waiting(p *ir.Program, t int, a ir.Action, round bool, writers []int) Wait {
	th := &p.Threads[t]
	w := Wait{Pos: litmus.Pos{File: p.File, Line: 1, Col: 1}, Msg: fmt.Sprintf("P%d cannot go on", th.ID)}
	if a.Step >= 0 && a.Step < len(th.Code) {
		w.Pos = th.Source[th.Code[a.Step].Source].Pos
	}
	if a.Loc < 0 {
		return w
	}
	name := p.Locs[a.Loc].Name
	switch {
	case display.SyncStep(p, a.Tags) == "lock":
		w.Msg = fmt.Sprintf("P%d waits for lock %s", th.ID, name)
		if by := writers[a.Loc]; by > 0 {
			holder := fmt.Sprintf("P%d", p.Threads[by-1].ID)
			if by-1 == t {
				holder = "it"
			}
			w.Msg += fmt.Sprintf(", which %s holds and does not release", holder)
		}
	case round:
		w.Msg = fmt.Sprintf("P%d loops forever, waiting for another value of %s", th.ID, name)
	default:
		w.Msg = fmt.Sprintf("P%d waits for another value of %s", th.ID, name)
	}
	return w
}

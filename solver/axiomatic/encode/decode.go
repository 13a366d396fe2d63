package encode

import (
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/replay"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// An assignment of the solver means an execution only through the literals that the encoding reads here: guards,
// choices of writes, results of store-conditionals, and the order of writes. Everything else follows by running the
// program, so that the run, which does not use the formula, checks the symbolic execution. The blocking clause
// mentions only those literals too: the execution's own choices, negated.

// Decode reads the execution from an assignment. It replays the threads with the values of their reads, without the
// formula, and compares the result with the assignment event by event; a difference is a bug. block is a clause that
// all other executions satisfy and this one does not.
func (e *Encoding) Decode(m *sat.Assignment) (x *models.Execution, block []sat.Lit, err error) {
	executed := make([]int, 0, len(e.Events)) // symbolic events in the order of the execution
	id := make([]int, len(e.Events))
	reads := make([][]uint64, len(e.Program.Threads))
	conds := e.conds // in program order, thread by thread, like events
	answer := func(before symbolic.Site) {
		for ; len(conds) > 0 &&
			(conds[0].Thread < before.Thread || conds[0].Thread == before.Thread &&
				conds[0].Step < before.Step); conds = conds[1:] {
			if c := conds[0]; m.True(c.guard) {
				succeeds := uint64(0)
				block = append(block, c.success)
				if m.True(c.success) {
					succeeds = 1
					block[len(block)-1] = c.success.Not()
				}
				reads[c.Thread] = append(reads[c.Thread], succeeds)
			}
		}
	}
	for i := range e.Events {
		ev := &e.Events[i]
		if !m.True(ev.Guard) {
			continue
		}
		id[i] = len(executed)
		executed = append(executed, i)
		if ev.Kind == models.Read {
			answer(symbolic.Site{Thread: ev.Thread, Step: ev.Step})
			which, in := ir.Piece{Lo: ev.Lo}.Half()
			if ev.Piece == 0 || which > 0 && in.Lo == 0 {
				reads[ev.Thread] = append(reads[ev.Thread], 0)
			}
			reads[ev.Thread][len(reads[ev.Thread])-1] |= m.Number(ev.value) << in.Lo
		}
	}
	answer(symbolic.Site{Thread: len(reads)})
	if x, err = e.replay(m, reads); err != nil {
		return nil, nil, fmt.Errorf("BUG: the witness does not replay: %w", err)
	}
	if len(x.Events) != len(executed) {
		return nil, nil, fmt.Errorf("BUG: the formula has %d events where the replay has %d", len(executed),
			len(x.Events))
	}
	for k, i := range executed {
		if err := e.sameEvent(m, i, &x.Events[k]); err != nil {
			return nil, nil, err
		}
	}
	for _, rf := range e.reads {
		r := &e.Events[rf.read]
		if !m.True(r.Guard) {
			continue
		}
		for k, w := range rf.writes {
			if m.True(rf.choice[k]) {
				x.RF[id[rf.read]] = id[w]
				block = append(block, r.Guard.Not(), rf.choice[k].Not())
			}
		}
	}
	for _, i := range executed {
		if e.Events[i].Kind == models.Write {
			loc := x.Events[id[i]].Loc
			x.CO[loc] = append(x.CO[loc], i)
		}
	}
	for loc, writes := range x.CO {
		slices.SortFunc(writes, func(a, b int) int {
			if a != b && m.True(e.co[a][b]) {
				return -1
			}
			return 1
		})
		for i, w := range writes {
			if i > 0 {
				block = append(block, e.co[writes[i-1]][w].Not())
			}
		}
		for i, w := range writes {
			x.CO[loc][i] = id[w]
		}
	}
	e.decodeOrders(m, x, id)
	return x, block, nil
}

// replay runs the threads to their ends, or to where the prefix stops them.
func (e *Encoding) replay(m *sat.Assignment, reads [][]uint64) (*models.Execution, error) {
	if e.Prefix == nil {
		if e.replayer == nil {
			e.replayer = replay.NewReplayer(e.Program)
		}
		return e.replayer.Replay(reads)
	}
	run := replay.Run{
		Reads: reads, Until: slices.Repeat([]int{-1}, len(reads)),
		Init: make([]uint64, len(e.Program.Locs)),
	}
	for _, s := range e.Prefix.enters {
		if m.True(s.guard) && !m.True(s.on) {
			run.Until[s.Thread] = s.Step
		}
	}
	for i := range run.Init {
		run.Init[i] = m.Number(e.Events[i].value)
	}
	return run.Replay(e.Program)
}

// sameEvent compares a symbolic event under an assignment with one of the replay.
func (e *Encoding) sameEvent(m *sat.Assignment, i int, have *models.Event) error {
	ev := &e.Events[i]
	same := ev.Thread == have.Thread && ev.Step == have.Step && ev.Kind == have.Kind && ev.Piece == have.Piece
	if same && (ev.Kind != models.Fence || len(ev.Locs) > 0) {
		k := slices.Index(ev.Locs, have.Loc)
		same = k >= 0 && m.True(ev.at[k]) && (ev.Kind == models.Fence || m.Number(ev.value) == have.Value)
	}
	if !same {
		return fmt.Errorf("BUG: event %d differs between formula and replay", i)
	}
	return nil
}

// Distinct returns literals that distinguish executions: the events, what reads read from, and, unless byReads is true,
// the order of writes.
func (e *Encoding) Distinct(byReads bool) []sat.Lit {
	var out []sat.Lit
	add := func(l sat.Lit) {
		if l != sat.True && l != sat.False {
			e.Define(l)
			out = append(out, l)
		}
	}
	for _, rf := range e.reads {
		guard := e.Events[rf.read].Guard
		add(guard)
		for k := range rf.writes {
			add(e.And(guard, rf.choice[k]))
		}
	}
	for i := range e.Events {
		if ev := &e.Events[i]; ev.Kind == models.Write {
			add(ev.Guard)
		}
	}
	if byReads {
		return out
	}
	for a := range e.Events {
		for b, l := range e.co[a] {
			if l == 0 || e.Events[a].Thread == models.InitThread || e.Events[b].Thread == models.InitThread {
				continue
			}
			same := e.sameLocation(a, b)
			if same == sat.True && a > b { // the other pair says the same
				continue
			}
			add(e.And(e.both(a, b), same, l))
		}
	}
	return out
}

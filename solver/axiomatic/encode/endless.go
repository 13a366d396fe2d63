package encode

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
)

// An infinite execution as a lasso (ir.UnrollEndless): a prefix, in which some threads end, wait or are left, then a
// round of each thread that loops, and that round again. The infinite execution goes on with the last round, over and
// over: a read of its copy number n reads from copy n or n-1 exactly as the reads of the last round do from the last
// round or from the one before.
//
// The infinite execution satisfies the model if no edge leads back from a copy to something before it. Then each cycle
// is within one copy, and all copies are like the last round, for which the formula asserts the axioms. So the last
// round
//
//   - reads from itself, from the round before, or from writes before both, and what it reads there is the last write
//     in coherence order that is not of the last round: it never reads what is overwritten (memory fairness: Lahav and
//     others, OOPSLA 2021);
//   - if it writes the location itself, it reads from the round before, the write whose copy is the last of the round;
//   - is read by nothing before it, and its writes come last in coherence order.
//
// And the two rounds are alike in events, values, reads-from and coherence order. The caller checks a third copy with
// the checker of concrete executions.

// endless is the encoding of such executions.
type endless struct {
	*Relations
	x     *ir.Endless
	all   []sat.Lit
	ended []sat.Lit // by thread
	by    [][]Cut   // by thread: where it may stop for ever
	loop  []sat.Lit // by event: it is in the last round
	// by event of a round before: its copies in the last round, each under the condition that the thread repeats these
	copies [][]copied
}

// copied is an event of the last round and the condition under which it is the copy of another.
type copied struct {
	event int
	on    sat.Lit
}

// NeverEnds returns a literal that is true if the execution is an infinite one, or a finite one that cannot continue
// and in which not all threads have ended, under an assumption about the scheduler.
func (r *Relations) NeverEnds(x *ir.Endless, progress solver.Progress) sat.Lit {
	n := len(r.Events)
	e := &endless{
		Relations: r, x: x, ended: r.Prefix.ends, by: make([][]Cut, len(x.Threads)), loop: make([]sat.Lit, n),
		copies: make([][]copied, n),
	}
	for i := range e.loop {
		e.loop[i] = sat.False
	}
	for _, c := range r.Prefix.Cuts {
		if c.Ending != ir.AtBound {
			e.by[c.Thread] = append(e.by[c.Thread], c)
		}
	}
	e.schedule(progress)
	for t := range e.by {
		for _, c := range e.by[t] {
			switch c.Ending {
			case ir.Repeats:
				e.rounds(c)
			case ir.AtBarrier:
				e.closed(c)
			}
		}
	}
	e.sources()
	e.follows(r.base("co"))
	for _, o := range r.orders {
		e.follows(o.before)
	}
	return r.And(e.all...)
}

// never asserts that not all of some literals are true.
func (e *endless) never(lits ...sat.Lit) { e.all = append(e.all, e.And(lits...).Not()) }

// stopped returns a literal that is true if a thread has stopped in one of some ways.
func (e *endless) stopped(t int, in ...ir.Ending) sat.Lit {
	var out []sat.Lit
	for _, c := range e.by[t] {
		if slices.Contains(in, c.Ending) {
			out = append(out, c.Reached)
		}
	}
	return e.Or(out...)
}

// schedule asserts that each thread ends or stops, one of them stops, and the scheduler leaves no thread that it has to
// run: if no thread goes on for ever, the scheduler leaves none.
func (e *endless) schedule(progress solver.Progress) {
	n := len(e.x.Threads)
	stepped := make([]sat.Lit, n)
	for t := range stepped {
		stepped[t] = sat.False
	}
	for i := range e.Events {
		if ev := &e.Events[i]; ev.Thread != models.InitThread {
			stepped[ev.Thread] = e.Or(stepped[ev.Thread], ev.Guard)
		}
	}
	var loops, stops []sat.Lit
	for t := range n {
		all := e.stopped(t, ir.Repeats, ir.AtBarrier, ir.Abandoned)
		e.all = append(e.all, e.Or(e.ended[t], all))
		stops = append(stops, all)
		loops = append(loops, e.stopped(t, ir.Repeats))
	}
	e.all = append(e.all, e.Or(stops...))
	for t := range n {
		left := e.stopped(t, ir.Abandoned)
		e.never(left, e.Or(loops...).Not())
		lowest, occupied := []sat.Lit{}, []sat.Lit{}
		for u := range n {
			if e.x.Threads[u].ID < e.x.Threads[t].ID {
				lowest = append(lowest, e.ended[u])
			} else {
				occupied = append(occupied, stepped[u])
			}
		}
		runs := sat.False
		switch progress {
		case solver.Fair:
			runs = sat.True
		case solver.HSA:
			runs = e.And(lowest...)
		case solver.OBE:
			runs = stepped[t]
		case solver.LOBE:
			runs = e.Or(occupied...)
		case solver.HSAOBE:
			runs = e.Or(e.And(lowest...), stepped[t])
		}
		e.never(left, runs)
	}
}

// closed asserts that a control barrier does not open for a thread that waits there: not all threads that call it
// have arrived, or too few for its quorum.
func (e *endless) closed(c Cut) {
	b := e.Program.BarrierOf(c.Thread, c.Since)
	own := call{e.first[c.Thread][c.Since], nil, b}
	own.Event = &e.Events[own.event]
	calls := e.calls()
	if b.Quorum > 0 {
		count := make([]sat.Lit, b.Quorum+1)
		count[0] = sat.True
		for k := 1; k < len(count); k++ {
			count[k] = sat.False
		}
		for _, a := range calls {
			if e.Program.MayMeet(c.Thread, b, a.Thread, a.Barrier) {
				is := e.And(a.Guard, e.sameNumber(a, own))
				for k := len(count) - 1; k > 0; k-- {
					count[k] = e.Or(count[k], e.And(count[k-1], is))
				}
			}
		}
		e.never(c.Reached, count[b.Quorum])
		return
	}
	arrived := []sat.Lit{c.Reached}
	for t := range e.Program.Threads {
		called, here := false, []sat.Lit{}
		for step := range e.Program.Threads[t].Code {
			other := e.Program.BarrierOf(t, step)
			if other == nil || !e.Program.MayMeet(c.Thread, b, t, other) {
				continue
			}
			called = true
			if i := e.first[t][step]; i >= 0 {
				here = append(here, e.Events[i].Guard)
			}
		}
		if called && t != c.Thread {
			arrived = append(arrived, e.Or(here...))
		}
	}
	e.never(arrived...)
}

// rounds asserts that both rounds before a place consist of the same events, and notes which is the copy of which.
func (e *endless) rounds(c Cut) {
	at := map[ir.Copy]int{}
	copies := e.x.Copies[c.Thread]
	for step := c.Before; step < c.Since; step++ {
		if copies[step].PC >= 0 {
			at[copies[step]] = step
		}
	}
	period := layerAt(copies, c.Since) - layerAt(copies, c.Before)
	matched := map[int]bool{}
	for step := c.Since; step < c.Step; step++ {
		of := copies[step]
		if of.PC < 0 {
			continue
		}
		of.Layer -= period
		earlier, found := at[of]
		var before []int
		if found {
			matched[earlier] = true
			before = e.eventsAt(c.Thread, earlier)
		}
		for k, j := range e.eventsAt(c.Thread, step) {
			e.loop[j] = e.Or(e.loop[j], e.And(c.Reached, e.Events[j].Guard))
			if k >= len(before) {
				e.never(c.Reached, e.Events[j].Guard)
				continue
			}
			e.alike(c, before[k], j)
		}
		for _, i := range before[min(len(before), len(e.eventsAt(c.Thread, step))):] {
			e.never(c.Reached, e.Events[i].Guard)
		}
	}
	for step := c.Before; step < c.Since; step++ {
		if copies[step].PC >= 0 && !matched[step] {
			for _, i := range e.eventsAt(c.Thread, step) {
				e.never(c.Reached, e.Events[i].Guard)
			}
		}
	}
}

// layerAt returns the layer of the first step from a place on that copies one: the head of a loop.
func layerAt(copies []ir.Copy, step int) int {
	for copies[step].PC < 0 {
		step++
	}
	return copies[step].Layer
}

// eventsAt lists the events of a step.
func (e *endless) eventsAt(thread, step int) (out []int) {
	i := e.first[thread][step]
	for ; i >= 0 && i < len(e.Events) && e.Events[i].Thread == thread && e.Events[i].Step == step; i++ {
		out = append(out, i)
	}
	return out
}

// alike asserts that an event and its copy agree, if a thread repeats.
func (e *endless) alike(c Cut, i, j int) {
	a, b := &e.Events[i], &e.Events[j]
	e.never(c.Reached, a.Guard, b.Guard.Not())
	e.never(c.Reached, a.Guard.Not(), b.Guard)
	if len(a.Locs) > 0 || len(b.Locs) > 0 {
		e.never(c.Reached, a.Guard, e.sameLocation(i, j).Not())
	}
	if a.Kind != models.Fence {
		e.never(c.Reached, a.Guard, e.EqualVec(a.value, b.value).Not())
	}
	e.copies[i] = append(e.copies[i], copied{j, c.Reached})
}

// sources asserts what reads may read from.
func (e *endless) sources() {
	choice := func(read, write int) sat.Lit {
		rf := &e.reads[e.readIndex(read)]
		if k := slices.Index(rf.writes, write); k >= 0 {
			return rf.choice[k]
		}
		return sat.False
	}
	for _, rf := range e.reads {
		for k, w := range rf.writes { // nothing reads from what comes later
			e.never(e.Events[rf.read].Guard, rf.choice[k], e.loop[w], e.loop[rf.read].Not())
		}
	}
	for i := range e.Events {
		if e.Events[i].Kind != models.Read {
			continue
		}
		for _, c := range e.copies[i] {
			e.copySources(i, c, choice)
		}
	}
}

// copySources asserts what a read of the last round reads from, given the same read of the round before.
func (e *endless) copySources(i int, c copied, choice func(read, write int) sat.Lit) {
	here := e.And(c.on, e.Events[c.event].Guard)
	for k, w := range e.reads[e.readIndex(c.event)].writes {
		reads := e.And(here, e.reads[e.readIndex(c.event)].choice[k])
		// It reads from its own round as the round before does.
		var inside []sat.Lit
		for v := range e.copies {
			for _, d := range e.copies[v] {
				if d.event == w && choice(i, v) != sat.False {
					inside = append(inside, e.And(d.on, choice(i, v)))
				}
			}
		}
		e.never(reads, e.loop[w], e.Or(inside...).Not())
		e.never(reads, e.loop[w].Not(), e.fresh(w).Not())
	}
	for k, v := range e.reads[e.readIndex(i)].writes {
		for _, d := range e.copies[v] {
			e.never(here, e.reads[e.readIndex(i)].choice[k], d.on, choice(c.event, d.event).Not())
		}
	}
}

// fresh returns a literal that is true if a write, which is not of the last round, may be read in each round: it is the
// last one before the last round, and if that writes the location, it is the copy, one round earlier, of the last of
// these writes.
func (e *endless) fresh(w int) sat.Lit {
	co := e.base("co")
	all := []sat.Lit{}
	var overwritten []sat.Lit
	co.From(w, func(v int, l sat.Lit) {
		all = append(all, e.Or(l.Not(), e.loop[v]))
		overwritten = append(overwritten, e.And(l, e.loop[v]))
	})
	again := []sat.Lit{e.Or(overwritten...).Not()}
	for _, d := range e.copies[w] {
		last := []sat.Lit{d.on, e.Events[d.event].Guard}
		co.From(d.event, func(_ int, l sat.Lit) { last = append(last, l.Not()) })
		again = append(again, e.And(last...))
	}
	return e.And(append(all, e.Or(again...))...)
}

// follows asserts of an order that the last round comes behind all else, and that its events are ordered as those of
// the round before.
func (e *endless) follows(order *relation.Matrix) {
	order.Each(func(i, j int, l sat.Lit) {
		e.never(l, e.loop[i], e.loop[j].Not())
		for _, c := range e.copies[i] {
			for _, d := range e.copies[j] {
				e.never(l, c.on, d.on, order.Get(c.event, d.event).Not())
			}
		}
	})
}

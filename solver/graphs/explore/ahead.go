package explore

import (
	"errors"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver/graphs/graph"
)

// Where a read may take its value from a write that comes behind it in program order, or depends on it by what the
// model does not keep in order, graphs do not grow along program order and reads-from. Events do come in program order,
// but reads come without what they read: threads run ahead until they have to know, to branch or to know where an
// access is to, what their reads give (the dependencies that HMC follows: Kokologiannakis, Vafeiadis, “HMC: Model
// Checking for Hardware Memory Models”, ASPLOS 2020). Only if no thread can continue, the exploration decides a read
// that some thread needs: it takes its value from an existing write, or from one that will come later. Each read that
// waits for a later write takes a new one, or does not. At last, the exploration decides the reads that no thread
// needed.
//
// So there is only one way to each execution. In each graph, the graph alone determines the next decision, its
// alternatives exclude each other, and an execution that contains the graph says which alternative is right. The
// exploration reaches every execution, because a graph that is part of an execution has less of every relation
// (consistency, admit.go): it gives up a graph only if no execution contains it. If the place of an update's write in
// coherence is directly after the write that it overwrites, the write gets its place when its read is decided, and no
// read takes it earlier. If all threads wait for each other, the exploration guesses the value that the first needs,
// and later steps must confirm the guess; under a model by which nothing depends on itself, no execution comes of that.
// (Unlike HMC and TruSt, this visits graphs that come to nothing, as a read waits for a write that does not come; but
// it takes no decision back, so a model need not allow adding one more event.)
type Ahead struct {
	May [][][]bool // by thread, step and location: the thread may still write it
	// Grounded: nothing depends on itself under the model, so that threads that all wait for each other do so forever.
	Grounded bool
	// Prefixes: count executions in which threads have stopped as well, because something may have failed in them.
	Prefixes bool
}

// farRunner is a thread that runs ahead.
type farRunner interface {
	graph.Runner
	// Writes reports whether an update that reads v (or an unknown value) writes; decided says whether that is known.
	Writes(v uint64, known bool) (writes, decided bool)
	// Far returns what the access writes if it reads v, which may be unknown. It returns the places of the reads that
	// the written value waits for.
	Far(v uint64, known, writes bool) (written uint64, waits []int32)
	// Take gives the thread guesses for values that it needs.
	Take([]ir.Guess)
}

func far(th *graph.Thread) farRunner { return th.Run.(farRunner) }

// onward is goOn of threads that run ahead.
func (x *Exploration) onward(g *graph.Graph) (alive bool, err error) {
	t, stuck, alive, err := x.front(g)
	if err != nil || !alive {
		return false, err
	}
	if t >= 0 {
		return x.step(g, t)
	}
	for _, t := range stuck {
		r, ok := wanted(g, t)
		if !ok {
			return false, nil // values that depend on each other in a ring
		}
		if !g.Events[r].Later {
			return false, x.decide(g, r, true)
		}
	}
	waits := false
	for r := range g.Events {
		e := &g.Events[r]
		if e.Unplaced && !g.Events[e.Half].Later {
			return false, x.decide(g, e.Half, true)
		}
		if e.Later {
			if waits = true; !x.served(g, int32(r)) {
				return false, nil
			}
		}
	}
	switch {
	case len(stuck) > 0 && !x.Ahead.Grounded:
		return false, x.guess(g, stuck[0])
	case len(stuck) > 0 || waits:
		return false, nil
	}
	if r := slices.IndexFunc(g.Events,
		func(e graph.Event) bool { return e.Kind == graph.Read && e.RF == graph.None }); r >= 0 {
		return false, x.decide(g, int32(r), false)
	}
	if slices.ContainsFunc(g.Events, func(e graph.Event) bool { return e.Unknown }) || !x.Check.Consistent(g) {
		return false, nil
	}
	return false, x.Leaf(g)
}

// front is the first thread that can continue, -1 for none, and the threads that need the value of a read. A graph that
// contradicts a guess or a decision is not alive.
func (x *Exploration) front(g *graph.Graph) (t int, stuck []int, alive bool, err error) {
	for t := range g.Threads {
		th := &g.Threads[t]
		if err := th.FindNext(); err != nil {
			return -1, nil, false, err
		}
		switch th.Next.Kind {
		case ir.ActEnd, ir.ActUnwound, ir.ActUnspawned:
		case ir.ActRefuted:
			return -1, nil, false, nil
		case ir.ActBlocked, ir.ActFailed:
			if !x.Ahead.Prefixes || th.Next.Kind == ir.ActBlocked && x.idle(g, t) {
				return -1, nil, false, nil
			}
		case ir.ActWants:
			stuck = append(stuck, t)
		case ir.ActJoin:
			other := &g.Threads[th.Next.Other]
			if err := other.FindNext(); err != nil {
				return -1, nil, false, err
			}
			if other.Next.Kind == ir.ActEnd {
				return t, nil, true, nil
			}
		default:
			return t, nil, true, nil
		}
	}
	return -1, stuck, true, nil
}

// idle reports whether a thread is blocked by a read from another write than the last: if one more event can always be
// added, any failure elsewhere also happens in the graph in which it reads from the last write.
func (x *Exploration) idle(g *graph.Graph, t int) bool {
	list := g.Order[t]
	if len(list) == 0 || !x.Check.Formula().Extends || x.Rounds {
		return false
	}
	last := list[len(list)-1]
	if e := &g.Events[last]; e.Half >= 0 && int(g.Events[e.Half].Pos) == len(list)-1-max(len(e.Whole), 1) {
		// the update of a lock, which other blocked threads may follow
		last = e.Half
	}
	f, late := x.Check.Formula(), false
	for _, id := range g.Access(last) {
		e := &g.Events[id]
		if e.Kind != graph.Read || e.RF == graph.None || e.Unset || e.RF >= 0 && f.MayRace(&g.Events[e.RF], e) {
			// which may race where it is
			return false
		}
		for _, w := range g.CO[e.Loc][g.Rank(e.Loc, e.RF)+1:] {
			o := &g.Events[w]
			late = late || g.Threads[o.Thread].Next.Kind != ir.ActBlocked || o.Half < 0 ||
				int(o.First())+max(len(o.Whole), 1) != len(g.Order[o.Thread])
		}
	}
	return late
}

// wanted is the read that must be decided before thread t can continue; there is none where values repeat.
func wanted(g *graph.Graph, t int) (r int32, ok bool) {
	r = unknown(g, int32(t), g.Threads[t].Next.Wants)
	for range g.Events {
		e := &g.Events[r]
		if e.RF == graph.None {
			for _, before := range g.Order[e.Thread][:e.Pos] { // an update that it may read
				if u := &g.Events[before]; u.Unplaced && u.Loc == e.Loc {
					return u.Half, true
				}
			}
			return r, true
		}
		w := &g.Events[e.RF]
		r = unknown(g, w.Thread, w.Waits)
	}
	return 0, false
}

// unknown is the first of some events of a thread, by place, with an unknown value.
func unknown(g *graph.Graph, t int32, places []int32) int32 {
	for _, pos := range places {
		if id := g.Order[t][pos]; g.Events[id].Unknown {
			return id
		}
	}
	panic("BUG: a thread waits for a known value")
}

// step has a thread take its next step. It visits the alternatives to this graph, and reports whether this graph
// continues.
func (x *Exploration) step(g *graph.Graph, t int) (alive bool, err error) {
	th := &g.Threads[t]
	reads := func(g *graph.Graph, writes bool) {
		id := x.pieces(g, t, graph.Read, func(e *graph.Event) { e.RF, e.Unknown = graph.None, true })[0]
		pass(g, t, id, writes)
	}
	switch th.Next.Kind {
	case ir.ActLoad:
		reads(g, false)
	case ir.ActRMW:
		writes, decided := far(th).Writes(0, false)
		if !decided {
			other := x.copy(g)
			reads(other, false)
			if err := x.visit(other); err != nil {
				return false, err
			}
			writes = true
		}
		reads(g, writes)
		if writes {
			all := x.pieces(g, t, graph.Write, func(e *graph.Event) {
				e.Half, e.Value, e.Waits, e.Unknown = th.Half+e.Piece, e.Part(th.Written), th.Wants, len(th.Wants) > 0
			})
			th.Half = -1
			if x.Check.Formula().Coherent && x.Check.Formula().Atomic {
				for _, w := range all {
					g.Events[w].Unplaced = true // until the write that it overwrites is known
				}
				return true, nil
			}
			return false, x.inserted(g, all)
		}
	case ir.ActStore, ir.ActStoreCond:
		conditional, half := th.Next.Kind == ir.ActStoreCond, int32(-1)
		if conditional {
			if th.Next.Reserved >= 0 {
				half = g.Order[t][th.Next.Reserved]
			}
			other := g
			if half >= 0 {
				other = x.copy(g)
			}
			pass(other, t, other.Add(x.event(other, t, graph.Choice, func(*graph.Event) {})), false)
			if half < 0 {
				return true, nil
			}
			if err := x.visit(other); err != nil {
				return false, err
			}
		}
		all := x.pieces(g, t, graph.Write, func(e *graph.Event) {
			if e.Half = half; half >= 0 {
				e.Half += e.Piece
			}
			e.Value, e.Waits, e.Unknown = e.Part(th.Next.Value), th.Next.Wants, len(th.Next.Wants) > 0
		})
		th.Piece = max(len(th.Next.Pieces)-1, 0)
		pass(g, t, all[len(all)-1], false)
		return false, x.inserted(g, all)
	case ir.ActChoose:
		other := x.copy(g)
		pass(other, t, other.Add(x.event(other, t, graph.Choice, func(e *graph.Event) { e.Value = 1 })), false)
		if err := x.visit(other); err != nil {
			return false, err
		}
		pass(g, t, g.Add(x.event(g, t, graph.Choice, func(*graph.Event) {})), false)
	default:
		k := graph.Fence
		switch th.Next.Kind {
		case ir.ActSpawn:
			k = graph.Spawn
		case ir.ActJoin:
			k = graph.Join
		}
		pass(g, t, g.Add(x.event(g, t, k, func(e *graph.Event) { e.Other = th.Next.Other })), false)
	}
	return true, nil
}

// pieces adds the pieces of the thread's next access, of a kind.
func (x *Exploration) pieces(g *graph.Graph, t int, k graph.Kind, more func(*graph.Event)) (ids []int32) {
	th := &g.Threads[t]
	for th.Piece = range max(len(th.Next.Pieces), 1) {
		ids = append(ids, g.Add(x.event(g, t, k, more)))
	}
	th.Piece = 0
	return ids
}

// given is the value of a read, one piece of which is given, or its known part.
func given(g *graph.Graph, id int32) (v uint64, known bool) {
	for _, q := range g.Access(id) {
		if g.Events[q].Unknown {
			return 0, false
		}
	}
	return g.Whole(id), true
}

// pass moves a thread past an event, which is what it has come to; for a read, past all pieces, the first of which is
// given. Its argument says whether an update writes.
func pass(g *graph.Graph, t int, id int32, writes bool) {
	th, e := &g.Threads[t], &g.Events[id]
	if e.Kind != graph.Read {
		th.MovePast(g, id)
		return
	}
	th.Unshare()
	th.Looked = false
	v, known := given(g, id)
	_, th.Second = th.Run.Tags(v)
	th.Written, th.Wants = far(th).Far(v, known, writes)
	if writes {
		th.Half = id
	}
}

// inserted visits the graphs with the pieces of a write at each place in coherence. The caller must not use the graph
// any more.
func (x *Exploration) inserted(g *graph.Graph, pieces []int32, placed ...offer) error {
	if len(pieces) == 0 {
		return x.offered(g, placed...)
	}
	w := pieces[0]
	for i := range len(g.CO[g.Events[w].Loc]) + 1 {
		other := x.copy(g)
		other.Place(w, i)
		if !x.Check.Consistent(other) {
			x.free = append(x.free, other)
			continue
		}
		if err := x.inserted(other, pieces[1:], append(slices.Clip(placed), offer{w, 0})...); err != nil {
			return err
		}
	}
	return nil
}

// offer is a write that reads, from one on, may have waited for.
type offer struct{ write, from int32 }

// offered has reads that wait for a later write take a new one, or not. The caller must not use the graph any more.
func (x *Exploration) offered(g *graph.Graph, offers ...offer) error {
	for ; len(offers) > 0; offers = offers[1:] {
		w := offers[0].write
		for r := offers[0].from; r < int32(len(g.Events)); r++ {
			if e := &g.Events[r]; !e.Later || e.Loc != g.Events[w].Loc {
				continue
			}
			other := x.copy(g)
			other.Events[r].Later = false
			if err := x.given(other, r, w, append([]offer{{w, r + 1}}, offers[1:]...)...); err != nil {
				return err
			}
		}
	}
	return x.visit(g)
}

// given makes a read take its value from a write, and then offers the new writes to others. The caller must not use the
// graph any more.
func (x *Exploration) given(g *graph.Graph, r, w int32, offers ...offer) error {
	alive, err := x.joined(g, r, w)
	if err != nil || !alive {
		x.free = append(x.free, g)
		return err
	}
	e := &g.Events[r]
	if list, at := g.Order[e.Thread], int(e.Pos)+max(len(e.Whole), 1); at < len(list) {
		u := list[at]
		if g.Events[u].Unplaced && g.Events[u].Half == r {
			g.Events[u].Unplaced = false
			g.Place(u, g.Rank(e.Loc, w)+1)
			offers = append(offers, offer{u, 0})
		}
	}
	if !x.Check.Consistent(g) {
		x.free = append(x.free, g)
		return nil
	}
	if err := x.filled(g, r); err != nil {
		return err
	}
	return x.offered(g, offers...)
}

// decide visits the graphs in which a read takes its value from one of the existing writes, and that in which it waits
// for a later one, if it may.
func (x *Exploration) decide(g *graph.Graph, r int32, later bool) error {
	loc := g.Events[r].Loc
	for i := range len(g.CO[loc]) + 1 {
		w := int32(graph.Initial)
		if i > 0 {
			w = g.CO[loc][i-1]
		}
		if err := x.given(x.copy(g), r, w); err != nil {
			return err
		}
	}
	if !later || !x.served(g, r) {
		return nil
	}
	other := x.copy(g)
	other.Events[r].Later = true
	return x.visit(other)
}

// served reports whether another thread may still write what a read reads, or has a write that has no place yet.
func (x *Exploration) served(g *graph.Graph, r int32) bool {
	e := &g.Events[r]
	for i := range g.Events {
		if o := &g.Events[i]; o.Unplaced && o.Loc == e.Loc && o.Thread != e.Thread {
			return true
		}
	}
	for t := range g.Threads {
		switch a := g.Threads[t].Next; a.Kind {
		case ir.ActEnd, ir.ActUnwound, ir.ActBlocked, ir.ActFailed:
		default:
			if int32(t) != e.Thread && x.Ahead.May[t][max(a.At, 0)][e.Loc] {
				return true
			}
		}
	}
	return false
}

// ErrSpawned is the error of a program in which all threads wait for each other because one needs an unknown argument
// for another.
var ErrSpawned = errors.New("threads start with arguments that are not known in advance, which the engine graphs " +
	"does not support under this model: choose another engine")

// guess visits a graph for each possible value of a read that a thread needs.
func (x *Exploration) guess(g *graph.Graph, t int) error {
	if len(g.Threads[t].Next.Guesses) == 0 {
		return ErrSpawned
	}
	for _, v := range g.Threads[t].Next.Guesses {
		other := x.copy(g)
		th := &other.Threads[t]
		th.Unshare()
		th.Guesses = append(slices.Clip(th.Guesses), ir.Guess{Step: int(th.Next.At), Value: v})
		far(th).Take(th.Guesses)
		th.Looked = false
		if err := x.visit(other); err != nil {
			return err
		}
	}
	return nil
}

// joined makes a read take its value from a write, and runs all threads that have waited for it again; the graph is
// alive if no thread has guessed wrong.
func (x *Exploration) joined(g *graph.Graph, r, w int32) (alive bool, err error) {
	g.Events[r].RF = w
	if w == graph.Initial || !g.Events[w].Unknown {
		v, set := g.Value(x.Program, g.Events[r].Loc, w)
		g.Events[r].Value, g.Events[r].Unknown, g.Events[r].Unset = v, false, !set
		var again []int32
		hears := func(r int32) {
			if _, known := given(g, r); known {
				again = append(again, g.Events[r].Thread)
			}
		}
		for hears(r); len(again) > 0; again = again[1:] {
			known, alive, err := x.rerun(g, int(again[0]))
			if err != nil || !alive {
				return false, err
			}
			for _, w := range known {
				for i := range g.Events {
					if e := &g.Events[i]; e.Kind == graph.Read && e.RF == w {
						e.Value, e.Unknown = g.Events[w].Value, false
						hears(int32(i))
					}
				}
			}
		}
	}
	return true, nil
}

// rerun runs a thread again with the values known by now, and returns the writes whose values became known.
func (x *Exploration) rerun(g *graph.Graph, t int) (known []int32, alive bool, err error) {
	th := &g.Threads[t]
	from := th.Rewind(x.Program, t)
	far(th).Take(th.Guesses)
	based := false
	list := g.Order[t]
	for k := from; k < len(list); k++ {
		e := &g.Events[list[k]]
		v, is := given(g, list[k])
		if !based && !is && e.Kind == graph.Read {
			th.SaveBase(k)
			based = true
		}
		if err := th.FindNext(); err != nil {
			return nil, false, err
		}
		switch th.Next.Kind {
		case ir.ActBlocked, ir.ActFailed, ir.ActRefuted:
			return nil, false, nil
		}
		pieces := g.Access(list[k])
		for _, id := range pieces {
			g.Events[id].Deps = th.Run.Deps()
		}
		// become has a write have a value, if that waits for nothing any more.
		become := func(pieces []int32, v uint64, waits []int32) {
			for _, id := range pieces {
				e := &g.Events[id]
				if e.Unknown && len(waits) == 0 {
					e.Value, e.Unknown = e.Part(v), false
					known = append(known, id)
				}
				e.Waits = waits
			}
		}
		writes := false
		switch e.Kind {
		case graph.Read:
			next := k + len(pieces)
			writes = next < len(list) && g.Events[list[next]].Half == list[k] && th.Next.Kind == ir.ActRMW
			if th.Next.Kind == ir.ActRMW {
				if does, decided := far(th).Writes(v, is); decided && does != writes {
					return nil, false, nil
				}
			}
		case graph.Write:
			become(pieces, th.Next.Value, th.Next.Wants)
			th.Piece = len(pieces) - 1
		}
		pass(g, t, list[k], writes)
		if k += len(pieces) - 1; writes {
			pieces := g.Access(list[k+1])
			for _, id := range pieces {
				g.Events[id].Deps = th.Run.Carried()
			}
			become(pieces, th.Written, th.Wants)
			th.Half = -1
			k += len(pieces)
		}
	}
	if !based {
		th.SaveBase(len(list))
	}
	return known, true, nil
}

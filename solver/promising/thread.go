package promising

import (
	"fmt"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/solver/operational"
)

// message is a write in memory.
type message struct {
	thread, loc int
	value       uint64
}

// thread is the state of a thread that executes in a memory.
type thread struct {
	cur   ir.Cursor
	views []view // by number of the read: the view of its value
	coh   []view // by location: what its later accesses come after

	// What later reads and writes come after.
	newReads, newWrites view
	// The earlier reads, those whose values the thread receives, and the earlier writes.
	oldReads, oldReceived, oldWrites view
	// The addresses of the earlier accesses, and the earlier releases that are RCSC.
	addresses, releases view

	forward []forward // by location: the thread's last write
	// The last exclusive read.
	exclusive     int // its message
	exclusiveView view

	open uint64 // the thread's promises that it has not fulfilled, by message

	inputs []uint64 // of replay.Replay
	did    []event  // its events
}

// event is what a thread has done.
type event struct {
	kind    operational.Kind
	loc     int // -1 of a fence
	message int // what it reads or writes; 0 of a fence
}

// The kinds of events, by their short names here.
const (
	reads  = operational.Read
	writes = operational.Write
	fences = operational.Fence
)

// forward is the last write of a thread to a location, for reads of the thread.
type forward struct {
	time    int  // 0 for none
	plain   view // of a read that takes its value
	acquire view // of an acquire that takes its value
	atomic  bool // it belongs to an atomic update
}

// clone returns a copy of th.
func (th *thread) clone() *thread {
	c := *th
	c.cur = ir.Cursor{}
	c.cur.Set(&th.cur)
	c.views, c.coh, c.forward = slices.Clone(th.views), slices.Clone(th.coh), slices.Clone(th.forward)
	c.inputs, c.did = slices.Clone(th.inputs), slices.Clone(th.did)
	return &c
}

// of joins the views of the values that an action depends on.
func (th *thread) of(reads []int) (v view) {
	for _, r := range reads {
		v = v.join(th.views[r])
	}
	return v
}

// run executes a thread by itself in a memory. It may add messages of its own at the end, which a promise could be.
type run struct {
	*search
	index  int // of the thread
	base   []message
	memory []message // base and the messages that the thread has added

	ends       map[string]end // by observed registers; only of executions that add nothing
	certified  bool           // an execution fulfils all promises
	candidates []message      // which the thread could promise next
	added      []candidate    // by added message

	stop func(*thread) error // what follows an action; nil to execute on
}

// candidate is a message that an execution adds, and whether it could be the next one in memory.
type candidate struct {
	message
	possible bool
}

// end is the end of an execution of a thread.
type end struct {
	th   *thread
	cuts bool // at the unrolling bound
}

// execute runs the thread on, in every way, from th.
func (r *run) execute(th *thread) error {
	for {
		if err := r.tick(); err != nil {
			return err
		}
		a, err := th.cur.Next()
		if err != nil {
			return err
		}
		switch a.Kind {
		case ir.ActEnd:
			r.ended(th, false)
			return nil
		case ir.ActUnwound:
			if !th.cur.Thread.Code[a.Step].Op.(ir.Unwound).Spin {
				r.ended(th, true)
			}
			return nil
		case ir.ActBlocked:
			return nil
		case ir.ActPick:
			r.pick(th, a)
		case ir.ActFence:
			r.fence(th, a)
			th.cur.Pass()
		default:
			return r.take(th, a)
		}
	}
}

// pick passes a choice among values that the thread has made before.
func (r *run) pick(th *thread, a ir.Action) {
	v := th.of(a.Deps.Data)
	if r.choices {
		v = view{pick: v.pick, latePick: v.latePick}
	}
	th.views = append(th.views, v)
	th.cur.Pass()
}

// take carries out what an action of th can do in several ways, and goes on with each.
func (r *run) take(th *thread, a ir.Action) error {
	switch a.Kind {
	case ir.ActChoose:
		other := th.clone()
		other.choose(false)
		if err := r.next(other); err != nil {
			return err
		}
		th.choose(true)
		return r.next(th)
	case ir.ActLoad:
		return r.load(th, a)
	case ir.ActRMW:
		return r.update(th, a)
	case ir.ActStore:
		return r.write(th, a, r.pre(th, a, true), func(th *thread, t int) {
			r.wrote(th, a, t, forward{plain: th.of(a.Deps.Addr).join(th.of(a.Deps.Data)).used()})
			th.cur.Pass()
		})
	case ir.ActStoreCond:
		return r.conditional(th, a)
	}
	return r.refuse(th, a)
}

// next continues after an action: it executes on, or does what a walk does with the state.
func (r *run) next(th *thread) error {
	if r.stop != nil {
		return r.stop(th)
	}
	return r.execute(th)
}

// refuse is the error for what the machine does not execute.
func (r *run) refuse(th *thread, a ir.Action) error {
	pos := th.cur.Thread.Source[th.cur.Thread.Code[a.Step].Source].Pos
	return litmus.Errorf(pos, "engine machine: P%d starts threads, waits for them or has an atomic section, which the "+
		"machine of this model does not support: choose another engine", th.cur.Thread.ID)
}

func (th *thread) choose(yes bool) {
	bit := uint64(0)
	if yes {
		bit = 1
	}
	th.inputs = append(th.inputs, bit)
	th.cur.Choose(yes)
}

// ended records the end of an execution.
func (r *run) ended(th *thread, cuts bool) {
	if th.open != 0 {
		return
	}
	r.certified = true
	for _, c := range r.added {
		if c.possible && !slices.Contains(r.candidates, c.message) {
			r.candidates = append(r.candidates, c.message)
		}
	}
	if len(r.added) > 0 {
		return
	}
	key := fmt.Sprint(cuts)
	for _, o := range r.program.Observed {
		if o.Thread == r.index {
			key += fmt.Sprint(" ", th.cur.Regs[o.Index]&ir.Mask(o.Bits))
		}
	}
	if _, known := r.ends[key]; !known {
		r.ends[key] = end{th, cuts}
	}
}

// pre is the view of an access before it takes its message.
func (r *run) pre(th *thread, a ir.Action, writes bool) view {
	v := th.of(a.Deps.Addr).used()
	if writes {
		v = v.join(th.of(a.Deps.Data).used()).join(th.of(a.Deps.Ctrl).used())
		v = v.join(th.newWrites).join(th.addresses).join(th.coh[a.Loc])
	} else {
		v = v.join(th.newReads)
	}
	if a.Tags.Has(ir.TagRelease) || a.Tags.Has(ir.TagFull) {
		v = v.join(th.oldReads).join(th.oldWrites)
	}
	if a.Tags.Has(ir.TagAcquire) && a.Tags.Has(ir.TagRCsc) {
		v = v.join(th.releases)
	}
	return v
}

// readable calls f for each message that a read with the view pre can return, on a copy of th.
func (r *run) readable(th *thread, a ir.Action, pre view, f func(*thread, int) error) error {
	least := max(pre.order, th.coh[a.Loc].order)
	for t := len(r.memory); t >= 0; t-- {
		if t > 0 && r.memory[t-1].loc != a.Loc {
			continue
		}
		if err := f(th.clone(), t); err != nil {
			return err
		}
		if t <= least { // older messages are overwritten
			return nil
		}
	}
	return nil
}

// value returns the value of a message of a location.
func (r *run) value(loc, t int) uint64 {
	if t == 0 {
		return r.program.Locs[loc].Init & ir.Mask(r.program.Locs[loc].Bits)
	}
	return r.memory[t-1].value
}

// read makes th read message t with the view pre, and returns the view of the value.
func (r *run) read(th *thread, a ir.Action, pre view, t int) view {
	from := at(t)
	if w := th.forward[a.Loc]; t > 0 && w.time == t && (!w.atomic || r.forwards) {
		from = w.plain
		if w.atomic && a.Tags.Has(ir.TagAcquire) {
			from = w.acquire
		}
	}
	v := pre.join(from).closed()
	th.views = append(th.views, v)
	th.did = append(th.did, event{reads, a.Loc, t})
	th.addresses = th.addresses.join(th.of(a.Deps.Addr).used())
	r.after(th, a, v)
	return v
}

// after orders later accesses after a read with the view v.
func (r *run) after(th *thread, a ir.Action, v view) {
	o := v.ordered()
	th.coh[a.Loc] = th.coh[a.Loc].join(o)
	th.oldReads = th.oldReads.join(o)
	if !r.unread || !a.Tags.Has(tagNoRet) {
		th.oldReceived = th.oldReceived.join(o)
	}
	if a.Tags.Has(ir.TagAcquire) || a.Tags.Has(ir.TagFull) {
		th.newReads, th.newWrites = th.newReads.join(o), th.newWrites.join(o)
	}
}

// load executes a load in every way.
func (r *run) load(th *thread, a ir.Action) error {
	pre := r.pre(th, a, false)
	return r.readable(th, a, pre, func(th *thread, t int) error {
		v := r.read(th, a, pre, t)
		if th.cur.Thread.Code[a.Step].Op.(ir.Load).Reserve {
			th.exclusive, th.exclusiveView = t, v
		}
		value := r.value(a.Loc, t)
		th.inputs = append(th.inputs, value)
		th.cur.Read(value)
		return r.next(th)
	})
}

// update executes an atomic instruction in every way.
func (r *run) update(th *thread, a ir.Action) error {
	op := th.cur.Thread.Code[a.Step].Op.(ir.RMW)
	pre := r.pre(th, a, false)
	return r.readable(th, a, pre, func(th *thread, t int) error {
		number := len(th.views)
		v := r.read(th, a, pre, t)
		old := r.value(a.Loc, t)
		th.inputs = append(th.inputs, old)
		w := a
		value, writes := th.cur.Read(old)
		if !writes {
			return r.next(th)
		}
		w.Value, w.Tags, w.Deps = value, op.WriteTags, th.cur.WriteDeps(a.Deps)
		outer := slices.DeleteFunc(slices.Clone(w.Deps.Data), func(n int) bool { return n == number })
		addr := th.of(w.Deps.Addr)
		plain, inner := addr.join(th.of(outer)).used(), addr.join(th.of(w.Deps.Data)).used()
		plain.dep, plain.lateDep = inner.dep, inner.lateDep
		plain.pick, plain.latePick = inner.pick, inner.latePick
		if w.Tags.Has(tagCAS) {
			plain.pick, plain.latePick = max(plain.pick, v.pick), max(plain.latePick, v.latePick)
		}
		before := r.pre(th, w, true).join(v.ordered())
		return r.write(th, w, before, func(th *thread, at int) {
			r.wrote(th, w, at, forward{plain: plain, acquire: plain.join(v.ordered()).closed(), atomic: true})
			if r.updates {
				th.views[number] = view{order: at}.closed()
				r.after(th, a, th.views[number])
			}
		}, t)
	})
}

// conditional executes a store-conditional: it fails, or it succeeds in every way.
func (r *run) conditional(th *thread, a ir.Action) error {
	fails := th.clone()
	fails.inputs = append(fails.inputs, 0)
	fails.views = append(fails.views, view{})
	fails.cur.Conditional(false)
	if err := r.next(fails); err != nil || a.Reserved < 0 {
		return err
	}
	plain := th.of(a.Deps.Addr).join(th.of(a.Deps.Data)).used()
	acquire := plain.join(th.exclusiveView.ordered()).closed()
	before := r.pre(th, a, true).join(th.exclusiveView.ordered())
	return r.write(th, a, before, func(th *thread, t int) {
		th.inputs = append(th.inputs, 1)
		th.views = append(th.views, at(t))
		r.wrote(th, a, t, forward{plain: plain, acquire: acquire, atomic: true})
		th.cur.Conditional(true)
	}, th.exclusive)
}

// write lets th write a message behind the view before, in every way: it fulfils a promise, or adds the message. done
// completes the instruction. since, of an atomic update, is the message that the update has read: no other thread's
// message of the location comes between the two.
func (r *run) write(th *thread, a ir.Action, before view, done func(th *thread, t int), since ...int) error {
	m := message{r.index, a.Loc, a.Value & ir.Mask(a.Bits)}
	least := before.write()
	undisturbed := func(t int) bool {
		for i := 0; len(since) > 0 && i < t-1; i++ {
			if o := r.memory[i]; i >= since[0] && o.loc == a.Loc && o.thread != r.index {
				return false
			}
		}
		return true
	}
	for t := least + 1; t <= len(r.base); t++ {
		if th.open&(1<<t) == 0 || r.base[t-1] != m || !undisturbed(t) {
			continue
		}
		next := th.clone()
		next.open &^= 1 << t
		done(next, t)
		if err := r.next(next); err != nil {
			return err
		}
	}
	if len(r.memory) == maxMessages {
		return errLong
	}
	if t := len(r.memory) + 1; undisturbed(t) {
		r.memory = append(r.memory, m)
		r.added = append(r.added, candidate{m, least <= len(r.base)})
		next := th.clone()
		done(next, t)
		err := r.next(next)
		r.memory, r.added = r.memory[:t-1], r.added[:len(r.added)-1]
		return err
	}
	return nil
}

// wrote notes that th has written message t.
func (r *run) wrote(th *thread, a ir.Action, t int, f forward) {
	f.time = t
	f.plain = f.plain.closed()
	if !f.atomic {
		f.acquire = f.plain
	}
	o := view{order: t}
	th.forward[a.Loc] = f
	th.did = append(th.did, event{writes, a.Loc, t})
	th.addresses = th.addresses.join(th.of(a.Deps.Addr).used())
	th.coh[a.Loc] = th.coh[a.Loc].join(o)
	th.oldWrites = th.oldWrites.join(o)
	if a.Tags.Has(ir.TagRelease) && a.Tags.Has(ir.TagRCsc) {
		th.releases = th.releases.join(o)
	}
	if a.Tags.Has(ir.TagAcquire) || a.Tags.Has(ir.TagFull) {
		th.newReads, th.newWrites = th.newReads.join(o), th.newWrites.join(o)
	}
}

// fence executes a fence.
func (r *run) fence(th *thread, a ir.Action) {
	th.did = append(th.did, event{fences, -1, 0})
	reads := th.oldReceived
	if a.Tags.Has(ir.TagWR) { // a full fence
		reads = th.oldReads
	}
	for _, order := range []struct {
		tag   ir.Tag
		after *view
		what  view
	}{
		{ir.TagRR, &th.newReads, reads},
		{ir.TagRW, &th.newWrites, reads},
		{ir.TagWR, &th.newReads, th.oldWrites},
		{ir.TagWW, &th.newWrites, th.oldWrites},
	} {
		if a.Tags.Has(order.tag) {
			*order.after = order.after.join(order.what)
		}
	}
	if a.Tags.Has(ir.TagBranch) {
		v := th.of(a.Deps.Ctrl).used()
		if r.addresses {
			v = v.join(th.addresses)
		}
		v = view{order: max(v.order, v.pick), late: max(v.late, v.latePick)}
		th.newReads, th.newWrites = th.newReads.join(v), th.newWrites.join(v)
	}
}

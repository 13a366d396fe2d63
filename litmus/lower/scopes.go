package lower

import (
	"fmt"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// findScopes numbers the scopes of the threads. Tests number scopes within the scope around them.
func (b *Builder) findScopes() {
	if b.Test.Trees != nil {
		b.findTrees()
		return
	}
	names := litmus.Scopes(b.Test.Arch)
	for level, name := range names {
		s := ir.Shared{Name: name}
		seen := map[string]int{}
		for _, th := range b.Test.Threads {
			key := fmt.Sprint(th.Place[level:])
			if _, known := seen[key]; !known {
				seen[key] = len(seen)
			}
			s.Of, s.Number = append(s.Of, seen[key]), append(s.Number, th.Place[level])
		}
		b.Program.Scopes = append(b.Program.Scopes, s)
	}
}

// findTrees numbers the scopes of the threads of a test with a tree of scopes. All threads are equally deep in it.
func (b *Builder) findTrees() {
	at := map[int]int{} // index of a thread, by its number
	for i, th := range b.Test.Threads {
		at[th.ID] = i
	}
	var levels []ir.Shared // the outermost first
	var walk func(s litmus.Scope, level, number int) (threads []int)
	walk = func(s litmus.Scope, level, number int) (threads []int) {
		if level == len(levels) {
			levels = append(levels, ir.Shared{
				Name: s.Text, Of: make([]int, len(at)), Number: make([]int, len(at)),
			})
		}
		for _, id := range s.Threads {
			threads = append(threads, at[id])
		}
		for i, in := range s.Inner {
			threads = append(threads, walk(in, level+1, i)...)
		}
		for _, t := range threads {
			// The scope has the number of its first thread, which no other scope of the level has.
			levels[level].Of[t], levels[level].Number[t] = threads[0], number
		}
		return threads
	}
	for i, s := range b.Test.Trees {
		walk(s, 0, i)
	}
	slices.Reverse(levels)
	b.Program.Scopes = levels
}

// declareAlias gives a location another name.
func (b *Builder) declareAlias(item litmus.Init) {
	name := item.Target.Name
	if _, again := b.locs[name]; again {
		b.Failf(item.Pos, "%s is already declared", name)
		return
	}
	if of, again := b.aliases[item.Aliases]; again && of.Proxy != litmus.DefaultProxy {
		b.Failf(item.Pos, "%s is a name for the %s proxy: alias a name for the generic proxy", item.Aliases, of.Proxy)
		return
	}
	i, ok := b.locs[item.Aliases]
	if !ok {
		b.Failf(item.Pos, "%s aliases %s, which is not declared: declare it before, as in %s=0", name, item.Aliases,
			item.Aliases)
		return
	}
	if b.aliases == nil {
		b.aliases = map[string]litmus.Init{}
	}
	b.locs[name], b.aliases[name], b.Program.Named = i, item, true
}

// Alias returns the proxy of a name of a location, and the tags that say by which generic name an access goes: a name
// for another proxy stands for the generic one that it aliases.
func (b *Builder) Alias(name string) (proxy string, tags ir.Tags) {
	item, alias := b.aliases[name]
	if !alias {
		return litmus.DefaultProxy, nil
	}
	if item.Proxy != litmus.DefaultProxy {
		_, tags = b.Alias(item.Aliases)
		return item.Proxy, tags
	}
	return litmus.DefaultProxy, ir.Tags{ir.ByName(name)}
}

// Barrier emits a call of a control barrier with the tags of its fence. number is the address of its number's location,
// or nil if the call says none. first are tags of a call that is among the first to arrive.
func (b *Builder) Barrier(bar ir.Barrier, tags ir.Tags, number ir.Expr) {
	b.Program.Barriers = true
	fence := func(first bool) {
		own := bar
		own.First = first
		b.Emit(ir.Fence{Tags: tags, Addr: number, Barrier: &own})
	}
	if bar.Quorum == 0 {
		fence(true)
		return
	}
	first := b.Temp(1)
	b.Emit(ir.Choose{Dst: first})
	pc := len(b.Program.Threads[b.Thread].Code)
	b.Emit(ir.Branch{Cond: b.Value(first)})
	fence(false)
	b.Emit(ir.Branch{Target: pc + 4})
	fence(true)
	code := b.Program.Threads[b.Thread].Code
	code[pc].Op = ir.Branch{Cond: b.Value(first), Target: pc + 3}
}

// settleBarriers numbers each thread's calls of one instance, along the longest way to each. A call in a loop is an
// error: how often a thread comes to it would have to be compared with other threads.
func (b *Builder) settleBarriers() {
	if !b.Program.Barriers {
		return
	}
	for t := range b.Program.Threads {
		th := &b.Program.Threads[t]
		for pc, s := range th.Code {
			back, ok := s.Op.(ir.Branch)
			if !ok || back.Target > pc {
				continue
			}
			for at := back.Target; at <= pc; at++ {
				if f, _ := th.Code[at].Op.(ir.Fence); f.Barrier != nil {
					b.Failf(th.Source[th.Code[at].Source].Pos, "a control barrier in a loop is not supported: write "+
						"each round of the loop by itself")
					return
				}
			}
		}
		b.numberCalls(th)
	}
	b.checkQuorums()
}

// checkQuorums reports calls that meet but do not agree how many threads have to arrive.
func (b *Builder) checkQuorums() {
	type call struct {
		*ir.Barrier
		thread int
		pos    litmus.Pos
	}
	var calls []call
	for t := range b.Program.Threads {
		th := &b.Program.Threads[t]
		for _, s := range th.Code {
			f, _ := s.Op.(ir.Fence)
			if f.Barrier == nil {
				continue
			}
			for _, c := range calls {
				if b.Program.MayMeet(t, f.Barrier, c.thread, c.Barrier) && c.Quorum != f.Barrier.Quorum {
					b.Failf(th.Source[s.Source].Pos, "this call of a control barrier and that on line %d do not agree "+
						"how many threads meet: want the same number in both", c.pos.Line)
					return
				}
			}
			calls = append(calls, call{f.Barrier, t, th.Source[s.Source].Pos})
		}
	}
}

// numberCalls sets the times of a thread's calls: how many calls of the same instance the longest way to a call has.
func (b *Builder) numberCalls(th *ir.Thread) {
	type counts map[int]int
	waiting := map[int]counts{}
	merge := func(to int, from counts) {
		if waiting[to] == nil {
			waiting[to] = counts{}
		}
		for instance, n := range from {
			waiting[to][instance] = max(waiting[to][instance], n)
		}
	}
	so := counts{}
	for pc, s := range th.Code {
		if waiting[pc] != nil {
			merge(pc, so)
			so = waiting[pc]
		}
		switch op := s.Op.(type) {
		case ir.Fence:
			if op.Barrier != nil {
				op.Barrier.Time = so[op.Barrier.Instance]
				so[op.Barrier.Instance]++
			}
		case ir.Branch:
			if op.Target > pc {
				merge(op.Target, so)
			}
			if op.Cond == nil {
				so = counts{}
			}
		}
	}
}

// BarrierNumbers is the number of numbers of control barriers that a call may compute.
const BarrierNumbers = 16

// BarrierNumber returns the address for a computed number of a control barrier. The numbers are locations of their own,
// which no test can name.
func (b *Builder) BarrierNumber(number ir.Expr) ir.Expr {
	first, ok := b.locs[barrierName(0)]
	if !ok {
		first = b.addLocation(litmus.Pos{File: b.Test.File, Line: 1, Col: 1}, barrierName(0), b.WordBits, false)
		for n := 1; n < BarrierNumbers; n++ {
			b.addLocation(litmus.Pos{File: b.Test.File, Line: 1, Col: 1}, barrierName(n), b.WordBits, false)
		}
	}
	locs := b.Program.Locs
	if len(locs) < first+2 {
		return ir.Addr{Loc: first, Bits: b.PointerBits}
	}
	step := locs[first+1].Address - locs[first].Address
	shifted := ir.Mul.Of(ir.Resize(number, b.PointerBits), ir.Number(step, b.PointerBits))
	return ir.Add.Of(ir.Number(locs[first].Address, b.PointerBits), shifted)
}

func barrierName(n int) string { return fmt.Sprintf("barrier #%d", n) }

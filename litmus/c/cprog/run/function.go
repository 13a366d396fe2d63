package run

import (
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/elaborate"
	"litmuscope/litmus/ir"
)

// function is a function with precomputed facts about its steps and loops.
//
// It is computed once for each function, so that a step needs no analysis of its own. Tags depend on the target and on
// whether the step is inside an atomic section, so that there are two lists of them.
type function struct {
	*code.Function
	used  []needs  // by step: the registers that decide the value it assigns, or the control flow
	heads []int    // by step: the number of the loop that begins there; -1 for none
	loops []loop   // by number
	exits [][]int  // by step: the loops that a branch there may leave
	live  [][]bool // by loop and register: whether its value at the head matters
	locks []bool   // by step: whether it takes a lock or blocks the thread
	tags  []stepTags
	// inside has the tags of steps in atomic sections.
	inside []stepTags
}

// stepTags are the tags of a step's events: of a read or a fence, of a write, and of a failed update.
type stepTags struct{ read, write, failed ir.Tags }

// loop is a range of a function's code: its first step, and the last one with a backward branch.
type loop struct{ head, tail int }

// function returns the facts about a function. It computes them the first time.
func (p *Program) function(fn *code.Function) *function {
	if f := p.functions[fn]; f != nil {
		return f
	}
	n := len(fn.Code)
	f := &function{
		Function: fn, used: make([]needs, n), heads: slices.Repeat([]int{-1}, n+1), exits: make([][]int, n),
		locks: make([]bool, n), tags: make([]stepTags, n), inside: make([]stepTags, n),
	}
	p.functions[fn] = f
	for pc, s := range fn.Code {
		var x ir.Expr
		switch o := s.Op.(type) {
		case code.Assign:
			x = o.Value
		case code.Ret:
			x = o.Value
		case code.Branch:
			x = o.Cond
			if o.Target <= pc {
				f.goesBack(pc, o.Target)
			}
		}
		f.locks[pc] = pc+1 < n && locks(s.Op, fn.Code[pc+1].Op)
		f.tags[pc], f.inside[pc] = p.tagsOf(s.Op), p.tagsOf(within(p.Options, s.Op))
		f.used[pc] = needsOf(x)
	}
	for n, l := range f.loops {
		for pc := l.head; pc <= l.tail; pc++ {
			if b, ok := fn.Code[pc].Op.(code.Branch); ok && b.Cond != nil &&
				(b.Target < l.head || b.Target > l.tail || pc == l.tail) {
				f.exits[pc] = append(f.exits[pc], n)
			}
		}
	}
	if len(f.loops) > 0 {
		live := code.Live(fn)
		for _, l := range f.loops {
			f.live = append(f.live, live[l.head])
		}
	}
	return f
}

func (f *function) goesBack(pc, target int) {
	n := f.heads[target]
	if n < 0 {
		n = len(f.loops)
		f.heads[target] = n
		f.loops = append(f.loops, loop{target, pc})
	}
	f.loops[n].tail = max(f.loops[n].tail, pc)
}

// tagsOf returns the tags of an operation's events.
func (p *Program) tagsOf(op code.Op) stepTags {
	of := func(a code.Access, write, update bool) ir.Tags { return elaborate.Tags(p.Options, a, write, update) }
	switch o := op.(type) {
	case code.Load:
		return stepTags{read: of(o.How, false, false)}
	case code.Store:
		return stepTags{write: of(o.How, true, false)}
	case code.Update:
		failed := of(o.Failed, false, true)
		if p.Target == elaborate.Generic && o.Read.Atomic {
			failed = elaborate.Failing(of(o.Read, false, true), o.Read.Order, o.Failed.Order)
		}
		return stepTags{of(o.Read, false, true), of(o.Write, true, true), failed}
	case code.Fence:
		switch {
		case o.Tags != nil:
			return stepTags{read: o.Tags}
		case p.Target == elaborate.Kernel:
			return stepTags{read: append(ir.Tags{"MB"}, o.Order.Fence()[1:]...)}
		}
		return stepTags{read: o.Order.Fence()}
	}
	return stepTags{}
}

// within returns an operation as it is in an atomic section.
func within(o elaborate.Options, op code.Op) code.Op {
	switch op := op.(type) {
	case code.Load:
		op.How = elaborate.Within(o, op.How, false)
		return op
	case code.Store:
		op.How = elaborate.Within(o, op.How, true)
		return op
	}
	return op
}

// Sections reports whether the program may have atomic sections.
func (p *Program) Sections() (are bool) {
	p.steps(func(op code.Op) {
		if _, is := op.(code.Section); is {
			are = true
		}
	})
	return are
}

// Tags returns the tags that the program's events may have, and those of its fences.
func (p *Program) Tags() (all, fences map[ir.Tag]bool) {
	all, fences = map[ir.Tag]bool{}, map[ir.Tag]bool{}
	sections := p.Sections()
	if p.FollowsLives() {
		for _, t := range elaborate.Tags(p.Options, elaborate.LifeAccess(true), false, false) {
			all[t] = true
		}
	}
	p.steps(func(op code.Op) {
		of := []stepTags{p.tagsOf(op)}
		if sections {
			of = append(of, p.tagsOf(within(p.Options, op)))
		}
		_, fence := op.(code.Fence)
		for _, k := range of {
			for _, t := range slices.Concat(k.read, k.write, k.failed) {
				all[t] = true
				fences[t] = fences[t] || fence
			}
		}
	})
	return all, fences
}

// steps calls each for every operation that the program may reach.
func (p *Program) steps(each func(code.Op)) {
	seen := map[*code.Function]bool{}
	var visit func(fn *code.Function)
	visit = func(fn *code.Function) {
		if fn == nil || seen[fn] {
			return
		}
		seen[fn] = true
		for _, s := range fn.Code {
			each(s.Op)
			switch o := s.Op.(type) {
			case code.Call:
				visit(o.Fn)
			case code.Spawn:
				visit(o.Fn)
			case code.Locate:
				visit(o.Fn)
				if o.Of != nil {
					for _, in := range o.Of.Init {
						visit(in.Function)
					}
				}
			}
		}
	}
	for _, fn := range p.Functions {
		visit(fn)
	}
}

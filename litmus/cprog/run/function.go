package run

import (
	"slices"

	"litmuscope/litmus/cprog/code"
	"litmuscope/litmus/cprog/elaborate"
	"litmuscope/litmus/ir"
)

// function is a function with what is known of its steps and its loops.
type function struct {
	*code.Function
	used  [][]int  // by step: the registers whose numbers decide what it sets, or where control goes
	heads []int    // by step: the number of the loop that begins there; -1 for none
	loops []loop   // by number
	exits [][]int  // by step: the loops that a branch there may leave
	live  [][]bool // by loop and register: its value at the head may matter
	tags  []stepTags
}

// stepTags are those of the events of a step, once somebody has asked: of a read, or a fence, a write, and an update that fails.
type stepTags struct{ read, write, failed ir.Tags }

// loop is a range of a function's code: its first step, and the last from which a branch leads back.
type loop struct{ head, tail int }

func (p *Program) function(fn *code.Function) *function {
	if f := p.functions[fn]; f != nil {
		return f
	}
	n := len(fn.Code)
	f := &function{Function: fn, used: make([][]int, n), heads: slices.Repeat([]int{-1}, n+1), exits: make([][]int, n), tags: make([]stepTags, n)}
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
		f.tags[pc] = p.tagsOf(s.Op)
		if x != nil {
			ir.Registers(x, func(r int) { f.used[pc] = append(f.used[pc], r) })
		}
	}
	for n, l := range f.loops {
		for pc := l.head; pc <= l.tail; pc++ {
			if b, ok := fn.Code[pc].Op.(code.Branch); ok && b.Cond != nil && (b.Target < l.head || b.Target > l.tail || pc == l.tail) {
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

// tagsOf are those of a step's events.
func (p *Program) tagsOf(op code.Op) stepTags {
	of := func(a code.Access, write, update bool) ir.Tags { return elaborate.Tags(p.Options, a, write, update) }
	switch o := op.(type) {
	case code.Load:
		return stepTags{read: of(o.How, false, false)}
	case code.Store:
		return stepTags{write: of(o.How, true, false)}
	case code.Update:
		failed := of(o.Failed, false, true)
		if p.Target == elaborate.Generic {
			failed = of(o.Read, false, true)
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

// Tags are those that the program's events may have.
func (p *Program) Tags() map[ir.Tag]bool {
	out := map[ir.Tag]bool{}
	seen := map[*code.Function]bool{}
	var visit func(fn *code.Function)
	visit = func(fn *code.Function) {
		if fn == nil || seen[fn] {
			return
		}
		seen[fn] = true
		for _, s := range fn.Code {
			k := p.tagsOf(s.Op)
			for _, t := range slices.Concat(k.read, k.write, k.failed) {
				out[t] = true
			}
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
	return out
}

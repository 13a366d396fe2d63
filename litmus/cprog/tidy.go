package cprog

import (
	"slices"

	"litmuscope/litmus/ir"
)

// tidy takes away what turned out not to be needed: steps dropped, temporaries that nothing reads, and
// the choice of a first value for a local that is always set before it is read.
func tidy(f *function) {
	uses := usesOf(f)
	seen := make([]int, len(f.code))
	for i, s := range f.code {
		if c, ok := s.op.(choose); ok && !readFirst(f, uses, seen, i+1, c.dst) {
			f.code[i].op = nop{}
		}
	}
	dropUnread(f, uses)
	to := make([]int, len(f.code)+1)
	kept := 0
	for i, s := range f.code {
		to[i] = kept
		if _, ok := s.op.(nop); !ok {
			f.code[kept] = s
			kept++
		}
	}
	to[len(f.code)] = kept
	f.code = f.code[:kept]
	for i, s := range f.code {
		if b, ok := s.op.(branch); ok {
			b.target = to[b.target]
			f.code[i].op = b
		}
	}
}

// use is what a step does to registers.
type use struct {
	set  [2]int // -1: none
	read []int
}

func usesOf(f *function) []use {
	uses := make([]use, len(f.code))
	for i, s := range f.code {
		set, used := effect(s.op)
		uses[i].set = set
		for _, x := range used {
			ir.Registers(x, func(r int) { uses[i].read = append(uses[i].read, r) })
		}
	}
	return uses
}

// dropUnread drops assignments to temporaries that nothing reads.
func dropUnread(f *function, uses []use) {
	readers := make([]int, len(f.regs))
	setters := make([][]int, len(f.regs))
	for i, u := range uses {
		for _, r := range u.read {
			readers[r]++
		}
		switch f.code[i].op.(type) {
		case assign, locate:
			setters[u.set[0]] = append(setters[u.set[0]], i)
		}
	}
	var work []int
	for r := range f.regs {
		if readers[r] == 0 {
			work = append(work, r)
		}
	}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		if f.regs[r].name != "" {
			continue
		}
		for _, i := range setters[r] {
			f.code[i].op = nop{}
			for _, r := range uses[i].read {
				if readers[r]--; readers[r] == 0 {
					work = append(work, r)
				}
			}
		}
	}
}

// readFirst tells whether a register may be read, from a step on, before it is set. Seen are the steps that
// an earlier question came by, by the number of its first one.
func readFirst(f *function, uses []use, seen []int, from, reg int) bool {
	work := []int{from}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for i < len(f.code) && seen[i] != from {
			seen[i] = from
			if slices.Contains(uses[i].read, reg) {
				return true
			}
			if slices.Contains(uses[i].set[:], reg) {
				break
			}
			switch o := f.code[i].op.(type) {
			case ret, exit:
				i = len(f.code)
			case branch:
				if o.cond != nil {
					work = append(work, i+1)
				}
				i = o.target
			default:
				i++
			}
		}
	}
	return false
}

// effect is the registers that an operation sets, -1 for none, and what it evaluates.
func effect(o op) (set [2]int, used []ir.Expr) {
	dst, second := -1, -1
	switch o := o.(type) {
	case nop, section, bound, attempt:
	case assign:
		dst, used = o.dst, []ir.Expr{o.value}
	case locate:
		dst = o.dst
	case choose:
		dst = o.dst
	case load:
		dst, used = o.dst, []ir.Expr{o.addr}
	case store:
		used = []ir.Expr{o.addr, o.value}
	case update:
		dst, second = o.dst, o.wrote
		used = []ir.Expr{o.addr, o.next, o.when, o.weak}
	case fence:
		used = []ir.Expr{o.addr}
	case branch:
		used = []ir.Expr{o.cond}
	case call:
		dst, used = o.dst, append([]ir.Expr{o.target}, o.args...)
	case ret:
		used = []ir.Expr{o.value}
	case allocate:
		dst, used = o.dst, []ir.Expr{o.size}
	case free:
		used = []ir.Expr{o.addr}
	case spawn:
		dst, used = o.handle, append([]ir.Expr{o.target}, o.args...)
	case join:
		dst, used = o.dst, []ir.Expr{o.handle}
	case exit:
		used = []ir.Expr{o.value}
	case self:
		dst = o.dst
	case assume:
		used = []ir.Expr{o.cond}
	case assert:
		used = []ir.Expr{o.cond}
	default:
		panic("BUG: an operation that is not known")
	}
	given := used[:0]
	for _, x := range used {
		if x != nil {
			given = append(given, x)
		}
	}
	return [2]int{dst, second}, given
}

package code

import (
	"slices"

	"litmuscope/litmus/ir"
)

// tidy takes away what turned out not to be needed: steps dropped, temporaries that nothing reads, and
// the choice of a first value for a local that is always set before it is read.
func tidy(f *Function) {
	uses := usesOf(f)
	seen := make([]int, len(f.Code))
	for i, s := range f.Code {
		if c, ok := s.Op.(Choose); ok && !readFirst(f, uses, seen, i+1, c.Dst) {
			f.Code[i].Op = nop{}
		}
	}
	dropUnread(f, uses)
	to := make([]int, len(f.Code)+1)
	kept := 0
	for i, s := range f.Code {
		to[i] = kept
		if _, ok := s.Op.(nop); !ok {
			f.Code[kept] = s
			kept++
		}
	}
	to[len(f.Code)] = kept
	f.Code = f.Code[:kept]
	for i, s := range f.Code {
		if b, ok := s.Op.(Branch); ok {
			b.Target = to[b.Target]
			f.Code[i].Op = b
		}
	}
}

// use is what a step does to registers.
type use struct {
	set  [2]int // -1: none
	read []int
}

func usesOf(f *Function) []use {
	uses := make([]use, len(f.Code))
	for i, s := range f.Code {
		set, used := effect(s.Op)
		uses[i].set = set
		for _, x := range used {
			ir.Registers(x, func(r int) { uses[i].read = append(uses[i].read, r) })
		}
	}
	return uses
}

// dropUnread drops assignments to temporaries that nothing reads.
func dropUnread(f *Function, uses []use) {
	readers := make([]int, len(f.Regs))
	setters := make([][]int, len(f.Regs))
	for i, u := range uses {
		for _, r := range u.read {
			readers[r]++
		}
		switch f.Code[i].Op.(type) {
		case Assign, Locate:
			setters[u.set[0]] = append(setters[u.set[0]], i)
		}
	}
	var work []int
	for r := range f.Regs {
		if readers[r] == 0 {
			work = append(work, r)
		}
	}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		if f.Regs[r].Name != "" {
			continue
		}
		for _, i := range setters[r] {
			f.Code[i].Op = nop{}
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
func readFirst(f *Function, uses []use, seen []int, from, reg int) bool {
	work := []int{from}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for i < len(f.Code) && seen[i] != from {
			seen[i] = from
			if slices.Contains(uses[i].read, reg) {
				return true
			}
			if slices.Contains(uses[i].set[:], reg) {
				break
			}
			switch o := f.Code[i].Op.(type) {
			case Ret, Exit:
				i = len(f.Code)
			case Branch:
				if o.Cond != nil {
					work = append(work, i+1)
				}
				i = o.Target
			default:
				i++
			}
		}
	}
	return false
}

// effect is the registers that an operation sets, -1 for none, and what it evaluates.
func effect(o Op) (set [2]int, used []ir.Expr) {
	dst, second := -1, -1
	switch o := o.(type) {
	case nop, Section, Bound, Attempt, Begin:
	case Assign:
		dst, used = o.Dst, []ir.Expr{o.Value}
	case Locate:
		dst = o.Dst
	case Choose:
		dst = o.Dst
	case Load:
		dst, used = o.Dst, []ir.Expr{o.Addr}
	case Store:
		used = []ir.Expr{o.Addr, o.Value}
	case Update:
		dst, second = o.Dst, o.Wrote
		used = []ir.Expr{o.Addr, o.Next, o.When, o.Weak}
	case Fence:
		used = []ir.Expr{o.Addr}
	case Branch:
		used = []ir.Expr{o.Cond}
	case Call:
		dst, used = o.Dst, append([]ir.Expr{o.Target}, o.Args...)
	case Ret:
		used = []ir.Expr{o.Value}
	case Allocate:
		dst, used = o.Dst, []ir.Expr{o.Size}
	case Free:
		used = []ir.Expr{o.Addr}
	case Spawn:
		dst, used = o.Handle, append([]ir.Expr{o.Target}, o.Args...)
	case Join:
		dst, used = o.Dst, []ir.Expr{o.Handle}
	case Exit:
		used = []ir.Expr{o.Value}
	case Self:
		dst = o.Dst
	case Assume:
		used = []ir.Expr{o.Cond}
	case Assert:
		used = []ir.Expr{o.Cond}
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

package code

import (
	"slices"

	"litmuscope/litmus/ir"
)

// Tidy removes steps that are not needed: dropped ones, assignments to temporaries that nothing reads, and the choice
// of an initial value for a local that is always set before it is read.
func Tidy(f *Function) {
	uses := usesOf(f)
	seen := make([]int, len(f.Code))
	for i, s := range f.Code {
		if c, ok := s.Op.(Choose); ok && !readFirst(f, uses, seen, i+1, c.Dst) {
			f.Code[i].Op = Nop{}
		}
	}
	dropUnread(f, uses)
	to := make([]int, len(f.Code)+1)
	kept := 0
	for i, s := range f.Code {
		to[i] = kept
		if _, ok := s.Op.(Nop); !ok {
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

// use is the effect of a step on registers.
type use struct {
	set  []int // -1: none
	read []int
}

func usesOf(f *Function) []use {
	uses := make([]use, len(f.Code))
	for i, s := range f.Code {
		set, used := Effect(s.Op)
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
			f.Code[i].Op = Nop{}
			for _, r := range uses[i].read {
				if readers[r]--; readers[r] == 0 {
					work = append(work, r)
				}
			}
		}
	}
}

// readFirst reports whether a register may be read, from a step on, before it is set. seen has, by step, the last query
// that visited it, by the number of its first step.
func readFirst(f *Function, uses []use, seen []int, from, reg int) bool {
	work := []int{from}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if i == len(f.Code) || seen[i] == from {
			continue
		}
		seen[i] = from
		if slices.Contains(uses[i].read, reg) {
			return true
		}
		if !slices.Contains(uses[i].set, reg) {
			work = append(work, Next(f.Code[i].Op, i)...)
		}
	}
	return false
}

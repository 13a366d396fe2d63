package testdiff

import (
	"reflect"
	"slices"

	"litmuscope/litmus/ir"
)

// alike reports whether two threads are the same step by step except for fences and tags. After enough rounds of a
// loop, such threads repeat what they have done so far.
func alike(a, b ir.Thread) bool {
	x, y := bare(a.Code), bare(b.Code)
	return reflect.DeepEqual(x, y) && slices.Equal(a.Regs, b.Regs)
}

// identical reports whether two threads are the same step by step.
func identical(a, b ir.Thread) bool {
	same := func(x, y ir.Step) bool { return reflect.DeepEqual(x.Op, y.Op) }
	return slices.EqualFunc(a.Code, b.Code, same) && slices.Equal(a.Regs, b.Regs)
}

func loops(th ir.Thread) bool {
	for pc, s := range th.Code {
		if b, ok := s.Op.(ir.Branch); ok && b.Target <= pc {
			return true
		}
	}
	return false
}

// bare is a thread's code without fences, tags and where it is from.
func bare(code []ir.Step) []ir.Op {
	at := make([]int, len(code)+1) // by step: its place without fences
	for i, s := range code {
		at[i+1] = at[i]
		if _, fence := s.Op.(ir.Fence); !fence {
			at[i+1]++
		}
	}
	var out []ir.Op
	for _, s := range code {
		switch op := s.Op.(type) {
		case ir.Fence:
			continue
		case ir.Branch:
			op.Target = at[op.Target]
			s.Op = op
		case ir.Load, ir.Store, ir.RMW, ir.StoreCond:
			s.Op = ir.Untagged(s.Op)
		}
		out = append(out, s.Op)
	}
	return out
}

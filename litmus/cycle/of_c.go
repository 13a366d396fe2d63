package cycle

import (
	"slices"
	"strings"

	"litmuscope/litmus/ir"
)

// locks tells an access of C by which a lock is taken or given back, and tries one by which
// it is looked at.
func locks(tags ir.Tags) bool {
	return slices.ContainsFunc([]ir.Tag{"LKR", "LKW", "UL", "LS", "U"}, tags.Has)
}
func tries(tags ir.Tags) bool { return slices.ContainsFunc([]ir.Tag{"LF", "RL", "RU"}, tags.Has) }

// withoutLocks is a program of C with every lock free for everybody, so that no access of
// one is left; nil where there are none, or some thread goes by whether one is free.
func withoutLocks(p *ir.Program) *ir.Program {
	out, some := *p, false
	out.Threads = slices.Clone(p.Threads)
	for i := range out.Threads {
		code := slices.Clone(out.Threads[i].Code)
		for j := range code {
			switch op := code[j].Op.(type) {
			case ir.RMW:
				if locks(op.Tags) {
					code[j].Op, some = ir.Assign{Dst: op.Dst, Value: ir.Number(0, op.Bits)}, true
				}
			case ir.Store:
				if locks(op.Tags) {
					code[j].Op = ir.Fence{}
				}
			case ir.Load:
				if tries(op.Tags) {
					return nil
				}
			}
		}
		out.Threads[i].Code = code
	}
	if !some {
		return nil
	}
	return &out
}

// guarded is the mark of what RCU's own accessors do, "" for others.
func guarded(mark, statement string) string {
	switch {
	case mark == "Once" && strings.Contains(statement, "rcu_dereference"):
		return "Deref"
	case mark == "Release" && strings.Contains(statement, "rcu_assign_pointer"):
		return "Assign"
	}
	return ""
}

// markOfC is the mark of an access by its order. The halves of an atomic operation carry
// the order of both: a read releases nothing, and a write acquires nothing.
func (v *vocabulary) markOfC(p *point) string {
	mark := ""
	for _, tag := range p.tags {
		if name := v.spelled[tag]; name != "" {
			mark = name
		}
	}
	i := slices.IndexFunc(v.Marks, func(m Mark) bool { return m.Mark == mark })
	switch {
	case mark == "":
		return ""
	case mark == "AR" && p.write:
		return "Rel"
	case mark == "AR":
		return "Acq"
	case i >= 0 && (p.write && v.Marks[i].Writes || !p.write && v.Marks[i].Reads):
		return mark
	}
	return v.relaxed()
}

// relaxed is the mark of an access that is ordered with nothing.
func (v *vocabulary) relaxed() string {
	if v.arch == kernel {
		return "Once"
	}
	return "Rlx"
}

// section tells whether two points are in one read-side critical section, the outermost.
func (w *walk) section(from, to int) bool {
	depth, opened := 0, 0
	for _, b := range w.barriers {
		switch {
		case b.tags.Has("Rcu-lock"):
			if depth++; depth == 1 {
				opened = b.behind
			}
		case b.tags.Has("Rcu-unlock"):
			if depth--; depth == 0 && opened <= from && b.behind > to {
				return true
			}
		}
	}
	return false
}

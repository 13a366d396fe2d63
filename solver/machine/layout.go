package machine

import (
	"slices"

	"litmuscope/litmus/ir"
)

// layout says which parts a state has. Nil is the layout of a test's: all registers, because any of them may be
// observed at the end. In the layout of a program with properties, threads may stop anywhere, and the state omits
// registers that no thread will use again.
type layout struct {
	program *ir.Program
	live    [][]liveness // by thread and step, its end included
	spins   [][]int      // by thread and step: for a read, the last step at which a round with it may end; or 0
	any     []int        // the locations for which it matters that no thread has written them
	stuck   bool         // threads also take steps after which they stay where they are, though nobody can tell
}

// liveness is the set of registers that the thread may still use, as bits, and as a list once needed.
type liveness struct {
	bits []uint64
	list []int
}

// newLayout is for a program without loops. With rounds, a state has what the rounds
// that end in waiting, or that may leave all as it is, have read and stored.
func newLayout(p *ir.Program, rounds bool) *layout {
	l := &layout{program: p}
	for t := range p.Threads {
		l.live = append(l.live, live(&p.Threads[t]))
		spins := make([]int, len(p.Threads[t].Code))
		for pc, s := range p.Threads[t].Code {
			since := pc
			switch op := s.Op.(type) {
			case ir.Unwound:
				if op.Spin || op.Again {
					since = op.Since
				}
			case ir.Assume:
				if op.Wait {
					since = op.Since
				}
			}
			for read := since; read < pc && rounds; read++ {
				spins[read] = pc
			}
		}
		l.spins = append(l.spins, spins)
	}
	for i := range p.Locs {
		if p.Locs[i].Any {
			l.any = append(l.any, i)
		}
	}
	return l
}

// live has, by step, the registers that the thread may use from there on. All jumps go forward, but that of a loop that
// may repeat once more.
func live(th *ir.Thread) []liveness {
	words := (len(th.Regs) + 63) / 64
	out := make([]liveness, len(th.Code)+1)
	for pc := range out {
		out[pc].bits = make([]uint64, words)
	}
	for liveOnce(th, out) { // until it has found all registers that repeated rounds use
	}
	return out
}

// liveOnce goes through the code once, from the end. It reports whether there is more to come.
func liveOnce(th *ir.Thread, out []liveness) (more bool) {
	again, changed := false, false
	for pc := len(th.Code) - 1; pc >= 0; pc-- {
		bits := make([]uint64, len(out[pc].bits))
		join := func(to int) {
			for i, w := range out[to].bits {
				bits[i] |= w
			}
		}
		switch op := th.Code[pc].Op.(type) {
		case ir.Unwound:
			if op.Again {
				again = true
				join(op.Since)
			}
		case ir.Branch:
			join(op.Target)
			if op.Cond != nil {
				join(pc + 1)
			}
		default:
			join(pc + 1)
		}
		set, used := ir.Effect(th.Code[pc].Op)
		if set >= 0 {
			bits[set/64] &^= 1 << (set % 64)
		}
		for _, e := range used {
			ir.Registers(e, func(r int) { bits[r/64] |= 1 << (r % 64) })
		}
		changed = changed || !slices.Equal(bits, out[pc].bits)
		out[pc].bits = bits
	}
	return again && changed
}

// registers lists those of a thread that are part of a state with the thread at pc.
func (l *layout) registers(t, pc int) []int {
	if pc < 0 {
		return nil
	}
	at := &l.live[t][pc]
	if at.list == nil {
		at.list = []int{}
		for i, w := range at.bits {
			for b := range 64 {
				if w>>b&1 == 1 {
					at.list = append(at.list, 64*i+b)
				}
			}
		}
	}
	return at.list
}

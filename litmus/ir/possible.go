package ir

import "slices"

// maxPossible is the maximum size of the set of possible values of a location or register.
const maxPossible = 16

// possible is a set of possible values, nil if it is empty, or any value.
type possible struct {
	set []uint64
	any bool
}

// valueAnalysis computes the possible values of locations and registers, for any order of the steps.
type valueAnalysis struct {
	p    *Program
	locs []possible
	regs [][]possible // by thread
	more bool         // something was added in this round
}

// possibleValues returns the possible values of each location, or nil if they are too many.
func (p *Program) possibleValues() [][]uint64 {
	out := make([][]uint64, len(p.Locs))
	for i, v := range p.analyseValues().locs {
		if !v.any {
			out[i] = v.set
		}
	}
	return out
}

// analyseValues computes the possible values of locations and registers.
func (p *Program) analyseValues() *valueAnalysis {
	h := &valueAnalysis{p: p, locs: make([]possible, len(p.Locs)), regs: make([][]possible, len(p.Threads))}
	for i, l := range p.Locs {
		h.add(&h.locs[i], possible{set: []uint64{l.Init & Mask(l.Bits)}})
	}
	for t, th := range p.Threads {
		h.regs[t] = make([]possible, len(th.Regs))
		for r, reg := range th.Regs {
			h.add(&h.regs[t][r], possible{set: []uint64{reg.Init & Mask(reg.Bits)}})
		}
	}
	for h.more = true; h.more; {
		h.more = false
		for t := range p.Threads {
			for _, s := range p.Threads[t].Code {
				h.step(t, s.Op)
			}
		}
	}
	return h
}

// step adds the values that an operation may set.
func (h *valueAnalysis) step(t int, op Op) {
	none := possible{set: []uint64{0}}
	switch op := op.(type) {
	case Load:
		h.add(&h.regs[t][op.Dst], h.read(t, op))
	case Store:
		h.write(t, op, h.eval(t, op.Value, none))
	case StoreCond:
		h.write(t, op, h.eval(t, op.Value, none))
	case RMW:
		old := h.read(t, op)
		h.write(t, op, h.eval(t, op.New, old))
		h.add(&h.regs[t][op.Dst], old)
	case Assign:
		h.add(&h.regs[t][op.Dst], h.eval(t, op.Value, none))
	}
	switch op.(type) {
	case StoreCond, Pick, Choose, Take:
		dst, _ := Effect(op)
		h.add(&h.regs[t][dst], possible{any: true})
	}
}

func (h *valueAnalysis) add(to *possible, v possible) {
	switch {
	case to.any:
	case v.any:
		*to, h.more = v, true
	default:
		for _, x := range v.set {
			if !slices.Contains(to.set, x) {
				to.set, h.more = append(to.set, x), true
			}
		}
		to.any = len(to.set) > maxPossible
	}
}

// targets returns the locations that an address may be.
func (h *valueAnalysis) targets(t int, addr Expr) []int {
	at := h.eval(t, addr, possible{any: true})
	var out []int
	for i, l := range h.p.Locs {
		if at.any || slices.Contains(at.set, l.Address&Mask(addr.Width())) {
			out = append(out, i)
		}
	}
	return out
}

func (h *valueAnalysis) read(t int, op Op) possible {
	var out possible
	for _, pieces := range h.accessed(t, op) {
		out.any = out.any || h.locs[pieces[0].Loc].any || len(pieces) > 1
		out.set = append(out.set, h.locs[pieces[0].Loc].set...)
	}
	return out
}

func (h *valueAnalysis) write(t int, op Op, v possible) {
	for _, pieces := range h.accessed(t, op) {
		for _, q := range pieces {
			if len(pieces) > 1 {
				v = possible{any: true}
			}
			h.add(&h.locs[q.Loc], v)
		}
	}
}

// accessed returns the locations that an access may reach, each with its pieces if there are several.
func (h *valueAnalysis) accessed(t int, op Op) (out [][]Piece) {
	addr, bits := Access(op)
	for _, l := range h.targets(t, addr) {
		if pieces, ok := h.p.Pieces(l, bits); h.p.Split && ok {
			out = append(out, pieces)
		} else if !h.p.Split {
			out = append(out, []Piece{{Loc: l}})
		}
	}
	return out
}

// eval returns the possible values of an expression. They are exact for constants, registers, values that an RMW has
// read, and results computed from one of these.
func (h *valueAnalysis) eval(t int, e Expr, old possible) possible {
	switch e := e.(type) {
	case Const, Addr:
		return possible{set: []uint64{h.p.Eval(e, nil, 0)}}
	case Reg:
		return h.regs[t][e.Index]
	case Old:
		return old
	case Select: // either operand is possible
		return possible{any: true}
	}
	var from []Expr // its leaves with several values
	Sources(e, func(s Expr) {
		if !slices.Contains(from, s) {
			from = append(from, s)
		}
	})
	if len(from) == 0 {
		return possible{set: []uint64{h.p.Eval(e, nil, 0)}}
	}
	leaf := h.eval(t, from[0], old)
	if len(from) > 1 || leaf.any {
		return possible{any: true}
	}
	var out possible
	for _, x := range leaf.set {
		regs := make([]uint64, len(h.regs[t]))
		if r, ok := from[0].(Reg); ok {
			regs[r.Index] = x
		}
		out.set = append(out.set, h.p.Eval(e, regs, x))
	}
	return out
}

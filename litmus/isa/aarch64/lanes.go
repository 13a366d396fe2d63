package aarch64

import (
	"strconv"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Vector registers in conditions and outcomes, such as 0:V1.4S={1,2,3,4}. At its end, a thread copies each element to a
// register of its own.

// observeVectors copies the elements of the vector registers that a test asks about. Call it behind the instructions.
func observeVectors(b *lower.Builder) {
	known := map[string][]ir.Observable{}
	key := func(o litmus.Place) string { return strconv.Itoa(o.Thread) + ":" + o.Name }
	x := &instr{}
	x.Builder = b
	eachPlace(b.Test, func(o litmus.Place) {
		v, ok := parseVector(o.Name)
		if _, again := known[key(o)]; again || !o.IsRegister() || !ok || v.scalar || v.lane >= 0 {
			return
		}
		for t, th := range b.Test.Threads {
			if th.ID == o.Thread {
				b.Thread = t
				known[key(o)] = x.copyElements(o, v)
			}
		}
	}, func(litmus.Literal) {})
	b.Lanes = func(o litmus.Place) []ir.Observable { return known[key(o)] }
}

// copyElements copies the elements of a vector register at the end of the current thread.
func (x *instr) copyElements(o litmus.Place, v vector) (list []ir.Observable) {
	cells := len(x.Test.Threads[x.Thread].Cells)
	if cells > 0 {
		x.At(cells - 1)
	}
	name := strconv.Itoa(o.Thread) + ":" + o.Name
	for i := range v.count {
		tmp := x.Temp(v.bits)
		if cells > 0 {
			x.Assign(tmp, x.element(v, i))
		}
		list = append(list, ir.Observable{
			Name: name + "[" + strconv.Itoa(i) + "]", Whole: name, Thread: x.Thread, Index: tmp,
			Bits: v.bits, Signed: true,
		})
	}
	return list
}

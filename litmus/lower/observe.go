package lower

import (
	"cmp"
	"slices"
	"strconv"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// maxObserved is the maximum number of registers and locations that a test observes.
const maxObserved = 4096

// observe resolves the condition, the filter and the locations block to observables. Program.Observed has those that
// make an outcome first, sorted, and then those that only the filter uses.
func (b *Builder) observe() {
	t := b.Test
	index := map[ir.Observable]int{} // in Observed, once that is in order
	var note func(o litmus.Place)
	add := func(o litmus.Place, v ir.Observable, ok bool) {
		if _, again := index[v]; !ok || again {
			return
		}
		if len(index) == maxObserved {
			b.Failf(o.Pos, "the test asks about more than %d registers and locations", maxObserved)
		}
		index[v] = -1
		if len(index) <= maxObserved {
			b.Program.Observed = append(b.Program.Observed, v)
			if !o.Fault.Asked && b.lanes(o) == nil {
				b.asked = append(b.asked, question{o, v})
			}
		}
	}
	note = func(o litmus.Place) {
		if o.Fault.Asked {
			for _, v := range b.faultsAt(o) {
				add(o, v, true)
			}
			return
		}
		if list := b.lanes(o); list != nil {
			for _, v := range list {
				add(o, v, true)
			}
			return
		}
		v, ok := b.observable(o)
		add(o, v, ok)
	}
	atoms := func(a litmus.Atom) litmus.Prop {
		note(a.Left)
		if a.Other != nil {
			note(*a.Other)
		}
		return a
	}
	litmus.MapAtoms(t.Condition.Prop, atoms)
	for _, o := range t.Locations {
		if n := b.arrays[o.Name]; n > 0 && !o.IsRegister() && o.Index < 0 {
			for i := range n {
				note(litmus.Place{Pos: o.Pos, Thread: -1, Name: o.Name, Index: i, Whole: n})
			}
			continue
		}
		note(o)
	}
	b.Program.Observed = append(b.Program.Observed, b.Facts...)
	b.Program.Shown = len(b.Program.Observed)
	slices.SortFunc(b.Program.Observed, b.compareObservables)
	litmus.MapAtoms(t.Filter, atoms)
	for i, v := range b.Program.Observed {
		index[v] = i
	}
	resolve := func(a litmus.Atom) litmus.Prop { return b.compare(a, index) }
	b.Program.Condition = t.Condition
	b.Program.Condition.Prop = litmus.MapAtoms(t.Condition.Prop, resolve)
	b.Program.Filter = litmus.MapAtoms(t.Filter, resolve)
}

// compareObservables orders registers, by the thread's number and the name, before locations.
func (b *Builder) compareObservables(x, y ir.Observable) int {
	rank := func(o ir.Observable) int {
		if o.Thread < 0 {
			return litmus.MaxThreads
		}
		if o.Fault.At != "" {
			return litmus.MaxThreads + 1
		}
		if o.Fact != "" {
			return litmus.MaxThreads + 2
		}
		return b.Program.Threads[o.Thread].ID
	}
	name := func(o ir.Observable) string { return cmp.Or(o.Whole, o.Name) }
	return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(name(x), name(y)), cmp.Compare(x.Index, y.Index))
}

// observable returns what a condition names at a place: a register of a thread, or a location or an element of an
// array. ok is false, with an error recorded, if the test has no such thing, if the register is a high part of another
// one, or if a whole array is compared with one value. A register without a declared type is compared as a signed
// number, of 32 bits where nothing in the test makes it wider.
func (b *Builder) observable(o litmus.Place) (ir.Observable, bool) {
	if o.IsRegister() {
		t, v, ok := b.register(o)
		if !ok {
			return ir.Observable{}, false
		}
		if v.Hidden {
			b.Failf(o.Pos, "%s: %s cannot be observed, because it has 128 bits: move a part of it to another register",
				b.Test.Arch, o.Name)
			return ir.Observable{}, false
		}
		if v.Lo != 0 {
			b.Failf(o.Pos, "%s: %s is not the low part of its register and cannot be observed: use the register",
				b.Test.Arch, o.Name)
			return ir.Observable{}, false
		}
		reg := b.reg(t, v.Whole)
		typ, declared := b.types[[2]int{t, reg}]
		bits := v.Bits
		switch {
		case b.Wide == nil:
		case declared:
			bits = min(bits, typ.bits)
		case !b.Wide(t, reg) && ir.Fits(b.Program.Threads[t].Regs[reg].Init, 32):
			bits = min(bits, 32)
		}
		return ir.Observable{
			Name: strconv.Itoa(b.Program.Threads[t].ID) + ":" + v.Print, Thread: t, Index: reg,
			Bits: bits, Signed: typ.signed || !declared, Untyped: !declared && bits > 32 && !b.Test.HasBodies(),
		}, true
	}
	if n := b.arrays[o.Name]; n > 0 && o.Index < 0 {
		b.Failf(o.Pos, "%s is an array: name its elements, %s[0] to %s[%d]", o.Name, o.Name, o.Name, n-1)
		return ir.Observable{}, false
	}
	if n := b.arrays[o.Name]; o.Whole > 0 && o.Whole != n {
		b.Failf(o.Pos, "%s is compared with %d values, but has %d elements", o.Name, o.Whole, max(n, 1))
		return ir.Observable{}, false
	}
	i, ok := b.element(o)
	if !ok {
		return ir.Observable{}, false
	}
	loc, cut := b.wide[i]
	if !cut {
		loc = b.Program.Locs[i]
	}
	v := ir.Observable{Name: loc.Name, Thread: -1, Index: i, Bits: loc.Bits, Signed: loc.Signed}
	if o.Whole > 0 {
		v.Whole = o.Name
	}
	return v, true
}

// lanes returns the elements of a vector register that a test asks about, or nil for other places.
func (b *Builder) lanes(o litmus.Place) []ir.Observable {
	if b.Lanes == nil || !o.IsRegister() {
		return nil
	}
	return b.Lanes(o)
}

// register finds the register of a thread that a test names outside its instructions.
func (b *Builder) register(o litmus.Place) (thread int, v RegisterView, ok bool) {
	t, ok := b.threads[o.Thread]
	if !ok {
		b.Failf(o.Pos, "there is no thread P%d", o.Thread)
		return 0, v, false
	}
	v, ok = b.FindRegister(o.Name)
	if !ok {
		b.FailRegister(o.Pos, o.Name)
		if e := b.Errors[len(b.Errors)-1]; e.Fix.Text != "" { // after the thread's number
			e.Fix.Pos.Col += len(strconv.Itoa(o.Thread)) + len(":")
		}
	}
	return t, v, ok
}

// FailRegister reports a name that is not a register.
func (b *Builder) FailRegister(pos litmus.Pos, name string) {
	if b.Hint != nil {
		if hint := b.Hint(name); hint != "" {
			b.Failf(pos, "%s: unknown register %s: %s", b.Test.Arch, name, hint)
			return
		}
	}
	b.Failf(pos, "%s: unknown register %s%s", b.Test.Arch, name, didYouMean(name, b.registerNames()))
}

// compare resolves an atom over Observed. index has the positions of observables.
func (b *Builder) compare(a litmus.Atom, index map[ir.Observable]int) litmus.Prop {
	if a.Left.Fault.Asked {
		var any litmus.Or
		for _, v := range b.faultsAt(a.Left) {
			any.Args = append(any.Args, litmus.Compare{Obs: index[v], NotEqual: true, Other: -1})
		}
		return any
	}
	find := func(o litmus.Place) int {
		if list := b.lanes(o); list != nil {
			if o.Whole != len(list) {
				b.Failf(o.Pos, "%s has %d elements: compare it with as many values between { and }", o, len(list))
				return -1
			}
			return index[list[o.Index]]
		}
		if v, ok := b.observable(o); ok {
			if i, known := index[v]; known {
				return i
			}
		}
		return -1
	}
	c := litmus.Compare{Obs: find(a.Left), NotEqual: a.NotEqual, Other: -1}
	if c.Obs < 0 {
		return litmus.Bool(false) // reported already
	}
	if a.Other != nil {
		c.Other = find(*a.Other)
		return c
	}
	v, bits := a.Literal, b.Program.Observed[c.Obs].Bits
	special, isSpecial := b.systemValue(v, a.Left)
	switch {
	case isSpecial:
		v.Bits = special
	case v.Label:
		address, ok := b.labelValue(v)
		if !ok {
			return litmus.Bool(false)
		}
		v.Bits = address
	case v.Name != "":
		i, known := b.locs[v.Name]
		if !known {
			b.Failf(v.Pos, "%s is not a location of the test", v.Name)
			return litmus.Bool(false)
		}
		v.Bits += b.Program.Locs[i].Address
	}
	if v.Name == "" && !isSpecial && !a.Left.IsRegister() && b.TypeOf != nil {
		if of, signed := b.TypeOf(a.Left.Name); ir.Fits(v.Bits, of) {
			v.Bits = ofType(v.Bits, of, signed)
		}
	}
	c.Value = v.Bits & ir.Mask(bits)
	if !ir.Fits(v.Bits, bits) {
		return litmus.Bool(a.NotEqual) // the number does not fit in the register or location
	}
	if v.Name == "" && !isSpecial {
		b.remarkWide(a.Left, b.Program.Observed[c.Obs], v.Bits)
	}
	return c
}

// remarkWide remarks on a register without a type that is compared with a number that does not fit in an int, because
// other tools treat it as an int.
func (b *Builder) remarkWide(at litmus.Place, o ir.Observable, v uint64) {
	if _, declared := b.types[[2]int{o.Thread, o.Index}]; o.Thread < 0 || declared || ir.Fits(v, 32) {
		return
	}
	b.Remarkf(at.Pos, "%s has no type, so all its %d bits are compared; tools that compare only 32 bits give "+
		"another answer: declare it in the init block, as in uint64_t %s;", o.Name, o.Bits, o.Name)
}

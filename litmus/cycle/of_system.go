package cycle

import (
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// In a test of a system's side, what an instruction does implicitly is events, too: reads of tags and of entries, and
// fetches. The nodes of one access are a unit, which is one access of the cycle. A cycle may enter a unit
// at one node and leave it at another: a read that is translated by an entry, and reads an older value, is between the
// write of the entry and that of the value. The main node of a unit is the access itself or, if there is none because
// of a fault, the last implicit one.

// units has for each node the first and the main node of its unit.
type units struct{ first, main []int }

// unitsOf joins the events of each access.
func unitsOf(x *execution, sys *lower.SystemCycles) units {
	u := units{make([]int, len(x.nodes)), make([]int, len(x.nodes))}
	start := 0
	for n, a := range x.nodes {
		m, implicit := lower.OfValue, false
		if sys != nil {
			m, implicit = sys.Kind(a.tags)
		}
		last := n+1 == len(x.nodes) || x.nodes[n+1].thread != a.thread || x.nodes[n+1].cell != a.cell
		if implicit && m != lower.OfCode && !last {
			continue
		}
		for i := start; i <= n; i++ {
			u.first[i], u.main[i] = start, n
		}
		start = n + 1
	}
	return u
}

// systemMark returns the mark of the access of a main node, and whether the node is one of a system's side. ok is false
// if cycles have no word for it.
func (t *tracer) systemMark(n int) (mark string, is, ok bool) {
	sys := t.words.System
	if sys == nil {
		return "", false, true
	}
	a := t.nodes[n]
	m, implicit := sys.Kind(a.tags)
	switch {
	case m == lower.OfValue:
		return "", false, true
	case implicit && m != lower.OfCode:
		return "", true, true
	}
	field, on := lower.NoField, false
	if a.write && m == lower.OfEntry {
		if field, on = sys.Changed(t.valueBefore(n), a.value); field == lower.NoField {
			return "", true, false
		}
	}
	for _, mark := range t.words.Marks {
		is := mark.Memory == m && mark.Field == field && mark.On == on
		if is && (a.write && mark.Writes || !a.write && mark.Reads) {
			return mark.Mark, true, true
		}
	}
	return "", true, false
}

// valueBefore returns what a write overwrites.
func (t *tracer) valueBefore(n int) uint64 {
	for k, b := range t.nodes {
		if b.write && b.loc == t.nodes[n].loc && t.place[k][0] == t.place[n][0]-1 {
			return b.value
		}
	}
	return t.program.Locs[t.nodes[n].loc].Init
}

// writes reports whether the access of a node is a write, which it would be without its fault.
func (t *tracer) writes(n int) bool {
	n = t.units.main[n]
	a := t.nodes[n]
	if t.words.System != nil {
		if m, implicit := t.words.System.Kind(a.tags); implicit && m != lower.OfCode {
			return slices.ContainsFunc(t.walks[a.thread].barriers, func(f barrier) bool {
				fails, writes := t.words.System.Fails(f.tags)
				return f.behind == a.at+1 && fails && writes
			})
		}
	}
	return a.write
}

// home returns the name of the location that an access is of: for that of a tag or an entry, and for one through an
// entry, the location that these belong to.
func (t *tracer) home(n int) string {
	main := t.units.main[n]
	name := t.program.Locs[t.begins[t.nodes[main].loc]].Name
	for i := t.units.first[n]; i < main; i++ {
		if m, implicit := t.words.System.Kind(t.nodes[i].tags); implicit && m != lower.OfCode {
			name = t.program.Locs[t.nodes[i].loc].Name
		}
	}
	if _, inner, ok := strings.Cut(name, "("); ok {
		return strings.TrimSuffix(inner, ")")
	}
	return strings.TrimSuffix(name, "[0]")
}

// unitNext reports whether a communication with no other write between leads from the unit of one node to that of
// another.
func (t *tracer) unitNext(a, b int) bool {
	for i := t.units.first[a]; i <= a; i++ {
		for j := t.units.first[b]; j <= b; j++ {
			if t.next(i, j) {
				return true
			}
		}
	}
	return false
}

// sequence returns the word for a sequence of fences and maintenance, "" if there is none.
func (v *vocabulary) sequence(barriers []ir.Tags) string {
	for _, f := range v.Fences {
		if len(f.Sequence) != len(barriers) || f.Sequence == nil {
			continue
		}
		matches := true
		for i, tag := range f.Sequence {
			matches = matches && barriers[i].Has(tag)
		}
		if matches {
			return f.Name
		}
	}
	return ""
}

// straightValues calls add with the values that the stores of a thread write if it passes all of its code and each read
// returns the initial value of its location. Of a test of a system's side, a store may be behind a read that faults
// unless the store has been done.
func straightValues(p *ir.Program, t ir.Thread, add func(locValue)) {
	regs := make([]uint64, len(t.Regs))
	for i, r := range t.Regs {
		regs[i] = r.Init
	}
	for _, step := range t.Code {
		switch op := step.Op.(type) {
		case ir.Assign:
			regs[op.Dst] = p.Eval(op.Value, regs, 0)
		case ir.Load:
			if loc, ok := p.LocationAt(p.Eval(op.Addr, regs, 0)); ok {
				regs[op.Dst] = p.Locs[loc].Init
			}
		case ir.Store:
			if loc, ok := p.LocationAt(p.Eval(op.Addr, regs, 0)); ok && !p.Split {
				add(locValue{loc, p.Eval(op.Value, regs, 0)})
			}
		}
	}
}

// unworded reports whether something between two accesses is no fence and no fault: maintenance, which has words only
// in sequences, or the beginning or end of an exception.
func (t *tracer) unworded(tags ir.Tags) bool {
	fails, _ := t.words.System.Fails(tags)
	return !fails && t.words.fence(tags) == "" && t.words.behindBranch(tags) == ""
}

// writesByItself reports whether the hardware updates page table entries: their access flags and dirty states.
func writesByItself(p *ir.Program) bool {
	for i := range p.Threads {
		for _, s := range p.Threads[i].Code {
			if _, reads := s.Op.(ir.Load); !reads && ir.AccessTags(s.Op).Has(ir.TagImplicit) {
				return true
			}
		}
	}
	return false
}

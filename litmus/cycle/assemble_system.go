package cycle

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/lower"
)

// The text of a test of a system's side: what states look like in its init block, instructions and condition.

// ordering returns a mark as one of the order of an access: a mark that says what is accessed says nothing else.
func ordering(mark string) string {
	if marked()[mark].Memory != lower.OfValue {
		return ""
	}
	return mark
}

// accessed returns what an event accesses at its address. Instructions are accessed as words.
func (p *plan) accessed(ev event) lower.Memory {
	if m := marked()[ev.access.Mark].Memory; m != lower.OfCode {
		return m
	}
	return lower.OfValue
}

func (p *plan) isFetch(ev event) bool { return marked()[ev.access.Mark].Memory == lower.OfCode }

// site returns the label of the instruction of a location.
func (p *plan) site(loc int) string { return "L" + locName(loc) }

// addressOf returns the address of an event as the init block writes it.
func (p *plan) addressOf(ev event) string {
	name := locName(ev.loc)
	switch p.memoryOf(ev.loc) {
	case lower.OfTag:
		return p.tagged(ev.loc, ev.state)
	case lower.OfEntry:
		if p.accessed(ev) == lower.OfEntry {
			return "PTE(" + name + ")"
		}
	case lower.OfCode:
		return p.codeAddress(ev.loc)
	}
	return name
}

// codeAddress returns the address of the instruction of a location.
func (p *plan) codeAddress(loc int) string {
	i := slices.IndexFunc(p.events, func(ev event) bool { return ev.loc == loc && p.isFetch(ev) })
	return fmt.Sprintf("P%d:%s", p.events[i].thread, p.site(loc))
}

// tagged returns a pointer with a tag.
func (p *plan) tagged(loc int, s state) string {
	return locName(loc) + ":" + systemCycles().Colors[s.number]
}

// entry returns an entry of a page table as a value.
func (p *plan) entry(loc int, e lower.Entry) string {
	return systemCycles().Entry(e, p.page(loc, e.Output))
}

// page returns the location of a page that an entry maps to: the location itself, or one that no event is of.
func (p *plan) page(loc, output int) string {
	n := p.locs
	for l := range loc {
		n += p.outputs(l)
	}
	if output == 0 {
		return locName(loc)
	}
	return locName(n + output - 1)
}

// outputs returns the number of other pages that the entry of a location maps to.
func (p *plan) outputs(loc int) (most int) {
	if p.memoryOf(loc) == lower.OfEntry {
		for _, s := range p.states[loc] {
			most = max(most, s.entry.Output)
		}
	}
	return most
}

// stateText returns a state of a location as a value.
func (p *plan) stateText(loc int, s state) string {
	switch p.memoryOf(loc) {
	case lower.OfTag:
		return p.tagged(loc, s)
	case lower.OfEntry:
		return p.entry(loc, s.entry)
	}
	return []string{systemCycles().Old, systemCycles().New}[min(s.number, 1)]
}

// writtenState returns the value that an event writes if that is a state, "" otherwise.
func (p *plan) writtenState(ev event) string {
	if m := p.memoryOf(ev.loc); m == lower.OfValue || m != lower.OfCode && p.accessed(ev) == lower.OfValue ||
		!ev.access.Write {
		return ""
	}
	return p.stateText(ev.loc, ev.state)
}

// seenState returns the value that the condition expects of a read, if that is a state, or tells states apart: that of
// the page that its entry maps to.
func (p *plan) seenState(ev event) string {
	m := p.memoryOf(ev.loc)
	switch {
	case m == lower.OfValue || ev.access.Write:
		return ""
	case m == lower.OfCode || p.accessed(ev) == m:
		return p.stateText(ev.loc, ev.state)
	case m == lower.OfEntry && p.outputs(ev.loc) > 0 && systemCycles().Fault(ev.state.entry, false) == "":
		return fmt.Sprint(ev.state.entry.Output)
	}
	return ""
}

// variant returns the line that says what a test uses of a system's side, "" for one that uses nothing.
func (p *plan) variant() string {
	var words []string
	for _, m := range []lower.Memory{lower.OfEntry, lower.OfTag, lower.OfCode} {
		if slices.Contains(p.memory, m) {
			words = append(words, systemCycles().Variant[m])
		}
	}
	if words == nil {
		return ""
	}
	return "Variant=" + strings.Join(words, ",") + "\n"
}

// initialStates returns the lines of the init block for entries that are not the usual ones, and for the values of the
// pages that tell entries apart.
func (p *plan) initialStates() string {
	var b strings.Builder
	for loc := range p.memory {
		if p.memory[loc] != lower.OfEntry {
			continue
		}
		if e := p.states[loc][0].entry; e != (lower.Entry{}) {
			fmt.Fprintf(&b, "[PTE(%s)]=%s;\n", locName(loc), p.entry(loc, e))
		}
		for n := range p.outputs(loc) {
			fmt.Fprintf(&b, "%s=%d;\n", p.page(loc, n+1), n+1)
		}
	}
	return b.String()
}

// finalStates returns what the condition says about the last of two states.
func (p *plan) finalStates() (atoms []string) {
	for loc := range p.memory {
		if p.memory[loc] == lower.OfValue || len(p.states[loc]) < 3 {
			continue
		}
		last := p.states[loc][len(p.states[loc])-1]
		if p.memory[loc] == lower.OfTag {
			atoms = append(atoms, fmt.Sprintf("[tag(%s)]=:%s", locName(loc), systemCycles().Colors[last.number]))
		} else {
			atoms = append(atoms, fmt.Sprintf("[PTE(%s)]=%s", locName(loc), p.entry(loc, last.entry)))
		}
	}
	return atoms
}

// fence writes a fence, or a sequence of fences and maintenance of a location.
func (t *thread) fence(w lower.Word, about int) {
	if w.Lines == nil {
		t.Emit("%s", w.Code)
		return
	}
	address, page := "", ""
	if about >= 0 {
		value := locName(about)
		if t.plan.memory[about] == lower.OfCode {
			value = t.plan.codeAddress(about)
		}
		address = t.Assembler.Pointer(t.register(value))
		if strings.Contains(strings.Join(w.Lines, " "), "PAGE") {
			page = t.Assembler.Pointer(t.NewRegister())
		}
	}
	for _, line := range w.Lines {
		t.Emit("%s", strings.NewReplacer("ADDRESS", address, "PAGE", page).Replace(line))
	}
}

// showFault adds to the condition whether the last instruction, that of event i, faults, if its location has a tag or
// an entry. It gives the instruction a label: a thread may access a location several times.
func (t *thread) showFault(p *plan, i int) {
	ev := p.events[i]
	m := p.memoryOf(ev.loc)
	if m != lower.OfTag && m != lower.OfEntry || p.explicit(i) {
		return
	}
	label := t.Label()
	last := len(t.Lines) - 1
	t.Lines = slices.Insert(t.Lines, last, label+":")
	where := fmt.Sprintf("fault(P%d:%s,%s", t.number, label, locName(ev.loc))
	switch kind := p.faultOf(i); {
	case kind != "":
		t.Observed = append(t.Observed, where+","+kind+")")
	default:
		t.Observed = append(t.Observed, "~"+where+")")
	}
}

package cycle

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"litmuscope/litmus"
	"litmuscope/litmus/lower"
)

// Generate writes the test of a cycle in a dialect. Its condition holds in exactly the executions that have the cycle.
// The layout is that of diyone7's tests, except that an additional thread observes the order of three or more writes of
// a location if the rest leaves it open. The cycle must be in words of the dialect. If name is "", the test gets the
// cycle's name.
func Generate(arch string, c Cycle, name string) (string, error) {
	if err := c.Check(); err != nil {
		return "", err
	}
	arch = c.Arch(arch)
	v := find(arch)
	if v == nil {
		return "", fmt.Errorf("there are no cycles for architecture %q: want one of %s", arch,
			strings.Join(Archs(), ", "))
	}
	for _, e := range c {
		if p := v.misfit(arch, e); p != "" {
			return "", errors.New(p)
		}
	}
	if name == "" {
		name = c.Name()
	}
	p := planned(arch, c)
	if v.Language != nil {
		functions, asked := p.functions(v)
		if arch == kernel {
			arch = ofC
		}
		return p.text(arch, name, "", functions, asked), nil
	}
	a := v.Assembler
	var threads []*thread
	labels := 0
	for _, events := range p.threads {
		t := p.thread(v, &labels)
		t.number = len(threads)
		for n, i := range events {
			var rmw *event
			if n+1 < len(events) && p.cycle[i].Kind == Rmw {
				rmw = &p.events[events[n+1]]
			}
			if p.events[i].after.Kind != Rmw {
				last := i
				if rmw != nil {
					last = events[n+1]
				}
				t.access(p.events[i], rmw, p.cycle[last])
				t.showFault(p, i)
			}
		}
		t.Close()
		threads = append(threads, t)
	}
	for _, o := range p.observers {
		t := p.thread(v, &labels)
		for n, value := range o.values {
			after := Edge{Kind: Po}
			if n > 0 && a.Full != "" {
				after = Edge{Kind: Fence, Name: a.Full}
			}
			t.access(
				event{loc: o.loc, access: Access{Mark: a.Seen, Part: o.part}, value: value, asked: true, after: after},
				nil, Edge{})
		}
		threads = append(threads, t)
	}
	for i, t := range threads {
		if a.Registers > 0 && t.Next > a.Registers {
			return "", fmt.Errorf("thread %d needs %d registers, and %s has only %d: shorten its part of the cycle", i,
				t.Next, arch, a.Registers)
		}
	}
	var init strings.Builder
	asked := make([][]string, len(threads))
	for i, t := range threads {
		asked[i] = t.Observed
		for n, r := range t.Init {
			if n > 0 {
				init.WriteByte(' ')
			}
			if r.Type != "" {
				init.WriteString(r.Type + " ")
			}
			fmt.Fprintf(&init, "%d:%s;", i, r.Text)
		}
		if len(t.Init) > 0 {
			init.WriteByte('\n')
		}
	}
	return p.text(arch, name, init.String(), columns(arch, threads, p.places()), asked), nil
}

// text assembles the test: a header, the initial values of registers, the threads, and the condition with the atoms of
// each thread.
func (p *plan) text(arch, name, init, threads string, asked [][]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n%q\n", arch, name, p.words)
	locs := ""
	for loc := range p.locs {
		if p.sized && slices.Equal(p.cells(loc), []Part{{1, 0}}) || p.sized &&
			slices.Equal(p.cells(loc), []Part{{2, 0}}) {
			continue // of the default width
		}
		if p.sized {
			locs += fmt.Sprintf("uint%d_t %s=0;\n", 8*p.width(loc), locName(loc))
		} else if v := p.initial(loc); v != 0 {
			locs += fmt.Sprintf("%s=%d;\n", locName(loc), v)
		}
	}
	fmt.Fprintf(&b, "Cycle=%s\nOrig=%s\n%s{\n%s%s%s}\n%s", p.words.Canonical(), p.words, p.variant(), locs,
		p.initialStates(), init, threads)
	b.WriteString("exists\n(")
	var atoms []string
	for loc, value := range p.final {
		if value >= 0 {
			atoms = append(atoms, locName(loc)+"="+lower.Spell(value, p.sized))
		}
	}
	atoms = append(atoms, p.finalStates()...)
	for i, of := range asked {
		for _, atom := range of {
			if strings.Contains(atom, "fault(") {
				atoms = append(atoms, atom)
				continue
			}
			atoms = append(atoms, fmt.Sprintf("%d:%s", i, atom))
		}
	}
	b.WriteString(strings.Join(atoms, ` /\ `))
	b.WriteString(")\n")
	return b.String()
}

// columns prints threads side by side, with their places in the scopes of an architecture.
func columns(arch string, threads []*thread, places [][]int) string {
	rows := 0
	for _, t := range threads {
		rows = max(rows, len(t.Lines))
	}
	var b strings.Builder
	for row := -1; row < rows; row++ {
		for i, t := range threads {
			title := fmt.Sprintf("P%d", i)
			if places != nil {
				title += litmus.PlaceText(arch, places[i])
			}
			cell, width := "", len(title)
			for _, line := range t.Lines {
				width = max(width, utf8.RuneCountInString(line))
			}
			if row < 0 {
				cell = title
			} else if row < len(t.Lines) {
				cell = t.Lines[row]
			}
			separator := "|"
			if i == 0 {
				separator = ""
			}
			fmt.Fprintf(&b, "%s %-*s ", separator, width, cell)
		}
		b.WriteString(";\n")
	}
	return b.String()
}

// thread is a thread under construction.
//
// A thread is written instruction by instruction by the dialect's Assembler. Registers are taken in the order of need:
// for addresses, for values to store, and for values read. The register of the last read is what dependencies are
// computed from.
type thread struct {
	lower.Writer
	plan      *plan
	number    int
	words     *vocabulary
	addresses map[string]int // by initial value
	held      *lower.Section // that the thread is in; nil for none
}

func (p *plan) thread(v *vocabulary, labels *int) *thread {
	return &thread{
		Writer: lower.Writer{Assembler: v.Assembler, Labels: labels, Bytes: p.sized}, words: v, plan: p,
		addresses: map[string]int{},
	}
}

// address returns the register with the address of an event's location, or -1 if instructions name the location.
func (t *thread) address(ev event) int {
	if t.Assembler.Absolute && ev.access.Part.At == 0 {
		return -1
	}
	return t.register(t.plan.addressOf(ev))
}

// register returns the register with an initial value.
func (t *thread) register(value string) int {
	r, ok := t.addresses[value]
	if !ok {
		r = t.NewRegister()
		t.addresses[value] = r
		t.Init = append(t.Init, lower.Register{Text: fmt.Sprintf("%s=%s", t.Assembler.Pointer(r), value)})
	}
	return r
}

// place returns the place of an event with the register of its address.
func (t *thread) place(ev event, index int) lower.Place {
	part := ev.access.Part
	return lower.Place{
		Location: locName(ev.loc), Base: t.address(ev), Index: index, Bytes: part.Bytes, At: part.At,
		Memory: t.plan.accessed(ev),
	}
}

// access writes an event, after the instructions that its edge puts before it. If rmw is not nil, the event is the read
// of that write's instruction. out is the edge behind it.
func (t *thread) access(ev event, rmw *event, out Edge) {
	index, data := -1, -1
	switch ev.after.Kind {
	case Fence:
		if word := named(t.words.Fences, ev.after.Name); word.Section == nil {
			t.fence(word, ev.about)
		}
	case Dp:
		switch {
		case strings.HasPrefix(ev.after.Name, "Ctrl"):
			label := t.Label()
			t.Assembler.Branch(&t.Writer, t.Read, label)
			t.Emit("%s:", label)
			if fence := named(t.words.Deps, ev.after.Name); fence.Code != "" {
				t.Emit("%s", fence.Code)
			}
		case ev.after.Name == "Addr":
			index = t.NewRegister()
			t.Assembler.Zero(&t.Writer, index, t.Read)
		default:
			data = t.NewRegister()
			t.Assembler.Zero(&t.Writer, data, t.Read)
			if value := t.plan.writtenState(ev); value != "" {
				t.Assembler.AddTo(&t.Writer, data, t.register(value))
			} else if most := t.Assembler.Largest; most > 0 && ev.value > most {
				t.Assembler.AddTo(&t.Writer, data, t.Constant(ev.value))
			} else {
				t.Assembler.Add(&t.Writer, data, ev.value)
			}
		}
	}
	t.enter(out)
	defer t.leave(out)
	switch {
	case t.plan.isFetch(ev):
		done := t.NewRegister()
		t.words.System.Fetch(&t.Writer, t.plan.site(ev.loc), done)
		t.Observe(done, ev.state.number)
	case rmw != nil && rmw.after.Name == pairName:
		at := t.place(ev, index)
		data = t.Constant(rmw.value)
		t.pair(at, data, ev, *rmw, true)
	case rmw != nil:
		t.Assembler.Atomic(&t.Writer, t.place(ev, index), lower.Atomic{
			Word: named(t.words.Atomics, rmw.after.Name), Load: ev.access.Mark, Store: rmw.access.Mark, Read: ev.value,
			Write: rmw.value, Step: rmw.step,
		})
	case ev.access.Mark == exclusive && ev.access.Write:
		at := t.place(ev, index)
		if data < 0 {
			data = t.Constant(ev.value)
		}
		t.pair(at, data, event{value: ev.old}, event{}, true)
	case ev.access.Mark == exclusive:
		t.pair(t.place(ev, index), -1, ev, event{}, ev.asked)
	case ev.access.Write:
		if value := t.plan.writtenState(ev); data < 0 && value != "" {
			data = t.register(value)
		} else if data < 0 {
			data = t.Constant(ev.value)
		}
		t.Assembler.Store(&t.Writer, data, ev.value, t.place(ev, index), ordering(ev.access.Mark))
	default:
		t.Read = t.NewRegister()
		at := t.place(ev, index)
		t.Assembler.Load(&t.Writer, t.Read, at, ordering(ev.access.Mark))
		if value := t.plan.seenState(ev); value != "" {
			t.Observed = append(t.Observed, t.Assembler.Shown(t.Read)+"="+value)
		} else if ev.asked {
			t.AskAt(at, t.Read, ev.value)
		}
	}
}

// pair writes a load-exclusive and its store-exclusive. data is the register to store, negative for the loaded one.
func (t *thread) pair(at lower.Place, data int, load, store event, asked bool) {
	t.Read = t.NewRegister()
	if data < 0 {
		data = t.Read
	}
	if status, ok := t.Assembler.Pair(&t.Writer, t.Read, data, at, load.access.Mark, store.access.Mark); status >= 0 {
		t.Observe(status, ok)
	}
	if asked {
		t.AskAt(at, t.Read, load.value)
	}
}

// named returns the word with a name, or the zero value.
func named(words []lower.Word, name string) lower.Word {
	for _, w := range words {
		if w.Name == name {
			return w
		}
	}
	return lower.Word{}
}

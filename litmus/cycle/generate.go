package cycle

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Generate writes the test of a cycle in a dialect: its condition holds in just the
// executions that have the cycle. It is laid out as diyone7's tests are, but that where
// three writes or more of a location leave their order open, a thread of its own observes
// it. The cycle has to be in words of the dialect; without a name, it gives its own.
func Generate(arch string, c Cycle, name string) (string, error) {
	if err := c.Check(); err != nil {
		return "", err
	}
	arch = c.Arch(arch)
	v := find(arch)
	if v == nil {
		return "", fmt.Errorf("there are no cycles for architecture %q: want one of %s", arch, strings.Join(Archs(), ", "))
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
	if s := speeches[arch]; s != nil {
		functions, asked := p.functions(s)
		return p.text(ofC, name, "", functions, asked), nil
	}
	a := assemblers[arch]
	var threads []*thread
	labels := 0
	for _, events := range p.threads {
		t := &thread{asm: a, labels: &labels, addresses: map[int]int{}}
		for n, i := range events {
			var rmw *event
			if n+1 < len(events) && p.cycle[i].Kind == Rmw {
				rmw = &p.events[events[n+1]]
			}
			if p.events[i].after.Kind != Rmw {
				t.access(p.events[i], rmw)
			}
		}
		t.close()
		threads = append(threads, t)
	}
	for _, o := range p.observers {
		t := &thread{asm: a, labels: &labels, addresses: map[int]int{}}
		for n, value := range o.values {
			after := Edge{Kind: Po}
			if n > 0 {
				after = Edge{Kind: Fence, Name: a.full}
			}
			t.access(event{loc: o.loc, value: value, asked: true, after: after}, nil)
		}
		threads = append(threads, t)
	}
	for i, t := range threads {
		if a.registers > 0 && t.next > a.registers {
			return "", fmt.Errorf("thread %d takes %d registers, of which %s has %d: shorten its part of the cycle", i, t.next, arch, a.registers)
		}
	}
	var init strings.Builder
	asked := make([][]string, len(threads))
	for i, t := range threads {
		asked[i] = t.asked
		for n, item := range t.init {
			if n > 0 {
				init.WriteByte(' ')
			}
			fmt.Fprintf(&init, "%d:%s;", i, item)
		}
		if len(t.init) > 0 {
			init.WriteByte('\n')
		}
	}
	return p.text(arch, name, init.String(), columns(threads), asked), nil
}

// text puts the test together: a header, what registers hold at first, the threads, and the
// condition, with the atoms of each thread.
func (p *plan) text(arch, name, init, threads string, asked [][]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n%q\n", arch, name, p.words)
	fmt.Fprintf(&b, "Cycle=%s\nOrig=%s\n{\n%s}\n%s", p.words.Canonical(), p.words, init, threads)
	b.WriteString("exists\n(")
	var atoms []string
	for loc, value := range p.final {
		if value >= 0 {
			atoms = append(atoms, fmt.Sprintf("%s=%d", locName(loc), value))
		}
	}
	for i, of := range asked {
		for _, atom := range of {
			atoms = append(atoms, fmt.Sprintf("%d:%s", i, atom))
		}
	}
	b.WriteString(strings.Join(atoms, ` /\ `))
	b.WriteString(")\n")
	return b.String()
}

// columns sets threads side by side.
func columns(threads []*thread) string {
	rows := 0
	for _, t := range threads {
		rows = max(rows, len(t.lines))
	}
	var b strings.Builder
	for row := -1; row < rows; row++ {
		for i, t := range threads {
			cell, width := "", len(fmt.Sprintf("P%d", i))
			for _, line := range t.lines {
				width = max(width, utf8.RuneCountInString(line))
			}
			if row < 0 {
				cell = fmt.Sprintf("P%d", i)
			} else if row < len(t.lines) {
				cell = t.lines[row]
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

// thread is a thread as it is written.
type thread struct {
	asm       *assembler
	lines     []string
	init      []string // "r2=x"
	asked     []string // "r1=0"
	next      int      // registers that are taken
	addresses map[int]int
	labels    *int   // of all threads
	read      int    // the register of the last read
	last      string // the label of the end, where something goes there
}

func (t *thread) emit(format string, args ...any) {
	t.lines = append(t.lines, fmt.Sprintf(format, args...))
}

// end is a label that close puts at the thread's end.
func (t *thread) end() string {
	if t.last == "" {
		t.last = t.label()
	}
	return t.last
}

// close ends a thread: it is asked to get to its end without a jump there.
func (t *thread) close() {
	if t.last != "" {
		done := t.take()
		t.asm.set(t, done, 1)
		t.emit("%s:", t.last)
		t.ask(done, 1)
	}
}

func (t *thread) label() string {
	*t.labels++
	return fmt.Sprintf("LC%02d", *t.labels-1)
}

func (t *thread) take() int {
	t.next++
	return t.next - 1
}

func (t *thread) ask(register, value int) {
	t.asked = append(t.asked, fmt.Sprintf("%s=%d", t.asm.shown(register), value))
}

// address is the register with a location's address, or -1 where instructions name it.
func (t *thread) address(loc int) int {
	if t.asm.absolute {
		return -1
	}
	r, ok := t.addresses[loc]
	if !ok {
		r = t.take()
		t.addresses[loc] = r
		t.init = append(t.init, fmt.Sprintf("%s=%s", t.asm.pointer(r), locName(loc)))
	}
	return r
}

// place is where an access goes: a location, the register with its address, and one with
// a zero to add to that, or -1.
type place struct{ loc, base, index int }

// place finds the register of an event's address.
func (t *thread) place(ev event, index int) place { return place{ev.loc, t.address(ev.loc), index} }

// constant sets a register to a value, unless instructions carry it with them.
func (t *thread) constant(value int) int {
	if t.asm.absolute {
		return -1
	}
	r := t.take()
	t.asm.set(t, r, value)
	return r
}

// access writes an event, and before it what comes between it and the one before. Where
// rmw is given, the event is the read of that write's instruction.
func (t *thread) access(ev event, rmw *event) {
	index, data := -1, -1
	switch ev.after.Kind {
	case Fence:
		t.emit("%s", t.asm.fences[ev.after.Name])
	case Dp:
		switch {
		case strings.HasPrefix(ev.after.Name, "Ctrl"):
			label := t.label()
			t.asm.branch(t, t.read, label)
			t.emit("%s:", label)
			if fence, ok := t.asm.fences[ev.after.Name]; ok {
				t.emit("%s", fence)
			}
		case ev.after.Name == "Addr":
			index = t.take()
			t.asm.zero(t, index, t.read)
		default:
			data = t.take()
			t.asm.zero(t, data, t.read)
			t.asm.add(t, data, ev.value)
		}
	}
	switch {
	case rmw != nil && rmw.after.Name == pairName:
		at := t.place(ev, index)
		data = t.constant(rmw.value)
		t.pair(at, data, ev, *rmw, true)
	case rmw != nil:
		t.asm.atomic(t, t.place(ev, index), ev, *rmw)
	case ev.access.Mark == exclusive && ev.access.Write:
		at := t.place(ev, index)
		if data < 0 {
			data = t.constant(ev.value)
		}
		t.pair(at, data, event{value: ev.old}, event{}, true)
	case ev.access.Mark == exclusive:
		t.pair(t.place(ev, index), -1, ev, event{}, ev.asked)
	case ev.access.Write:
		if data < 0 {
			data = t.constant(ev.value)
		}
		t.asm.store(t, data, ev.value, t.place(ev, index), ev.access.Mark)
	default:
		t.read = t.take()
		t.asm.load(t, t.read, t.place(ev, index), ev.access.Mark)
		if ev.asked {
			t.ask(t.read, ev.value)
		}
	}
}

// pair writes a load-exclusive and its store-exclusive of data, or of what was loaded
// where that is negative.
func (t *thread) pair(at place, data int, load, store event, asked bool) {
	t.read = t.take()
	if data < 0 {
		data = t.read
	}
	if status, ok := t.asm.pair(t, t.read, data, at, load.access.Mark, store.access.Mark); status >= 0 {
		t.ask(status, ok)
	}
	if asked {
		t.ask(t.read, load.value)
	}
}

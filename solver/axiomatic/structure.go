package axiomatic

import (
	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/solver/sat"
)

// event is a symbolic event: one access or fence of the unrolled program, executed
// where guard is true.
type event struct {
	thread, step int // models.InitThread and -1 for an initial write
	kind         models.EventKind
	tags         litmus.Tags
	locs         []int // the locations it may touch
	known        known // what is known of the value it reads or writes
	partner      int   // the other half of an RMW operation, or -1
	fixed        bool  // of a write: its value is the same whatever is read

	guard sat.Lit
	at    []sat.Lit // by locs: the address is that location's
	wild  sat.Lit   // the address is none of theirs
	value sat.Vec
	addr  []source[sat.Vec]
	data  []source[sat.Vec]
	ctrl  []source[sat.Vec]
	pairs []source[sat.Vec] // of a write: the reads it is one atomic access with
}

// structure is the symbolic event structure. Events are in the order of
// models.Execution: initial writes by location, then the threads in program order.
type structure struct {
	program *litmus.Program // unrolled
	events  []event
	first   [][]int // by thread and step: its event, the read of an RMW; -1 for none
}

// observe runs the threads over known bits, again and again, until what reads may
// return is known to depend on nothing more, and lists the events.
//
// In a model without thin-air values, what a read returns comes about along a chain
// of distinct writes whose value, address or presence was computed, so one round more
// than there are such writes covers every execution; otherwise rounds go on until
// nothing changes.
func observe(p *litmus.Program, thinAirFree bool) (s *structure, err error) {
	o := &observer{p: p, locs: make([]known, len(p.Locs))}
	defer func() {
		if err == nil && !thinAirFree {
			err = s.findFixed()
		}
	}()
	for i, l := range p.Locs {
		o.locs[i] = knownBits{}.constant(l.Init, l.Bits)
	}
	for round := 0; ; round++ {
		if err := o.round(); err != nil {
			return nil, err
		}
		stable := true
		for i := range o.locs {
			stable = stable && o.locs[i] == o.next[i]
		}
		if stable || thinAirFree && round > o.computed {
			return o.s, nil
		}
		o.locs = o.next
	}
}

// round runs every thread once, and lists the events anew.
func (o *observer) round() error {
	p := o.p
	o.next = append([]known(nil), o.locs...)
	o.computed = 0
	o.s = &structure{program: p, first: make([][]int, len(p.Threads))}
	for i, l := range p.Locs {
		o.add(event{thread: models.InitThread, step: -1, kind: models.Write, locs: []int{i}, known: knownBits{}.constant(l.Init, l.Bits)})
	}
	w := walker[known]{p, knownBits{}, o}
	for t := range p.Threads {
		o.s.first[t] = make([]int, len(p.Threads[t].Code)+1)
		for i := range o.s.first[t] {
			o.s.first[t][i] = -1
		}
		w.thread(t)
		if o.err != nil {
			return o.err
		}
	}
	return nil
}

// findFixed runs the threads once more, with nothing known of what reads return, to see
// which writes write the same in spite of it.
func (s *structure) findFixed() error {
	o := &observer{p: s.program, locs: make([]known, len(s.program.Locs))}
	for i, l := range s.program.Locs {
		o.locs[i] = unknown(l.Bits)
	}
	if err := o.round(); err != nil {
		return err
	}
	for i := range s.events {
		e := &s.events[i]
		if e.kind != models.Write || e.thread == models.InitThread {
			continue
		}
		if twin := o.s.first[e.thread][e.step]; twin >= 0 {
			if o.s.events[twin].partner >= 0 {
				twin = o.s.events[twin].partner
			}
			e.fixed = o.s.events[twin].known.constant()
		}
	}
	return nil
}

// observer implements memory over known bits.
type observer struct {
	p        *litmus.Program
	s        *structure
	locs     []known // what a location may hold, as of the last round
	next     []known
	computed int // writes whose value, address or presence depends on what is read
	err      error
}

func (o *observer) add(e event) int {
	e.partner = -1
	o.s.events = append(o.s.events, e)
	return len(o.s.events) - 1
}

// touch lists the locations that an access of a width may be to.
func (o *observer) touch(s site, addr known, bits int) []int {
	var locs []int
	mixed := -1
	for i, l := range o.p.Locs {
		if addr.may(l.Address & litmus.Mask(addr.bits)) {
			if l.Bits == bits {
				locs = append(locs, i)
			} else {
				mixed = i
			}
		}
	}
	if len(locs) == 0 && o.err == nil {
		pos := o.pos(s)
		if mixed >= 0 {
			l := o.p.Locs[mixed]
			o.err = litmus.Errorf(pos, "access of %d bits to %s, which has %d: accesses of mixed size are not supported", bits, l.Name, l.Bits)
		} else {
			o.err = litmus.Errorf(pos, "P%d accesses address %#x, which is no location", o.p.Threads[s.thread].ID, addr.value)
		}
	}
	return locs
}

func (o *observer) pos(s site) litmus.Pos {
	t := &o.p.Threads[s.thread]
	return t.Source[t.Code[s.step].Source].Pos
}

func (o *observer) read(s site, addr known, bits int, tags litmus.Tags) (e int, v known) {
	locs := o.touch(s, addr, bits)
	v = unknown(bits)
	for i, l := range locs {
		if i == 0 {
			v = o.locs[l]
		} else {
			v = v.join(o.locs[l])
		}
	}
	e = o.add(event{thread: s.thread, step: s.step, kind: models.Read, tags: tags, locs: locs, known: v})
	o.s.first[s.thread][s.step] = e
	return e, v
}

func (o *observer) write(s site, locs []int, v known, tags litmus.Tags) int {
	for _, l := range locs {
		o.next[l] = o.next[l].join(v)
	}
	if !v.constant() || len(locs) > 1 || !always(o.p, s) {
		o.computed++
	}
	return o.add(event{thread: s.thread, step: s.step, kind: models.Write, tags: tags, locs: locs, known: v})
}

func (o *observer) load(s site, op litmus.Load, _, addr known, _ deps[known]) known {
	_, v := o.read(s, addr, op.Bits, op.Tags)
	return v
}

func (o *observer) store(s site, op litmus.Store, _, addr, value known, _ deps[known]) {
	o.s.first[s.thread][s.step] = o.write(s, o.touch(s, addr, value.bits), value, op.Tags)
}

func (o *observer) rmw(s site, op litmus.RMW, _, addr known, next func(known) (known, known, []source[known]), _ deps[known]) known {
	r, old := o.read(s, addr, op.Bits, op.Tags)
	if v, writes, _ := next(old); writes != (knownBits{}).constant(0, 1) {
		w := o.write(s, o.s.events[r].locs, v, op.WriteTags)
		o.s.events[r].partner, o.s.events[w].partner = w, r
	}
	return old
}

func (o *observer) storeCond(s site, op litmus.StoreCond, _, addr, value known, pairs []reservation[known], _ deps[known]) known {
	locs := o.touch(s, addr, value.bits)
	if len(pairs) == 0 {
		return knownBits{}.constant(0, 1)
	}
	o.s.first[s.thread][s.step] = o.write(s, locs, value, op.Tags)
	return unknown(1)
}

func (o *observer) fence(s site, op litmus.Fence, _ known, _ deps[known]) {
	o.s.first[s.thread][s.step] = o.add(event{thread: s.thread, step: s.step, kind: models.Fence, tags: op.Tags})
}

func (o *observer) choose(site, known) known { return unknown(1) }

func (o *observer) unwound(site, litmus.Unwound, known) {}

func (o *observer) end(int, []known) {}

package change

import (
	"cmp"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// kept lists the changes of a test with a system side: barriers and maintenance of caches and TLBs, as its dialect
// declares them (lower.Maintenance). A page table or a modified instruction needs a sequence of instructions, each of
// which orders nothing alone. So each place between two statements has a row of slots, one behind another.
type kept struct {
	*Changes
	maintenance *lower.Maintenance
	d           Direction
	prices      Prices
}

func (x *kept) list() {
	for t := range x.ownThreads() {
		for cell := range x.Test.Threads[t].Cells {
			x.existing(t, cell)
		}
		if x.d != Stronger {
			continue
		}
		acting := x.acting(t)
		for n := 1; n < len(acting); n++ {
			first, second := acting[n-1], acting[n]
			s := Slot{Kind: Fence, Thread: t, Cell: second}
			if labels, _ := x.Test.Threads[t].Cells[second].Labels(); len(labels) > 0 {
				s.Cell, s.behind = first+1, true
			}
			for i, row := range x.maintenance.Inserts(x.Test, x.Program, t, s.Cell) {
				s.step = i + 1
				x.insert(s, row)
			}
		}
	}
}

// acting returns the statements of a thread's own text, in its order, that access memory, are barriers or maintenance,
// or jump to code of another thread.
func (x *kept) acting(t int) (out []int) {
	own := len(x.Test.Threads[t].Cells)
	code := x.Program.Threads[t].Code
	for _, s := range code {
		if s.Source >= own {
			continue
		}
		switch op := s.Op.(type) {
		case ir.Load, ir.Store, ir.RMW, ir.StoreCond, ir.Fence:
			out = append(out, s.Source)
		case ir.Branch:
			if op.Target < len(code) && code[op.Target].Source >= own {
				out = append(out, s.Source)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// insert adds a slot that inserts one of a row.
func (x *kept) insert(s Slot, row []lower.Insertion) {
	s.Options = []Option{{}}
	for _, in := range row {
		if cost, ok := x.prices.Price(Fence, in.Name); ok {
			s.Options = append(s.Options,
				Option{Name: in.Name, Text: in.Text, Cost: cost, before: in.Before, init: in.Init})
		}
	}
	x.addSlot(s)
}

// existing adds a slot for a barrier or maintenance in the test, which can be removed or written differently.
func (x *kept) existing(t, cell int) {
	if x.stays(t, cell) {
		return
	}
	ways := x.maintenance.Ways(x.Test, x.Program, t, cell)
	text := plain(x.Test.Threads[t].Cells[cell])
	at := slices.IndexFunc(ways, func(w lower.Way) bool { return w.Text == text })
	if at < 0 {
		return
	}
	is := Option{Name: ways[at].Name, Text: text}
	is.Cost, _ = x.prices.Price(Fence, is.Name)
	if is.Cost == 0 { // the price of the most expensive one that orders no more
		for _, name := range x.maintenance.Weaker[is.Name] {
			cost, _ := x.prices.Price(Fence, name)
			is.Cost = max(is.Cost, cost)
		}
	}
	if is.Cost == 0 {
		return
	}
	s := Slot{Kind: Fence, Thread: t, Cell: cell, whole: true}
	for _, w := range ways {
		o := Option{Name: w.Name, Text: w.Text}
		var priced bool
		o.Cost, priced = x.prices.Price(Fence, w.Name)
		if priced && (x.d == Stronger && x.within(is, o) && o.Cost > is.Cost ||
			x.d == Weaker && x.within(o, is) && o.Cost < is.Cost) {
			s.Options = append(s.Options, o)
		}
	}
	if x.d == Stronger {
		s.Options = append([]Option{is}, s.Options...)
		for i := range s.Options {
			s.Options[i].Cost -= is.Cost
		}
	} else {
		s.Options = append(append([]Option{{}}, s.Options...), is)
		s.Was = -1
	}
	x.addSlot(s)
}

// within reports whether an option orders less than another one; the empty one orders nothing.
func (x *kept) within(a, b Option) bool {
	return a.Text == "" && b.Text != "" || slices.Contains(x.maintenance.Weaker[b.Name], a.Name)
}

// addSlot adds a slot with those of the options that parse, and that no cheaper one makes useless. The first option
// orders the least, and one orders more than all others; Was is the first or, if it is -1, the last.
func (x *kept) addSlot(s Slot) {
	own := 0
	if s.Was < 0 {
		own = len(s.Options) - 1
	}
	var options []Option
	for i, o := range s.Options {
		s.Was = own
		useless := i != own && slices.ContainsFunc(s.Options, func(b Option) bool {
			return x.within(o, b) && b.Cost <= o.Cost
		})
		if useless {
			continue
		}
		if i != own {
			if _, err := x.with(s, i); err != nil {
				continue
			}
		}
		options = append(options, o)
	}
	was := s.Options[own].Text
	slices.SortStableFunc(options, func(a, b Option) int { return cmp.Compare(a.Cost, b.Cost) })
	last := options[len(options)-1]
	options = slices.DeleteFunc(options, func(o Option) bool { return o.Text != last.Text && !x.within(o, last) })
	if len(options) < 2 {
		return
	}
	s.Options = options
	s.Was = slices.IndexFunc(options, func(o Option) bool { return o.Text == was })
	for i := range options {
		for j := range options {
			if i == j || x.within(options[j], options[i]) {
				options[i].Below = append(options[i].Below, j)
			}
		}
	}
	if s.Was >= 0 {
		x.Slots = append(x.Slots, s)
	}
}

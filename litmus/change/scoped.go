package change

import (
	"cmp"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// scoped lists the changes of a test whose threads are in scopes. An access or a fence has an order and a scope, and a
// slot has all pairs of these that order more than the existing one, or less. Tags decide that: the dialect says which
// orders and scopes include which (lower.Scoped).
type scoped struct {
	*Changes
	words  *lower.Scoped
	d      Direction
	prices Prices
}

// mostOptions bounds the options of a slot: hitting.Set has a bit for each.
const mostOptions = 64

func (x *scoped) list() {
	for t, th := range x.Test.Threads {
		for i, cell := range th.Cells {
			_, rest := cell.Labels()
			from := len(cell.Text) - len(rest.Text)
			for _, a := range x.words.Ways(x.Test, rest.Text) {
				s := Slot{Kind: Order, Thread: t, Cell: i, at: from + a.At, length: a.Length}
				x.addSlot(s, x.options(Order, a.Ways), cell.Text[s.at:s.at+s.length])
			}
			x.existingFence(t, i)
		}
	}
	if x.d != Stronger {
		return
	}
	for _, g := range Gaps(x.Program, MaxSlots) {
		for _, family := range x.words.Fences(x.Test) {
			s := Slot{Kind: Fence, Thread: g.Thread, Cell: g.After + 1, behind: true}
			if labels, _ := x.cell(&s).Labels(); len(labels) == 0 {
				s.behind = false
			}
			x.addSlot(s, append([]Option{{}}, x.options(Fence, family)...), "")
		}
	}
}

// options returns the ways to write something that have a price.
func (x *scoped) options(kind Kind, ways []lower.Way) (out []Option) {
	for _, w := range ways {
		o, priced := Option{Name: w.Name, Text: w.Text}, true
		if w.Name != "" {
			o.Cost, priced = x.prices.Price(kind, w.Name)
		}
		if w.Scope != "" && priced {
			var more int
			more, priced = x.prices.Price(Scope, w.Scope)
			o.Cost += more
			o.Name = strings.TrimSpace(o.Name + " " + w.Scope)
		}
		if priced {
			out = append(out, o)
		}
	}
	return out
}

// existingFence adds a slot for a fence of the test, which can be removed or written differently.
func (x *scoped) existingFence(thread, cell int) {
	var fences []ir.Fence
	th := &x.Program.Threads[thread]
	for _, s := range th.Code {
		if s.Source == cell {
			f, is := s.Op.(ir.Fence)
			if !is || f.Barrier != nil { // without a control barrier, threads would run otherwise
				return
			}
			fences = append(fences, f)
		}
	}
	if len(fences) != 1 {
		return
	}
	text := plain(th.Source[cell])
	is := x.tags(x.Program, Slot{Thread: thread, Cell: cell}, true)
	for _, family := range x.words.Fences(x.Test) {
		s := Slot{Kind: Fence, Thread: thread, Cell: cell, whole: true, Was: -1}
		options, worth := x.options(Fence, family), 0
		for i, o := range options {
			s.Options = []Option{{}, o}
			p, err := x.with(s, 1)
			if err != nil || !included(x.tags(p, s, true), is) {
				continue
			}
			if worth = max(worth, o.Cost); included(is, x.tags(p, s, true)) {
				options[i].Text, worth = text, o.Cost // the existing fence, as the test spells it
				break
			}
		}
		if worth == 0 {
			continue
		}
		if !slices.ContainsFunc(options, func(o Option) bool { return o.Text == text }) {
			options = append(options, Option{Text: text, Cost: worth})
		}
		if x.d == Weaker {
			options = append([]Option{{}}, options...)
		}
		s.Options = nil
		x.addSlot(s, options, text)
		return
	}
}

// tags returns the tags of a slot's statement, with those of all weaker orders and, if wide, narrower scopes. It is nil
// for a statement that is not there.
func (x *scoped) tags(p *ir.Program, s Slot, wide bool) []ir.Tags {
	out := tagsAt(p, s.Thread, s.Cell)
	for i, tags := range out {
		out[i] = x.words.Closure(tags, wide)
	}
	return out
}

// included reports whether operations with tags a order no more than those with tags b: nothing orders no more than
// anything.
func included(a, b []ir.Tags) bool {
	if len(a) == 0 {
		return true
	}
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if slices.ContainsFunc(a[i], func(t ir.Tag) bool { return !b[i].Has(t) }) {
			return false
		}
	}
	return true
}

// weighed is an option with its tags, with narrower scopes and without.
type weighed struct {
	Option
	wide, exact []ir.Tags
}

// addSlot adds a slot with those of the options that order more than the existing one and cost more, or order less and
// cost less. One option orders more than all others, or as much.
func (x *scoped) addSlot(s Slot, options []Option, own string) {
	var all []weighed
	s.Options, s.Was = options, slices.IndexFunc(options, func(o Option) bool { return o.Text == own })
	if s.Was < 0 {
		return
	}
	inserts := s.Kind == Fence && !s.whole
	for i, o := range options {
		w := weighed{Option: o}
		if o.Text != "" {
			p, err := x.with(s, i)
			if err != nil || !inserts && !sameButTags(p, x.Program) {
				continue
			}
			w.wide, w.exact = x.tags(p, s, true), x.tags(p, s, false)
		}
		all = append(all, w)
	}
	at := slices.IndexFunc(all, func(w weighed) bool { return w.Text == own })
	if at < 0 {
		return
	}
	is := all[at]
	less := func(a, b weighed) bool {
		return included(a.wide, b.wide) && !included(b.wide, a.wide) && a.Cost < b.Cost
	}
	all = slices.DeleteFunc(all, func(w weighed) bool {
		return w.Text != own && !(x.d == Stronger && less(is, w) || x.d == Weaker && less(w, is))
	})
	every := slices.Clone(all)
	all = slices.DeleteFunc(all, func(w weighed) bool { // no more order than another, which is no dearer
		return w.Text != own && slices.ContainsFunc(every, func(b weighed) bool {
			return b.Text != w.Text && included(w.wide, b.wide) && w.Cost >= b.Cost
		})
	})
	slices.SortStableFunc(all, func(a, b weighed) int { return cmp.Compare(a.Cost, b.Cost) })
	first, last := all[0], all[len(all)-1]
	all = slices.DeleteFunc(all, func(w weighed) bool {
		return w.Text != last.Text && !less(w, last) || w.Text != first.Text && !less(first, w)
	})
	if len(all) < 2 || len(all) > mostOptions {
		return
	}
	s.Options = nil
	free := is.Cost
	if x.d == Weaker {
		free = first.Cost
	}
	for i, a := range all {
		if a.Text == own {
			s.Was = i
		}
		a.Cost -= free
		for j, b := range all {
			wider := i == j || less(b, all[i])
			if i == j || wider && (!x.words.Equal || included(b.exact, a.exact)) {
				a.Below = append(a.Below, j)
			}
			if wider && x.words.Equal {
				a.Beyond = append(a.Beyond, j)
			}
		}
		s.Options = append(s.Options, a.Option)
	}
	x.Slots = append(x.Slots, s)
}

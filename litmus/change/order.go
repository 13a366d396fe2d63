package change

import (
	"cmp"
	"slices"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
)

// orders adds slots with other ways to write the accesses of the test, which order more or less.
func (c *Changes) orders(d Direction, prices Prices) {
	for t, th := range c.Test.Threads {
		for i, cell := range th.Cells {
			_, rest := cell.Labels()
			from := len(cell.Text) - len(rest.Text)
			for _, a := range dialect.Alternatives(c.tongue, rest.Text) {
				s := Slot{Kind: Order, Thread: t, Cell: i, at: from + a.At, length: a.Length}
				is := cell.Text[s.at : s.at+s.length]
				var own Option
				for _, w := range a.Ways {
					o := Option{Name: w.Name, Text: w.Text}
					priced := w.Name == ""
					if !priced {
						o.Cost, priced = prices.Price(Order, w.Name)
					}
					if w.Text == is {
						own = o
					}
					if priced || w.Text == is {
						s.Options = append(s.Options, o)
					}
				}
				if own.Text == "" || own.Text == is && len(s.Options) < 2 {
					continue
				}
				c.addOrderSlot(s, own, d)
			}
		}
	}
}

// addOrderSlot adds a slot with the options that order more than the existing one and cost more, or order less and cost
// less. One option, or the existing access, must order more than all others.
func (c *Changes) addOrderSlot(s Slot, own Option, d Direction) {
	tags := map[string][]ir.Tags{}
	s.Was = slices.IndexFunc(s.Options, func(o Option) bool { return o.Text == own.Text })
	for i, o := range s.Options {
		if p, err := c.with(s, i); err == nil && sameButTags(p, c.Program) {
			tags[o.Text] = ordering(p, s.Thread, s.Cell)
		}
	}
	is := tags[own.Text]
	if is == nil {
		return
	}
	less := func(a, b Option) bool {
		return within(tags[a.Text], tags[b.Text]) && !within(tags[b.Text], tags[a.Text]) && a.Cost < b.Cost
	}
	s.Options = slices.DeleteFunc(s.Options, func(o Option) bool {
		return tags[o.Text] == nil || o.Text != own.Text &&
			!(d == Stronger && less(own, o) || d == Weaker && less(o, own))
	})
	all := slices.Clone(s.Options)
	s.Options = slices.DeleteFunc(s.Options, func(o Option) bool {
		// an option that orders no more than another and is no cheaper is useless
		return o.Text != own.Text && slices.ContainsFunc(all, func(b Option) bool {
			return o.Text != b.Text && within(tags[o.Text], tags[b.Text]) && o.Cost >= b.Cost
		})
	})
	slices.SortStableFunc(s.Options, func(a, b Option) int {
		switch {
		case less(a, b):
			return -1
		case less(b, a):
			return 1
		}
		return cmp.Compare(a.Cost, b.Cost)
	})
	last := s.Options[len(s.Options)-1]
	first := s.Options[0]
	s.Options = slices.DeleteFunc(s.Options, func(o Option) bool {
		return o.Text != last.Text && !less(o, last) || o.Text != first.Text && !less(first, o)
	})
	if len(s.Options) < 2 {
		return
	}
	for i, a := range s.Options {
		if a.Text == own.Text {
			s.Was = i
		}
		for j, b := range s.Options {
			if i == j || less(b, a) {
				s.Options[i].Below = append(s.Options[i].Below, j)
			}
		}
		if d == Stronger {
			s.Options[i].Cost -= own.Cost
		}
	}
	c.Slots = append(c.Slots, s)
}

package change

import (
	"slices"
	"strings"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// fenceName returns the name of a fence in tables of costs.
func fenceName(code string) string { return strings.TrimSuffix(code, ";") }

// fences adds slots for each fence of the dialect that has a price, in each gap.
func (c *Changes) fences(prices Prices) {
	cycles := dialect.Cycles(c.tongue)
	if cycles == nil {
		return
	}
	for _, g := range Gaps(c.Program, MaxSlots) {
		for _, w := range cycles.Fences {
			if w.Code == "" {
				continue
			}
			cost, ok := c.fencePrice(prices, fenceName(w.Code))
			if !ok || waitsForBranch(cycles, w) && !branchesBefore(&c.Program.Threads[g.Thread], g.After) {
				continue
			}
			s := Slot{
				Kind: Fence, Thread: g.Thread, Cell: g.After + 1, behind: true,
				Options: []Option{
					{Below: []int{0}},
					{Name: fenceName(w.Code), Text: w.Code, Cost: cost, Below: []int{0, 1}},
				},
			}
			if labels, _ := c.cell(&s).Labels(); len(labels) == 0 {
				s.behind = false
			}
			if _, err := c.with(s, 1); err == nil {
				c.Slots = append(c.Slots, s)
			}
		}
	}
}

// fencePrice returns the cost of a fence; ok is false for one that is not on offer in a test without a system side.
func (c *Changes) fencePrice(prices Prices, name string) (cost int, ok bool) {
	if u := dialect.Maintenance(c.tongue); u != nil && u.Only(name) {
		return 0, false
	}
	return prices.Price(Fence, name)
}

// waitsForBranch reports whether a fence only orders accesses if it follows a branch.
func waitsForBranch(cycles *lower.Cycles, fence lower.Word) bool {
	return slices.ContainsFunc(cycles.Deps, func(d lower.Word) bool { return d.Code == fence.Code })
}

// branchesBefore reports whether a thread branches on a value before the end of a statement.
func branchesBefore(th *ir.Thread, cell int) bool {
	return slices.ContainsFunc(th.Code, func(s ir.Step) bool {
		b, is := s.Op.(ir.Branch)
		return is && b.Cond != nil && s.Source <= cell
	})
}

// existingFences adds slots that remove an existing fence or replace it: by a cheaper one, or by one that orders more.
func (c *Changes) existingFences(d Direction, prices Prices) {
	cycles := dialect.Cycles(c.tongue)
	if cycles == nil {
		return
	}
	for t := range c.Program.Threads {
		th := &c.Program.Threads[t]
		for cell := range th.Source {
			var fences, others int
			for _, s := range th.Code {
				if s.Source == cell {
					if _, is := s.Op.(ir.Fence); is {
						fences++
					} else {
						others++
					}
				}
			}
			text := plain(th.Source[cell])
			if fences != 1 || others > 0 || c.stays(t, cell) {
				continue
			}
			s := Slot{Kind: Fence, Thread: t, Cell: cell, whole: true, Options: []Option{{}}}
			for _, w := range cycles.Fences {
				if cost, ok := c.fencePrice(prices, fenceName(w.Code)); ok && !waitsForBranch(cycles, w) {
					s.Options = append(s.Options, Option{Name: fenceName(w.Code), Text: w.Code, Cost: cost})
				}
			}
			own, ok := c.fencePrice(prices, fenceName(normal(text)))
			if !ok { // the price of the most expensive fence that orders no more
				own = c.worth(s)
			}
			if own == 0 {
				continue
			}
			if is := (Option{Name: fenceName(normal(text)), Text: text, Cost: own}); d == Stronger {
				s.Options = slices.DeleteFunc(s.Options[1:], func(o Option) bool { return o.Cost <= own })
				s.Options = append(s.Options, is)
				c.addOrderSlot(s, is, d)
				continue
			}
			s.Options = slices.DeleteFunc(s.Options, func(o Option) bool { return o.Cost >= own })
			s.Options = append(s.Options, Option{Name: fenceName(normal(text)), Text: text, Cost: own})
			c.addFenceSlot(s)
		}
	}
}

// worth returns the price of the most expensive option of a slot that orders no more than the existing fence; 0 if
// there is none.
func (c *Changes) worth(s Slot) (cost int) {
	is := ordering(c.Program, s.Thread, s.Cell)
	s.Was = -1 // none of them
	for i, o := range s.Options[1:] {
		if p, err := c.with(s, i+1); err == nil && within(ordering(p, s.Thread, s.Cell), is) {
			cost = max(cost, o.Cost)
		}
	}
	return cost
}

// normal returns a statement with runs of blanks reduced to one.
func normal(text string) string { return strings.Join(strings.Fields(text), " ") }

// addFenceSlot adds a slot with those options that parse, and whose tags order no more than the existing fence, which
// is the last option.
func (c *Changes) addFenceSlot(s Slot) {
	last := len(s.Options) - 1
	s.Was = last
	tags := make([][]ir.Tags, len(s.Options))
	keep := make([]bool, len(s.Options))
	for i := range s.Options {
		p, err := c.with(s, i)
		if err != nil {
			continue
		}
		if s.Options[i].Text != "" {
			tags[i] = ordering(p, s.Thread, s.Cell)
		}
		keep[i] = true
	}
	if !keep[0] || !keep[last] {
		return
	}
	for i := 1; i < last; i++ {
		keep[i] = keep[i] && within(tags[i], tags[last]) && !within(tags[last], tags[i])
	}
	for i := 1; i < last; i++ { // an option that keeps no more than another, and is no cheaper, is useless
		for j := 1; j < last; j++ {
			keep[i] = keep[i] &&
				!(i != j && keep[j] && within(tags[i], tags[j]) && s.Options[i].Cost >= s.Options[j].Cost)
		}
	}
	var options []Option
	var of [][]ir.Tags
	for i, o := range s.Options {
		if keep[i] {
			options, of = append(options, o), append(of, tags[i])
		}
	}
	s.Options, s.Was = options, len(options)-1
	for i := range s.Options {
		for j := range s.Options {
			if j == 0 && s.whole || i == j || i == s.Was || of[j] != nil && within(of[j], of[i]) {
				s.Options[i].Below = append(s.Options[i].Below, j)
			}
		}
	}
	c.Slots = append(c.Slots, s)
}

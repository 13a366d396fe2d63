// Package hitting finds the cheapest choice of changes that contains something of each clause. A [Set] collects
// clauses: [Set.Add] takes a choice that is not sufficient, as large as possible, and requires one of the changes
// missing from it. [Set.Next] returns the cheapest choice to try next.
//
// It imports litmus/change, for slots and choices: no engine.
package hitting

import (
	"cmp"
	"slices"

	"litmuscope/litmus/change"
)

// literal is an option of a slot.
type literal struct{ slot, option, cost int }

// Set looks for the cheapest choice that has an option of each clause.
type Set struct {
	Slots []change.Slot
	// Answers are choices known to be enough: the search skips choices that contain one of them.
	Answers []change.Choice

	clauses  [][]literal // each by its costs
	best     change.Choice
	least    int
	choice   change.Choice
	excluded []uint64 // by slot: options that the search has tried instead
}

// NoBound is more than anything costs.
const NoBound = 1 << 40

// Add adds a clause: a choice has to go beyond most somewhere.
func (h *Set) Add(most change.Choice) {
	var clause []literal
	for i, m := range most {
		for o, option := range h.Slots[i].Options {
			if !slices.Contains(h.Slots[i].Options[m].Below, o) {
				clause = append(clause, literal{i, o, option.Cost})
			}
		}
	}
	slices.SortStableFunc(clause, func(a, b literal) int { return cmp.Compare(a.cost, b.cost) })
	h.clauses = append(h.clauses, clause)
}

// Next is the cheapest choice below a bound that has an option of each clause and does not have all that some answer
// has; nil where there is none. What costs as much comes in a fixed order.
func (h *Set) Next(bound int) change.Choice {
	h.best, h.least = nil, bound
	h.choice = make(change.Choice, len(h.Slots))
	h.excluded = make([]uint64, len(h.Slots))
	h.search(0)
	return h.best
}

// search extends the choice, whose cost is cost, to the cheapest one that satisfies all clauses: it branches on the
// literals of an open clause, and gives up if the choice costs as much as the best one. It excludes a tried literal in
// the branches of its siblings, so that it visits no choice twice.
func (h *Set) search(cost int) {
	if h.beyondAnswers() {
		return
	}
	clause, more := h.open()
	if cost+more >= h.least {
		return
	}
	if clause == nil {
		h.best, h.least = slices.Clone(h.choice), cost
		return
	}
	var tried []literal
	for _, l := range clause {
		if !h.available(l) {
			continue
		}
		h.choice[l.slot] = l.option
		h.search(cost + l.cost)
		h.choice[l.slot] = 0
		h.excluded[l.slot] |= 1 << l.option
		tried = append(tried, l)
	}
	for _, l := range tried {
		h.excluded[l.slot] &^= 1 << l.option
	}
}

func (h *Set) available(l literal) bool {
	return h.choice[l.slot] == 0 && h.excluded[l.slot]>>l.option&1 == 0
}

// open is the clause with the fewest options left among those that the choice does not satisfy, nil if there is none;
// and what the choice will cost more at least: the cheapest of clauses that share no slot.
func (h *Set) open() (clause []literal, more int) {
	fewest := 0
	used := make([]bool, len(h.Slots))
	for _, c := range h.clauses {
		if slices.ContainsFunc(c, func(l literal) bool { return h.choice[l.slot] == l.option }) {
			continue
		}
		n, cheapest, apart := 0, 0, true
		for _, l := range c {
			if h.available(l) {
				if n++; n == 1 {
					cheapest = l.cost
				}
				apart = apart && !used[l.slot]
			}
		}
		if n == 0 {
			return c, NoBound
		}
		if apart {
			more += cheapest
			for _, l := range c {
				if h.available(l) {
					used[l.slot] = true
				}
			}
		}
		if clause == nil || n < fewest {
			clause, fewest = c, n
		}
	}
	return clause, more
}

// beyondAnswers reports whether the choice has all that some answer has.
func (h *Set) beyondAnswers() bool {
	return slices.ContainsFunc(h.Answers, func(a change.Choice) bool {
		for i, o := range a {
			if !slices.Contains(h.Slots[i].Options[h.choice[i]].Covers(), o) {
				return false
			}
		}
		return true
	})
}

package change

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// Place is a place in a test where a person chooses among options.
type Place struct {
	Kind   Kind   `json:"kind"`
	Thread int    `json:"thread"`         // by index; of Value, for the condition, 0
	Name   string `json:"name,omitempty"` // the thread's: "P0"; "" of Value
	// the statement, or the one after it; of Value, the atom of the condition
	Cell      int        `json:"cell"`
	Step      int        `json:"step,omitempty"` // among several insertions in a row, from 1
	Line      int        `json:"line,omitempty"` // where that begins; 0 of Value
	Statement string     `json:"statement"`      // that, on one line
	Choices   []Standing `json:"choices"`
	Was       int        `json:"was"` // the choice that the test has as it is
}

// Standing is one of the options of a place.
type Standing struct {
	Text string `json:"text"` // as written, or a description of a dependency; "" for nothing
	Cost int    `json:"cost"` // the difference in cost to the unchanged test
}

// Made is a change that a person has chosen: a place, and the new option.
type Made struct {
	Kind   Kind   `json:"kind"`
	Thread int    `json:"thread"`
	Cell   int    `json:"cell"`
	Step   int    `json:"step,omitempty"` // of the place
	Text   string `json:"text"`
}

// Makes returns the change for an option of the place.
func (p *Place) Makes(choice int) Made {
	return Made{p.Kind, p.Thread, p.Cell, p.Step, p.Choices[choice].Text}
}

// Places returns the slots as people choose in them, in the order of the text. Fences and dependencies before the same
// statement share a place, which takes one of them, unless several in a row are needed.
func (c *Changes) Places() []Place {
	var out []Place
	for i := range c.Slots {
		s := &c.Slots[i]
		p := Place{
			Kind: s.Kind, Thread: s.Thread, Name: fmt.Sprint("P", c.Test.Threads[s.Thread].ID), Cell: s.Cell,
			Step: s.step, Line: c.Line(s), Statement: strings.TrimSuffix(c.Statement(s), ";"), Was: s.Was,
		}
		for o := range s.Options {
			p.Choices = append(p.Choices, Standing{c.written(s, o), s.Options[o].Cost - s.Options[s.Was].Cost})
		}
		if s.puts() && s.step == 0 {
			if at := slices.IndexFunc(out, func(q Place) bool {
				return q.Kind == s.Kind && q.Thread == s.Thread && q.Cell == s.Cell && q.Choices[0].Text == ""
			}); at >= 0 {
				out[at].Choices = append(out[at].Choices, p.Choices[1:]...)
				continue
			}
		}
		out = append(out, p)
	}
	slices.SortStableFunc(out, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Cell, b.Cell),
			cmp.Compare(rank(a.Kind), rank(b.Kind)))
	})
	return out
}

// rank sorts insertions before a statement before changes of the statement.
func rank(k Kind) int { return slices.Index([]Kind{Fence, Dependency, Order}, k) }

// puts reports whether a slot inserts something.
func (s *Slot) puts() bool { return s.dep != nil || s.Kind == Fence && !s.whole }

// written returns the text of an option in the test: an order together with its statement.
func (c *Changes) written(s *Slot, option int) string {
	if s.puts() && option == 0 {
		return ""
	}
	return strings.TrimSuffix(c.Words(s, option), ";")
}

// Make returns the test with changes made, at most one in each place. It fails for a change that is not available.
func (c *Changes) Make(made []Made) (string, error) {
	choice := c.As()
	test := *c.Test
	for _, m := range made {
		if m.Kind == Value {
			prop, ok := withValue(test.Condition.Prop, m.Cell, m.Text)
			if !ok {
				return "", fmt.Errorf("%q is not a value for the condition", litmus.Shorten(m.Text))
			}
			test.Condition.Prop = prop
			continue
		}
		slot, option := c.slotOf(m)
		if slot < 0 {
			return "", fmt.Errorf("%q is not on offer in thread %d, at statement %d", litmus.Shorten(m.Text),
				m.Thread, m.Cell+1)
		}
		choice[slot] = option
	}
	if source := c.Test.Source; !slices.ContainsFunc(made, func(m Made) bool { return m.Kind == Value }) {
		if slices.Equal(choice, c.As()) {
			return source, nil
		}
		return c.Text(choice)
	}
	asks := *c
	asks.Test = &test
	return litmus.Print(asks.printed(asks.edits(choice))), nil
}

// slotOf returns the slot and the option of a change; slot is -1 if there is none.
func (c *Changes) slotOf(m Made) (slot, option int) {
	for i := range c.Slots {
		s := &c.Slots[i]
		if s.Kind != m.Kind || s.Thread != m.Thread || s.Cell != m.Cell || s.step != m.Step {
			continue
		}
		for o := range s.Options {
			if c.written(s, o) == strings.TrimSuffix(m.Text, ";") {
				return i, o
			}
		}
	}
	return -1, 0
}

// Package change lists and makes changes of litmus tests that keep more or fewer accesses in order: fences between two
// accesses, other ways to write an access, dependencies. [Of] lists the [Changes] of a test in one [Direction]; each
// [Slot] has several options, and a [Choice] takes one option for each slot:
//
//	c, err := change.Of(test, program, change.Stronger, prices, adds)
//	source, err := c.Text(choice)
//
// [Values] lists the values in a condition that can be changed, [Gaps] the places where a fence can stand.
//
// The options are what each dialect declares (lower.Words). The package offers only changes that it has tried: the
// changed text has to parse, and its program has to do the same apart from the change.
//
// It imports litmus, litmus/ir, litmus/lower and litmus/dialect: no model and no solver.
package change

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
)

// Kind is a kind of change.
type Kind string

// The kinds.
const (
	Fence      Kind = "fence"
	Order      Kind = "order" // of an access, or of a fence that is there
	Dependency Kind = "dependency"
)

// Slot is a place where one of several things stands. With the first of its options the test keeps least in order.
type Slot struct {
	Kind    Kind
	Thread  int // by index
	Cell    int // the statement that is changed, or in front of which something is put
	Options []Option
	// Was is the option that the test has as it is.
	Was int

	behind bool // what is put there goes behind the statement before
	at     int  // of Order: where in the statement what is written otherwise begins
	length int
	whole  bool // the statement is all of it, and may go
	dep    *dependency
}

// Option is what may stand in a slot.
type Option struct {
	Name string // as a table of costs has it; "" for what costs nothing
	Text string // as it is written; "" for nothing
	Cost int
	// Below are the options, itself among them, that keep no more in order than it does.
	Below []int
}

// Choice is an option of each slot.
type Choice []int

// Direction says what is sought.
type Direction int

// The directions.
const (
	Stronger Direction = iota // what keeps more in order can be put there
	Weaker                    // what is there can keep less in order, or go
)

// Prices say what costs how much: ok is false for what is not on offer.
type Prices interface {
	Price(kind Kind, name string) (cost int, ok bool)
}

// Adds tells whether all that somebody has done to a program is to make accesses depend on more than they did, or, with
// fences, to put some behind those, too.
type Adds func(before, after *ir.Program, fences bool) bool

// Changes are those that can be made of a test.
type Changes struct {
	Test    *litmus.Test
	Program *ir.Program
	Slots   []Slot

	tongue  string
	adds    Adds
	scratch []scratch // by thread
	labels  int
}

// MaxSlots bounds the slots of a test.
const MaxSlots = 1024

// Of lists the changes of a test, which program is what it comes to.
func Of(t *litmus.Test, p *ir.Program, d Direction, prices Prices, adds Adds) (*Changes, error) {
	c := &Changes{Test: t, Program: p, tongue: dialect.Tongue(t.Source), adds: adds}
	c.orders(d, prices)
	c.standing(d, prices)
	if d == Stronger {
		c.fences(prices)
		c.dependencies(prices)
	}
	if len(c.Slots) > MaxSlots {
		return nil, litmus.Errorf(litmus.Pos{File: t.File, Line: 1, Col: 1},
			"there are %d places for changes: want at most %d", len(c.Slots), MaxSlots)
	}
	return c, nil
}

// As is the choice that leaves the test as it is, Least and Most those that keep least and most in order.
func (c *Changes) As() Choice { return c.choice(func(s *Slot) int { return s.Was }) }

// Least is the choice with which the test keeps least in order.
func (c *Changes) Least() Choice { return c.choice(func(*Slot) int { return 0 }) }

// Most is the choice with which it keeps most.
func (c *Changes) Most() Choice { return c.choice(func(s *Slot) int { return len(s.Options) - 1 }) }

func (c *Changes) choice(of func(*Slot) int) Choice {
	out := make(Choice, len(c.Slots))
	for i := range c.Slots {
		out[i] = of(&c.Slots[i])
	}
	return out
}

// Cost is what a choice costs.
func (c *Changes) Cost(choice Choice) (cost int) {
	for i, o := range choice {
		cost += c.Slots[i].Options[o].Cost
	}
	return cost
}

// Line is where in the test a slot's statement begins.
func (c *Changes) Line(s *Slot) int { return c.cell(s).Pos.Line }

func (c *Changes) cell(s *Slot) litmus.Cell { return c.Test.Threads[s.Thread].Cells[s.Cell] }

// Statement is the statement of a slot, as it is, on one line.
func (c *Changes) Statement(s *Slot) string { return plain(c.cell(s).Flat()) }

// Replaces tells whether a slot has another statement in the place of one, or another part of it.
func (s *Slot) Replaces() bool { return s.Kind == Order || s.whole }

// Words say what an option does to the test, as it is shown: "MFENCE", "LDAR W0,[X1]", "addr 1:r1 to line 6".
func (c *Changes) Words(s *Slot, option int) string {
	o := s.Options[option]
	switch {
	case s.dep != nil:
		return s.dep.words(c, s)
	case s.Kind == Order && !s.whole:
		text := c.cell(s).Text
		written := litmus.Cell{Text: text[:s.at] + o.Text + text[s.at+s.length:]}
		return plain(written.Flat())
	}
	return o.Text
}

// plain is a statement without its labels.
func plain(c litmus.Cell) string {
	_, rest := c.Labels()
	return rest.Text
}

// accesses are the statements of a thread that access memory, in the order of the text.
func accesses(th *ir.Thread) []int {
	var out []int
	for _, s := range th.Code {
		switch s.Op.(type) {
		case ir.Load, ir.Store, ir.RMW, ir.StoreCond:
			out = append(out, s.Source)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// lowered is the program of the test with a choice made.
func (c *Changes) lowered(choice Choice) (*ir.Program, error) {
	source, err := c.Text(choice)
	if err != nil {
		return nil, err
	}
	return dialect.Parse(c.Test.File, source)
}

// with is the test as it is, but for one option of the slot that is added for this.
func (c *Changes) with(s Slot, option int) (*ir.Program, error) {
	c.Slots = append(c.Slots, s)
	defer func() { c.Slots = c.Slots[:len(c.Slots)-1] }()
	choice := c.As()
	choice[len(choice)-1] = option
	return c.lowered(choice)
}

// sameButTags tells whether two programs do the same, but for tags.
func sameButTags(a, b *ir.Program) bool {
	return stripped(a) == stripped(b)
}

func stripped(p *ir.Program) string {
	var b strings.Builder
	for _, th := range p.Threads {
		for _, s := range th.Code {
			switch op := s.Op.(type) {
			case ir.Load, ir.Store, ir.RMW, ir.StoreCond:
				s.Op = ir.Untagged(s.Op)
			case ir.Fence:
				op.Tags = nil
				s.Op = op
			}
			fmt.Fprintf(&b, "%d %T %+v\n", s.Source, s.Op, s.Op)
		}
	}
	return b.String()
}

// ordering are the tags of a statement's accesses and fences that say what they keep in order, by operation.
func ordering(p *ir.Program, thread, cell int) (out []ir.Tags) {
	for _, s := range p.Threads[thread].Code {
		if s.Source != cell {
			continue
		}
		switch op := s.Op.(type) {
		case ir.Load:
			out = append(out, op.Tags)
		case ir.Store:
			out = append(out, op.Tags)
		case ir.RMW:
			out = append(out, op.Tags, op.WriteTags)
		case ir.StoreCond:
			out = append(out, op.Tags)
		case ir.Fence:
			out = append(out, op.Tags)
		}
	}
	for i, tags := range out {
		out[i] = slices.DeleteFunc(slices.Clone(tags), func(t ir.Tag) bool { return !t.Orders() })
	}
	return out
}

// within tells whether what has tags a keeps no more in order than what has b, in the terms that all models know.
func within(a, b []ir.Tags) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		for _, t := range a[i] {
			if !b[i].Has(t) && !b[i].Has(ir.TagFull) {
				return false
			}
		}
	}
	return true
}

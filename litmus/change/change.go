// Package change lists and makes changes of litmus tests that keep more or fewer accesses in order: fences between two
// accesses, other ways to write an access, dependencies. [Of] lists the [Changes] of a test in one [Direction]; each
// [Slot] has several options, and a [Choice] takes one option for each slot:
//
//	c, err := change.Of(test, program, change.Stronger, prices, adds)
//	source, err := c.Text(choice)
//
// [Values] lists the values in a condition that a user can change, [Gaps] the places for a fence.
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
	Order      Kind = "order" // of an access, or of an existing fence
	Dependency Kind = "dependency"
	Atomic     Kind = "atomic" // of a program: a plain object is declared _Atomic
)

// Scope is the kind of an entry in tables of costs that is no change by itself: what an order or a fence costs more at
// a scope.
const Scope Kind = "scope"

// Slot is a place in a test with several options. The first option orders the least.
type Slot struct {
	Kind    Kind
	Thread  int // by index
	Cell    int // the statement to change, or before which to insert
	Options []Option
	// Was is the option that the unchanged test has.
	Was int

	behind bool // the option is inserted after the previous statement
	step   int  // of an insertion that is one of several in a row: its number, from 1
	at     int  // of Order: the offset in the statement of the text to replace
	length int
	whole  bool // the option is the whole statement, which can be removed
	dep    *dependency
}

// Option is one text for a slot.
type Option struct {
	Name string // in the table of costs; "" if the option is free
	Text string // in the test; "" for nothing
	Cost int
	// Below are the options, including this one, that order no more than this one.
	Below []int
	// Beyond are the options, including this one, that order and cost no more if scopes that are wider order more. It
	// is nil if it equals Below.
	Beyond []int

	before []string     // instructions that compute its operand
	init   *litmus.Init // the initial value of a register that it needs; nil for none
}

// Covers returns the options that a person would take instead of this one if they are enough.
func (o *Option) Covers() []int {
	if o.Beyond != nil {
		return o.Beyond
	}
	return o.Below
}

// Above returns the last option that orders at least as much as another.
func (s *Slot) Above(option int) int {
	for o := len(s.Options) - 1; o > option; o-- {
		if slices.Contains(s.Options[o].Below, option) {
			return o
		}
	}
	return option
}

// Choice is an option for each slot.
type Choice []int

// Direction says whether changes make a test stronger or weaker.
type Direction int

// The directions.
const (
	Stronger Direction = iota // options that order more are available
	Weaker                    // options that order less, or nothing, are available
)

// Prices returns costs by name; ok is false for a change that is not available.
type Prices interface {
	Price(kind Kind, name string) (cost int, ok bool)
}

// Adds reports whether the only difference between two programs is that accesses of the second have more dependencies
// and, with fences, more fences after those.
type Adds func(before, after *ir.Program, fences bool) bool

// Changes are the possible changes of a test in one direction.
type Changes struct {
	Test    *litmus.Test
	Program *ir.Program
	Slots   []Slot

	tongue   string
	adds     Adds
	scratch  []scratch         // by thread
	labelled []map[string]bool // by thread: the labels that name an instruction
	labels   int
}

// MaxSlots bounds the slots of a test.
const MaxSlots = 1024

// Of lists the changes of a test. p must be the test's program.
func Of(t *litmus.Test, p *ir.Program, d Direction, prices Prices, adds Adds) (*Changes, error) {
	c := &Changes{Test: t, Program: p, tongue: dialect.Tongue(t.Source), adds: adds, labelled: named(t, p)}
	if s := dialect.Scoped(c.tongue); s != nil {
		(&scoped{c, s, d, prices}).list()
	} else {
		c.orders(d, prices)
		if maintenance := dialect.Maintenance(c.tongue); maintenance != nil && p.System {
			(&kept{c, maintenance, d, prices}).list()
		} else {
			c.existingFences(d, prices)
			if d == Stronger {
				c.fences(prices)
			}
		}
		if d == Stronger {
			c.dependencies(prices)
		}
	}
	if len(c.Slots) > MaxSlots {
		return nil, litmus.Errorf(litmus.Pos{File: t.File, Line: 1, Col: 1},
			"the test has %d places for changes: want at most %d", len(c.Slots), MaxSlots)
	}
	return c, nil
}

// As returns the choice of the unchanged test.
func (c *Changes) As() Choice { return c.choice(func(s *Slot) int { return s.Was }) }

// Least returns the choice that orders the least.
func (c *Changes) Least() Choice { return c.choice(func(*Slot) int { return 0 }) }

// Monotone reports whether the choice of [Changes.Most] orders at least as much as every other one. It does not if
// operations synchronise only with those that name the same scope: an operation that cannot change may have another.
func (c *Changes) Monotone() bool {
	s := dialect.Scoped(c.tongue)
	return s == nil || !s.Equal
}

// Most returns the choice that orders the most.
func (c *Changes) Most() Choice { return c.choice(func(s *Slot) int { return len(s.Options) - 1 }) }

func (c *Changes) choice(of func(*Slot) int) Choice {
	out := make(Choice, len(c.Slots))
	for i := range c.Slots {
		out[i] = of(&c.Slots[i])
	}
	return out
}

// Cost returns the sum of the costs of a choice.
func (c *Changes) Cost(choice Choice) (cost int) {
	for i, o := range choice {
		cost += c.Slots[i].Options[o].Cost
	}
	return cost
}

// Step returns the number, from 1, of a slot that is one of several insertions in a row; 0 for all others.
func (s *Slot) Step() int { return s.step }

// Line returns the line in the test where a slot's statement begins.
func (c *Changes) Line(s *Slot) int { return c.cell(s).Pos.Line }

func (c *Changes) cell(s *Slot) litmus.Cell { return c.Test.Threads[s.Thread].Cells[s.Cell] }

// Statement returns the unchanged statement of a slot, on one line.
func (c *Changes) Statement(s *Slot) string { return plain(c.cell(s).Flat()) }

// Replaces reports whether a slot replaces a statement or a part of one, instead of inserting.
func (s *Slot) Replaces() bool { return s.Kind == Order || s.whole }

// Words describes what an option does to the test: "MFENCE", "LDAR W0,[X1]", "addr 1:r1 to line 6".
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
	return strings.Join(append(slices.Clone(o.before), o.Text), "; ")
}

// plain returns a statement without its labels.
func plain(c litmus.Cell) string {
	_, rest := c.Labels()
	return rest.Text
}

// ownThreads returns the number of a program's threads that are in the text of the test: behind them may be what the
// hardware does by itself.
func (c *Changes) ownThreads() int { return min(len(c.Program.Threads), len(c.Test.Threads)) }

// ownAccesses returns the statements in a thread's own text that access memory. Behind them may be handlers and copies
// of other threads' code.
func (c *Changes) ownAccesses(t int) []int {
	return slices.DeleteFunc(accesses(&c.Program.Threads[t]),
		func(cell int) bool { return cell >= len(c.Test.Threads[t].Cells) })
}

// accesses returns the statements of a thread that access memory, in the order of the text.
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

// lowered returns the program of the test with a choice made.
func (c *Changes) lowered(choice Choice) (*ir.Program, error) {
	source, err := c.Text(choice)
	if err != nil {
		return nil, err
	}
	return dialect.Parse(c.Test.File, source)
}

// with returns the program of the test with one option of an additional slot.
func (c *Changes) with(s Slot, option int) (*ir.Program, error) {
	c.Slots = append(c.Slots, s)
	defer func() { c.Slots = c.Slots[:len(c.Slots)-1] }()
	choice := c.As()
	choice[len(choice)-1] = option
	return c.lowered(choice)
}

// sameButTags reports whether two programs are equal except for tags.
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

// ordering returns, by operation, the tags of a statement's accesses and fences that order accesses.
func ordering(p *ir.Program, thread, cell int) []ir.Tags {
	out := tagsAt(p, thread, cell)
	for i, tags := range out {
		out[i] = slices.DeleteFunc(slices.Clone(tags), func(t ir.Tag) bool { return !t.Orders() })
	}
	return out
}

// tagsAt returns, by operation, the tags of a statement's accesses and fences.
func tagsAt(p *ir.Program, thread, cell int) (out []ir.Tags) {
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
	return out
}

// within reports whether an operation with tags a orders no more than one with tags b, according to the generic tags.
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

package solver

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/display"
)

// Flag is a flag of a model, which allowed executions may raise.
type Flag struct {
	Name string `json:"name"`
	// Raised: some allowed execution raises it. It is absent while that is unknown.
	Raised *bool `json:"raised,omitempty"`
	// Undefined: what raises it has undefined behaviour, so that no condition holds.
	Undefined bool `json:"undefined,omitempty"`
	// State and Graph are of an execution that raises it, with Options.Witnesses.
	State State         `json:"state,omitempty"`
	Graph *models.Graph `json:"graph,omitempty"`
	// Causes are what raises it in an execution, which is Graph's where there is one: two accesses that race, say. A
	// flag that something absent raises has none.
	Causes []FlagCause `json:"causes,omitempty"`
}

// FlagCause is a pair of events that raises a flag, or an event by itself.
type FlagCause struct {
	First  FlagEvent  `json:"first"`
	Second *FlagEvent `json:"second,omitempty"`
}

// FlagEvent is an event, and the place of its instruction in the test.
type FlagEvent struct {
	Event  int    `json:"event"`            // its ID in the graph
	Name   string `json:"name"`             // as in the picture
	Thread string `json:"thread,omitempty"` // "P0"; absent for an initial write
	// its instruction as written, without a semicolon; "x=0" for an initial write
	Text   string `json:"text"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// maxCauses bounds how many causes of a flag the answer lists and the picture shows.
const maxCauses = 12

// Raise notes that an execution of the model raises the flag, and why; with draw, also its graph.
func (f *Flag) Raise(x *models.Execution, m *models.Model, causes []models.Pair, draw bool) {
	yes := true
	f.Raised = &yes
	causes = causes[:min(len(causes), maxCauses)]
	events := display.Events(x)
	at := func(id int) FlagEvent {
		e, drawn := x.Events[id], events[id]
		out := FlagEvent{Event: id, Name: drawn.Name, Text: drawn.Loc + "=" + drawn.Value}
		if e.Thread == models.InitThread {
			return out
		}
		t := x.Program.Threads[e.Thread]
		cell := t.Source[drawn.Source]
		out.Thread, out.Text = fmt.Sprintf("P%d", t.ID), strings.TrimSuffix(cell.Text, ";")
		out.Line, out.Column = cell.Pos.Line, cell.Pos.Col
		return out
	}
	for _, p := range causes {
		c := FlagCause{First: at(p[0])}
		if p[1] != p[0] {
			second := at(p[1])
			c.Second = &second
		}
		f.Causes = append(f.Causes, c)
	}
	if draw {
		g := display.Graph(x, m)
		g.Flag(f.Name, causes)
		f.State, f.Graph = PrintState(x.Program, x.Final()), g
	}
}

// String is the event in words: "P0's *y = 1 (line 9)".
func (e FlagEvent) String() string {
	if e.Thread == "" {
		return "the initial " + e.Text
	}
	return fmt.Sprintf("%s's %s (line %d)", e.Thread, e.Text, e.Line)
}

// Pair returns the cause's events as an edge of the graph; an event by itself is a loop.
func (c FlagCause) Pair() models.Pair {
	if c.Second == nil {
		return models.Pair{c.First.Event, c.First.Event}
	}
	return models.Pair{c.First.Event, c.Second.Event}
}

// races are names that published models give to flags of accesses that race.
var races = []string{"Dr", "dr", "Ur", "ur"}

// Parts returns the words of Sentence before and after the first cause.
func (f Flag) Parts() (before, after string) {
	before, after = "flag "+f.Name+": ", ""
	racing := strings.Contains(strings.ToLower(f.Name), "race") || slices.Contains(races, f.Name)
	if racing && f.Causes[0].Second != nil {
		after = " race"
	}
	if n := len(f.Causes) - 1; n > 0 {
		after += fmt.Sprintf(" (and %d more)", n)
	}
	if f.Undefined {
		before = "undefined behaviour, " + f.Name + ": "
		after += "; the condition does not hold"
	}
	return before, after
}

// Sentence is Text with what raises the flag: "undefined behaviour, Dr: P0's *y = 1 (line 9) and P1's
// r0 = *y (line 14) race; the condition does not hold".
func (f Flag) Sentence() string {
	if len(f.Causes) == 0 {
		return f.Text()
	}
	before, after := f.Parts()
	cause := f.Causes[0].First.String()
	if second := f.Causes[0].Second; second != nil {
		cause += " and " + second.String()
	}
	return before + cause + after
}

// Text says in words that executions raise the flag, or may; "" where it is not.
func (f Flag) Text() string {
	switch {
	case f.Raised == nil && f.Undefined:
		return f.Name + ": behaviour may be undefined"
	case f.Raised == nil:
		return "flag " + f.Name + ": unknown"
	case *f.Raised && f.Undefined:
		return "undefined behaviour: " + f.Name
	case *f.Raised:
		return "flag " + f.Name
	}
	return ""
}

// UnsequencedRace is the flag of a test in C with an expression that is undefined because of the order of its own
// accesses. It is not a model's: the language says so.
const UnsequencedRace = "unsequenced-race"

// FlagUnsequenced raises the flag for a test with such an expression, if some execution reaches it. If that depends on
// a condition it stays open. Then no condition holds, or that is open, too.
func (r *Result) FlagUnsequenced(p *ir.Program) {
	if len(p.Unsequenced) == 0 || r.Status == Failed {
		return
	}
	f := Flag{Name: UnsequencedRace, Undefined: true}
	if always := slices.ContainsFunc(p.Unsequenced, func(u ir.Unsequenced) bool { return u.Always }); always &&
		r.Observation != "" {
		f.Raised = &always
		r.ConditionHolds = new(bool)
	} else if r.ConditionHolds != nil && *r.ConditionHolds {
		r.ConditionHolds = nil
	}
	r.Flags = append(r.Flags, f)
}

// Undef is herd's name for all flags of undefined behaviour together.
const Undef = "*undef*"

// HerdName is herd's name for the flag.
func (f Flag) HerdName() string {
	if f.Undefined {
		return Undef
	}
	return f.Name
}

// RaisedFlags are the raised flags, by herd's names and in its order.
func (r *Result) RaisedFlags() []string {
	var out []string
	for _, f := range r.Flags {
		if f.Raised != nil && *f.Raised {
			out = append(out, f.HerdName())
		}
	}
	slices.Sort(out) // an asterisk sorts before any name
	return slices.Compact(out)
}

// Undefined reports whether some allowed execution has undefined behaviour.
func (r *Result) Undefined() Truth {
	out := No
	for _, f := range r.Flags {
		switch {
		case !f.Undefined:
		case f.Raised == nil:
			out = Open
		case *f.Raised:
			return Yes
		}
	}
	return out
}

package solver

import (
	"errors"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/evaluation"
)

// RaceFlag is a model's flag for data races, by number.
type RaceFlag struct {
	Model *models.Model
	Index int
}

// RaceRemark says what a data race is under a model that does not say so itself; "" under others.
func RaceRemark(m *models.Model) string {
	if raceIn(m) >= 0 {
		return ""
	}
	label := models.Label(m.Name)
	return label + " does not define data races. Two accesses race if the source language's happens-before orders " +
		"neither before the other, in an execution that " + label + " allows"
}

// raceIn finds the flag of that name, which models of languages have; -1 for none.
func raceIn(m *models.Model) int {
	for i := range m.Flags {
		if m.Flags[i].Name == "data-race" {
			return i
		}
	}
	return -1
}

// UsualProperties returns the default properties of a program under a model: assertions and, if the model has a flag
// for data races, as models of languages have, data races. A racy program is then never called safe.
func UsualProperties(m *models.Model) []ir.Property {
	if raceIn(m) < 0 {
		return []ir.Property{ir.Assertion}
	}
	return []ir.Property{ir.Assertion, ir.DataRace}
}

// RacesUndefine reports whether a data race makes behaviour undefined under a model.
func RacesUndefine(m *models.Model) bool {
	i := raceIn(m)
	return i >= 0 && m.Flags[i].Undefined()
}

// Races finds the flag for data races: the model's own or, if it has none, that of the language of a program whose
// accesses have some tags, on the executions that the model allows.
func Races(m *models.Model, present func(ir.Tag) bool) RaceFlag {
	if raceIn(m) < 0 {
		return SourceRaces(present)
	}
	return RaceFlag{m, raceIn(m)}
}

// SourceRaces finds the flag of the language.
func SourceRaces(present func(ir.Tag) bool) RaceFlag {
	m := models.OfRaces(present)
	return RaceFlag{m, raceIn(m)}
}

// Clash is a kind of data race: between two accesses, or between an access and the end of its memory's lifetime.
type Clash int

// The kinds.
const (
	OfAccesses Clash = iota
	OfLives
)

// Concerns reports whether an access to l with these tags can take part in such a clash.
func (c Clash) Concerns(l *ir.Location, tags ir.Tags) bool {
	return (c == OfLives) == (l.Life != "") && (l.Life == "" || len(tags) > 0)
}

// Property is the property, among those of the question, that a clash violates under a model. The end of a life clashes
// with an access as another access does, and also fails ir.Memory. Where the model itself separates accesses from the
// ends of lives, only a question about data races sees the clash: "" without such a question.
func (c Clash) Property(m *models.Model, asked []ir.Property) ir.Property {
	switch {
	case c == OfLives && separatesLives(m):
		if slices.Contains(asked, ir.DataRace) {
			return ir.DataRace
		}
		return ""
	case c == OfLives && slices.Contains(asked, ir.Memory):
		return ir.Memory
	case slices.Contains(asked, ir.DataRace) || c == OfAccesses:
		return ir.DataRace
	}
	return ir.Undefined
}

// separatesLives reports whether a model orders what a thread did before the end of a life that another thread learns
// about: the built-in sc and tso do. There the read that finds the block alive, before each access, returns 0 in some
// execution of every program in which an access can follow the end: reads are in order, and every thread sees a store
// only after the earlier stores of its thread have left the buffer. Under pso, another thread may see a later store
// first.
func separatesLives(m *models.Model) bool {
	return m.IsBuiltIn() && (m.Name == "sc" || m.Name == "tso") // a user's model may have the name
}

// OfPairs reports whether pairs of events that race raise the flag, one by one.
func (r RaceFlag) OfPairs() bool {
	return !slices.ContainsFunc(r.Model.Flags[r.Index].Checks,
		func(a cat.Axiom) bool { return a.Kind != cat.Empty || !a.Negated })
}

// Failure says which accesses clash in an execution that raises the flag, as the failure of a property.
func (r RaceFlag) Failure(x *models.Execution, c Clash, p ir.Property) (*Failure, error) {
	concerned := func(e int) bool { return c.Concerns(&x.Program.Locs[x.Events[e].Loc], x.Events[e].Tags) }
	for _, pair := range evaluation.NewChecker(r.Model).Causes(x, r.Index) {
		if !r.OfPairs() || concerned(pair[0]) && concerned(pair[1]) {
			return clash(x, pair[0], pair[1], p), nil
		}
	}
	return nil, errors.New("BUG: an execution with a data race contains none")
}

// clash describes a race between two events as a failure. If one of them ends a lifetime, the failure is at the access.
func clash(x *models.Execution, a, b int, p ir.Property) *Failure {
	life := x.Program.Locs[x.Events[a].Loc].Life
	ends := func(e int) bool {
		switch x.Program.Threads[x.Events[e].Thread].Code[x.Events[e].Step].Op.(type) {
		case ir.RMW, ir.Store:
			return true
		}
		return false
	}
	if life != "" && ends(a) {
		a, b = b, a
	}
	at := func(e int) *Failure {
		ev := &x.Events[e]
		name := x.Program.Locs[ev.Loc].Name
		what := "this read of " + name + " is in a data race"
		switch {
		case life != "" && ends(e) && e == b:
			what = "the lifetime of " + life + " ends here"
		case life != "" && ends(e):
			what = "the lifetime of " + life + " ends here, unordered with its other end"
		case life != "":
			what = MayHaveEnded(life)
		case ev.Kind == models.Write:
			what = "this write of " + name + " is in a data race"
		}
		f := FailureAt(x.Program, ev.Thread, ev.Step, p, what)
		if life == "" && p == ir.DataRace {
			f.Object = name
		}
		return f
	}
	out := at(a)
	out.Others = []Failure{*at(b)}
	return out
}

// Ended returns where the lifetime ended of the memory that a stopped thread accessed last. It returns nothing if no
// thread ended it, or if the memory was never alive.
func Ended(x *models.Execution, thread int) []Failure {
	last := -1
	for i := range x.Events {
		if e := &x.Events[i]; e.Thread == thread && e.Kind == models.Read && e.Loc >= 0 &&
			(last < 0 || e.Step >= x.Events[last].Step) {
			last = i
		}
	}
	if last < 0 || x.Events[last].Value != 0 || x.Program.Locs[x.Events[last].Loc].Life == "" {
		return nil
	}
	end := &x.Events[x.RF[last]]
	if end.Thread == models.InitThread {
		return nil
	}
	return []Failure{
		*FailureAt(x.Program, end.Thread, end.Step, ir.Memory,
			"the lifetime of "+x.Program.Locs[end.Loc].Life+" ends here"),
	}
}

// MayHaveEnded describes the failure of an access that is unordered with the end of its memory's lifetime.
func MayHaveEnded(life string) string {
	return life + " is accessed here, possibly after its lifetime: nothing orders this access before the end of " +
		"the lifetime"
}

// AsksLives reports whether the question about a program includes the order of its accesses and the ends of lives:
// always if it has such, unless the model itself separates the two or the question is only what the program has freed
// in the end.
func AsksLives(p *ir.Program, m *models.Model, asked []ir.Property) bool {
	return HasLives(p) && OfLives.Property(m, asked) != "" &&
		(!slices.Contains(asked, ir.Leak) || slices.Contains(asked, ir.Memory))
}

// HasLives reports whether a program has locations that represent lifetimes of memory.
func HasLives(p *ir.Program) bool {
	return slices.ContainsFunc(p.Locs, func(l ir.Location) bool { return l.Life != "" })
}

// RaceNotKnown is the remark that a program may have a data race, and why there is no verdict.
func RaceNotKnown(why string) Remark {
	return Remark{Line: 1, Column: 1, Message: raceNotKnown + why}
}

const raceNotKnown = "the program may have a data race, which would make all its behaviour undefined: "

// RaceOpen is that remark of an answer; "" without one.
func (v *Verification) RaceOpen() string {
	for _, r := range v.Remarks {
		if strings.HasPrefix(r.Message, raceNotKnown) {
			return r.Message
		}
	}
	return ""
}

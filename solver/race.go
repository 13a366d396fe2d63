package solver

import (
	"errors"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// RaceFlag is a model's flag for data races, by number.
type RaceFlag struct {
	Model *models.Model
	Index int
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

// RacesUndefine tells whether nothing is defined under a model where there is a data race.
func RacesUndefine(m *models.Model) bool {
	i := raceIn(m)
	return i >= 0 && m.Flags[i].Undefined()
}

// Races finds the flag for data races: the model's own or, where it says nothing of them, that of the language that a program is
// written in whose accesses have some tags, on the executions that the model allows.
func Races(m *models.Model, present func(ir.Tag) bool) RaceFlag {
	if raceIn(m) < 0 {
		m = models.OfAccesses(present)
	}
	return RaceFlag{m, raceIn(m)}
}

// Failure says which accesses race in an execution that raises the flag.
func (r RaceFlag) Failure(x *models.Execution) (*Failure, error) {
	causes := models.NewChecker(r.Model).Causes(x, r.Index)
	if len(causes) == 0 {
		return nil, errors.New("BUG: an execution that has a data race has none")
	}
	at := func(e int) *Failure {
		ev := &x.Events[e]
		what := "this read of "
		if ev.Kind == models.Write {
			what = "this write of "
		}
		return FailureAt(x.Program, ev.Thread, ev.Step, ir.DataRace, what+x.Program.Locs[ev.Loc].Name+" is in a data race")
	}
	out := at(causes[0][0])
	out.Others = []Failure{*at(causes[0][1])}
	return out, nil
}

// RaceNotKnown is the remark that it is not known whether a program has a data race that would leave all of it undefined.
func RaceNotKnown(why string) Remark {
	return Remark{Line: 1, Column: 1, Message: raceNotKnown + why}
}

const raceNotKnown = "whether the program has a data race, which would leave all of it undefined, is not known: "

// RaceOpen is that remark of an answer; "" where it has none.
func (v *Verification) RaceOpen() string {
	for _, r := range v.Remarks {
		if strings.HasPrefix(r.Message, raceNotKnown) {
			return r.Message
		}
	}
	return ""
}

package engines

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/graphs"
)

// Touring asks how the engine of graphs goes through the executions of a test, or of a program.
type Touring struct {
	Test    *solver.Task       `json:"test,omitempty"`
	Program *solver.VerifyTask `json:"program,omitempty"`
	Most    int                `json:"most"` // stops
	At      int                `json:"at"`   // the stop whose graph to draw; -1 for none
}

// tourTime is how long a tour may take of whoever waits for it.
const tourTime = 3 * time.Second

// Toured is a tour, or the errors of the question.
type Toured struct {
	Tour    *solver.Tour     `json:"tour,omitempty"`
	Bad     litmus.ErrorList `json:"bad,omitempty"`     // why the exploration cannot begin
	Refused string           `json:"refused,omitempty"` // why nobody can answer that, whatever the text
}

// Tour records as much of the exploration as it can within a while.
func Tour(q Touring) (*Toured, error) {
	ctx, cancel := context.WithTimeout(context.Background(), tourTime)
	defer cancel()
	t, err := TourWithin(ctx, q)
	if bad := litmus.Errors(err); err != nil && bad[0].Pos != (litmus.Pos{}) {
		return &Toured{Bad: few(bad)}, nil
	} else if err != nil && !strings.Contains(err.Error(), "BUG") {
		return &Toured{Refused: err.Error()}, nil
	}
	return &Toured{Tour: t}, err
}

// TourModels are the built-in models under which there is a tour of a test or a program in a tongue.
func TourModels(tongue string) []string {
	if dialect.HasScopes(tongue) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(models.For(tongue)), func(name string) bool {
		m, err := models.Named(name)
		return err != nil || !(graphs.Engine{}).Tours(m)
	})
}

// TourWithin is Tour until a context ends: it returns the part recorded by then.
func TourWithin(ctx context.Context, q Touring) (*solver.Tour, error) {
	if q.Program != nil {
		return tourProgram(ctx, *q.Program, q.Most, q.At)
	}
	if q.Test == nil {
		return nil, errors.New("BUG: a tour of nothing")
	}
	t := *q.Test
	t.Engine = graphs.Engine{}.Name()
	p, err := dialect.ParseFor(t.Path, t.Source, t.Options.Processor)
	if err != nil {
		return nil, err
	}
	e, m, err := admitTest(t.Params(), dialect.Tongue(t.Source))
	if err == nil {
		m, err = e.modelFor(p, m)
	}
	if err != nil {
		return nil, err
	}
	return graphs.Engine{}.TourOf(ctx, solver.Query{Program: p, Model: m, Options: t.Options}, q.Most, q.At)
}

// tourProgram records how the engine graphs explores a C program, for assertions unless the task names properties. A
// task whose target compiles the program, or a model under which there are no revisits, is an error.
func tourProgram(ctx context.Context, t solver.VerifyTask, most, at int) (*solver.Tour, error) {
	t.Engine = graphs.Engine{}.Name()
	if len(t.Properties) == 0 {
		t.Properties = []ir.Property{ir.Assertion}
	}
	e, m, err := admitVerify(t)
	if err != nil {
		return nil, err
	}
	o, mapping, err := readOptions(t, m)
	if err != nil {
		return nil, err
	}
	if mapping != nil {
		return nil, e.unmapped(t)
	}
	q := solver.Query{Program: &ir.Program{File: t.Path, Name: Unread(t, nil).Name}, Model: m, Options: t.Options}
	if !(graphs.Engine{}).Tours(m) {
		return nil, graphs.Untoured(q)
	}
	_, code, err := e.program(ctx, t, m, newReader(t, m, o), o)
	if err != nil {
		return nil, err
	}
	return graphs.Engine{}.TourOfCode(ctx, code, q, most, at)
}

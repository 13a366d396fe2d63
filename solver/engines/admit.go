package engines

import (
	"cmp"
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/recognise"
	"litmuscope/models"
	"litmuscope/solver"
)

// Admit says why a question is invalid, whatever its text: an unknown engine or model, a model that the engine does not
// support, one that does not parse (a litmus.ErrorList), an option out of its range or unknown to the engine (a
// *solver.OptionError); of a program, also a property or a target that there is not.
func Admit(q solver.Question) (err error) {
	if t, program := q.(solver.VerifyTask); program {
		_, _, err = admitVerify(t)
	} else {
		_, _, err = admitTest(q.Params(), "")
	}
	return err
}

// admitTest is admit for a test.
func admitTest(t solver.QuestionParams, arch string) (*Engine, *models.Model, error) {
	if t.Engine == Auto {
		return nil, nil, errNoTests()
	}
	return admit(t, arch)
}

// Prepared is the program of a task, and its model, mixed sizes and all; its error is Admit's, or of the test.
func Prepared(t solver.Task) (*ir.Program, *models.Model, error) {
	_, p, m, err := prepare(t)
	return p, m, err
}

// prepare is Prepared, with the engine of the task.
func prepare(t solver.Task) (*Engine, *ir.Program, *models.Model, error) {
	p, err := dialect.ParseFor(t.Path, t.Source, t.Options.Processor)
	if err != nil {
		if all := recognise.Errors(t.Path, t.Source); len(all) > 0 {
			err = few(all)
		}
		return nil, nil, nil, err
	}
	e, m, err := admitTest(t.Params(), tongueOf(t))
	if err == nil && m == nil { // the header is not what Tongue has taken it for
		err = litmus.Errorf(litmus.Pos{File: t.Path, Line: 1, Col: 1}, "no default model for %s tests: name a model",
			litmus.Shorten(p.Arch))
	}
	if err == nil {
		err = e.admitScopes(p, m)
	}
	if err == nil {
		m, err = e.modelFor(p, m)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	return e, p, m, nil
}

// admit is Admit for a test of an architecture; without one, it leaves the model to the test.
func admit(t solver.QuestionParams, arch string) (*Engine, *models.Model, error) {
	e, err := Find(t.Engine)
	if err != nil {
		return nil, nil, err
	}
	if err := t.Options.Validate(); err != nil {
		return nil, nil, err
	}
	defaults := solver.DefaultOptions()
	for _, opt := range e.unheeded() {
		if !opt.Same(&t.Options, &defaults) {
			return nil, nil, &solver.OptionError{Option: opt.Name, Msg: fmt.Sprintf("used by %s, not by the engine %s",
				strings.Join(Heeding(opt.Name), ", "), e.Name)}
		}
	}
	m, err := findModel(t, e.ModelFor(t.Model, arch))
	if err != nil {
		return nil, nil, err
	}
	if by, ok := e.engine.(taker); ok && m != nil {
		if err := by.Takes(m); err != nil {
			return nil, nil, fmt.Errorf("the engine %s does not support this model: %w: choose another engine",
				e.Name, err)
		}
	} else if m != nil && !e.AnswersFor(m.Name) {
		return nil, nil, fmt.Errorf("the engine %s supports %s, not %s", e.Name,
			strings.Join(e.Models, ", "), m.Name)
	}
	return e, m, nil
}

// modelFor is what a model says of a program, in which accesses may overlap in part.
func (e *Engine) modelFor(p *ir.Program, m *models.Model) (*models.Model, error) {
	if p.System {
		return e.systemModel(p, m)
	}
	if !p.Split {
		return m, nil
	}
	if !e.mixed {
		return nil, fmt.Errorf("the engine %s does not support mixed-size accesses: choose another engine",
			e.Name)
	}
	if p.Wide && !e.wide {
		return nil, fmt.Errorf("the engine %s does not support accesses of 128 bits: choose another engine", e.Name)
	}
	return m.Mixed()
}

// taker is an engine that reads a model's axioms to decide whether it supports the model.
type taker interface {
	Takes(m *models.Model) error
}

// ModelFor is the name of the model to run under, whether or not the question names one: the only one that the engine
// answers for, or the usual one of the test's architecture.
func (e *Engine) ModelFor(name, arch string) string {
	only := ""
	if len(e.Models) == 1 {
		only = e.Models[0]
	}
	return cmp.Or(name, only, models.Default(arch))
}

package web

import (
	"context"
	"errors"
	"net/url"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/shell"
)

// checked is what there is to say of a question while it is typed.
type checked struct {
	Errors  []shell.Mark `json:"errors"`  // all that is wrong with the test
	Remarks []shell.Mark `json:"remarks"` // what its author should know
	Arch    string       `json:"arch,omitempty"`
	Models  []string     `json:"models,omitempty"` // that go with the architecture
	Own     []ownCheck   `json:"own,omitempty"`    // the visitor's own models, in the order of the form
}

// ownCheck is what is wrong with a model of the visitor's.
type ownCheck struct {
	Name   string      `json:"name"`
	Errors []modelMark `json:"errors"`
}

// modelMark is a mark in a model's text, or in a file that it includes.
type modelMark struct {
	File string `json:"file,omitempty"` // "": the model's own text
	shell.Mark
}

// checkForm says all that is wrong with a test and with the models that its author
// has written, and what he should know, while they are typed; and which models go with the
// test's architecture.
func (s *server) checkForm(ctx context.Context, f url.Values) (checked, error) {
	out := checked{Errors: []shell.Mark{}, Remarks: []shell.Mark{}}
	own, err := ownFromForm(f)
	if err == nil && len(own) > engines.MaxOwn {
		err = shell.Refuse("There are more than %d models of your own.", engines.MaxOwn)
	}
	if err == nil && f.Has("source") {
		err = s.checkTest(ctx, f.Get("source"), &out)
	}
	for _, o := range own {
		if err != nil {
			break
		}
		c := ownCheck{Name: o.Name}
		c.Errors, err = s.checkModel(ctx, o)
		out.Own = append(out.Own, c)
	}
	return out, err
}

func (s *server) checkTest(ctx context.Context, source string, out *checked) error {
	q := question{Source: source}
	asked := q.unread()
	test, err := s.inspect(ctx, asked)
	var bad *badTest
	var no shell.Refusal
	switch {
	case errors.As(err, &bad) && isProgram(bad.source):
		out.Errors = []shell.Mark{{Line: 1, Col: 1, Message: "This is a C program, and no litmus test: press Run, and have it opened under Programs."}}
	case errors.As(err, &bad):
		out.Errors = bad.marks()
	case errors.As(err, &no):
		out.Errors = []shell.Mark{{Line: 1, Col: 1, Message: err.Error()}}
	case err != nil:
		return err
	default:
		at := shell.Marker(asked.Source)
		for _, m := range test.Remarks {
			out.Remarks = append(out.Remarks, at(m.Line, m.Column, m.Message))
		}
		out.Arch = test.Tongue
	}
	// A test that cannot be read yet has its architecture in its first word all the same.
	if arch := dialect.Tongue(asked.Source); out.Arch == "" && slices.Contains(dialect.Tongues(), arch) {
		out.Arch = arch
	}
	if out.Arch != "" {
		out.Models = firstModels(dialect.Tongue(asked.Source))
	}
	return nil
}

// anyTest is for questions about models alone.
const anyTest = "X86 any\n{ }\nP0;\nNOP;\nexists (true)\n"

// checkModel lists what is wrong with a model of the visitor's.
func (s *server) checkModel(ctx context.Context, own solver.OwnModel) ([]modelMark, error) {
	out := []modelMark{}
	in, err := s.inspect(ctx, engines.Question{
		File: fileName, Source: anyTest, Models: []string{own.Name}, Own: []solver.OwnModel{own}, Options: solver.DefaultOptions(),
	})
	var no shell.Refusal
	if errors.As(err, &no) {
		return append(out, modelMark{Mark: shell.Mark{Line: 1, Col: 1, Message: err.Error()}}), nil
	} else if err != nil {
		return nil, err
	}
	for _, e := range in.Fault(own.Name) {
		out = append(out, modelMarkOf(e, own))
	}
	return out, nil
}

// modelMarkOf puts an error to its place in a model's text, or in what it includes.
func modelMarkOf(e *litmus.Error, own solver.OwnModel) modelMark {
	if e.Pos.File == own.Name || e.Pos.File == "" {
		return modelMark{"", shell.Marker(own.Text)(e.Pos.Line, e.Pos.Col, e.Msg)}
	}
	return modelMark{e.Pos.File, shell.Marker(own.Files[e.Pos.File])(e.Pos.Line, e.Pos.Col, e.Msg)}
}

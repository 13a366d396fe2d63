package explore

import (
	"context"
	"errors"
	"net/url"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

// checkForm checks a test and the visitor's models while they are typed. It returns all errors and remarks, and the
// models for the test's architecture.
func (s *page) checkForm(ctx context.Context, f url.Values) (textpage.Checked, error) {
	out := textpage.Checked{Errors: []server.Mark{}, Remarks: []server.Mark{}}
	own, err := question.OwnFromForm(f)
	if err == nil && len(own) > engines.MaxOwn {
		err = server.Refuse("You have more than %d models of your own.", engines.MaxOwn)
	}
	if err == nil && f.Has("source") {
		err = s.checkTest(ctx, f.Get("source"), &out)
	}
	for _, o := range own {
		if err != nil {
			break
		}
		c := textpage.OwnCheck{Name: o.Name}
		c.Errors, err = s.checkModel(ctx, o)
		out.Own = append(out.Own, c)
	}
	return out, err
}

// checkTest returns the errors and remarks of a test.
func (s *page) checkTest(ctx context.Context, source string, out *textpage.Checked) error {
	q := question.Question{Source: source}
	asked := q.Unread()
	test, err := s.questions.Inspect(ctx, asked)
	var bad *question.BadTest
	var no server.Refusal
	switch {
	case errors.As(err, &bad):
		out.Errors = bad.Marks()
	case errors.As(err, &no):
		out.Errors = []server.Mark{{Line: 1, Col: 1, Message: err.Error()}}
	case err != nil:
		return err
	default:
		at := server.Marker(asked.Source)
		for _, m := range test.Remarks {
			out.Remarks = append(out.Remarks, at(m.Pos.Line, m.Pos.Col, m.Msg).Mended(asked.Source, m.Fix))
		}
		out.Arch, out.Doc = test.Tongue, &test.Doc
	}
	// Even if the test has errors, its first word gives the architecture.
	if arch := dialect.Tongue(asked.Source); out.Arch == "" && slices.Contains(dialect.Tongues(), arch) {
		out.Arch = arch
	}
	if out.Arch != "" {
		out.Models = question.FirstModels(dialect.Tongue(asked.Source))
	}
	return nil
}

// checkModel returns the errors in one of the visitor's models.
func (s *page) checkModel(ctx context.Context, own solver.OwnModel) ([]textpage.ModelMark, error) {
	out := []textpage.ModelMark{}
	in, err := s.questions.Inspect(ctx, engines.Question{
		File: question.FileName, Source: question.AnyTest, Models: []string{own.Name}, Own: []solver.OwnModel{own},
		Options: solver.DefaultOptions(),
	})
	var no server.Refusal
	if errors.As(err, &no) {
		return append(out, textpage.ModelMark{Mark: server.Mark{Line: 1, Col: 1, Message: err.Error()}}), nil
	} else if err != nil {
		return nil, err
	}
	for _, e := range in.Fault(own.Name) {
		out = append(out, modelMarkOf(e, own))
	}
	return out, nil
}

// modelMarkOf returns the position of an error in a model's text, or in the file that it includes.
func modelMarkOf(e *litmus.Error, own solver.OwnModel) textpage.ModelMark {
	out, text := textpage.ModelMark{}, own.Text
	if e.Pos.File != own.Name && e.Pos.File != "" {
		out.File, text = e.Pos.File, own.Files[e.Pos.File]
	}
	out.Mark = server.Marker(text)(e.Pos.Line, e.Pos.Col, e.Msg).Mended(text, e.Fix)
	out.More = e.More
	return out
}

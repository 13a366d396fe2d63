package question

import (
	"context"
	"errors"
	"strings"

	"litmuscope/litmus/compile"
	"litmuscope/solver"
	"litmuscope/solver/mappingcheck"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/server"
)

// Compile compiles a test in C in a child process. Its error is a [server.Refusal], a [BadTest], the context's, or a
// bug.
func (s *Service) Compile(ctx context.Context, source, to, variant string) (*compile.Test, error) {
	if err := s.Fits(source, &Question{}); err != nil {
		return nil, err
	}
	reply, err := childwork.Compiling.Call(ctx, s.Sandbox,
		compile.Request{File: FileName, Source: source, To: to, Variant: variant})
	switch {
	case err != nil:
		return nil, server.TooMuch(err, "Compiling this")
	case reply.Why != "":
		return nil, server.Refuse("%s.", strings.ToUpper(reply.Why[:1])+reply.Why[1:])
	case len(reply.Errors) > 0:
		return nil, &BadTest{Source: source, Errs: reply.Errors}
	}
	return reply.Compiled, nil
}

// CheckMapping compares a compiled test with its source, within a question's limits. said is the language's answer to
// the source if it is known; nil otherwise.
func (s *Service) CheckMapping(
	ctx context.Context, q Question, made *compile.Test, said *solver.Result,
) (*mappingcheck.Checked, error) {
	limited, cancel := context.WithTimeout(ctx, server.MaxQuestion)
	defer cancel()
	model := ""
	if len(q.Models) > 0 {
		model = q.Models[0]
	}
	c, err := mappingcheck.Check(limited, s.Runner, mappingcheck.Question{
		Source:   solver.Task{Path: FileName, Source: server.UnixLines(q.Source), Model: model, Options: q.Limits()},
		Compiled: made, Language: said,
	})
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, server.Refuse("Running the test and its compiled form takes longer than %v.", server.MaxQuestion)
	}
	return c, err
}

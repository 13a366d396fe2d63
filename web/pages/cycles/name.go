package cycles

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// The bodies of the operation that names a test.
type (
	nameInput struct {
		Body struct {
			Source string `json:"source" limit:"test" doc:"the litmus test"`
		}
	}
	nameOutput struct {
		Body struct {
			Name  string `json:"name,omitempty" doc:"what the field calls the test: MP+lwsync+addr. There is none where the test made of its cycle is another one"`
			Cycle string `json:"cycle,omitempty" doc:"the cycle of relaxations that its condition asks about"`
			Why   string `json:"why,omitempty" doc:"why it has no cycle, or no name"`
		}
	}
)

// restName mounts the operation that names a test.
func (s *page) restName(api huma.API) {
	huma.Register(api, s.server.Asking(huma.Operation{
		OperationID: "name", Path: "/api/v1/name",
		Summary: "Name a test",
		Description: "Finds the cycle of relaxations that a test's condition asks about, and the name that the " +
			"field's convention gives the test, if it is the one of that cycle: " +
			"up to what threads, registers and locations are called, and how instructions are spelled. A test that " +
			"has no name, or no cycle either, has a why. A test that cannot be read is a problem with status 422, " +
			"whose errors have its lines and columns.",
	}), func(ctx context.Context, in *nameInput) (*nameOutput, error) {
		source := server.UnixLines(in.Body.Source)
		var read *cyclediagram.Reading
		err := s.questions.Fits(source, &question.Question{})
		if err == nil {
			read, err = s.questions.ReadCycle(ctx, cyclediagram.Request{Test: source})
		}
		if err == nil && read.Errors != nil {
			err = &question.BadTest{Source: source, Errs: read.Errors}
		}
		if err != nil {
			return nil, s.server.Problem(ctx, err)
		}
		out := &nameOutput{}
		out.Body.Name, out.Body.Cycle, out.Body.Why = read.Name, read.Cycle.String(), read.Why
		if read.Name == "" && read.Why == "" {
			out.Body.Why = "the test contains the cycle, but the one that is made of the cycle is another"
		}
		return out, nil
	})
}

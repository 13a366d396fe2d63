package cycles

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// nameInput and nameOutput are the bodies of the operation name.
type (
	nameInput struct {
		Body struct {
			Source string `json:"source" limit:"test" doc:"the litmus test"`
		}
	}
	nameOutput struct {
		Body struct {
			Name  string `json:"name,omitempty" doc:"the test's name by convention, such as MP+lwsync+addr; absent if the test differs from the one made from its cycle"`
			Cycle string `json:"cycle,omitempty" doc:"the cycle of relaxations that its condition describes"`
			Why   string `json:"why,omitempty" doc:"why there is no cycle or no name"`
		}
	}
)

// restName mounts the REST operation that names a test.
func (s *page) restName(api huma.API) {
	huma.Register(api, s.server.Asking(huma.Operation{
		OperationID: "name", Path: "/api/v1/name",
		Summary: "Name a test",
		Description: "Finds the cycle of relaxations that the condition of a test describes, and the test's name by " +
			"the convention of the literature. " +
			"A test has the name of a cycle if it equals the test made from that cycle, apart from names of " +
			"threads, registers and locations and the spelling of instructions. If there is no name or no cycle, " +
			"why gives the reason. " +
			"If the test cannot be read, the response is a problem with status 422; its errors give lines and " +
			"columns.",
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
			out.Body.Why = "the test contains the cycle, but differs from the test made from that cycle"
		}
		return out, nil
	})
}

package cycles

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/server"
)

// Bodies of the operation generate.
type (
	generateInput struct {
		Body struct {
			Arch   string          `json:"arch" limit:"name" doc:"the dialect of the tests: X86, PPC, AArch64, RISCV …" example:"X86"`
			Cycle  string          `json:"cycle,omitempty" limit:"cycle-text" doc:"a cycle of relaxations, in diyone7's words" example:"PodWR Fre PodWR Fre"`
			Name   string          `json:"name,omitempty" limit:"name" doc:"the test's name; default: the cycle's name by the convention of the literature"`
			Family *generateFamily `json:"family,omitempty" doc:"instead of a cycle: all critical cycles over a list of relaxations"`
		}
	}
	generateFamily struct {
		Relaxations string `json:"relaxations" limit:"cycle-text" doc:"edges, with composites in brackets and * for any letter" example:"Rfe Fre Wse Pod** [Rfi,PodRR]"`
		From        int    `json:"from" doc:"the smallest number of accesses in a cycle" example:"4"`
		To          int    `json:"to" doc:"the largest number of accesses in a cycle" example:"4"`
	}
	// generated is the test made from a cycle.
	generated struct {
		Name   string `json:"name"`
		Cycle  string `json:"cycle"`
		Source string `json:"source"`
	}
	// generatedLine is a test of a family, as a line that a suite also accepts.
	generatedLine struct {
		Path   string `json:"path" doc:"the name with .litmus"`
		Name   string `json:"name,omitempty"`
		Cycle  string `json:"cycle,omitempty"`
		Source string `json:"source,omitempty"`
		Error  string `json:"error,omitempty" doc:"why there is no source; in a last line with the path incomplete, why the family is incomplete"`
	}
)

// restCycles mounts the operation generate.
func (s *page) restCycles(api huma.API) {
	schema := func(t reflect.Type) *huma.Schema {
		return api.OpenAPI().Components.Schemas.Schema(t, true, "")
	}
	huma.Register(api, s.server.Asking(huma.Operation{
		OperationID: "generate", Path: "/api/v1/generate",
		Summary: "Make tests from cycles",
		Description: "With cycle, makes the test of one cycle of relaxations: its condition holds exactly in the " +
			"executions that have the cycle. " +
			"With family, makes the tests of all critical cycles over a list of relaxations. Rotations of a cycle " +
			"count once. " +
			"It streams the tests as lines of JSON. POST /api/v1/suites accepts these lines, and the family " +
			"itself. " +
			"If the cycle is wrong, the response is a problem with status 422; its errors give the columns of the " +
			"wrong words.",
		Responses: map[string]*huma.Response{
			"200": {Description: "The test, or the family's tests, one per line.", Content: map[string]*huma.MediaType{
				"application/json":     {Schema: schema(reflect.TypeFor[generated]())},
				"application/x-ndjson": {Schema: schema(reflect.TypeFor[generatedLine]())},
			}},
		},
	}), s.restGenerate)
}

// restGenerate makes the test of a cycle, or streams the tests of a family.
func (s *page) restGenerate(ctx context.Context, in *generateInput) (*huma.StreamResponse, error) {
	b := in.Body
	switch {
	case b.Family != nil && (b.Cycle != "" || b.Name != ""):
		return nil,
			s.server.Problem(ctx, server.Refuse("Give a cycle (with an optional name) or a family, not both."))
	case b.Family != nil:
		return s.generateFamily(ctx, b.Arch, b.Family)
	case b.Name != "" && !testNames().MatchString(b.Name):
		return nil,
			s.server.Problem(ctx,
				server.Refuse("name: want up to 128 letters, digits and any of + - . _ [ ]."))
	}
	read, err := s.questions.ReadCycle(ctx, cyclediagram.Request{Arch: b.Arch, Cycle: b.Cycle, Name: b.Name})
	switch {
	case err != nil:
		return nil, s.server.Problem(ctx, err)
	case read.Errors != nil:
		return nil, s.server.Problem(ctx, &badCycle{read.Errors})
	case read.Why != "":
		return nil, s.server.Problem(ctx, server.Refuse("The cycle has no test: %s.", read.Why))
	}
	out := generated{read.Name, read.Cycle.String(), read.Source}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		ctx.SetHeader("Content-Type", "application/json")
		_ = json.NewEncoder(ctx.BodyWriter()).Encode(out) // the client may have gone
	}}, nil
}

// generateFamily streams the tests of a family as lines of JSON.
func (s *page) generateFamily(ctx context.Context, arch string, of *generateFamily) (*huma.StreamResponse, error) {
	f, err := s.families.Read(ctx, arch, of.Relaxations, of.From, of.To)
	var end func()
	if err == nil {
		end, err = s.families.Families.Take(ctx)
	}
	if err != nil {
		return nil, s.server.Problem(ctx, err)
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		defer end()
		ctx.SetHeader("Content-Type", "application/x-ndjson")
		w := json.NewEncoder(ctx.BodyWriter())
		for t := range f.Tests() {
			line := generatedLine{Path: t.Name + ".litmus", Name: t.Name, Cycle: t.Cycle, Source: t.Source}
			if t.Err != nil {
				line.Error = t.Err.Error()
			}
			if w.Encode(line) != nil {
				return // the client has gone
			}
		}
		if err := f.Problem(); err != nil {
			_ = w.Encode(generatedLine{Path: "incomplete", Error: s.server.Fault(ctx.Context(), err).Detail})
		}
	}}, nil
}

package web

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"litmuscope/web/cyclediagram"
	"litmuscope/web/shell"
)

// nameTime is how long an answer may wait for the name of its test: it is worth no more.
const nameTime = time.Second

// cycleOf is the cycle that a test asks about, for the page; nil where there is none, or
// where it is not found soon enough.
func (s *server) cycleOf(ctx context.Context, source string) *cyclediagram.Reading {
	ctx, cancel := context.WithTimeout(ctx, nameTime)
	defer cancel()
	read, err := ringing.Call(ctx, s.Sandbox, cyclediagram.Request{Test: source})
	if err != nil || read.Errors != nil || read.Why != "" {
		return nil
	}
	return read
}

// namedView says what the field calls a test, or which cycle it contains.
type namedView struct {
	Name  string // "" where the test has that name itself, or none
	Of    bool   // it is the test of the cycle, and no other with the same cycle in it
	Cycle string
	URL   string // of the cycle's page
	Known string // … and of the classic test of that name in the catalogue; "" where there is none
}

// viewNamed is nil where there is nothing to say. title is the test's own name.
func viewNamed(read *cyclediagram.Reading, title, source string) *namedView {
	if read == nil {
		return nil
	}
	v := &namedView{Name: read.Name, Of: read.Name != "", Cycle: read.Cycle.String()}
	v.URL = cycleURL(read.Arch, v.Cycle)
	if e, ok := classicNamed(read.Arch, read.Name); v.Of && ok && e.Source != source {
		v.Known = catalogueAddress(e.Shape, e.Arch, e.ID())
	}
	if read.Name == title {
		v.Name = ""
	}
	return v
}

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
func (s *server) restName(api huma.API) {
	huma.Register(api, s.Asking(huma.Operation{
		OperationID: "name", Path: "/api/v1/name",
		Summary: "Name a test",
		Description: "Finds the cycle of relaxations that a test's condition asks about, and the name that the field's convention gives the test, if it is the one of that cycle: " +
			"up to what threads, registers and locations are called, and how instructions are spelled. A test that has no name, or no cycle either, has a why. A test that cannot be read is a problem with status 422, whose errors have its lines and columns.",
	}), func(ctx context.Context, in *nameInput) (*nameOutput, error) {
		source := shell.UnixLines(in.Body.Source)
		var read *cyclediagram.Reading
		err := s.fits(source, &question{})
		if err == nil {
			read, err = s.readCycle(ctx, cyclediagram.Request{Test: source})
		}
		if err == nil && read.Errors != nil {
			err = &badTest{source, read.Errors}
		}
		if err != nil {
			return nil, s.Problem(ctx, err)
		}
		out := &nameOutput{}
		out.Body.Name, out.Body.Cycle, out.Body.Why = read.Name, read.Cycle.String(), read.Why
		if read.Name == "" && read.Why == "" {
			out.Body.Why = "the test contains the cycle, but the one that is made of the cycle is another"
		}
		return out, nil
	})
}

// readCycle reads a cycle apart from this process. The error is a refusal, the context's,
// or a fault of the program.
func (s *server) readCycle(ctx context.Context, q cyclediagram.Request) (*cyclediagram.Reading, error) {
	r, err := ringing.Call(ctx, s.Sandbox, q)
	return r, shell.TooMuch(err, "Reading this")
}

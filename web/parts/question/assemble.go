package question

import (
	"context"

	"litmuscope/litmus/wasm"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/server"
)

// Assemble assembles a test to WebAssembly in a child process or, with values, finds the outcomes that these numbers
// are. Its error is a [server.Refusal], a [BadTest], the context's, or a bug.
func (s *Service) Assemble(ctx context.Context, source string, values [][]string) (*wasm.Reply, error) {
	if err := s.Fits(source, &Question{}); err != nil {
		return nil, err
	}
	reply, err := childwork.Assembling.Call(ctx, s.Sandbox,
		wasm.Request{File: FileName, Source: source, Values: values})
	switch {
	case err != nil:
		return nil, server.TooMuch(err, "Assembling this")
	case len(reply.Errors) > 0 && reply.Errors[0].Pos.Line > 0:
		return nil, &BadTest{Source: source, Errs: reply.Errors}
	case len(reply.Errors) > 0:
		return nil, server.Refuse("This test cannot run on a device: %s.", reply.Errors[0].Msg)
	}
	return reply, nil
}

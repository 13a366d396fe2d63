package question

import (
	"context"
	"time"

	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/server"
)

// nameTime is how long an answer may wait for the name of its test: it is worth no more.
const nameTime = time.Second

// cycleOf is the cycle that a test asks about, for the page; nil where there is none, or
// where it is not found soon enough.
func (s *Service) cycleOf(ctx context.Context, source string) *cyclediagram.Reading {
	ctx, cancel := context.WithTimeout(ctx, nameTime)
	defer cancel()
	read, err := childwork.Ringing.Call(ctx, s.Sandbox, cyclediagram.Request{Test: source})
	if err != nil || read.Errors != nil || read.Why != "" {
		return nil
	}
	return read
}

// ReadCycle reads a cycle apart from this process. The error is a refusal, the context's,
// or a fault of the program.
func (s *Service) ReadCycle(ctx context.Context, q cyclediagram.Request) (*cyclediagram.Reading, error) {
	r, err := childwork.Ringing.Call(ctx, s.Sandbox, q)
	return r, server.TooMuch(err, "Reading this")
}

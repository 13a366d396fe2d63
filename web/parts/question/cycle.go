package question

import (
	"context"
	"time"

	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/server"
)

// nameTime bounds how long an answer waits for the name of its test.
const nameTime = time.Second

// cycleOf returns the cycle that a test asks about; nil if there is none or nameTime is over.
func (s *Service) cycleOf(ctx context.Context, source string) *cyclediagram.Reading {
	ctx, cancel := context.WithTimeout(ctx, nameTime)
	defer cancel()
	read, err := childwork.Ringing.Call(ctx, s.Sandbox, cyclediagram.Request{Test: source})
	if err != nil || read.Errors != nil || read.Why != "" {
		return nil
	}
	return read
}

// ReadCycle parses a cycle in a child process. Its error is a [server.Refusal], the context's, or a bug.
func (s *Service) ReadCycle(ctx context.Context, q cyclediagram.Request) (*cyclediagram.Reading, error) {
	r, err := childwork.Ringing.Call(ctx, s.Sandbox, q)
	return r, server.TooMuch(err, "Reading this")
}

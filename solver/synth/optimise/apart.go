package optimise

import (
	"context"
	"fmt"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth"
)

// Asking is a question about the repair of a program for a child process, which asks the engines itself.
type Asking struct {
	Pairs   []solver.VerifyTask `json:"pairs"` // the program, under each model and property
	Costs   string              `json:"costs,omitempty"`
	Timeout time.Duration       `json:"timeout"` // for the whole question
}

// Repaired is [Repair] for a child process: of the files that [Repair] searches by default, where each use of a macro
// is a place of its own. It calls tell with the answer so far after each question. A program that does not parse, or a
// limit, gives a reply that says so.
func Repaired(q Asking, tell func(*synth.Reply)) (*synth.Reply, error) {
	if read, err := engines.ReadProgram(q.Pairs[0]); err != nil {
		return nil, err
	} else if len(read.Bad) > 0 {
		r := failed(q, read.Bad)
		r.BadTest = read.Bad
		return r, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), q.Timeout)
	defer cancel()
	ask := Question{Pairs: q.Pairs, Runner: engines.Local{}, Workers: 1}
	ask.Each = true
	r, err := newRepairer(ask, q.Costs)
	if err != nil {
		return failed(q, err), nil
	}
	r.Asked = func(n int) {
		soFar := *r.reply
		soFar.Asked = n
		tell(&soFar)
	}
	switch err = r.run(ctx); {
	case err != nil && ctx.Err() != nil:
		r.reply.Status, r.reply.Reason = solver.Unknown, fmt.Sprintf("time limit of %v reached", q.Timeout)
	case err != nil:
		return failed(q, err), nil
	}
	return r.reply, nil
}

// failed returns the reply to a question that failed with an error.
func failed(q Asking, err error) *synth.Reply {
	r := newReply(q.Pairs)
	r.Status, r.Error = solver.Failed, err.Error()
	return r
}

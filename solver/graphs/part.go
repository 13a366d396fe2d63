package graphs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"litmuscope/litmus/c/cprog/run"
	"litmuscope/solver"
	"litmuscope/solver/graphs/explore"
)

// parted returns the state of a part after its exploration, which may have ended with an error.
//
// A part of an exploration is a path: the sequence of decisions that leads to a subtree. A worker explores the subtree
// until its time is over and returns the paths of the remaining subtrees (Rest). Since the exploration is stateless, a
// path is all that another worker needs to continue. Facts about the program that a worker learns on the way, such as
// locations or symmetric threads, must be the same for all parts: if a part finds a new one, the workers explore
// everything again with it.
func (v *verification) parted(x *explore.Exploration, err error) *solver.PartAnswer {
	out := &solver.PartAnswer{
		Late: err != nil, Executions: v.count, Bounded: v.bounded, Seeks: v.seeksRace(),
		Rest: []string{},
	}
	if v.garbage {
		out.Garbage = followed
	}
	for _, p := range x.Rest {
		out.Rest = append(out.Rest, p.String())
	}
	return out
}

// verifyPart explores a part. If it finds a fact about the program that other parts do not know, its answer asks for a
// new exploration of all parts.
func (en Engine) verifyPart(
	ctx context.Context, p *run.Program, q solver.Query, v *verification,
	attempt func(symmetric, apart bool) (*explore.Exploration, error),
) (*solver.Verification, error) {
	part := *q.Part
	if len(part.Known) > 0 {
		var k run.Known
		err := json.Unmarshal(part.Known, &k)
		if err == nil {
			err = p.Recall(&k)
		}
		if err != nil {
			return nil, fmt.Errorf("BUG: the state of a part: %w", err)
		}
	}
	first := part.Path == ""
	x, again, whole, err := (*explore.Exploration)(nil), true, false, error(nil)
	for again {
		x, err = attempt(part.Symmetric, part.Apart)
		switch {
		case errors.Is(err, explore.ErrAlike):
			part.Symmetric = true
		case errors.Is(err, explore.ErrApart):
			part.Symmetric, part.Apart = false, true
		case errors.Is(err, errWhole):
			whole = true
		case !errors.Is(err, run.Anew):
			again = false
		}
		if !first || whole {
			break
		}
	}
	if x == nil && err != nil { // the model does not support the program
		return nil, err
	}
	again = again || !first && p.MetMore()
	answer := &solver.PartAnswer{Again: again, Whole: whole}
	if again {
		err = nil
	} else {
		answer = v.parted(x, err)
	}
	// If the first part has found no symmetric threads, others must not look for them.
	answer.Symmetric, answer.Apart = part.Symmetric, part.Apart || !again && x.Symmetry == nil && !x.TakesTurns()
	if again || first {
		known, kerr := p.Known()
		if kerr == nil {
			answer.Known, kerr = json.Marshal(known)
		}
		if kerr != nil && (again || len(answer.Rest) > 0) {
			return nil, v.refuse("%v: do not explore the program in parts", kerr)
		}
	}
	answer.UncheckedLifetimes = p.UncheckedLifetimes
	return v.finishPart(ctx, answer, err)
}

// finishPart completes the answer of a part. Only the whole exploration can say that it did not cover all uninitialised
// values.
func (v *verification) finishPart(
	ctx context.Context, answer *solver.PartAnswer, err error,
) (*solver.Verification, error) {
	v.garbage = v.garbage && v.out.Failure != nil
	out, err := v.finish(ctx, err)
	if err == nil {
		out.Part = answer
	}
	return out, err
}

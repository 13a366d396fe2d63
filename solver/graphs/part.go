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

// parted puts down what is left of a part, which may have ended with an error.
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

// verifyPart is verify of a part. Where something is found out about the program that other parts should have known,
// its answer is that all is to be explored again with that.
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
	if x == nil && err != nil { // the model has nothing to say of what was found
		return nil, err
	}
	again = again || !first && p.MetMore()
	answer := &solver.PartAnswer{Again: again, Whole: whole}
	if again {
		err = nil
	} else {
		answer = v.parted(x, err)
	}
	// Where the first part has met no threads that are alike, others are not to look for any.
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

// finishPart is finish of a part. That something was not followed in all ways is for the whole to say.
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

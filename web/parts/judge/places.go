package judge

import (
	"context"

	"litmuscope/litmus/change"
	"litmuscope/solver/synth"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/lesson"
)

// Kinds are the changes by which an exercise can be done that its rules let one choose from a list; none where they let
// one write.
func Kinds(r *lesson.Rules) (out []change.Kind) {
	if r.Anything || r.Model || len(r.Threads) > 0 {
		return nil
	}
	for _, k := range []struct {
		allowed bool
		kind    change.Kind
	}{
		{r.Fences != 0, change.Fence},
		{r.Annotations != 0, change.Order},
		{r.Dependencies != 0, change.Dependency},
		{r.Condition, change.Value},
	} {
		if k.allowed {
			out = append(out, k.kind)
		}
	}
	return out
}

// Offer is what an exercise lets one choose in its test: where, and what can stand there. A solution of more than one
// kind of change in one place may not be among what comes of it: see [Cheapest].
func Offer(ctx context.Context, s *question.Service, x *lesson.Exercise) (*synth.Offered, error) {
	return offered(ctx, s, x, nil)
}

// Edited is an exercise's test with changes made that were on offer.
func Edited(ctx context.Context, s *question.Service, x *lesson.Exercise, made []change.Made) (string, error) {
	o, err := offered(ctx, s, x, made)
	switch {
	case err != nil:
		return "", err
	case o.Refused != "":
		return "", server.Refuse("This change is not possible: %s.", o.Refused)
	}
	return o.Source, nil
}

func offered(ctx context.Context, s *question.Service, x *lesson.Exercise, made []change.Made) (*synth.Offered, error) {
	o, err := childwork.Offering.Call(ctx, s.Sandbox,
		synth.Offering{Path: question.FileName, Source: x.Test, Kinds: Kinds(&x.Rules), Made: made})
	switch {
	case err != nil:
		return nil, server.TooMuch(err, "Looking for possible changes")
	case len(o.BadTest) > 0:
		return nil, &question.BadTest{Source: x.Test, Errs: o.BadTest}
	}
	return o, nil
}

// Makes are the changes that a choice in each of some places is: none where the test stays as it is.
func Makes(places []change.Place, choice []int) (made []change.Made) {
	for i := range places {
		if p := &places[i]; choice[i] != p.Was {
			made = append(made, p.Makes(choice[i]))
		}
	}
	return made
}

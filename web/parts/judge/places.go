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

// Kinds lists the kinds of changes that the rules of an exercise offer in a list; none if the rules allow free editing.
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

// Offer lists the places in an exercise's test and the choices in each. It may lack solutions that need several kinds
// of changes in one place: see [Cheapest].
func Offer(ctx context.Context, s *question.Service, x *lesson.Exercise) (*synth.Offered, error) {
	return offered(ctx, s, x, nil)
}

// Edited returns an exercise's test with some of the offered changes.
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

// Makes returns the changes of a choice in each of some places.
func Makes(places []change.Place, choice []int) (made []change.Made) {
	for i := range places {
		if p := &places[i]; choice[i] != p.Was {
			made = append(made, p.Makes(choice[i]))
		}
	}
	return made
}

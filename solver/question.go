package solver

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
)

// Question is what a [Runner] answers, text in: a [Task], about a test, or a [VerifyTask],
// about a program.
type Question interface {
	// Params are the parameters of the question.
	Params() QuestionParams
	// Blank is an answer of which no more is known than what was asked.
	Blank() Answer
}

// QuestionParams holds the parameters that questions about tests and about programs share.
type QuestionParams struct {
	Path string
	// A model is as a [Task] has it.
	Model, ModelText string
	ModelFiles       map[string]string
	Engine           string
	Options          Options
}

// Answer is a question's: a [*Result], or a [*Verification].
type Answer interface {
	// Head is what answers of both kinds have, to be looked at and to be set.
	Head() Head
	// Keepable reports whether the answer is all that was asked for with the options, so that it
	// can be found again for the same question.
	Keepable(o Options) bool
	// Copy is one that can be changed by itself, though not in its depths.
	Copy() Answer
	// DropWitnesses leaves out what is there for the option witnesses alone.
	DropWitnesses()
}

// Head points to fields of an answer.
type Head struct {
	Path, Name, Model, Engine *string
	Status                    *Status
	Error, Reason, Cut        *string
	Verdict                   *Verdict
	MS                        *float64
	Version                   *int
	Cached                    *bool
}

// Asking is a question whose answer is an A.
type Asking[A Answer] interface {
	Question
	answeredBy(A)
}

// Runner answers questions. A text that cannot be read or a limit gives an answer that says
// so; an error means that none could be had, the context's end and a [*Died] among others.
// Runners may be used from many goroutines.
type Runner interface {
	Run(ctx context.Context, q Question) (Answer, error)
}

// Ask has a runner answer a question.
func Ask[A Answer](ctx context.Context, r Runner, q Asking[A]) (A, error) {
	a, err := r.Run(ctx, q)
	if err != nil {
		var none A
		return none, err
	}
	return a.(A), nil
}

type followerKey struct{}

// Following has told hear what is known of the answer to a question while a runner works on it, and again whenever more
// is, as far as the runner can say: of a [Task] the states found, of a [VerifyTask] how far it is. It is called on the
// runner's goroutines, and may keep what it hears. One that is nil hears nothing.
func Following[A Answer](ctx context.Context, told func(A)) context.Context {
	if told == nil {
		return ctx
	}
	return context.WithValue(ctx, followerKey{}, func(a Answer) { told(a.(A)) })
}

// Follower is who is told, nil where nobody is.
func Follower(ctx context.Context) func(Answer) {
	told, _ := ctx.Value(followerKey{}).(func(Answer))
	return told
}

// Params implements [Question].
func (t Task) Params() QuestionParams {
	return QuestionParams{t.Path, t.Model, t.ModelText, t.ModelFiles, t.Engine, t.Options}
}

// Blank implements [Question].
func (t Task) Blank() Answer {
	return &Result{Path: t.Path, Model: t.Model, Engine: t.Engine, Status: Failed, States: []State{}}
}

func (Task) answeredBy(*Result) {}

// Head implements [Answer].
func (r *Result) Head() Head {
	return Head{
		&r.Path, &r.Name, &r.Model, &r.Engine, &r.Status, &r.Error, &r.Reason, &r.Cut, &r.Verdict, &r.MS,
		&r.Version, &r.Cached,
	}
}

// Copy implements [Answer].
func (r *Result) Copy() Answer { c := *r; return &c }

// DropWitnesses implements [Answer].
func (r *Result) DropWitnesses() {
	r.Outcomes, r.Flags = nil, slices.Clone(r.Flags)
	for i := range r.Flags {
		r.Flags[i].State, r.Flags[i].Graph = nil, nil
	}
}

// Params implements [Question].
func (t VerifyTask) Params() QuestionParams {
	return QuestionParams{t.Path, t.Model, t.ModelText, t.ModelFiles, t.Engine, t.Options}
}

// Blank implements [Question].
func (t VerifyTask) Blank() Answer {
	return &Verification{
		Path: t.Path, Name: nameOf(t.Path), Model: t.Model, Engine: t.Engine,
		Property: cmp.Or(t.Property(), string(ir.Assertion)), Status: Failed,
	}
}

func (VerifyTask) answeredBy(*Verification) {}

// Head implements [Answer].
func (v *Verification) Head() Head {
	return Head{
		&v.Path, &v.Name, &v.Model, &v.Engine, &v.Status, &v.Error, &v.Reason, &v.Cut, &v.Verdict, &v.MS,
		&v.Version, &v.Cached,
	}
}

// Keepable implements [Answer].
func (v *Verification) Keepable(Options) bool { return v.Status == OK && v.Cut == "" && v.Part == nil }

// Copy implements [Answer].
func (v *Verification) Copy() Answer { c := *v; return &c }

// DropWitnesses implements [Answer].
func (v *Verification) DropWitnesses() {
	if f := v.Failure; f != nil {
		f.Graph, f.Trace = nil, nil
	}
}

// nameOf is what a program is called.
func nameOf(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	return strings.TrimSuffix(strings.TrimSuffix(base, ".c"), ".i")
}

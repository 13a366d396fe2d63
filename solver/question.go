package solver

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
)

// Question is a question as text, for a [Runner]: a [Task] about a test, or a [VerifyTask] about a program.
type Question interface {
	// Params are the parameters of the question.
	Params() QuestionParams
	// Blank returns an answer that only repeats the question.
	Blank() Answer
}

// QuestionParams holds the parameters that questions about tests and about programs share.
type QuestionParams struct {
	Path string
	// Model, ModelText and ModelFiles are as in a [Task].
	Model, ModelText string
	ModelFiles       map[string]string
	Engine           string
	Options          Options
}

// Answer is the answer to a Question: a [*Result] or a [*Verification].
type Answer interface {
	// Head points to the fields that both kinds of answers have, for reading and writing.
	Head() Head
	// Keepable reports whether the answer is complete for these options, so that a cache may return it for the same
	// question.
	Keepable(o Options) bool
	// Copy returns a shallow copy.
	Copy() Answer
	// DropWitnesses removes what only the option witnesses asks for.
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
	Stats                     **Stats
}

// Asking is a question whose answer is an A.
type Asking[A Answer] interface {
	Question
	answeredBy(A)
}

// Runner answers questions. An unreadable text or a limit gives an answer that says so. An error means that there is no
// answer, for example because the context ended or a process [*Died]. A Runner is safe for concurrent use.
type Runner interface {
	Run(ctx context.Context, q Question) (Answer, error)
}

// Ask returns a runner's answer to a question.
func Ask[A Answer](ctx context.Context, r Runner, q Asking[A]) (A, error) {
	a, err := r.Run(ctx, q)
	if err != nil {
		var none A
		return none, err
	}
	return a.(A), nil
}

type followerKey struct{}

// Following makes a runner report partial answers to told while it works: the states so far for a [Task], the progress
// for a [VerifyTask]. The runner calls told on its own goroutines; told may keep the answers. If told is nil, it
// reports nothing.
func Following[A Answer](ctx context.Context, told func(A)) context.Context {
	if told == nil {
		return ctx
	}
	return context.WithValue(ctx, followerKey{}, func(a Answer) { told(a.(A)) })
}

// Follower returns the function that Following put into the context, or nil.
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
		&r.Version, &r.Cached, &r.Stats,
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
		&v.Version, &v.Cached, &v.Stats,
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

// nameOf is the name of a program.
func nameOf(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	return strings.TrimSuffix(strings.TrimSuffix(base, ".c"), ".i")
}

package judge

import (
	"context"
	"fmt"
	"sync"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/question"
	"litmuscope/web/teaching/lesson"
)

// LikenessText returns, in words, the goal that a model agrees with the solution.
func LikenessText(x *lesson.Exercise) string {
	return fmt.Sprintf("your model agrees with the solution on %s",
		solver.Count(len(likeTests(x)), "small classic test"))
}

// likeTests lists the small classic tests of the architectures of the goals.
func likeTests(x *lesson.Exercise) (out []catalogue.Entry) {
	archs := map[string]bool{x.Arch: true}
	for _, g := range x.Goals {
		if e, ok := catalogue.Find(g.Classic); ok {
			archs[e.Arch] = true
		}
	}
	for _, e := range shapes() {
		if archs[e.Arch] {
			out = append(out, e)
		}
	}
	return out
}

// maxAccesses bounds the accesses of these tests. Larger tests show no further cycles, and take as long as all others
// together.
const maxAccesses = 12

// shapes lists the classic tests that are small and have no loops, so that engines can decide them.
var shapes = sync.OnceValue(func() (out []catalogue.Entry) {
	for _, e := range catalogue.All() {
		p, err := dialect.Parse(e.ID(), e.Source)
		if err != nil {
			panic("BUG: a classic test has errors: " + err.Error())
		}
		n, loops := 0, false
		for _, th := range p.Threads {
			for pc, s := range th.Code {
				switch op := s.Op.(type) {
				case ir.Load, ir.Store, ir.RMW, ir.StoreCond:
					n++
				case ir.Branch:
					loops = loops || op.Target <= pc
				}
			}
		}
		if n <= maxAccesses && !loops && !e.System() {
			out = append(out, e)
		}
	}
	return out
})

// solved is the name of the solution's model.
const solved = "solution"

// like compares a model that meets all other goals with the solution, test by test, until they differ. Goals name only
// a few tests, and wrong models can satisfy those.
func (v *Verdict) like(ctx context.Context, s *question.Service, q question.Question, x *lesson.Exercise) error {
	goal := Goal{Text: LikenessText(x), Met: true}
	ctx, cancel := question.WithinQuestion(ctx) // all of them
	defer cancel()
	q.Options.Witnesses = false
	q.Own = append(q.Own[:len(q.Own):len(q.Own)], solver.OwnModel{Name: solved, Text: x.Solution})
	q.Models = []string{lesson.Own, solved}
	for _, e := range likeTests(x) {
		q.Source = e.Source
		a, err := s.Explore(ctx, q)
		if err != nil {
			return err
		}
		t := &Tried{q, a}
		got, wanted := t.said(lesson.Own).Verdict, t.said(solved).Verdict
		open := got == solver.Undecided || wanted == solver.Undecided
		if got == wanted && !open {
			continue
		}
		goal.Met, goal.Undecided = false, open
		if goal.Got = undecided; !open {
			goal.Got = fmt.Sprintf("your model %s %s, but the solution %s it", answer.Verb(got), e.ID(),
				answer.Verb(wanted))
		}
		v.Tried = t
		break
	}
	v.Goals = append(v.Goals, goal)
	return nil
}

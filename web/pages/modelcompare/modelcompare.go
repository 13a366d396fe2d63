package modelcompare

import (
	"cmp"
	"context"
	"io"
	"iter"
	"net/http"
	"net/url"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/compare"
	"litmuscope/solver/engines"
	"litmuscope/solver/report"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/classic"
	"litmuscope/web/parts/formfields"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// modelPair compares the visitor's model Mine with the model Against.
type modelPair struct {
	Own           []solver.OwnModel // all of the visitor's models, for the form
	Mine, Against string
	Tongue        string
	Engine        string
	Options       solver.Options
}

// post compares the models of a form. It checks the visitor's model first and streams the page.
func (s *page) post(w http.ResponseWriter, r *http.Request) {
	if !s.server.ParseForm(w, r) {
		return
	}
	m, err := readMatch(r.PostForm)
	if err == nil {
		s.questions.Ceil(&m.Options)
		q := m.question(question.AnyTest)
		var read *engines.Inspection
		if read, err = s.questions.Inspect(r.Context(), q.Unread()); err == nil && read.Fault(m.Mine) != nil {
			err = &question.BadModel{Errs: read.Fault(m.Mine), Own: true}
		}
	}
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	ctx, over, err := question.InTurn(r.Context(), s.turns)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	defer over()
	s.server.Render(w, r, http.StatusOK, fullPage(server.Nonce(r.Context()), m.view(s.runTests(ctx, m)), m.address()))
}

// readMatch parses a form: the explorer's, or the page's own, which has no test.
func readMatch(f url.Values) (*modelPair, error) {
	m := &modelPair{
		Mine: f.Get("mine"), Against: f.Get("against"), Tongue: f.Get("arch"), Engine: f.Get("engine"),
		Options: solver.DefaultOptions(),
	}
	if source := f.Get("source"); source != "" {
		m.Tongue = dialect.Tongue(source)
	}
	var err error
	if m.Own, err = question.OwnFromForm(f); err != nil {
		return nil, err
	}
	m.Mine = cmp.Or(m.Mine, firstName(m.Own))
	m.Against = cmp.Or(m.Against, models.Default(m.Tongue))
	switch {
	case len(m.Own) == 0:
		return nil,
			server.Refuse("There is no model of your own to compare. Write one below the test, under “Your own " +
				"models”.")
	case !slices.ContainsFunc(m.Own, func(o solver.OwnModel) bool { return o.Name == m.Mine }):
		return nil, server.Refuse("None of your models is called %q.", litmus.Shorten(m.Mine))
	case len(classic.InTongue(m.Tongue)) == 0:
		return nil, server.Refuse("The catalogue has no tests in %q.", litmus.Shorten(m.Tongue))
	case !slices.Contains(models.For(m.Tongue), m.Against):
		return nil, server.Refuse("No built-in model %q supports tests in %s.",
			litmus.Shorten(m.Against), m.Tongue)
	}
	return m, optionform.SetAll(&m.Options, f)
}

func firstName(own []solver.OwnModel) string {
	if len(own) == 0 {
		return ""
	}
	return own[0].Name
}

// address returns the address of the comparison.
func (m *modelPair) address() server.Address {
	f := url.Values{"mine": {m.Mine}, "against": {m.Against}, "arch": {m.Tongue}, "engine": {m.Engine}}
	for _, o := range m.Own {
		if o.Name == m.Mine {
			formfields.AddOwn(f, o)
		}
	}
	for _, o := range optionform.Changed(m.Options) {
		f.Set(optionform.Field(o.Name), o.Value)
	}
	return server.AddressOf("/versus", f)
}

// question returns the question for both models about a test.
func (m *modelPair) question(source string) question.Question {
	q := question.Question{Source: source, Models: []string{m.Mine, m.Against}, Engine: m.Engine, Options: m.Options}
	for _, o := range m.Own {
		if o.Name == m.Mine {
			q.Own = []solver.OwnModel{o}
		}
	}
	return q
}

// testPair is a test with the answers of both models.
type testPair struct {
	classic.Sized
	results     []*solver.Result // of the visitor's model, then of the other
	differences []compare.Difference
	err         error
}

// runTests runs all tests, a few at once, and yields them in order.
func (s *page) runTests(ctx context.Context, m *modelPair) iter.Seq[testPair] {
	return func(yield func(testPair) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		tests := classic.InTongue(m.Tongue)
		coming := make(chan chan testPair, max(1, s.server.Limits.Jobs/2)) // each test runs under two models at once
		go func() {
			defer close(coming)
			for _, e := range tests {
				one := make(chan testPair, 1)
				select {
				case coming <- one:
				case <-ctx.Done():
					return
				}
				go func() { one <- s.ask(ctx, m, e) }()
			}
		}()
		for one := range coming {
			if !yield(<-one) {
				return
			}
		}
	}
}

// ask runs one test under both models.
func (s *page) ask(ctx context.Context, m *modelPair, e classic.Sized) testPair {
	out := testPair{Sized: e}
	err := server.Guarded(func() error {
		a, err := s.questions.Explore(ctx, m.question(e.Source))
		if err == nil {
			out.results = a.Results
			out.compare(ctx)
		}
		return err
	})
	if err != nil {
		out.err = err
	}
	return out
}

// compare finds the differences between the two results.
func (b *testPair) compare(ctx context.Context) {
	_, b.err = compare.Run(ctx, compare.Side{Rows: &single{b.results[0]}}, compare.Side{Rows: &single{b.results[1]}},
		func(d compare.Difference) error {
			b.differences = append(b.differences, d)
			return nil
		})
	for i, kind := range []compare.Kind{compare.StatesA, compare.StatesB} {
		if mine, other := b.results[i], b.results[1-i]; len(other.States) == 0 && whole(other) && len(mine.States) > 0 {
			// Package compare skips rows without states, but here they mean that no outcome is allowed.
			d := compare.Difference{Kind: kind}
			for _, seen := range report.RowOf(mine).States {
				d.States = append(d.States, compare.State{State: seen.State})
			}
			b.differences = append(b.differences, d)
		}
	}
}

// whole reports whether a result has all outcomes.
func whole(r *solver.Result) bool {
	return r.Status == solver.OK && (r.StatesComplete == nil || *r.StatesComplete)
}

// single reads a result as a log of one row.
type single struct{ left *solver.Result }

// Next implements [compare.Rows].
func (s *single) Next() (*report.Row, error) {
	r := s.left
	if r == nil {
		return nil, io.EOF
	}
	s.left = nil
	return report.RowOf(r), nil
}

// different reports whether the two results differ.
func (b *testPair) different() bool {
	return b.err == nil && slices.ContainsFunc(b.differences, func(d compare.Difference) bool {
		return d.Kind == compare.Verdict || d.Kind == compare.StatesA || d.Kind == compare.StatesB
	})
}

// problem returns why a test has no answer; "" if it has one.
func (b *testPair) problem() string {
	if b.err != nil {
		return cmp.Or(question.WhyEnded(b.err), "no answer")
	}
	for _, r := range b.results {
		if r.Status != solver.OK {
			return question.Label(r.Model) + ": " + cmp.Or(report.RowOf(r).Error, "no answer")
		}
		if !whole(r) && !b.different() {
			return question.Label(r.Model) + ": more outcomes than are listed"
		}
	}
	return ""
}

// link returns the address that opens the explorer with both models and the pictures of the first outcome that
// distinguishes them.
func (m *modelPair) link(b *testPair) string {
	q := m.question(b.Source)
	st := question.LinkStateOf(q, "")
	mine, pick := 0, solver.State(nil)
	for _, d := range b.differences {
		if (d.Kind == compare.StatesA || d.Kind == compare.StatesB) && pick == nil && len(d.States) > 0 {
			if d.Kind == compare.StatesB {
				mine = 1
			}
			pick = b.stateOf(mine, d.States[0].State)
		}
	}
	st.View = viewJSON(linkView{Pick: linkPick{q.Models[mine], answer.StateJSON(pick)}, Beside: q.Models[1-mine]})
	return question.ExplorerLink(st)
}

// stateOf returns the state of a result that equals a state from a comparison, in the result's own names and order; nil
// if there is none.
func (b *testPair) stateOf(side int, told solver.State) solver.State {
	for i, seen := range report.RowOf(b.results[side]).States {
		if len(seen.State) == len(told) &&
			!slices.ContainsFunc(seen.State, func(x solver.Binding) bool { return !slices.Contains(told, x) }) {
			return b.results[side].States[i]
		}
	}
	return nil
}

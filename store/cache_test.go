package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"litmuscope/models"
	"litmuscope/solver"
)

// counting is a Runner that counts and answers each task with its own text.
type counting struct {
	runs   int
	status solver.Status
}

func (c *counting) Run(_ context.Context, t solver.Task) (*solver.Result, error) {
	c.runs++
	yes := true
	r := &solver.Result{
		Path: t.Path, Name: "SB", Model: t.Model, Status: c.status, Verdict: solver.Allowed, ConditionHolds: &yes,
		States: []solver.State{{{Name: "0:EAX", Value: "0"}, {Name: "x", Value: "1"}}},
		Reason: strings.Repeat("long ", 1000), Complete: true, MS: 1000,
	}
	if t.Options.Witnesses {
		r.Outcomes = []solver.Outcome{{State: r.States[0], Satisfies: true}}
	}
	return r, nil
}

func cached(t *testing.T, s *Store, r solver.Runner, version int) *Cached {
	return &Cached{
		Runner: r, Store: s,
		Version: func(string) int { return version },
		Model: func(t solver.Task) (*models.Model, error) {
			if t.Model == "none" {
				return nil, errors.New("no such model")
			}
			return &models.Model{Name: t.Model, Text: strings.TrimSuffix(t.Model, "-again")}, nil
		},
		Fault: func(err error) { t.Error(err) },
	}
}

func TestCached(t *testing.T) {
	base := solver.Task{Path: "a.litmus", Source: "X86 SB\n{}\n", Model: "tso", Options: solver.DefaultOptions()}
	for _, test := range []struct {
		what   string
		first  func(*solver.Task)
		second func(*solver.Task)
		hit    bool
	}{
		{what: "the same", hit: true},
		{what: "another path", second: func(t *solver.Task) { t.Path = "b.litmus" }, hit: true},
		{what: "another layout", second: func(t *solver.Task) { t.Source = "X86 SB  \r\n{}\r\n\n" }, hit: true},
		{what: "the model by another name", second: func(t *solver.Task) { t.Model = "tso-again" }, hit: true},
		{what: "more time", second: func(t *solver.Task) { t.Options.Timeout = time.Hour }, hit: true},
		{what: "more memory", second: func(t *solver.Task) { t.Options.Memory = 1 }, hit: true},
		{what: "witnesses, then none", first: func(t *solver.Task) { t.Options.Witnesses = true }, hit: true},
		{what: "no witnesses, then some", second: func(t *solver.Task) { t.Options.Witnesses = true }},
		{what: "another question: why", second: func(t *solver.Task) { t.Options.Explain = true }},
		{what: "another test", second: func(t *solver.Task) { t.Source = "X86 MP\n{}\n" }},
		{what: "another model", second: func(t *solver.Task) { t.Model = "sc" }},
		{what: "another engine", second: func(t *solver.Task) { t.Engine = "machine" }},
		{what: "another bound", second: func(t *solver.Task) { t.Options.Unroll = 7 }},
		{what: "no model", first: func(t *solver.Task) { t.Model = "none" }, second: func(t *solver.Task) { t.Model = "none" }},
	} {
		t.Run(test.what, func(t *testing.T) {
			first, second := base, base
			if test.first != nil {
				test.first(&first)
			}
			if test.second != nil {
				test.second(&second)
			}
			runner := &counting{status: solver.OK}
			c := cached(t, open(t, ":memory:"), runner, 1)
			if _, err := c.Run(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			got, err := c.Run(t.Context(), second)
			if err != nil {
				t.Fatal(err)
			}
			if hit := runner.runs == 1; hit != test.hit || got.Cached != hit || hit == (got.MS == 1000) {
				t.Errorf("%d runs, cached %v, %v ms", runner.runs, got.Cached, got.MS)
			}
			want, _ := runner.Run(t.Context(), second)
			got.Cached, got.MS = want.Cached, want.MS
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestCachedOnlyComplete(t *testing.T) {
	for _, status := range []solver.Status{solver.Unknown, solver.Failed} {
		runner := &counting{status: status}
		c := cached(t, open(t, ":memory:"), runner, 1)
		for range 2 {
			if r, err := c.Run(t.Context(), solver.Task{Model: "tso"}); err != nil || r.Cached {
				t.Error(r, err)
			}
		}
		if runner.runs != 2 {
			t.Errorf("%s: %d runs", status, runner.runs)
		}
	}
}

// An answer without witnesses must not take the place of one that has them.
func TestWitnessesStay(t *testing.T) {
	s := open(t, ":memory:")
	with := Question{Source: "SB", Options: solver.Options{Witnesses: true}}
	without := Question{Source: "SB"}
	r := &solver.Result{Status: solver.OK, Outcomes: []solver.Outcome{{Satisfies: true}}}
	for _, err := range []error{
		s.PutAnswer(t.Context(), without, &solver.Result{Status: solver.OK}),
		s.PutAnswer(t.Context(), with, r),
		s.PutAnswer(t.Context(), without, &solver.Result{Status: solver.OK}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if r, ok, err := s.Answer(t.Context(), with); !ok || err != nil || len(r.Outcomes) != 1 {
		t.Error(r, ok, err)
	}
	if r, ok, err := s.Answer(t.Context(), without); !ok || err != nil || len(r.Outcomes) != 0 {
		t.Error(r, ok, err)
	}
}

func TestNewVersion(t *testing.T) {
	s := open(t, ":memory:")
	runner := &counting{status: solver.OK}
	for _, version := range []int{1, 1, 2, 2, 3} {
		if _, err := cached(t, s, runner, version).Run(t.Context(), solver.Task{Model: "tso"}); err != nil {
			t.Fatal(err)
		}
	}
	var rows int
	if err := s.db.QueryRow("SELECT count(*) FROM results").Scan(&rows); err != nil || rows != 1 || runner.runs != 3 {
		t.Errorf("%d rows, %d runs, %v", rows, runner.runs, err)
	}
}

func TestTrim(t *testing.T) {
	s := open(t, ":memory:")
	s.MaxBytes = 4000
	r := &solver.Result{Status: solver.OK, States: []solver.State{}}
	for i := range 100 {
		if err := s.PutAnswer(t.Context(), Question{Source: fmt.Sprint(i)}, r); err != nil {
			t.Fatal(err)
		}
		// Test 0 is asked for all the time, long after it was written.
		if _, err := s.db.Exec("UPDATE results SET used = ? WHERE id = 1", time.Now().Unix()+1000); err != nil {
			t.Fatal(err)
		}
	}
	var rows, size int64
	if err := s.db.QueryRow("SELECT count(*), sum(length(body)) FROM results").Scan(&rows, &size); err != nil {
		t.Fatal(err)
	}
	if size > s.MaxBytes+s.MaxBytes/16+200 || rows < 10 {
		t.Errorf("%d rows of %d bytes", rows, size)
	}
	for source, want := range map[string]bool{"0": true, "1": false, "99": true} {
		if _, ok, err := s.Answer(t.Context(), Question{Source: source}); ok != want || err != nil {
			t.Errorf("%s: %v, %v", source, ok, err)
		}
	}
}

func TestLinks(t *testing.T) {
	s := open(t, ":memory:")
	l := Link{Source: "X86 SB", Models: []string{"tso", "sc"}, Options: solver.DefaultOptions()}
	id, err := s.SaveLink(t.Context(), l)
	if err != nil || len(id) != idLength {
		t.Fatal(id, err)
	}
	if again, err := s.SaveLink(t.Context(), l); again != id || err != nil {
		t.Error(again, err)
	}
	if got, err := s.Link(t.Context(), id); err != nil || !reflect.DeepEqual(got, l) {
		t.Error(got, err)
	}
	if _, err := s.Link(t.Context(), "nothing"); !errors.Is(err, ErrNoLink) {
		t.Error(err)
	}
	if _, err := s.SaveLink(t.Context(), Link{Source: strings.Repeat("x", MaxLink)}); !errors.Is(err, ErrLinkTooLong) {
		t.Error(err)
	}

	// Another link in its place: the id grows until it is free.
	if _, err := s.db.Exec(`UPDATE links SET body = '{"source":"other"}'`); err != nil {
		t.Fatal(err)
	}
	longer, err := s.SaveLink(t.Context(), l)
	if err != nil || len(longer) != idLength+1 || !strings.HasPrefix(longer, id) {
		t.Error(longer, err)
	}
	if got, err := s.Link(t.Context(), longer); err != nil || !reflect.DeepEqual(got, l) {
		t.Error(got, err)
	}
}

func BenchmarkPutAnswer(b *testing.B) {
	s, err := Open(b.Context(), b.TempDir()+"/l.db")
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for i := 0; b.Loop(); i++ {
		if err := s.PutAnswer(b.Context(), Question{Source: fmt.Sprint(i)}, &solver.Result{Status: solver.OK}); err != nil {
			b.Fatal(err)
		}
	}
}

package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/web/api/client"
)

var kills = flag.Int("kills", 5, "how many processes TestKilledAtAnyMoment kills, of each kind of queue")

// TestKilledAtAnyMoment kills server, workers and queue at random moments while suites run. At the end every
// acknowledged submission exists, and each of its tests has one row with the correct answer.
func TestKilledAtAnyMoment(t *testing.T) {
	tests, want := classicAnswers(t)
	for _, elsewhere := range []bool{false, true} {
		name := map[bool]string{false: "queue in the server", true: "queue and workers elsewhere"}[elsewhere]
		if testing.Short() && !elsewhere {
			continue // a site with workers elsewhere may lose it
		}
		t.Run(name, func(t *testing.T) {
			at := newSite(t, elsewhere, t.TempDir(), "--rate", "0")
			parts := at.parts()
			c, err := client.New(at.url, "")
			if err != nil {
				t.Fatal(err)
			}
			ctx := t.Context()
			acknowledged := submitAll(ctx, t, c, tests)

			seed := uint64(time.Now().UnixNano())
			t.Logf("seed %d", seed)
			random := rand.New(rand.NewPCG(seed, seed))
			for range *kills {
				time.Sleep(time.Duration(200+random.IntN(1500)) * time.Millisecond)
				p := parts[random.IntN(len(parts))]
				p.kill()
				time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond)
				p.start(t)
			}
			for id, n := range acknowledged() {
				if err := suiteIs(ctx, c, id, n, want); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func lastOf(s string, n int) string { return s[max(0, len(s)-n):] }

// classicAnswers returns tests, and the engine's answer for each name.
func classicAnswers(t *testing.T) (tests []catalogue.Entry, want map[string]*solver.Result) {
	t.Helper()
	r, closeRunner, err := newRunner(t.Context(), 2, "")
	if err != nil {
		t.Fatal(err)
	}
	defer closeRunner()
	want = map[string]*solver.Result{}
	for _, e := range catalogue.All() {
		if e.Arch != "X86" && e.Arch != "PPC" || strings.Contains(e.Source, "while") || len(e.Source) > 400 {
			continue
		}
		answer, err := solver.Ask(t.Context(), r,
			solver.Task{Path: e.ID(), Source: e.Source, Options: solver.DefaultOptions()})
		if err != nil || answer.Status != solver.OK {
			t.Fatal(answer, err)
		}
		tests, want[e.ID()] = append(tests, e), answer
	}
	return tests, want
}

// submitAll submits a large suite, and then small ones until the context ends. The function that it returns waits for
// the last submission and returns the acknowledged suites with their tests. Each test has a unique text, so that the
// cache answers none.
func submitAll(ctx context.Context, t *testing.T, c *client.Client, tests []catalogue.Entry) func() map[string]int {
	t.Helper()
	named := func(copies, salt int) iter.Seq[suite.Entry] {
		return func(yield func(suite.Entry) bool) {
			for i := range copies {
				for _, e := range tests {
					head, rest, _ := strings.Cut(e.Source, "\n")
					source := fmt.Sprintf("%s\n(* %d %d *)\n%s", head, salt, i, rest)
					if !yield(suite.Entry{Path: e.ID(), Source: source}) {
						return
					}
				}
			}
		}
	}
	out := map[string]int{}
	large := 2 + *kills
	s, err := c.Submit(ctx, client.Submission{Name: "large"}, named(large, 0))
	if err != nil {
		t.Fatal(err)
	}
	out[s.ID] = large * len(tests)
	ending := make(chan struct{})
	var submitting sync.WaitGroup
	submitting.Go(func() {
		for i := 1; ; i++ {
			select {
			case <-ending:
				return
			case <-time.After(700 * time.Millisecond):
			}
			// The client submits again until the server acknowledges the suite.
			s, err := c.Submit(ctx, client.Submission{Name: "small"}, named(1, i))
			if err != nil {
				t.Errorf("submission %d: %v", i, err)
				return
			}
			out[s.ID] = len(tests)
		}
	})
	return func() map[string]int { close(ending); submitting.Wait(); return out }
}

// suiteIs waits for a suite and reports wrong rows. Each row must exist once and equal the wanted answer or, if none is
// wanted, be an answer.
func suiteIs(ctx context.Context, c *client.Client, id string, n int, want map[string]*solver.Result) error {
	s, err := c.Watch(ctx, id, func(*client.Suite) {})
	if err != nil {
		return fmt.Errorf("suite %s: %w", id, err)
	}
	var wrong []error
	if s.State != "done" || s.Done != n {
		wrong = append(wrong, fmt.Errorf("suite %s is %s with %d rows, want %d", id, s.State, s.Done, n))
	}
	rows := 0
	err = c.Results(ctx, id, false, func(line []byte) error {
		var r solver.Result
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		rows++
		w := &r
		if want != nil {
			w = want[r.Path]
		}
		if w == nil || r.Status != solver.OK || r.Verdict != w.Verdict || r.Observation != w.Observation ||
			fmt.Sprint(r.States) != fmt.Sprint(w.States) ||
			fmt.Sprint(r.Positive != nil, r.Error) != fmt.Sprint(w.Positive != nil, w.Error) {
			wrong = append(wrong, fmt.Errorf("suite %s, %s: %s", id, r.Path, line))
		}
		return nil
	})
	if err != nil || rows != n {
		wrong = append(wrong, fmt.Errorf("suite %s has %d rows, want %d: %w", id, rows, n, err))
	}
	return errors.Join(wrong...)
}

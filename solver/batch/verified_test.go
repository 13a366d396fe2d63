package batch

import (
	"context"
	"testing"
	"time"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/store"
)

// verifying is a Runner that counts.
type verifying struct {
	runs   int
	status solver.Status
}

func (c *verifying) Run(_ context.Context, q solver.Question) (solver.Answer, error) {
	t := q.(solver.VerifyTask)
	c.runs++
	v := engines.Unread(t, nil)
	v.Status, v.Verdict, v.MS = c.status, solver.Unsafe, 1000
	v.Failure = &solver.Failure{File: "a.c", Line: 3}
	if t.Options.Witnesses {
		v.Failure.Graph = &models.Graph{}
	}
	return v, nil
}

// Only questions with the same answer share a row of the cache.
func TestCachedPrograms(t *testing.T) {
	base := func() solver.VerifyTask {
		return solver.VerifyTask{
			Path: "a.c", Files: []solver.SourceFile{{Name: "a.c", Text: "int x;"}},
			Include: map[string]string{"b.h": ""},
			Defines: []string{"N=1"}, Model: "tso", Options: solver.DefaultOptions(),
		}
	}
	cat := "acyclic po as order"
	for what, c := range map[string]struct {
		first, second func(*solver.VerifyTask)
		hit           bool
	}{
		"the same":             {hit: true},
		"another path":         {second: func(t *solver.VerifyTask) { t.Path = "b.c" }},
		"more time":            {second: func(t *solver.VerifyTask) { t.Options.Timeout = time.Hour }, hit: true},
		"witnesses, then none": {first: func(t *solver.VerifyTask) { t.Options.Witnesses = true }, hit: true},
		"no witnesses, then":   {second: func(t *solver.VerifyTask) { t.Options.Witnesses = true }},
		"another file's name":  {second: func(t *solver.VerifyTask) { t.Files[0].Name = "c.c" }},
		"another text":         {second: func(t *solver.VerifyTask) { t.Include["b.h"] = "int y;" }},
		"another definition":   {second: func(t *solver.VerifyTask) { t.Defines[0] = "N=2" }},
		"more rounds":          {second: func(t *solver.VerifyTask) { t.Options.Unroll = 9 }},
		"executions counted":   {second: func(t *solver.VerifyTask) { t.Count = true }},
		"another property":     {second: func(t *solver.VerifyTask) { t.Properties = []ir.Property{ir.DataRace} }},
		"another spelling":     {second: func(t *solver.VerifyTask) { t.Model = "TSO" }, hit: true},
		"another model":        {second: func(t *solver.VerifyTask) { t.Model = "sc" }},
		"the default model": {
			first:  func(t *solver.VerifyTask) { t.Model = "" },
			second: func(t *solver.VerifyTask) { t.Model = "rc11" }, hit: true,
		},
		"a model of one's own": {second: func(t *solver.VerifyTask) { t.ModelText = cat }},
		"own models' names": {
			first:  func(t *solver.VerifyTask) { t.ModelText = cat },
			second: func(t *solver.VerifyTask) { t.Model, t.ModelText = "arm.cat", cat },
		},
	} {
		t.Run(what, func(t *testing.T) {
			first, second := base(), base()
			if c.first != nil {
				c.first(&first)
			}
			if c.second != nil {
				c.second(&second)
			}
			s, err := store.Open(t.Context(), ":memory:")
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			runner := &verifying{status: solver.OK}
			v := &Cached{Runner: runner, Cache: s, Fault: func(err error) { t.Error(err) }}
			if _, err := solver.Ask(t.Context(), v, first); err != nil {
				t.Fatal(err)
			}
			v.Close()
			got, err := solver.Ask(t.Context(), v, second)
			v.Close()
			if err != nil {
				t.Fatal(err)
			}
			if hit := runner.runs == 1; hit != c.hit || got.Cached != hit || hit == (got.MS == 1000) {
				t.Errorf("%d runs, cached %v, %v ms", runner.runs, got.Cached, got.MS)
			}
			if want := engines.Unread(second, nil); got.Path != want.Path || got.Name != want.Name ||
				got.Failure.Line != 3 || (got.Failure.Graph != nil) != second.Options.Witnesses {
				t.Errorf("got %+v", got)
			}
		})
	}
	s, err := store.Open(t.Context(), ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	runner := &verifying{status: solver.Unknown}
	v := &Cached{Runner: runner, Cache: s}
	for range 2 {
		if _, err := solver.Ask(t.Context(), v, base()); err != nil {
			t.Error(err)
		}
		v.Close()
	}
	if runner.runs != 2 {
		t.Error("what is unknown is kept")
	}
}

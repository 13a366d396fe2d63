package synth

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"litmuscope/litmus/change"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth/hitting"
)

// mostChoices bounds the choices of a test that the enumeration tries.
const mostChoices = 192

// What repair and weaken say of generated tests of every dialect, under several models, is what trying every choice by
// itself says: which are enough, which cost least, and of which nothing can go.
func TestAsTryingEveryChoice(t *testing.T) {
	perTongue := 112 // some 1,000 in all
	if testing.Short() {
		perTongue = 6
	}
	for _, tongue := range []string{
		"X86", "X86_64", "PPC", "ARM", "AArch64", "RISCV", "MIPS", "BPF", "C",
		dialect.Kernel,
	} {
		t.Run(tongue, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, uint64(len(tongue))))
			under := slices.DeleteFunc([]string{models.Default(tongue), models.Default(tongue), "tso", "rmo", "sc"},
				func(m string) bool {
					return models.FactsOf(models.Default(tongue)).IsLanguage() &&
						!slices.Contains(models.For(tongue), m)
				})
			n, useful := 0, 0
			for _, source := range drawn(t, tongue, r, perTongue) {
				m := under[r.IntN(len(under))]
				for _, weaken := range []bool{false, true} {
					n++
					if tried(t, tongue, source, m, weaken, r) {
						useful++
					}
				}
			}
			t.Logf("%d questions, %d with an answer that changes something", n, useful)
			if n < perTongue || useful == 0 {
				t.Errorf("of %d questions %d have an answer that changes something", n, useful)
			}
		})
	}
}

// drawn are tests of cycles of four to six edges over the tongue's usual relaxations.
func drawn(t *testing.T, tongue string, r *rand.Rand, n int) (out []string) {
	relaxations, err := cycle.ParseRelaxations(tongue, cycle.Standard(tongue))
	if err != nil {
		t.Fatal(err)
	}
	var all []cycle.Cycle
	seen := 0
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	err = cycle.Family(ctx, relaxations, 4, 6, func(c cycle.Cycle) error {
		// A reservoir: each has the same chance, up to a point.
		if seen++; len(all) < n {
			all = append(all, c)
		} else if i := r.IntN(seen); i < n {
			all[i] = c
		}
		if seen == 20_000 {
			stop()
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	for i, c := range all {
		source, err := cycle.Generate(tongue, c, fmt.Sprintf("T%d", i))
		if err == nil {
			out = append(out, source)
		}
	}
	return out
}

// tried holds an answer against all choices among some of a test's changes.
func tried(t *testing.T, tongue, source, model string, weaken bool, r *rand.Rand) (changes bool) {
	t.Helper()
	options := solver.DefaultOptions()
	options.Timeout = 0
	s := &search{
		Question: Question{
			Path: "t", Source: source, Under: []solver.Task{{Model: model}}, Weaken: weaken,
			Options: options,
		},
		ctx: t.Context(), reply: &Reply{Status: solver.OK},
	}
	if err := s.read(); err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	for count(s.changes) > mostChoices {
		i := r.IntN(len(s.changes.Slots))
		s.changes.Slots = slices.Delete(s.changes.Slots, i, i+1)
	}
	if err := s.solve(); err != nil {
		t.Fatalf("%s: %v\n%s", model, err, source)
	}
	enough := map[string]change.Choice{}
	choice := s.changes.Least()
	for ok := true; ok; ok = advance(s.changes, choice) {
		if forbids(t, s, choice, model) {
			enough[fmt.Sprint(choice)] = slices.Clone(choice)
		}
	}
	want := best(s, enough, weaken)
	as := fmt.Sprint(s.changes.As())
	said := s.reply
	fail := func(format string, args ...any) {
		t.Errorf("%s under %s, weaken %v: %s\n%s", tongue, model, weaken, fmt.Sprintf(format, args...), source)
	}
	if !said.Minimal && len(said.Repairs) > 0 {
		fail("not minimal: %s", said.Reason)
	}
	_, forbidden := enough[as]
	switch {
	case (said.Verdict == solver.Forbidden) != forbidden:
		fail("it is said to be %s", said.Verdict)
	case said.Already != (!weaken && forbidden):
		fail("already is %v", said.Already)
	case said.Already:
	case said.Impossible != (len(want) == 0 || weaken && !forbidden):
		fail("impossible is %v, where %d choices are enough: %s", said.Impossible, len(enough), said.Reason)
	case said.Impossible:
	default:
		var got []string
		for _, a := range s.hitting.Answers {
			got = append(got, fmt.Sprint(a))
			if !said.More && !slices.Contains(want, fmt.Sprint(a)) {
				fail("%v is given, which is not among the best", a)
			}
		}
		if !said.More && len(got) != len(want) || said.More && len(want) <= len(got) {
			fail("%d answers are given, where there are %d: %v, want %v", len(got), len(want), got, want)
		}
		for _, a := range said.Repairs {
			changes = changes || len(a.Changes) > 0
		}
	}
	return changes
}

// best are those of the choices that are enough which cost least, or of which nothing can go.
func best(s *search, enough map[string]change.Choice, weaken bool) (out []string) {
	least := hitting.NoBound
	for _, c := range enough {
		least = min(least, s.changes.Cost(c))
	}
	for key, c := range enough {
		if !weaken && s.changes.Cost(c) == least {
			out = append(out, key)
		}
		if weaken && !slices.ContainsFunc(slices.Collect(mapValues(enough)), func(d change.Choice) bool {
			return !slices.Equal(c, d) && below(s.changes, d, c)
		}) {
			out = append(out, key)
		}
	}
	slices.SortFunc(out, cmp.Compare)
	return out
}

func mapValues(m map[string]change.Choice) func(func(change.Choice) bool) {
	return func(yield func(change.Choice) bool) {
		for _, c := range m {
			if !yield(c) {
				return
			}
		}
	}
}

// below tells whether a choice has no more than another anywhere.
func below(c *change.Changes, a, b change.Choice) bool {
	for i := range a {
		if !slices.Contains(c.Slots[i].Options[b[i]].Covers(), a[i]) {
			return false
		}
	}
	return true
}

func count(c *change.Changes) int {
	n := 1
	for i := range c.Slots {
		n = min(n*len(c.Slots[i].Options), 1<<20)
	}
	return n
}

// advance moves to the next choice.
func advance(c *change.Changes, choice change.Choice) bool {
	for i := range choice {
		if choice[i]++; choice[i] < len(c.Slots[i].Options) {
			return true
		}
		choice[i] = 0
	}
	return false
}

// forbids asks the engine about a test with a choice made, as anybody would.
func forbids(t *testing.T, s *search, c change.Choice, model string) bool {
	t.Helper()
	text, err := s.changes.Text(c)
	if err != nil {
		t.Fatal(err)
	}
	o := solver.DefaultOptions()
	o.States, o.Timeout = 0, 0
	r, err := engines.Run(t.Context(), solver.Task{Path: "t", Source: text, Model: model, Options: o})
	if err != nil || r.Status != solver.OK {
		t.Fatalf("%v %s %s\n%s", err, r.Error, r.Reason, text)
	}
	return r.Verdict == solver.Forbidden && r.Undefined() != solver.Yes
}

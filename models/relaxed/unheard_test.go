package relaxed

import (
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/analysis"
	"litmuscope/models/evaluation"
)

// An event that a model is said to ignore makes no difference to what it allows: an execution with one more fence,
// without any tag that the model names, has the same verdict.
func TestUnheardFences(t *testing.T) {
	deaf := 0
	rapid.Check(t, func(t *rapid.T) {
		text := anyModel(t)
		m, err := models.Parse("m.cat", text, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		if !analysis.IgnoredBy(m.Model, dialect.Vocabulary().Tags, ir.Tags{"SYNC", "LWSYNC"}).Fence {
			return
		}
		deaf++
		x, err := executionOf(anyGraph(t))
		if err != nil {
			t.Fatal(err)
		}
		more, _ := withFences(x,
			[]fenceAfter{
				{rapid.IntRange(0,
					len(x.Events)-1).Filter(func(i int) bool { return x.Events[i].Thread != models.InitThread }).Draw(t,
					"behind"), nil},
			})
		if a, b := len(evaluation.Check(m, x)), len(evaluation.Check(m, more)); a != b {
			t.Errorf("%s\nis broken by %d axioms without the fence, by %d with it", text, a, b)
		}
	})
	if !testing.Short() && deaf == 0 { // a fifth of the tests may well miss it
		t.Error("no model takes no notice of fences")
	}
}

// anyModel is a model in which fences may matter or not.
func anyModel(t *rapid.T) string {
	var relation, set func(depth int) string
	one := func(of ...func() string) string { return rapid.SampledFrom(of).Draw(t, "production")() }
	word := func(words ...string) func() string {
		return func() string { return rapid.SampledFrom(words).Draw(t, "word") }
	}
	set = func(d int) string {
		base := word("R", "W", "M", "M", "F", "SYNC", "_")
		if d == 0 {
			return base()
		}
		return one(base, base, func() string {
			return "(" + set(d-1) + rapid.SampledFrom([]string{"|", "&", "\\"}).Draw(t, "operator") + set(d-1) + ")"
		},
			func() string { return "domain(" + relation(d-1) + ")" },
			func() string { return "range(" + relation(d-1) + ")" },
			func() string { return "(~" + set(d-1) + ")" })
	}
	relation = func(d int) string {
		base := word("po", "po", "rf", "fr", "co", "po-loc", "ext", "int", "loc", "id", "rfe", "data", "ctrl", "hb")
		if d == 0 {
			return base()
		}
		op := func() string {
			return "(" + relation(d-1) +
				rapid.SampledFrom([]string{"|", "|", ";", ";", "&", "\\"}).Draw(t, "operator") + relation(d-1) + ")"
		}
		return one(base, op, op, func() string { return "[" + set(d-1) + "]" },
			func() string { return "(" + set(d-1) + "*" + set(d-1) + ")" },
			func() string { return "(po & " + set(d-1) + "*" + set(d-1) + ")" },
			func() string {
				return "(" + relation(d-1) + ")" + rapid.SampledFrom([]string{"+", "^*", "?", "^-1"}).Draw(t, "suffix")
			},
			func() string { return "(~" + relation(d-1) + ")" })
	}
	check := word("acyclic ", "acyclic ", "irreflexive ", "empty ", "~empty ", "~acyclic ")
	text := "let rec hb = [M] ; " + word("po", "po-loc")() + word("", " ; [M]")() + " | rfe | hb ; hb\n"
	return text + check() + relation(2) + "\n" + check() + relation(3) + "\n"
}

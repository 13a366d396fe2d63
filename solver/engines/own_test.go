package engines

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"litmuscope/solver"
)

const (
	ownSC   = "acyclic po | rf | fr | co as order"
	ownWeak = "include \"base.cat\"\nacyclic base as uniproc"
)

// Inspect parses each own model for itself: it reports the errors of one beside the others, and each task has its own
// model's text.
func TestInspectOwnModels(t *testing.T) {
	q := Question{
		File: "test", Source: sb, Options: solver.DefaultOptions(),
		Models: []string{
			"tso", "mine", "mine~order", "mine~thin", "weak", "wrong", "wrong~order", "gone",
			"tso~consensus",
		},
		Own: []solver.OwnModel{
			{Name: "mine", Text: ownSC},
			{Name: "weak", Text: ownWeak, Files: map[string]string{"base.cat": "let base = po-loc | rf | fr | co"}},
			{Name: "wrong", Text: "acyclic po |\nlet a = nothing\nempty W as a\nacyclic R"},
			{Name: "gone"},
		},
	}
	in, err := Inspect(q)
	if err != nil || in.Admission() != nil || in.Name != "SB" {
		t.Fatalf("%+v, %v", in, err)
	}
	for model, want := range map[string]string{
		"tso": "", "mine": "", "mine~order": "", "weak": "", "tso~consensus": "",
		"mine~thin": `-: there is no axiom "thin" in mine: want one of order`,
		"wrong": "wrong:2:1: got \"let\", want an expression\nwrong:2:9: nothing is not defined\n" +
			"wrong:4:1: acyclic takes a relation, got a set",
		"wrong~order": "wrong:2:1: got \"let\", want an expression\nwrong:2:9: nothing is not defined\n" +
			"wrong:4:1: acyclic takes a relation, got a set",
		"gone": "gone: the model has no axiom: want at least one acyclic, irreflexive or empty",
	} {
		if got := in.Fault(model); want == "" && got != nil || want != "" && got.Error() != want {
			t.Errorf("%s: %v, want %s", model, got, want)
		}
	}
	for model, want := range map[string]solver.Verdict{
		"tso": solver.Allowed, "mine": solver.Forbidden, "mine~order": solver.Allowed,
		"weak": solver.Allowed, "wrong": "",
	} {
		r, err := Run(t.Context(), q.Task(model))
		if err != nil || r.Verdict != want || r.Model != model {
			t.Errorf("%s: %+v, %v", model, r, err)
		}
	}
	body, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var back Inspection
	if err := json.Unmarshal(body, &back); err != nil || back.Fault("wrong").Error() != in.Fault("wrong").Error() {
		t.Errorf("as JSON: %+v, %v", back, err)
	}

	q.Models = []string{"mine", "theirs"}
	if in, err = Inspect(q); err != nil || in.Admission() == nil ||
		!strings.HasPrefix(in.Refused, `unknown model "theirs"`) {
		t.Errorf("a model that there is not: %+v, %v", in, err)
	}
	q.ModelText = "acyclic po |" // belongs to the one name that no other model has, and to it alone
	if in, err = Inspect(q); err != nil || len(in.BadModel) != 1 || in.BadModel[0].Pos.File != "theirs" {
		t.Errorf("a model's text: %+v, %v", in, err)
	}
	q.Models, q.Engine = []string{"tso", "mine"}, "machine"
	if in, err = Inspect(q); err != nil ||
		in.Refused != "the engine machine supports sc, tso, pso, aarch64, riscv, arm, power, rc11, not mine" {
		t.Errorf("an engine for other models: %+v, %v", in, err)
	}
}

// Valid names of own models.
func TestOwnModelNames(t *testing.T) {
	many := make([]solver.OwnModel, MaxOwn+1)
	for i := range many {
		many[i].Name = fmt.Sprint("m", i)
	}
	named := func(names ...string) (out []solver.OwnModel) {
		for _, n := range names {
			out = append(out, solver.OwnModel{Name: n, Text: ownSC})
		}
		return out
	}
	for _, c := range []struct {
		own  []solver.OwnModel
		want string
	}{
		{named("own", "own2", "my-model_3"), ""},
		{named("own", "own"), "two of your models have the name own: rename one"},
		{named("TSO"), "your model has the name TSO of a built-in model: choose another name"},
		{
			named("tso~consensus"),
			`the name "tso~consensus" of your model: want at most 64 letters, digits, - and _`,
		},
		{named(""), `the name "" of your model: want`},
		{named("my.cat"), `the name "my.cat" of your model: want`},
		{named(strings.Repeat("m", 65)), `the name "mmm`},
		{many, "17 models of your own: a question accepts at most 16"},
	} {
		in, err := Inspect(Question{File: "test", Source: sb, Own: c.own, Options: solver.DefaultOptions()})
		if err != nil || !strings.HasPrefix(in.Refused, c.want) || c.want == "" && in.Admission() != nil {
			t.Errorf("%v: %q, %v, want %q", c.own, in.Refused, err, c.want)
		}
	}
}

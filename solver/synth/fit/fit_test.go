package fit_test

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth/fit"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"acyclic ?{po | (rf | co) | 0} as x", "acyclic (po) as x; acyclic ((rf | co)) as x; acyclic (0) as x"},
		{"let a = ?{po|\n  [R];po} (* ?{ *) | ?{0|\"?{\" (* | *)}", "let a = (po) (* ?{ *) | (0); let a = (po) (* " +
			"?{ *) | (\"?{\" (* | *)); let a = ([R];po) (* ?{ *) | (0); let a = ([R];po) (* ?{ *) | (\"?{\" (* | *))"},
		{
			"acyclic po as x",
			"m:1:1: this model has no open place: write ?{a | b | 0} where a, b or 0 is to be found",
		},
		{"(* a *)\nacyclic ?{po | } as x", "m:2:15: an alternative is empty: write 0 for the empty relation"},
		{
			"acyclic ?{po} as x",
			"m:1:9: a choice needs two or more alternatives: write ?{a | b}, with a union in an alternative in " +
				"brackets",
		},
		{"acyclic ?{(po | 0} as x", "m:1:9: ?{ is not closed: want } after the last alternative"},
		{"acyclic ?{po | ?{rf | 0}} as x", "m:1:16: ?{ within the ?{ of line 1: write all alternatives in one choice"},
	} {
		got := ""
		if f, err := fit.Parse("m", c.text); err != nil {
			got = err.Error()
		} else {
			var all []string
			for i := range f.Size(100) {
				all = append(all, f.Text(f.Pick(i)))
			}
			got = strings.Join(all, "; ")
		}
		if got != c.want {
			t.Errorf("%q:\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}

const open = `"What is kept in order"
acyclic po-loc | rf | co | fr as coherence
let kept = po & ?{W*W | 0} | po & ?{0 | R*_ | R*R}
acyclic kept | rfe | co | fr | mfence as order
`

// wanted are the classic tests of X86 with plain accesses, and what a model says of them.
func wanted(t *testing.T, model string) (out []fit.Wanted) {
	t.Helper()
	for _, e := range catalogue.Core() {
		if e.Arch != "X86" || strings.Contains(e.Source, "XCHG") || strings.Contains(e.Source, "FENCE") &&
			!strings.Contains(e.Source, "MFENCE") {
			continue
		}
		r, err := engines.Run(t.Context(),
			solver.Task{Path: e.Name, Source: e.Source, Model: model, Options: solver.DefaultOptions()})
		if err != nil || r.Status != solver.OK {
			t.Fatal(e.Name, err, r.Reason, r.Error)
		}
		out = append(out, fit.Wanted{Path: e.Name, Source: e.Source, Verdict: r.Verdict})
	}
	return out
}

func answer(t *testing.T, text string, tests []fit.Wanted) *fit.Reply {
	t.Helper()
	template, err := fit.Parse("open.cat", text)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	r, err := fit.Answer(t.Context(), engines.Local{}, 2,
		fit.Question{
			Template: template, Task: solver.Task{Model: "open.cat", Options: solver.DefaultOptions()},
			Tests: tests,
		}, func() { asked++ })
	if err != nil {
		t.Fatal(err)
	}
	if asked != r.Asked {
		t.Errorf("%d questions were told of, %d are said", asked, r.Asked)
	}
	return r
}

// The classic tests' verdicts under a model determine its terms.
func TestAgree(t *testing.T) {
	for model, want := range map[string]string{"tso": "W*W R*_", "pso": "0 R*_", "sc": ""} {
		r := answer(t, open, wanted(t, model))
		var got []string
		for _, a := range r.Agree {
			got = append(got, a.Choices[0].Text+" "+a.Choices[1].Text)
		}
		if strings.Join(got, ", ") != want || want == "" && len(r.Clash) == 0 {
			t.Errorf("%s: got %s\n%s", model, got, r.Text())
		}
	}
}

// The reported clash is minimal: asking again without any one of its tests finds a model.
func TestClash(t *testing.T) {
	tests := wanted(t, "tso")
	for i := range tests {
		switch tests[i].Path {
		case "MP": // as under PSO
			tests[i].Verdict = solver.Allowed
		case "S", "2+2W", "R": // which TSO forbids for the same reason
			tests[i].Verdict = solver.Forbidden
		}
	}
	r := answer(t, open, tests)
	if len(r.Agree) > 0 || len(r.Clash) < 2 {
		t.Fatal(r.Text())
	}
	var clash []fit.Wanted
	for _, w := range r.Clash {
		clash = append(clash, tests[slices.IndexFunc(tests, func(t fit.Wanted) bool { return t.Path == w.Path })])
	}
	if len(answer(t, open, clash).Agree) > 0 {
		t.Errorf("some model agrees with tests that clash: %s", r.Text())
	}
	for i, w := range clash {
		if len(answer(t, open, slices.Delete(slices.Clone(clash), i, i+1)).Agree) == 0 {
			t.Errorf("%s is not needed for the clash: %s", w.Path, r.Text())
		}
	}
}

// Fit leaves out a model that does not parse, and says so.
func TestRefused(t *testing.T) {
	tests := wanted(t, "sc")
	r := answer(t, "acyclic ?{po | order} | rf | co | fr as sc\n", tests)
	if len(r.Agree) != 1 || r.Agree[0].Choices[0].Text != "po" || len(r.Refused) != 1 ||
		!strings.Contains(r.Refused[0], "order is not defined") {
		t.Error(r.Text())
	}
	if r := answer(t, "acyclic ?{a | b} | rf as sc\n", tests); !strings.Contains(r.Text(),
		"none of 2 models can be read") {
		t.Error(r.Text())
	}
}

package agreement

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/solver"
)

func flag(b bool) *bool                         { return &b }
func number(n int) *int                         { return &n }
func binding(name, value string) solver.Binding { return solver.Binding{Name: name, Value: value} }

// state reads "0:EAX=1 x=2".
func state(text string) solver.State {
	s := solver.State{}
	for part := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(part, "=")
		s = append(s, binding(name, value))
	}
	return s
}

// result is an answer that agrees with reference, before change.
func result(change func(*solver.Result)) *solver.Result {
	r := &solver.Result{
		Engine: "axiomatic", Status: solver.OK, Observation: solver.Sometimes, ConditionHolds: flag(true),
		States:   []solver.State{state("0:EAX=0 x=1"), state("x=1 0:EAX=1")},
		Positive: number(1), Negative: number(2),
	}
	if change != nil {
		change(r)
	}
	return r
}

var reference = Reference{
	Path: "SB.litmus", Model: "tso", Observation: "Sometimes", ConditionHolds: true,
	Positive: number(1), Negative: number(2),
	States: []map[string]string{{"0:EAX": "1", "x": "1"}, {"0:EAX": "0", "x": "1"}},
	Flags:  []string{"race", "unheard-of"},
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(*solver.Result)
		verdict Verdict
		detail  string
	}{
		{"same, in another order", nil, Agreed, ""},
		{
			"observation", func(r *solver.Result) { r.Observation = solver.Never }, Disagreed,
			"observation: got Never, reference Sometimes",
		},
		{
			"condition", func(r *solver.Result) { r.ConditionHolds = flag(false) }, Disagreed,
			"condition holds: got false, reference true",
		},
		{
			"no condition", func(r *solver.Result) { r.ConditionHolds = nil }, Disagreed,
			"condition holds: got undecided, reference true",
		},
		{
			"extra state", func(r *solver.Result) { r.States = append(r.States, state("0:EAX=2 x=1")) }, Disagreed,
			"state {0:EAX=2 x=1}: got present, reference absent",
		},
		{
			"missing state", func(r *solver.Result) { r.States = r.States[:1] }, Disagreed,
			"state {0:EAX=1 x=1}: got absent, reference present",
		},
		{"flags", func(r *solver.Result) {
			r.Flags = []solver.Flag{
				{Name: "race"},
				{Name: "race", Raised: flag(true)},
				{Name: "Dr", Undefined: true, Raised: flag(false)},
			}
		}, Agreed, ""},
		{"missing flag", func(r *solver.Result) {
			r.Flags = []solver.Flag{{Name: "race", Raised: flag(false)}}
		}, Disagreed, "flag race: got not raised, reference raised"},
		{"extra flag", func(r *solver.Result) {
			r.Flags = []solver.Flag{{Name: "Dr", Undefined: true, Raised: flag(true)}}
		}, Disagreed, "flag *undef*: got raised, reference not raised"},
		{"cut list", func(r *solver.Result) { r.States, r.StatesComplete = r.States[:1], flag(false) }, Agreed, ""},
		{"wrong state in a cut list", func(r *solver.Result) {
			r.States, r.StatesComplete = []solver.State{state("x=7")}, flag(false)
		}, Disagreed, "state {x=7}: got present, reference absent"},
		{
			"executions", func(r *solver.Result) { r.Positive = number(2) }, Disagreed,
			"executions: got 2 positive and 2 negative, reference 1 positive and 2 negative",
		},
		{"executions not counted", func(r *solver.Result) { r.Positive, r.Negative = nil, nil }, Agreed, ""},
		{
			"two differences", func(r *solver.Result) { r.Observation, r.Negative = solver.Always, number(0) },
			Disagreed,
			"observation: got Always, reference Sometimes; executions: got 1 positive and 0 negative, reference 1 " +
				"positive and 2 negative",
		},
		{
			"unsupported", func(r *solver.Result) { r.Status, r.Error = solver.Failed, "SB.litmus:5:2: no FROB" },
			Unsupported,
			"SB.litmus:5:2: no FROB",
		},
		{
			"bug", func(r *solver.Result) { r.Status, r.Error = solver.Failed, "SB.litmus: BUG: no witness" },
			Disagreed,
			"SB.litmus: BUG: no witness",
		},
		{
			"unknown", func(r *solver.Result) { r.Status, r.Reason = solver.Unknown, "time limit" }, Undecided,
			"time limit",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, detail := Compare(reference, result(c.change))
			if v != c.verdict || detail != c.detail {
				t.Errorf("got %v %q\nwant %v %q", v, detail, c.verdict, c.detail)
			}
		})
	}
}

func TestCompareEngines(t *testing.T) {
	machine := func(change func(*solver.Result)) *solver.Result {
		r := result(change)
		r.Engine, r.Positive, r.Negative = "machine", nil, nil // it does not count executions
		return r
	}
	for _, c := range []struct {
		name    string
		a, b    *solver.Result
		verdict Verdict
		detail  string
	}{
		{"same", result(nil), machine(nil), Agreed, ""},
		{
			"observation", result(nil), machine(func(r *solver.Result) { r.Observation = solver.Never }), Disagreed,
			"observation: axiomatic Sometimes, machine Never",
		},
		{
			"state", result(nil), machine(func(r *solver.Result) { r.States = r.States[1:] }), Disagreed,
			"state {0:EAX=0 x=1}: axiomatic present, machine absent",
		},
		{
			"cut list", result(nil),
			machine(func(r *solver.Result) { r.States, r.StatesComplete = r.States[1:], flag(false) }), Agreed, "",
		},
		{
			"both count", result(nil), result(func(r *solver.Result) { r.Engine, r.Negative = "other", number(3) }),
			Disagreed,
			"executions: axiomatic 1 positive and 2 negative, other 1 positive and 3 negative",
		},
		{
			"one cannot", result(nil),
			machine(func(r *solver.Result) { r.Status, r.Error = solver.Failed, "no such machine" }), Unsupported,
			"machine: no such machine",
		},
		{
			"one does not know", result(func(r *solver.Result) { r.Status, r.Reason = solver.Unknown, "loop bound" }),
			machine(nil), Undecided,
			"axiomatic: loop bound",
		},
		{
			"one for the other", result(func(r *solver.Result) { r.SettledBy = "machine" }), machine(nil), Undecided,
			"a bound left it open for one engine, and the other engine decided it",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, detail := CompareEngines(c.a, c.b)
			if v != c.verdict || detail != c.detail {
				t.Errorf("got %v %q\nwant %v %q", v, detail, c.verdict, c.detail)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "reference.jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(
		`{"path":"a/SB.litmus","name":"SB","model":"tso","observation":"Never","condition_holds":true,"positive":0,"negative":3,"states":[{"x":"1"}]}` + "\n")
	refs, err := Load(dir)
	if err != nil || len(refs) != 1 {
		t.Fatal(refs, err)
	}
	r := refs[0]
	if r.File() != filepath.Join(dir, "a", "SB.litmus") || r.Model != "tso" || !r.ConditionHolds || *r.Negative != 3 ||
		r.States[0]["x"] != "1" {
		t.Errorf("%+v", r)
	}
	for _, bad := range []struct{ text, want string }{
		{"{\n", "reference.jsonl:1: "},
		{
			`{"path":"SB.litmus","model":"tso"}` + "\n" + `{"path":"SB.litmus"}`,
			`reference.jsonl:2: want a line with "path" and "model"`,
		},
	} {
		write(bad.text)
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%q: got error %v, want %s", bad.text, err, bad.want)
		}
	}
	if _, err := Load(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Error(err)
	}
}

func TestKnownDifferences(t *testing.T) {
	if _, err := KnownDifferences(); err != nil {
		t.Error(err)
	}
	known, err := ParseDifferences("known.txt", "# none\n\nx86/SB.litmus tso  It forgets  the buffer.\n")
	if err != nil {
		t.Fatal(err)
	}
	if with, err := ParseDifferences("known.txt", "ppc/* sc with little-endian: It reads."); err != nil ||
		with[0].With != "little-endian" || with[0].Reason != "It reads." {
		t.Errorf("%+v, %v", with, err)
	}
	if _, err := ParseDifferences("known.txt", "ppc/* sc with small-endian: It reads."); err == nil ||
		err.Error() != `known.txt:1: unknown option "small-endian": want an option that is on or off` {
		t.Error(err)
	}
	if d, ok := Find(known, "corpus/x86/SB.litmus", "tso"); !ok || d.Reason != "It forgets  the buffer." {
		t.Error(d, ok)
	}
	for _, other := range [][2]string{
		{"corpus/x86/SB.litmus", "sc"},
		{"corpus/notx86/SB.litmus", "tso"},
		{"SB.litmus", "tso"},
	} {
		if d, ok := Find(known, other[0], other[1]); ok {
			t.Errorf("%v: found %v", other, d)
		}
	}
	if _, err := ParseDifferences("known.txt", "# none\nx86/SB.litmus tso"); err == nil ||
		!strings.HasPrefix(err.Error(), "known.txt:2: want ") {
		t.Error(err)
	}
}

func TestExpectations(t *testing.T) {
	all, err := ParseExpectations("e.txt", "fib*-never tso Never # comment is no comment here")
	if err == nil {
		t.Error("too many words:", all)
	}
	for text, want := range map[string]string{
		"\nfib tso Maybe": `e.txt:2: got observation "Maybe"`,
		"fib[ tso Never":  `e.txt:1: "fib[": `,
		"fib tso":         "e.txt:1: want a name pattern",
	} {
		if _, err := ParseExpectations("e.txt", text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got error %v, want %s", text, err, want)
		}
	}

	all, err = ParseExpectations("e.txt", "fib*-never tso Never\nfib* tso Sometimes\nfib* sc Sometimes\n")
	if err != nil {
		t.Fatal(err)
	}
	got := Expected(all, "fib3-never")
	if len(got) != 2 || got[0].Model != "tso" || got[0].Observation != solver.Never || got[1].Model != "sc" {
		t.Errorf("the first that matches wins, for each model: %v", got)
	}
	if got := Expected(all, "SB"); got != nil {
		t.Error(got)
	}
	if v, detail := all[0].Compare(result(nil)); v != Disagreed ||
		detail != "observation: got Sometimes, expected Never" {
		t.Error(v, detail)
	}
	if v, _ := all[1].Compare(result(nil)); v != Agreed {
		t.Error(v)
	}
	if v, _ := all[1].Compare(result(func(r *solver.Result) { r.Status = solver.Unknown })); v != Undecided {
		t.Error(v)
	}
}

// The families of the scaling folder are all in the file of their expectations.
func TestScalingExpectations(t *testing.T) {
	text, err := os.ReadFile("scaling.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, err := ParseExpectations("scaling.txt", string(text))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]solver.Observation{
		"fib3": "Sometimes", "fib3-never": "Never", "SBring8": "Sometimes", "SBring8+mfences": "Never",
		"peterson-retry2": "Sometimes", "peterson-retry2+mfences": "Never", "writers4+readers1": "Never",
		"lockinc4": "Always", "spinlock2": "Always", "2W-ring4": "Never", "iriw3": "Never", "mpchain4": "Never",
	} {
		found := false
		for _, e := range Expected(all, name) {
			if e.Model == "tso" {
				found = true
				if e.Observation != want {
					t.Errorf("%s: %s, want %s", name, e.Observation, want)
				}
			}
		}
		if !found {
			t.Errorf("%s: nothing is expected under tso", name)
		}
	}
}

func TestTally(t *testing.T) {
	tally := NewTally(
		[]Difference{
			{Path: "SB.litmus", Model: "tso", Reason: "The reference has no buffers."},
			{Path: "MP.litmus", Model: "tso", Reason: "It was wrong."},
			{Path: "turned/*", Model: "tso", Reason: "It reads numbers the other way round.", With: "little-endian"},
		})
	for _, f := range []Finding{
		{Path: "x86/SB.litmus", Group: "X86", Model: "sc", Verdict: Agreed},
		{Path: "x86/SB.litmus", Group: "X86", Model: "tso", Verdict: Disagreed, Detail: "observation: …"},
		{Path: "x86/MP.litmus", Group: "X86", Model: "tso", Verdict: Agreed, SettledBy: "machine"},
		{Path: "x86/R.litmus", Group: "X86", Model: "tso", Verdict: Disagreed, Detail: "state: …"},
		{
			Path: "turned/A.litmus", Group: "PPC", Model: "tso", Verdict: Disagreed, Detail: "state: …",
			Explained: "little-endian",
		},
		{Path: "turned/B.litmus", Group: "PPC", Model: "tso", Verdict: Disagreed, Detail: "state: …"},
		{Path: "x86/S.litmus", Group: "X86", Model: "tso", Verdict: Undecided, Detail: "time limit"},
		{Path: "arm/A.litmus", Group: "ARM", Model: "arm", Verdict: Unsupported, Detail: "arm/A.litmus:3:1: no DMB"},
		{Path: "arm/B.litmus", Group: "ARM", Model: "arm", Verdict: Unsupported, Detail: "arm/B.litmus:9:4: no ISB"},
		{Path: "arm/C.litmus", Group: "ARM", Model: "arm", Verdict: Unsupported, Detail: "arm/C.litmus:7:1: no ISB"},
	} {
		tally.Add(f)
	}
	var b strings.Builder
	if err := tally.Print(&b); err != nil {
		t.Fatal(err)
	}
	want := `
  arch  model  tests  agreed  disagreed  unsupported  unknown  known
   ARM    arm      3       0          0            3        0      0
   PPC    tso      2       0          1            0        0      1
   X86     sc      1       1          0            0        0      0
   X86    tso      4       1          1            0        1      1
   all            10       2          2            3        1      2

decided by machine after a bound left them open: 1

unsupported:
  2 × no ISB (arm/B.litmus under arm)
  1 × no DMB (arm/A.litmus under arm)

unknown:
  x86/S.litmus under tso: time limit

known:
  x86/SB.litmus under tso: observation: …; known: The reference has no buffers.
  turned/A.litmus under tso: state: …; known: It reads numbers the other way round. With --little-endian, the answer equals the reference's.

disagreed:
  x86/R.litmus under tso: state: …
  turned/B.litmus under tso: state: …; listed as known, but --little-endian does not change it

listed as known differences, but agreed:
  x86/MP.litmus under tso
`
	if got := "\n" + b.String(); got != want {
		t.Errorf("got:%s\nwant:%s", got, want)
	}
	if tally.Count(Disagreed) != 2 || tally.Count(Unsupported) != 3 || tally.Count(Known) != 2 {
		t.Error("counts")
	}
}

func TestCompareModels(t *testing.T) {
	state := func(v string) solver.State { return solver.State{{Name: "x", Value: v}} }
	cutShort := false
	for _, c := range []struct {
		what         string
		strong, weak *solver.Result
		verdict      Verdict
		detail       string
	}{
		{
			"the same", &solver.Result{Status: solver.OK, States: []solver.State{state("1")}},
			&solver.Result{Status: solver.OK, States: []solver.State{state("1")}}, Agreed, "",
		},
		{
			"fewer", &solver.Result{Status: solver.OK},
			&solver.Result{Status: solver.OK, States: []solver.State{state("1")}}, Agreed, "",
		},
		{
			"one more", &solver.Result{Status: solver.OK, Model: "sc", States: []solver.State{state("1"), state("2")}},
			&solver.Result{Status: solver.OK, Model: "tso", States: []solver.State{state("1")}}, Disagreed,
			"state {x=2}: sc present, tso absent",
		},
		{
			"a list cut short", &solver.Result{Status: solver.OK, States: []solver.State{state("1")}},
			&solver.Result{Status: solver.OK, StatesComplete: &cutShort}, Undecided,
			"not all states were listed: raise --states",
		},
		{
			"an error", &solver.Result{Status: solver.OK},
			&solver.Result{Status: solver.Failed, Model: "tso", Error: "t:1:1: bad"},
			Unsupported, "tso: t:1:1: bad",
		},
	} {
		if v, d := CompareModels(c.strong, c.weak); v != c.verdict || d != c.detail {
			t.Errorf("%s: got %v %q, want %v %q", c.what, v, d, c.verdict, c.detail)
		}
	}
}

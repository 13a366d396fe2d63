package machine

import (
	"context"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/models"
	"litmuscope/solver"
)

func verify(t testing.TB, text, model string, want solver.Verify) *solver.Verification {
	t.Helper()
	m, ok := models.Find(model)
	if !ok {
		t.Fatal(model)
	}
	options := solver.DefaultOptions()
	options.Witnesses = true
	v, err := Engine{}.Verify(context.Background(),
		solver.Query{Program: irtest.Parse(text), Model: m, Options: options}, want)
	if err != nil {
		t.Fatalf("%s under %s: %v", text, model, err)
	}
	return v
}

func TestVerify(t *testing.T) {
	const (
		sb = "spawn 1; spawn 2; join 1; join 2; a=y; b=z; if a!=0 E; assert b!=0; E: || x=1; a=w; y=a || w=1; " +
			"b=x; z=b"
		fenced = "spawn 1; spawn 2; join 1; join 2; a=y; b=z; if a!=0 E; assert b!=0; E: || x=1; mf; a=w; y=a || " +
			"w=1; mf; b=x; z=b"
		mp      = "spawn 1; a=y; if a=0 E; b=x; assert b=1; E: || x=1; y=1"
		locks   = "spawn 1; lock w; a=x; x=1; unlock w; join 1; b=x; assert b=2 || lock w; a=x; x=2; unlock w"
		spins   = "spawn 1; S: ; a=x; if a=1 E; spin S; E: || x=1"
		forever = "spawn 1; S: ; a=x; if a=2 E; spin S; E: || x=1"
	)
	for _, c := range []struct {
		name, text string
		want       string // verdicts under sc, tso, pso: s(afe), u(nsafe), ? (unknown); in brackets incomplete
		property   ir.Property
	}{
		{"store buffering", sb, "suu", ""},
		{"with fences", fenced, "sss", ""},
		{"message passing", mp, "ssu", ""},
		{"a spawn comes before all of its thread", "x=1; y=1; spawn 1 || a=y; b=x; assert b=1", "sss", ""},
		{"arguments", "a=7; spawn 1 b=a || assert b=7; assert b!=7", "uuu", ""},
		{"a join comes after all of the thread", "spawn 1; join 1; a=x; assert a=1 || x=1", "sss", ""},
		{"without a join", "spawn 1; a=x; assert a=1 || x=1", "uuu", ""},
		{"a join of a thread that is blocked", "spawn 1; join 1; assert 0=1 || assume 0=1", "sss", ""},
		{"stores that wait are seen by the own thread", "spawn 1; x=1; a=x; assert a=1 || b=y", "sss", ""},
		{"locks", locks, "uuu", ""},
		{
			"locks keep others out", "spawn 1; lock w; x=1; a=x; assert a=1; unlock w || lock w; x=2; unlock w", "sss",
			"",
		},
		{"a blocked thread is no failure", "spawn 1; a=x; assume a=1; assert a!=1 || y=1", "sss", ""},
		{"what comes before an assumption is done", "spawn 1; a=x; assert a=0 || x=1; assume 0=1", "uuu", ""},
		{"sections", "spawn 1; atomic; x=1; x=0; end || a=x; assert a=0", "sss", ""},
		{"no section", "spawn 1; x=1; x=0 || a=x; assert a=0", "uuu", ""},
		{
			"a section that cannot end is not seen", "spawn 1; atomic; x=1; assume 0=1; end || a=x; assert a=0", "sss",
			"",
		},
		{"a section fails inside", "spawn 1; atomic; x=1; a=y; assert a=0; end || y=1", "uuu", ""},
		{"buffers are drained by sections", strings.ReplaceAll(sb, "x=1;", "x=1; atomic; end;"), "suu", ""},
		{
			"by both",
			strings.ReplaceAll(strings.ReplaceAll(sb, "x=1;", "x=1; atomic; end;"), "w=1;", "w=1; atomic; end;"), "sss",
			"",
		},
		{"choices", "choose a; choose b; if a=0 E; assert b=0; E:", "uuu", ""},
		{"choices that are assumed away", "choose a; assume a=0; assert a=0", "sss", ""},
		{"the bound hides what is behind", "a=x; if a=0 E; unwound; E: ; assert a=0", "sss", ""},
		{"the bound is reached", "spawn 1; a=x; if a=0 E; unwound; E: ; assert a=0 || x=1", "(s)(s)(s)", ""},
		{"a failure all the same", "spawn 1; a=x; if a=0 E; unwound; E: ; assert a=1 || x=1", "uuu", ""},
		{"what is in memory first is anything", "a=t; assert a=0", "???", ""},
		{"once it is written it is not", "t=1; a=t; assert a=1", "sss", ""},
		{"an own store will do", "t=1; a=t; assert a=0", "uuu", ""},
		{"anything is not read", "spawn 1; a=x; assume a=1; b=t || x=1; t=1", "uuu", ir.Memory},
		{"anything is never read", "t=1; spawn 1 || a=t", "sss", ir.Memory},
		{"a race", "spawn 1; x:=1 || a:=x", "uuu", ir.DataRace},
		{"reads do not race", "spawn 1; b:=x || a:=x", "s??", ir.DataRace},
		{"after a join", "spawn 1; join 1; x:=1 || x:=2", "s??", ir.DataRace},
		{"before a spawn", "x:=1; spawn 1 || x:=2", "s??", ir.DataRace},
		{"released", "spawn 1; x:=1; y=1.rel || a=y.acq; if a=0 E; x:=2; E:", "s??", ir.DataRace},
		{"relaxed", "spawn 1; x:=1; y=1 || a=y; if a=0 E; x:=2; E:", "???", ir.DataRace},
		{"not released", "spawn 1; y=1.rel; x:=1 || a=y.acq; if a=0 E; x:=2; E:", "uuu", ir.DataRace},
		{"a spin that ends", spins, "sss", ir.Termination},
		{"a spin that does not", forever, "uuu", ir.Termination},
		{
			"a spin while another is blocked", "spawn 1; S: ; a=x; if a=1 E; spin S; E: || b=y; assume b=1; x=1", "sss",
			ir.Termination,
		},
		{
			"a spin while another waits for the lock",
			"spawn 1; lock w; S: ; a=x; if a=1 E; spin S; E: ; unlock w || lock w; x=1; unlock w", "uuu",
			ir.Termination,
		},
		{
			"a spin while another waits at a barrier",
			"spawn 1; S: ; a=x; if a=1 E; spin S; E: || b=z; W: ; b=y; await b=1 W; x=1", "uuu", ir.Termination,
		},
		{
			"a spin while another waits for what comes",
			"y=1; spawn 1; S: ; a=x; if a=1 E; spin S; E: || z=1; W: ; b=y; await b=1 W; x=1", "sss", ir.Termination,
		},
		{
			"a wait that has read first what was only later",
			"spawn 1; y=1; z=1; S: ; a=x; if a=1 E; spin S; E: || W: ; a=y; b=z; await a=b W; x=1", "sss",
			ir.Termination,
		},
		{
			"a wait whose rounds store",
			"spawn 1; y=2; S: ; a=x; if a=1 E; spin S; E: || W: ; y=1; b=y; await b=2 W; x=1",
			"uuu", ir.Termination,
		},
		{
			"a spin while the bound is reached", "spawn 1; S: ; a=x; if a=1 E; spin S; E: || unwound; x=1", "(s)(s)(s)",
			ir.Termination,
		},
		{
			"a spin waits for what was only later", "spawn 1; S: ; a=x; b=y; if b=1 E; spin S; E: || x=1; y=1", "sss",
			ir.Termination,
		},
	} {
		property := c.property
		if property == "" {
			property = ir.Assertion
		}
		var got strings.Builder
		for _, model := range []string{"sc", "tso", "pso"} {
			v := verify(t, c.text, model, solver.Verify{Properties: []ir.Property{property}})
			letter := map[solver.Verdict]string{solver.Safe: "s", solver.Unsafe: "u", solver.Undecided: "?"}[v.Verdict]
			if (v.Verdict == solver.Undecided) != (v.Reason != "") {
				t.Errorf("%s: %s with reason %q", c.name, v.Verdict, v.Reason)
			}
			if !v.Complete && v.Verdict != solver.Undecided {
				letter = "(" + letter + ")"
			}
			if f := v.Failure; (f != nil) != (v.Verdict == solver.Unsafe) || f != nil &&
				(f.Graph == nil || f.Property != property) {
				t.Errorf("%s: failure %+v of %s", c.name, f, v.Verdict)
			}
			got.WriteString(letter)
		}
		if got.String() != c.want {
			t.Errorf("%s: %s, want %s", c.name, got.String(), c.want)
		}
	}
}

// What fails in some run, without any reduction, fails, and else nothing does.
func TestVerifyFindsWhatFails(t *testing.T) {
	for seed := range int64(250) {
		text := irtest.Draw(rand.New(rand.NewSource(seed)))
		for _, m := range []irtest.Model{irtest.SC, irtest.TSO, irtest.PSO} {
			want := irtest.Run(irtest.Parse(text), m)
			for _, minimise := range []bool{false, true} {
				v := verify(t, text, string(m),
					solver.Verify{Properties: []ir.Property{ir.Assertion}, Minimise: minimise})
				if got := v.Verdict == solver.Unsafe; got != want.Fails || v.Verdict == solver.Undecided {
					t.Errorf("seed %d under %s: %s, want failure %v: %s", seed, m, v.Verdict, want.Fails, text)
				}
			}
		}
	}
}

func TestMinimise(t *testing.T) {
	const text = "spawn 1; spawn 2; x=1; y=1; z=1 || a=x; b=z; if a=1 E; assert b!=1; E: || u=1; v=1"
	v := verify(t, text, "sc", solver.Verify{Properties: []ir.Property{ir.Assertion}, Minimise: true})
	var threads []int
	for _, step := range v.Failure.Trace {
		threads = append(threads, step.Thread)
	}
	if got := slices.Compact(threads); !slices.Equal(got, []int{0, 1, 0, 1}) {
		t.Errorf("threads take turns as %v", got)
	}
}

func TestVerifyHeedsLimits(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, _ := models.Find("tso")
	q := solver.Query{Program: irtest.Parse("x=1; a=x; assert a=1"), Model: m, Options: solver.DefaultOptions()}
	v, err := Engine{}.Verify(ctx, q, solver.Verify{Properties: []ir.Property{ir.Assertion}})
	if err != nil || v.Status != solver.Unknown || v.Verdict != solver.Undecided || v.Complete ||
		!strings.Contains(v.Reason, "cancelled") {
		t.Errorf("%+v, error %v", v, err)
	}
}

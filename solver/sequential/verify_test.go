package sequential_test

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
	"litmuscope/solver/sequential"
)

func verify(t testing.TB, e sequential.Engine, text string, o solver.Options, want solver.Verify) *solver.Verification {
	t.Helper()
	m, _ := models.Find(e.Models()[0])
	o.Timeout = 0
	if len(want.Properties) == 0 {
		want.Properties = []ir.Property{ir.Assertion}
	}
	o.Witnesses = true
	v, err := e.Verify(context.Background(), solver.Query{Program: irtest.Parse(text), Model: m, Options: o}, want)
	if err != nil {
		t.Fatalf("%s by %s: %v", text, e.Name(), err)
	}
	if (v.Failure != nil) != (v.Verdict == solver.Unsafe) || v.Failure != nil && v.Failure.Graph == nil {
		t.Errorf("%s by %s: %s with failure %+v", text, e.Name(), v.Verdict, v.Failure)
	}
	return v
}

// Behind an assertion that certainly fails, a known address may be no location's.
func TestVerifyPassesOverWhatCannotBe(t *testing.T) {
	p := irtest.Parse("spawn 1; a=x; assert 0=1; b=y; z=1; atomic; y=1; b=x<-1; end || x=1")
	wild := ir.Const{Value: 0, Bits: 64}
	for pc := range p.Threads[0].Code[3:] {
		switch op := p.Threads[0].Code[3+pc].Op.(type) {
		case ir.Load:
			op.Addr = wild
			p.Threads[0].Code[3+pc].Op = op
		case ir.Store:
			op.Addr = wild
			p.Threads[0].Code[3+pc].Op = op
		case ir.RMW:
			op.Addr = wild
			p.Threads[0].Code[3+pc].Op = op
		}
	}
	for _, e := range sequential.Engines {
		m, _ := models.Find(e.Models()[0])
		q := solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()}
		v, err := e.Verify(context.Background(), q, solver.Verify{Properties: []ir.Property{ir.Assertion}})
		if err != nil || v.Verdict != solver.Unsafe {
			t.Errorf("%s: %+v, error %v", e.Name(), v, err)
		}
	}
}

// What fails in some run, by plain enumeration, fails by each engine, and else nothing does.
func TestVerifyFindsWhatFails(t *testing.T) {
	n := int64(40)
	if testing.Short() {
		n = 15
	}
	for seed := range n {
		text := irtest.Draw(rand.New(rand.NewSource(1000 + seed)))
		want := map[string]irtest.Reached{}
		for _, e := range sequential.Engines {
			model := e.Models()[0]
			if _, known := want[model]; !known {
				want[model] = irtest.Run(irtest.Parse(text), irtest.Model(model))
			}
			v := verify(t, e, text, solver.DefaultOptions(), solver.Verify{})
			if got := v.Verdict == solver.Unsafe; got != want[model].Fails || v.Verdict == solver.Undecided ||
				!v.Complete {
				t.Errorf("seed %d by %s: %s, want failure %v: %s", seed, e.Name(), v.Verdict, want[model].Fails, text)
			}
		}
	}
}

func TestVerify(t *testing.T) {
	engine := map[string]sequential.Engine{}
	for _, e := range sequential.Engines {
		engine[e.Name()] = e
	}
	for _, c := range []struct {
		name, engine, text string
		want               string
		complete           bool
		property           ir.Property
		rounds             int
	}{
		{
			"a lock is tried in vain", "pso-sma",
			"spawn 1 a=1; spawn 2 a=1; join 1; a=z; b=z; assert a=2 || y=2; y=a; " +
				"lock w; x=1; b=y; unlock w || lock w; z=c; c=y; unlock w; assume a=1; lock w; x=2; a=z; unlock w",
			"unsafe", true, ir.Assertion, 0,
		},
		{
			"too few rounds", "lazy-cseq", "spawn 1; a=x; assume a=1; y=1 || x=1; a=y; assert a=0", "safe", false,
			ir.Assertion, 1,
		},
		{
			"enough rounds", "lazy-cseq", "spawn 1; a=x; assume a=1; y=1 || x=1; a=y; assert a=0", "unsafe", true,
			ir.Assertion, 2,
		},
		{"the bound is reached", "tso-sma", "a=x; if a=1 E; unwound; E:", "safe", false, ir.Assertion, 0},
		{"the bound is not reached", "etso", "a=x; if a=0 E; unwound; E:", "safe", true, ir.Assertion, 0},
		{"anything", "lazy-cseq", "a=t; assert a!=7", "unsafe", true, ir.Assertion, 0},
		{"anything twice", "epso", "a=t; b=t; assert a=b", "safe", true, ir.Assertion, 0},
		{"uninitialized", "etso", "spawn 1; a=x; assume a=1; b=t || x=1; t=1", "unsafe", true, ir.Memory, 0},
		{"initialized", "etso", "spawn 1; a=x; assume a=1; b=t || t=1; x=1", "safe", true, ir.Memory, 0},
		{"initialized too late", "epso", "spawn 1; a=x; assume a=1; b=t || t=1; x=1", "unsafe", true, ir.Memory, 0},
		{"races are not looked for", "lazy-cseq", "x:=1", "unknown", false, ir.DataRace, 0},
	} {
		o := solver.DefaultOptions()
		o.Rounds = c.rounds
		v := verify(t, engine[c.engine], c.text, o, solver.Verify{Properties: []ir.Property{c.property}})
		if string(v.Verdict) != c.want || v.Complete != c.complete {
			t.Errorf("%s: %s, complete %v (%s)", c.name, v.Verdict, v.Complete, v.Reason)
		}
		if short := slices.Equal(v.Short, []string{"rounds"}); short != (c.rounds > 0 && !c.complete) {
			t.Errorf("%s: short of %v", c.name, v.Short)
		}
	}
}

func TestVerifyMinimises(t *testing.T) {
	const text = "spawn 1; spawn 2; x=1; y=1; z=1 || a=x; b=z; if a=1 E; assert b!=1; E: || u=1; v=1"
	for _, e := range sequential.Engines[:1] { // elsewhere stores may wait, for no turn
		v := verify(t, e, text, solver.DefaultOptions(), solver.Verify{Minimise: true})
		var turns strings.Builder
		last := -1
		for _, step := range v.Failure.Trace {
			if step.Source >= 0 && step.Thread != last {
				turns.WriteByte(byte('0' + step.Thread))
				last = step.Thread
			}
		}
		if turns.String() != "0101" {
			t.Errorf("%s: turns %s in %v", e.Name(), turns.String(), v.Bounds)
		}
	}
}

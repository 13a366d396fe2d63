package views_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/operational"
	"litmuscope/solver/views"
)

// body writes the functions of a test's threads, whose statements are given: R, W, F, X and C stand for the calls that
// load, store, fence, exchange and compare and exchange, and the words in front of their arguments for the order.
func body(threads ...string) string {
	var b strings.Builder
	b.WriteString("C test\n{}\n")
	for t, text := range threads {
		b.WriteString("P" + string(rune('0'+t)) + "(atomic_int* x, atomic_int* y, atomic_int* z, int* p, mtx_t* m) {\n")
		b.WriteString(strings.NewReplacer(
			"rlx", "memory_order_relaxed", "acq", "memory_order_acquire", "rel", "memory_order_release",
			"sc", "memory_order_seq_cst", "both", "memory_order_acq_rel",
			"R(", "atomic_load_explicit(", "W(", "atomic_store_explicit(", "F(", "atomic_thread_fence(",
			"X(", "atomic_exchange_explicit(", "A(", "atomic_fetch_add_explicit(",
			"C(", "atomic_compare_exchange_strong_explicit(", "V(", "atomic_compare_exchange_weak_explicit(",
		).Replace(text))
		b.WriteString("\n}\n")
	}
	return b.String()
}

// directed are tests that single rules of the machine forbid or allow.
var directed = []struct {
	name    string
	threads []string
	exists  string
	want    bool
	flag    string // which the test raises
}{
	{
		"an acquire gets the view of a release",
		[]string{"W(x,1,rlx); W(y,1,rel);", "int r0 = R(y,acq); int r1 = R(x,rlx);"},
		"1:r0=1 /\\ 1:r1=0", false, "",
	},
	{
		"a relaxed read does not",
		[]string{"W(x,1,rlx); W(y,1,rel);", "int r0 = R(y,rlx); int r1 = R(x,rlx);"},
		"1:r0=1 /\\ 1:r1=0", true, "",
	},
	{
		"fences do for relaxed accesses",
		[]string{"W(x,1,rlx); F(rel); W(y,1,rlx);", "int r0 = R(y,rlx); F(acq); int r1 = R(x,rlx);"},
		"1:r0=1 /\\ 1:r1=0", false, "",
	},
	{
		"a release sequence contains later atomic writes of its thread",
		[]string{"W(x,1,rlx); W(y,1,rel); W(y,2,rlx);", "int r0 = R(y,acq); int r1 = R(x,rlx);"},
		"1:r0=2 /\\ 1:r1=0", false, "",
	},
	{
		"a plain read is none for an acquire fence",
		[]string{"W(x,1,rlx); W(y,1,rel);", "int r0 = *y; F(acq); int r1 = R(x,rlx);"},
		"1:r0=1 /\\ 1:r1=0", true, "data-race",
	},
	{
		"the kernel's compare-exchange is atomic",
		[]string{"int r0 = cmpxchg(x,0,1);", "int r0 = cmpxchg(x,0,2);"},
		"0:r0=0 /\\ 1:r0=0", false, "",
	},
	{
		"but not plain ones",
		[]string{"W(x,1,rlx); W(y,1,rel); atomic_init(y,2);", "int r0 = R(y,acq); int r1 = R(x,rlx);"},
		"1:r0=2 /\\ 1:r1=0", true, "data-race",
	},
	{
		"nor writes of other threads",
		[]string{"W(x,1,rlx); W(y,1,rel);", "W(y,2,rlx);", "int r0 = R(y,acq); int r1 = R(x,rlx);"},
		"y=2 /\\ 2:r0=2 /\\ 2:r1=0", true, "",
	},
	{
		"but their updates, whatever their order",
		[]string{"W(x,1,rlx); W(y,1,rel);", "int r0 = A(y,1,rlx);", "int r0 = R(y,acq); int r1 = R(x,rlx);"},
		"2:r0=2 /\\ 1:r0=1 /\\ 2:r1=0", false, "",
	},
	{
		"an update does not lend its release sequence to later writes",
		[]string{
			"W(x,1,rlx); W(y,1,rel);", "int r0 = A(y,1,rlx); W(y,5,rlx);", "int r0 = R(y,acq); int r1 = R(x,rlx);",
		},
		"1:r0=1 /\\ 2:r0=5 /\\ 2:r1=0", true, "",
	},
	{
		"a write goes between older messages",
		[]string{"W(x,1,rlx); W(y,1,rlx);", "W(y,2,rlx); W(x,2,rlx);"},
		"x=1 /\\ y=2", true, "",
	},
	{
		"but behind those that its thread has read",
		[]string{"W(x,1,rlx);", "int r0 = R(x,rlx); W(x,2,rlx);"},
		"1:r0=1 /\\ x=1", false, "",
	},
	{
		"and not within an update",
		[]string{"int r0 = X(x,1,rlx);", "int r0 = X(x,2,rlx);"},
		"0:r0=0 /\\ 1:r0=0", false, "",
	},
	{
		"reads of one location are in order",
		[]string{"W(x,1,rlx);", "int r0 = R(x,rlx); int r1 = R(x,rlx);"},
		"1:r0=1 /\\ 1:r1=0", false, "",
	},
	{
		"nothing comes out of thin air, nor before its reads",
		[]string{"int r0 = R(x,rlx); W(y,1,rlx);", "int r0 = R(y,rlx); W(x,1,rlx);"},
		"0:r0=1 /\\ 1:r0=1", false, "",
	},
	{
		"store buffering",
		[]string{"W(x,1,rel); int r0 = R(y,acq);", "W(y,1,rel); int r0 = R(x,acq);"},
		"0:r0=0 /\\ 1:r0=0", true, "",
	},
	{
		"not by sequentially consistent accesses",
		[]string{"W(x,1,sc); int r0 = R(y,sc);", "W(y,1,sc); int r0 = R(x,sc);"},
		"0:r0=0 /\\ 1:r0=0", false, "",
	},
	{
		"nor with such fences",
		[]string{"W(x,1,rlx); F(sc); int r0 = R(y,rlx);", "W(y,1,rlx); F(sc); int r0 = R(x,rlx);"},
		"0:r0=0 /\\ 1:r0=0", false, "",
	},
	{
		"independent reads of independent writes",
		[]string{
			"W(x,1,rel);", "W(y,1,rel);", "int r0 = R(x,acq); int r1 = R(y,acq);",
			"int r0 = R(y,acq); int r1 = R(x,acq);",
		},
		"2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0", true, "",
	},
	{
		"with fences between the reads",
		[]string{
			"W(x,1,rlx);", "W(y,1,rlx);", "int r0 = R(x,rlx); F(sc); int r1 = R(y,rlx);",
			"int r0 = R(y,rlx); F(sc); int r1 = R(x,rlx);",
		},
		"2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0", false, "",
	},
	{
		"a release and an acquire do not order what surrounds them among the sequentially consistent (PLDI 2017, 3.1)",
		[]string{
			"W(x,1,sc); W(y,1,rel);", "int r0 = A(y,1,sc); int r1 = R(y,rlx);", "W(y,3,sc); int r0 = R(x,sc);",
		},
		"1:r0=1 /\\ 1:r1=3 /\\ 2:r0=0", true, "",
	},
	{
		"but accesses of other locations around them do",
		[]string{
			"W(x,1,sc); W(y,1,rel);", "int r0 = R(y,acq); int r1 = R(z,sc);", "W(z,1,sc); int r0 = R(x,sc);",
		},
		"1:r0=1 /\\ 1:r1=0 /\\ 2:r0=0", false, "",
	},
	{
		"and fences",
		[]string{
			"W(x,1,sc); F(rel); W(y,1,rlx);", "int r0 = R(y,rlx); F(acq); int r1 = R(z,sc);",
			"W(z,1,sc); int r0 = R(x,sc);",
		},
		"1:r0=1 /\\ 1:r1=0 /\\ 2:r0=0", false, "",
	},
	{
		"but not of the same",
		[]string{
			"W(x,1,sc); W(y,1,rel);", "int r0 = A(y,1,acq); int r1 = R(y,sc);", "W(y,3,sc); int r0 = R(x,sc);",
		},
		"1:r0=1 /\\ 1:r1=2 /\\ y=3 /\\ 2:r0=0", true, "",
	},
	{
		"a write that happens before a read of its location comes first",
		[]string{"W(x,1,sc);", "int r0 = R(x,sc); int r1 = R(z,sc);", "W(z,1,sc); int r0 = R(x,sc);"},
		"1:r0=1 /\\ 1:r1=0 /\\ 2:r0=0", false, "",
	},
	{
		"a failed comparison reads by its own order",
		[]string{
			"W(x,1,rlx); W(y,1,rel);", "int e = 0; int r0 = C(y,&e,5,acq,rlx); int r1 = R(x,rlx);",
		},
		"1:e=1 /\\ 1:r1=0", true, "",
	},
	{
		"a strong comparison does not fail for nothing",
		[]string{"int e = 0; int r0 = C(x,&e,5,acq,rlx);"},
		"0:r0=0", false, "",
	},
	{
		"a weak one may", []string{"int e = 0; int r0 = V(x,&e,5,acq,rlx);"}, "0:r0=0 /\\ x=0", true, "",
	},
	{
		"publication is no race",
		[]string{"*p = 1; W(y,1,rel);", "int r0 = R(y,acq); if (r0) { int r1 = *p; }"},
		"1:r0=1", true, "",
	},
	{
		"but through a relaxed access",
		[]string{"*p = 1; W(y,1,rlx);", "int r0 = R(y,acq); if (r0) { int r1 = *p; }"},
		"1:r0=1", true, "data-race",
	},
	{
		"also if another run without one reads the same values",
		[]string{
			"W(p,1,rlx); W(y,1,rel);", "int r0 = R(p,rlx); int r1 = R(y,acq); if (r0) { if (r1) { int r2 = *p; } }",
			"W(y,1,rlx);",
		},
		"1:r0=1 /\\ 1:r1=1", true, "data-race",
	},
	{
		"two plain reads are none", []string{"int r0 = *p;", "int r0 = *p;"}, "0:r0=0", true, "",
	},
	{
		"a read and then a write are", []string{"int r0 = *p; W(y,1,rlx);", "*p = 1;"}, "p=1", true, "data-race",
	},
	{
		"a mutex protects",
		[]string{"mtx_lock(m); *p = 1; mtx_unlock(m);", "mtx_lock(m); *p = 2; mtx_unlock(m);"},
		"p=1", true, "",
	},
	{
		"nor does another clock",
		[]string{
			"W(p,1,rel);", "int r0 = R(x,rlx); int r1 = 0; if (r0 == 0) { r1 = R(p,acq); } else { r1 = R(p,rlx); }" +
				" int r2 = R(y,rlx); if (r1) { int r3 = *p; }", "W(x,1,rlx);",
		},
		"x=1", true, "data-race",
	},
	{
		"a mutex is unlocked by a thread that may not have locked it",
		[]string{
			"int r0 = R(x,rlx); if (r0 == 0) { mtx_lock(m); } int r1 = R(y,rlx); mtx_unlock(m);", "W(x,1,rlx);",
		},
		"x=1", true, "bad-unlock",
	},
	{
		"a store instead of an update leaves room for another before it",
		[]string{
			"W(x,1,rlx);",
			"int r0 = R(x,rlx); if (r0 == 0) { int r1 = X(y,2,rlx); } else { W(y,2,rlx); } W(z,1,rlx);",
			"int r0 = R(z,rlx); W(y,3,rlx);",
		},
		"y=2 /\\ 2:r0=1", true, "",
	},
	{
		"a value that is used later tells two runs apart",
		[]string{"W(x,1,rlx);", "int r0 = R(x,rlx); int r1 = R(y,rlx); W(z,r0 + 5,rlx);"},
		"z=6", true, "",
	},
	{
		"a race of a write is found although another run without one has read the same values",
		[]string{
			"W(p,1,rlx); W(y,1,rel);",
			"int r0 = R(p,rlx); int r1 = R(y,acq); int r2 = R(z,rlx); if (r0) { if (r1) { *p = 2; } }",
			"W(y,1,rlx);",
		},
		"p=2", true, "data-race",
	},
	{
		"also if a thread still reads the location",
		[]string{
			"W(x,1,rlx);",
			"int r0 = R(x,rlx); if (r0 == 0) { int r1 = X(y,2,rlx); } else { W(y,2,rlx); } W(z,1,rlx);",
			"int r0 = R(z,rlx); W(y,3,rlx); int r1 = R(y,rlx);",
		},
		"y=2 /\\ 2:r0=1", true, "",
	},
	{
		"an acquire fence gets what was read, and not what another run has read",
		[]string{
			"W(x,1,rlx); W(y,1,rel);", "int r0 = R(y,rlx); int r1 = R(z,rlx); F(acq); int r2 = R(x,rlx);",
			"W(y,1,rlx);",
		},
		"1:r0=1 /\\ 1:r2=0", true, "",
	},
	{
		"a relaxed write releases what its own run has fenced",
		[]string{
			"W(z,1,rlx);",
			"W(x,1,rlx); int r0 = R(z,rlx); if (r0 == 0) { F(rel); } int r1 = R(p,rlx); W(y,1,rlx);",
			"int r0 = R(y,acq); int r1 = R(x,rlx);",
		},
		"2:r0=1 /\\ 2:r1=0", true, "",
	},
}

// Rules of the machine, one by one. Whether it agrees with the axioms on all outcomes is tested in agreement_test.go.
func TestExplore(t *testing.T) {
	m, _ := models.Find("rc11")
	for _, c := range directed {
		p, err := dialect.Parse("t.litmus", body(c.threads...)+"exists ("+c.exists+")\n")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		found, err := views.Explore(t.Context(), p, m, operational.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := false
		judge := evaluation.NewChecker(m)
		for _, o := range found.Outcomes {
			got = got || p.Satisfies(p.Condition.Prop, o.State)
			if bad := judge.Check(o.Execution); len(bad) > 0 {
				t.Errorf("%s: rc11 forbids %s", c.name, p.FormatState(o.State))
			}
		}
		flag := ""
		for i, f := range m.Flags {
			if found.Flagged[i] != nil {
				flag += f.Name
			}
		}
		if got != c.want || flag != c.flag {
			t.Errorf("%s: %v, flag %q, want %v, flag %q", c.name, got, flag, c.want, c.flag)
		}
	}
}

func TestTakes(t *testing.T) {
	const mixed = "AArch64 mixed\n{ uint64_t x; 0:X1=x; }\n P0 ;\n LDR X0,[X1] ;\n LDRB W2,[X1] ;\nexists (0:X0=0)\n"
	p, err := dialect.Parse("t.litmus", mixed)
	if err != nil {
		t.Fatal(err)
	}
	for model, want := range map[string]string{
		"rc11": "t.litmus: engine machine: the machine of rc11 does not support mixed-size accesses",
		"c11":  "t.litmus: engine machine: c11 has no view machine",
	} {
		m, _ := models.Find(model)
		if err := views.Takes(m, p); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", model, err, want)
		}
	}
	srcu := "C srcu\n{}\nP0(struct srcu_struct *s, int *x) { synchronize_srcu(s); WRITE_ONCE(*x, 1); }\nexists (x=1)\n"
	if p, err = dialect.Parse("t.litmus", srcu); err != nil {
		t.Fatal(err)
	}
	m, _ := models.Find("rc11")
	_, err = views.Explore(t.Context(), p, m, operational.Limits{})
	const want = "t.litmus:3:37: engine machine: P0 has a fence of a location, which the machine of rc11 does not "
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// A search that has no memory left returns what it has found, and so does one whose context ends.
func TestLimits(t *testing.T) {
	p, err := dialect.Parse("t.litmus", body("W(x,1,rlx); W(y,1,rlx);", "int r0 = R(y,rlx); int r1 = R(x,rlx);")+
		"exists (1:r0=1 /\\ 1:r1=0)\n")
	if err != nil {
		t.Fatal(err)
	}
	m, _ := models.Find("rc11")
	found, err := views.Explore(t.Context(), p, m, operational.Limits{Bytes: 100})
	if err != nil || !found.Full || len(found.Outcomes) == 4 {
		t.Errorf("%v %+v", err, found)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	big := strings.Repeat("W(x,1,rlx); W(y,1,rlx); W(z,1,rlx);", 3)
	if p, err = dialect.Parse("t.litmus", body(big, big)+"exists (x=1)\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := views.Explore(ctx, p, m, operational.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that the context was cancelled", err)
	}
}

// A loop may reach the bound, or wait. The filter of a test drops outcomes, with what they flag.
func TestAnswer(t *testing.T) {
	m, _ := models.Find("rc11")
	for _, c := range []struct{ name, text, want string }{
		{
			"a loop beyond the bound",
			body("int e = 0; int r0 = V(y,&e,2,rlx,rlx);", "while (X(y,1,sc)) {}") + "exists (x=1)\n",
			"unknown: the unroll bound of 2 was reached: raise --unroll",
		},
		{
			"a loop that waits",
			body("*p = 1; W(y,1,rel);", "while (R(y,acq) == 0) {} int r0 = *p;") + "exists (1:r0=0)\n",
			"ok: forbidden, condition false, states 1",
		},
		{
			"one that does not synchronise",
			body("*p = 1; W(y,1,rel);", "while (R(y,rlx) == 0) {} int r0 = *p;") + "exists (1:r0=0)\n",
			"ok: allowed, condition false, states 2, data-race",
		},
		{
			"one that waits forever", body("W(y,1,rel);", "while (R(y,rlx) != 2) {}") + "exists (y=1)\n",
			"ok: forbidden, condition false, states 0",
		},
		{
			"a filter",
			body("*p = 1; W(y,1,rel);", "int r0 = R(y,acq); int r1 = *p;") + "filter (1:r0=1)\nexists (1:r1=1)\n",
			"ok: allowed, condition true, states 1",
		},
	} {
		p, err := dialect.Parse("t.litmus", c.text)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		q := solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()}
		r, err := views.Answer(t.Context(), q, "machine")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := fmt.Sprintf("%s: %s", r.Status, r.Reason)
		if r.Status == solver.OK {
			got += fmt.Sprintf("%s, condition %v, states %d", r.Verdict, *r.ConditionHolds, len(r.States))
		}
		for _, f := range r.Flags {
			if f.Raised != nil && *f.Raised {
				got += ", " + f.Name
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

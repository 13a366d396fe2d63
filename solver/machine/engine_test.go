package machine

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
)

func query(p *ir.Program, model string) solver.Query {
	m, _ := models.Find(model)
	q := solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()}
	q.Options.Witnesses = true
	return q
}

const sb = "x=1; a=y || y=1; a=x"

// bothZero is the condition exists (0:a=0 /\ 1:a=0) over "0:a 1:a".
var bothZero = litmus.And{Args: []litmus.Prop{litmus.Compare{Obs: 0, Other: -1}, litmus.Compare{Obs: 1, Other: -1}}}

func TestExplore(t *testing.T) {
	p := parse(t, sb, "0:a 1:a")
	p.Condition.Prop = bothZero
	for model, want := range map[string]struct {
		verdict     solver.Verdict
		observation solver.Observation
		states      int
	}{
		"sc":  {solver.Forbidden, solver.Never, 3},
		"tso": {solver.Allowed, solver.Sometimes, 4},
		"pso": {solver.Allowed, solver.Sometimes, 4},
	} {
		r, err := Engine{}.Explore(context.Background(), query(p, model))
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != solver.OK || !r.Complete || r.Verdict != want.verdict || r.Observation != want.observation {
			t.Errorf("%s: %+v", model, r)
		}
		if len(r.States) != want.states || len(r.Outcomes) != want.states || r.StatesComplete != nil {
			t.Errorf("%s: %d states, %d outcomes", model, len(r.States), len(r.Outcomes))
		}
		if r.Stats.Explored == 0 || r.Positive != nil || r.Negative != nil {
			t.Errorf("%s: statistics %+v", model, r.Stats)
		}
	}
}

func TestTraceWords(t *testing.T) {
	p := parse(t, "x=1; a=x; ww; y=1; b=z<-1?7 || L:; a=y; if a=0 L", "0:a 0:b")
	r, err := Engine{}.Explore(context.Background(), query(p, "pso"))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Outcomes) != 1 {
		t.Fatalf("%d outcomes", len(r.Outcomes))
	}
	var got []string
	for _, s := range r.Outcomes[0].Trace {
		var pending []string
		for _, e := range s.Buffers[0] {
			pending = append(pending, e.Loc+"="+e.Value)
		}
		got = append(got, fmt.Sprintf("%d %d %s %v %v %v", s.Thread, s.Source, s.Action, s.Events, pending, s.Memory))
	}
	want := []string{
		"0 0 x:=1 into buffer [4] [x=1] [{w 0} {x 0} {y 0} {z 0}]",
		"0 1 a:=x (1 from own buffer) [5] [x=1] [{w 0} {x 0} {y 0} {z 0}]",
		"0 2 fence, later stores stay behind the buffered stores [6] [x=1] [{w 0} {x 0} {y 0} {z 0}]",
		"0 3 y:=1 into buffer [7] [x=1 y=1] [{w 0} {x 0} {y 0} {z 0}]",
		"0 -1 flush x:=1 [4] [y=1] [{w 0} {x 1} {y 0} {z 0}]",
		"0 -1 flush y:=1 [7] [] [{w 0} {x 1} {y 1} {z 0}]",
		"0 4 b:=z (0), nothing written [8] [] [{w 0} {x 1} {y 1} {z 0}]",
		"1 0 a:=y (1 from memory) [9] [] [{w 0} {x 1} {y 1} {z 0}]",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

func TestStatesAreCutAfterTheVerdict(t *testing.T) {
	p := parse(t, sb, "0:a 1:a")
	p.Condition.Prop = litmus.Not{Arg: bothZero}
	for _, limit := range []int{0, 2} {
		q := query(p, "tso")
		q.Options.States = limit
		r, err := Engine{}.Explore(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.States) != limit || r.StatesComplete == nil || *r.StatesComplete {
			t.Errorf("limit %d: states %v", limit, r.States)
		}
		if r.Verdict != solver.Allowed || r.Observation != solver.Sometimes || !r.Complete {
			t.Errorf("limit %d: %+v", limit, r)
		}
	}
}

func TestFilterDropsStates(t *testing.T) {
	p := parse(t, sb, "0:a 1:a")
	p.Filter = litmus.Not{Arg: bothZero}
	if got := outcomes(t, p, TSO, false); got != "0,1 1,0 1,1" {
		t.Error(got)
	}
}

func TestBoundsLeaveTheVerdictOpen(t *testing.T) {
	// P0's buffer grows without end under TSO; P1 ends, but P0 never does.
	p := parse(t, "L:; x=1; goto L || a=x", "1:a")
	p.Condition.Prop = litmus.Compare{Obs: 0, Value: 1, Other: -1}
	r, err := Engine{}.Explore(context.Background(), query(p, "tso"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != solver.Unknown || r.Complete || r.Verdict != solver.Undecided || r.ConditionHolds != nil {
		t.Errorf("%+v", r)
	}
	if want := "machine: more than 257 stores pending in P0"; r.Reason != want {
		t.Errorf("got %s, want %s", r.Reason, want)
	}
	if states, exact, err := finalStates(context.Background(), p, SC, 0); !exact || err != nil || len(states) != 0 {
		t.Errorf("SC: states %v, exact %v, error %v", states, exact, err)
	}

	// A spin that may end at any time: the results before the bound count.
	p = parse(t, "L:; x=1; a=y; if a=0 L || b=x; y=1", "0:a x")
	states, exact, err := finalStates(context.Background(), p, PSO, 1000)
	if exact || err != nil || len(states) != 1 {
		t.Errorf("states %v, exact %v, error %v", states, exact, err)
	}
	s := newSearch(p, PSO, 0)
	s.bytes = 1 << 15
	if err := s.run(context.Background()); err != nil || !strings.HasPrefix(s.stopped, "machine: more than") {
		t.Errorf("stopped %q, error %v", s.stopped, err)
	}
}

func TestCutLoopIsNotExact(t *testing.T) {
	p := parse(t, "a=x; if a=1 L; goto L || x=1", "0:a")
	p.Threads[0].Code[2].Op = ir.Unwound{}
	p.Threads[0].Code[1].Op = ir.Branch{Cond: p.Threads[0].Code[1].Op.(ir.Branch).Cond, Target: 3}
	states, exact, err := finalStates(context.Background(), p, TSO, 0)
	if exact || err != nil || len(states) != 1 || states[0][0] != 1 {
		t.Errorf("states %v, exact %v, error %v", states, exact, err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := parse(t, sb, "0:a 1:a")
	r, err := Engine{}.Explore(ctx, query(p, "tso"))
	if err != nil || r.Status != solver.Unknown || !strings.Contains(r.Reason, "cancelled") {
		t.Errorf("%+v, %v", r, err)
	}
	if _, _, err := finalStates(ctx, p, TSO, 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	if _, err := (Engine{}).Explore(ctx, query(parse(t, sb, ""), "mips")); err == nil ||
		err.Error() != "the machine runs sc, tso, pso, not mips" {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"x=1 || L:; a=x; M:; if a=1 M": "t.litmus:2:2: thread P1 loops forever",
	} {
		_, _, err := finalStates(ctx, parse(t, text, ""), PSO, 0)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	wild := parse(t, "a=x || x=1", "")
	load := ir.Load{Dst: 1, Addr: ir.Extend{X: ir.Reg{Index: 0, Bits: 32}, Bits: 64}, Bits: 32}
	wild.Threads[0].Code = append(wild.Threads[0].Code, ir.Step{Op: load})
	if _, _, err := finalStates(ctx, wild, TSO, 0); err == nil || !strings.Contains(err.Error(), "not a location") {
		t.Error(err)
	}
}

// jumpy writes two short threads with branches back and forth.
func jumpy(r *rand.Rand) string {
	var threads []string
	for range 2 {
		n := 3 + r.Intn(3)
		var code []string
		for i := range n {
			code = append(code, fmt.Sprintf("L%d:", i))
			loc, reg := locNames[1+r.Intn(2)], regNames[r.Intn(2)]
			switch r.Intn(9) {
			case 0, 1:
				code = append(code, fmt.Sprintf("%s=%d", loc, 1+r.Intn(2)))
			case 2, 3:
				code = append(code, fmt.Sprintf("%c=%s", reg, loc))
			case 4:
				code = append(code, fmt.Sprintf("%c=%s<-1?0", reg, loc))
			case 5:
				code = append(code, []string{"mf", "ww", "wr"}[r.Intn(3)])
			default:
				code = append(code, fmt.Sprintf("if %c=%d L%d", reg, r.Intn(2), r.Intn(n+1)))
			}
		}
		threads = append(threads, strings.Join(append(code, fmt.Sprintf("L%d:", n)), "; "))
	}
	return strings.Join(threads, " || ")
}

// Leaving interleavings out loses no outcome, with branches and loops neither.
func TestReductionKeepsfinalStates(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	compared := 0
	for range 400 {
		text := jumpy(r)
		p := parse(t, text, "0:a 0:b 1:a 1:b x y")
		for _, k := range []Kind{SC, TSO, PSO} {
			s := newSearch(p, k, 2000)
			s.full = true
			if err := s.run(context.Background()); err != nil || s.stopped != "" {
				continue // loops in silence, or stores for ever
			}
			compared++
			if full, reduced := outcomes(t, p, k, true), outcomes(t, p, k, false); full != reduced {
				t.Fatalf("%s under %s:\nreduced %s\nfull    %s", text, k, reduced, full)
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d programs compared", compared)
	}
}

func TestCatalogue(t *testing.T) {
	for _, e := range catalogue.All() {
		if e.Large || e.System() {
			continue // too many states to visit unreduced
		}
		p, err := dialect.Parse(e.Name, e.Source)
		if err != nil {
			t.Errorf("%s: %v", e.Name, err)
			continue
		}
		for _, k := range []Kind{SC, TSO, PSO} {
			if full, reduced := outcomes(t, p, k, true), outcomes(t, p, k, false); full != reduced {
				t.Errorf("%s under %s:\nreduced %s\nfull    %s", e.Name, k, reduced, full)
			}
		}
	}
}

func BenchmarkExplore(b *testing.B) {
	for _, name := range []string{"SB", "IRIW", "Peterson"} {
		e, _ := catalogue.Find(name)
		p, err := dialect.Parse(name, e.Source)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			q := query(p, "tso")
			for b.Loop() {
				if _, err := (Engine{}).Explore(context.Background(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// finalStates gives the outcomes of a search that visits at most limit states, and
// whether that was enough to see them all.
func finalStates(ctx context.Context, p *ir.Program, k Kind, limit int) (states []ir.State, exact bool, err error) {
	s := newSearch(p, k, limit)
	if err := s.run(ctx); err != nil {
		return nil, false, err
	}
	if err := ctx.Err(); err != nil && s.stopped != "" {
		return s.found, false, err
	}
	return s.found, s.stopped == "", nil
}

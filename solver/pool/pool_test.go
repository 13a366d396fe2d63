package pool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"litmuscope/litmus/family"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

func newPool(t *testing.T, workers int) *Pool {
	p, err := New(Options{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func familyTask(name string, n int) solver.Task {
	f, ok := family.Find(name)
	if !ok {
		panic("no family " + name)
	}
	return solver.Task{Path: fmt.Sprintf("%s%d.litmus", name, n), Source: f.Test(n), Options: solver.DefaultOptions()}
}

func run1(t *testing.T, p *Pool, task solver.Task) *solver.Result {
	r, err := solver.Ask(context.Background(), p, task)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A pool answers many tests at once, each with its own answer.
func TestPoolManyTests(t *testing.T) {
	p := newPool(t, 2)
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			n := 2 + i%4
			r, err := solver.Ask(context.Background(), p, familyTask("ring", n))
			if err != nil || r.Status != solver.OK || len(r.States) != 1<<n || *r.Positive+*r.Negative != 1<<n {
				t.Errorf("ring %d: %v %+v", n, err, r)
			}
		}()
	}
	wg.Wait()
}

// The pool kills a solver call that does not end at the time limit, and then serves the next question.
func TestPoolTimeLimit(t *testing.T) {
	p := newPool(t, 1)
	task := familyTask("fib-never", 200)
	task.Options.Timeout = 300 * time.Millisecond
	r := run1(t, p, task)
	if r.Status != solver.Unknown || r.Verdict != solver.Undecided ||
		!strings.Contains(r.Reason, "time limit of 300ms") {
		t.Errorf("got %s %s %q", r.Status, r.Verdict, r.Reason)
	}
	if r := run1(t, p, familyTask("ring", 2)); r.Status != solver.OK {
		t.Errorf("after a kill: %+v", r)
	}
}

// The verdict comes before the states, and outlives a limit that cuts them short.
func TestPoolKeepsWhatIsKnown(t *testing.T) {
	p := newPool(t, 1)
	task := familyTask("ring", 24) // 16 million states
	task.Options.Timeout, task.Options.States = 3*time.Second, 1<<20
	r := run1(t, p, task)
	if r.Status != solver.Unknown || r.Verdict != solver.Allowed || r.Observation != solver.Sometimes ||
		r.StatesComplete == nil || *r.StatesComplete || r.Positive != nil {
		t.Errorf("got %s %s %s, complete %v, %v positive", r.Status, r.Verdict, r.Observation,
			r.StatesComplete, r.Positive)
	}
	task.Options.Timeout, task.Options.States = 0, 100
	r = run1(t, p, task)
	if r.Status != solver.OK || len(r.States) != 100 || r.StatesComplete == nil || *r.StatesComplete {
		t.Errorf("100 states asked: %s, %d states, complete %v", r.Status, len(r.States), r.StatesComplete)
	}
	task.Options.States = 0
	if r = run1(t, p, task); r.Status != solver.OK || len(r.States) != 0 || r.Verdict != solver.Allowed {
		t.Errorf("the verdict alone: %s, %d states, %s", r.Status, len(r.States), r.Verdict)
	}
}

func TestPoolMemoryLimit(t *testing.T) {
	p := newPool(t, 1)
	task := familyTask("writers", 60)
	task.Options.Memory, task.Options.Timeout = 50, 0
	r := run1(t, p, task)
	if r.Status != solver.Unknown || !strings.Contains(r.Reason, "memory limit of 50 MiB") {
		t.Errorf("got %s %q", r.Status, r.Reason)
	}
	if r := run1(t, p, familyTask("ring", 2)); r.Status != solver.OK {
		t.Errorf("after the limit: %+v", r)
	}
}

func TestPoolCancel(t *testing.T) {
	p := newPool(t, 1)
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	task := familyTask("fib-never", 200)
	task.Options.Timeout = 0
	if _, err := solver.Ask(ctx, p, task); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if r := run1(t, p, familyTask("ring", 2)); r.Status != solver.OK {
		t.Errorf("after cancelling: %+v", r)
	}
}

// A large answer comes in parts; of one that is too large, what there is room for, with
// the verdict.
func TestPoolLargeAnswers(t *testing.T) {
	task := familyTask("ring", 10) // 1,024 states
	task.Options.Witnesses = true
	whole := run1(t, newPool(t, 1), task)
	want, err := engines.Run(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	want.MS, want.Stats = whole.MS, whole.Stats
	if a, b := encode(whole), encode(want); !bytes.Equal(a, b) {
		t.Errorf("got %.300s, want %.300s", a, b)
	}
	if len(whole.States) != 1024 || len(whole.Outcomes) != 1024 {
		t.Errorf("%d states, %d outcomes", len(whole.States), len(whole.Outcomes))
	}
	for _, c := range []struct {
		most int64
		want string
	}{
		{1 << 20, "allowed, false"},
		{40_000, "allowed, false"},
		{1500, "allowed, false"},
		{100, "ring10.litmus: the answer is larger than 100 bytes: ask for fewer states, or without witnesses"},
	} {
		p, err := New(Options{Workers: 1, MaxAnswer: c.most})
		if err != nil {
			t.Fatal(err)
		}
		r := run1(t, p, task)
		got := r.Error
		if r.Status == solver.OK {
			got = fmt.Sprintf("%s, %v", r.Verdict, *r.StatesComplete)
		}
		size := int64(len(encode(r)))
		if got != c.want || r.Status == solver.OK &&
			(size > c.most || size < c.most*9/10 && size < c.most-4000 || len(r.States) != len(r.Outcomes) ||
				r.Satisfying != nil) {
			t.Errorf("%d bytes: got %q, %d states in %d bytes, want %q", c.most, got, len(r.States), size, c.want)
		}
		t.Logf("%d bytes: %d states in %d bytes", c.most, len(r.States), size)
		p.Close()
	}
}

// Of listed executions, too, as many come as there is room for, and leave room for states.
func TestPoolLargeLists(t *testing.T) {
	task := familyTask("ring", 8)
	task.Source += " \\/ true"
	task.Options.List = 4096
	whole := run1(t, newPool(t, 1), task)
	if whole.Status != solver.OK || len(whole.Executions) < 256 || !*whole.ExecutionsComplete ||
		!whole.Keepable(task.Options) {
		t.Fatalf("%s: %d executions", whole.Error, len(whole.Executions))
	}
	p, err := New(Options{Workers: 1, MaxAnswer: 200_000})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	r := run1(t, p, task)
	if r.Status != solver.OK || len(r.States) != 256 || r.StatesComplete != nil || r.Keepable(task.Options) ||
		len(encode(r)) > 200_000 ||
		len(r.Executions) == 0 || *r.ExecutionsComplete ||
		!bytes.Equal(encode(r.Executions), encode(whole.Executions[:len(r.Executions)])) {
		t.Errorf("%s: %d states, %d executions, complete %v", r.Error, len(r.States), len(r.Executions),
			r.ExecutionsComplete)
	}
}

func TestPoolBadTasks(t *testing.T) {
	p := newPool(t, 1)
	good := familyTask("ring", 2)
	for _, c := range []struct {
		change func(*solver.Task)
		want   string
	}{
		{
			func(t *solver.Task) { t.Source = "X86 bad\n{ }\n P0 ;\n FROB [x] ;\nexists (x=1)" },
			"ring2.litmus:4:2: X86: unknown instruction FROB",
		},
		{
			func(t *solver.Task) { t.Source = "JAVA bad\n{ }\n P0 ;\n f[] ;\nexists (x=1)" },
			"JAVA tests (Java) are not supported",
		},
		{func(t *solver.Task) { t.Model = "nonsense" }, `ring2.litmus: unknown model "nonsense"`},
		{
			func(t *solver.Task) { t.Model, t.ModelText = "my.cat", "acyclic po | fr |" },
			"my.cat:1:18: got end of file, want an expression",
		},
		{func(t *solver.Task) { t.Engine = "nonsense" }, `unknown engine "nonsense"`},
		{func(t *solver.Task) { t.Options.Unroll = -1 }, "unroll: -1 is out of range"},
		{func(t *solver.Task) {
			t.Engine, t.Model, t.ModelText = "machine", "my.cat", "acyclic po | rf | co | fr"
		}, "the engine machine supports sc, tso, pso, aarch64, riscv, arm, power, rc11, not my.cat"},
	} {
		task := good
		c.change(&task)
		if r := run1(t, p, task); r.Status != solver.Failed || !strings.Contains(r.Error, c.want) {
			t.Errorf("got %s %q, want %q", r.Status, r.Error, c.want)
		}
	}
}

// Loops: one that waits, for a lock too, is exact by itself; the machine decides one that writes something new; one
// without end is unknown and says why.
func TestLoops(t *testing.T) {
	for _, c := range []struct {
		name, source string
		status       solver.Status
		verdict      solver.Verdict
		complete     bool
		settled      string
	}{
		{
			"spin", "X86 spin\n{ }\n P0 | P1 ;\n MOV [x],$1 | L: MOV EAX,[y] ;\n MOV [y],$1 | CMP EAX,$0 ;\n" +
				" | JE L ;\n | MOV EBX,[x] ;\nexists (1:EBX=0)",
			solver.OK, solver.Forbidden, true, "",
		},
		{
			"lock", "X86 lock\n{ }\n P0 | P1 ;\n L: MOV EAX,$1 | M: MOV EAX,$1 ;\n XCHG [l],EAX | XCHG [l],EAX ;\n" +
				" CMP EAX,$0 | CMP EAX,$0 ;\n JNE L | JNE M ;\n INC [c] | INC [c] ;\n" +
				" MOV [l],$0 | MOV [l],$0 ;\nforall (c=2)",
			solver.OK, solver.Allowed, true, "",
		},
		{
			"marks", "X86 marks\n{ }\n P0 | P1 ;\n L: MOV EBX,$2 | MOV [x],$1 ;\n XCHG [w],EBX | ;\n" +
				" MOV EAX,[x] | ;\n CMP EAX,$0 | ;\n JE L | ;\nforall (w=2)",
			solver.OK, solver.Allowed, true, "machine",
		},
		{
			"endless", "X86 endless\n{ }\n P0 | P1 ;\n L: INC [x] | MOV EAX,[x] ;\n MOV EBX,[y] | ;\n" +
				" CMP EBX,$0 | ;\n JE L | ;\nexists (1:EAX=9)",
			solver.Unknown, solver.Undecided, false, "",
		},
	} {
		r, err := engines.Run(context.Background(),
			solver.Task{Path: c.name, Source: c.source, Options: solver.DefaultOptions()})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != c.status || r.Verdict != c.verdict || r.Complete != c.complete || r.SettledBy != c.settled {
			t.Errorf("%s: got %s %s complete %v settled by %q: %s%s", c.name, r.Status, r.Verdict, r.Complete,
				r.SettledBy, r.Reason, r.Error)
		}
		if r.Status == solver.Unknown && !strings.Contains(r.Reason, "unroll bound of 2") {
			t.Errorf("%s: reason %q", c.name, r.Reason)
		}
	}
}

// What the machine settles comes with its own runs: the steps of a trace carry out the
// events of the graph beside it.
func TestSettledOutcomesShowOneRun(t *testing.T) {
	task := solver.Task{
		Path: "locked",
		Source: "X86 locked\n{ }\n P0 | P1 ;\n L: INC [x] | MOV [x],$5 ;\n MOV EAX,[x] | ;\n CMP EAX,$3 | ;\n" +
			" JL L | ;\nexists (x=9)",
		Model: "tso", Options: solver.DefaultOptions(),
	}
	task.Options.Unroll, task.Options.Witnesses = 1, true
	r, err := engines.Run(context.Background(), task)
	if err != nil || r.SettledBy != "machine" || len(r.Outcomes) == 0 {
		t.Fatalf("settled by %q, %d outcomes, error %v: %s%s", r.SettledBy, len(r.Outcomes), err, r.Reason, r.Error)
	}
	for _, o := range r.Outcomes {
		carried := map[int]bool{}
		for _, s := range o.Trace {
			for _, e := range s.Events {
				carried[e] = true
			}
		}
		for _, e := range o.Graph.Events {
			if carried[e.ID] != (e.Thread >= 0) {
				t.Errorf("%v: event %s is carried out by a step: %v", o.State, e.Name, carried[e.ID])
			}
		}
	}
}

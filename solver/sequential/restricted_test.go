package sequential_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/machine"
)

// Known answers of the oracle, so that the tests can rely on it.

// classics gives the small classic tests of some architectures that have at most four
// threads.
func classics(t *testing.T, archs ...string) map[string]*ir.Program {
	t.Helper()
	out := map[string]*ir.Program{}
	for _, e := range catalogue.Core() {
		if e.Large || !slices.Contains(archs, e.Arch) {
			continue
		}
		p, err := dialect.Parse(e.ID(), e.Source)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Threads) <= 4 {
			out[e.ID()] = p
		}
	}
	return out
}

// unrolled is p with its loops cut after two jumps back, which hides no outcome of these
// tests.
func unrolled(p *ir.Program) *ir.Program {
	out, _ := ir.Unroll(p, 2, ir.Waits{Reads: true})
	return out
}

// orders are what loads and stores may carry, most of them nothing.
var orders = []ir.Tags{
	5: {ir.TagAcquire},
	{ir.TagAcquire, ir.TagRCsc},
	{ir.TagRelease},
	{ir.TagRelease, ir.TagRCsc},
	{ir.TagAcquire, ir.TagRelease},
	{ir.TagAcquire, ir.TagRelease, ir.TagRCsc},
}

// randomThreads writes two or three short threads on x, and y perhaps, with each kind of step
// that a thread can take. An exclusive pair may be torn apart by other steps.
func randomThreads(r *rand.Rand) *ir.Program {
	always := litmus.Condition{Prop: litmus.Bool(true)}
	p := &ir.Program{File: "random", Condition: always}
	for i, name := range []string{"x", "y"} {
		p.Locs = append(p.Locs, ir.Location{Name: name, Bits: 32, Address: uint64(0x1000 + 8*i)})
		p.Observed = append(p.Observed, ir.Observable{Name: name, Thread: -1, Index: i, Bits: 32})
	}
	locked := ir.Tags{ir.TagLocked}
	value := uint64(0)
	threads, locs := 2+r.Intn(2), 1+r.Intn(2)
	for id := range threads {
		th := ir.Thread{ID: id, Source: []litmus.Cell{{}}}
		for step := range 2 + r.Intn(5-threads) {
			value++
			at := ir.Addr{Loc: r.Intn(locs), Bits: 64}
			wrote := ir.Const{Value: value, Bits: 32}
			var op ir.Op
			bits := 32
			tags := orders[r.Intn(len(orders))]
			switch kind := r.Intn(20); {
			case kind < 6:
				op = ir.Store{Addr: at, Value: wrote, Tags: tags}
			case kind < 10:
				op = ir.Load{Dst: step, Addr: at, Bits: 32, Tags: tags}
			case kind < 13:
				op = ir.Load{Dst: step, Addr: at, Bits: 32, Tags: tags, Reserve: true}
			case kind < 16:
				op = ir.StoreCond{Status: step, Ok: 7, Fail: 8, Addr: at, Value: wrote}
			case kind < 17:
				op = ir.RMW{Dst: step, Addr: at, Bits: 32, New: wrote, Tags: locked, WriteTags: locked}
			case kind < 18:
				zero := ir.Binary{Op: ir.Eq, X: ir.Old{Bits: 32}, Y: ir.Const{Bits: 32}}
				op = ir.RMW{Dst: step, Addr: at, Bits: 32, New: wrote, If: zero, Tags: locked, WriteTags: locked}
			case kind < 19:
				fences := []ir.Tags{ir.FullFence, {ir.TagWW}, {ir.TagWR}, {ir.TagRR, ir.TagRW}}
				op = ir.Fence{Tags: fences[r.Intn(len(fences))]}
			default:
				op, bits = ir.Choose{Dst: step}, 1
			}
			th.Code = append(th.Code, ir.Step{Op: op})
			name := fmt.Sprintf("r%d", step)
			th.Regs = append(th.Regs, ir.Register{Name: name, Bits: bits})
			p.Observed = append(p.Observed,
				ir.Observable{Name: fmt.Sprint(id, ":", name), Thread: id, Index: step, Bits: bits})
		}
		p.Threads = append(p.Threads, th)
	}
	p.Shown = len(p.Observed)
	return p
}

// describe prints a random program, one operation a line.
func describe(p *ir.Program) string {
	var b strings.Builder
	for _, th := range p.Threads {
		fmt.Fprintf(&b, "P%d\n", th.ID)
		for _, s := range th.Code {
			fmt.Fprintf(&b, "  %T%+v\n", s.Op, s.Op)
		}
	}
	return b.String()
}

// printed gives outcomes as results list them.
func printed(p *ir.Program, outcomes map[string]ir.State) string {
	states := []solver.State{}
	for _, s := range slices.SortedFunc(maps.Values(outcomes), p.CompareStates) {
		states = append(states, solver.PrintState(p, s))
	}
	return fmt.Sprint(states)
}

// Without bounds, restricted TSO is TSO. Without a context switch between a store and
// its flush it is SC.
func TestUnrestrictedIsTSOAndAgeZeroIsSC(t *testing.T) {
	check := func(name string, p *ir.Program) {
		for model, age := range map[string]int{"tso": -1, "sc": 0} {
			m, _ := models.Find(model)
			q := solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()}
			r, err := machine.Engine{}.Explore(context.Background(), q)
			if err != nil || !r.Complete || r.StatesComplete != nil {
				t.Fatalf("%s under %s: %v, %+v", name, model, err, r)
			}
			got, want := printed(p, restricted(unrolled(p), 0, age)), fmt.Sprint(r.States)
			if got != want {
				t.Errorf("%s under %s:\nage %d  %s\nmachine %s", name, model, age, got, want)
			}
		}
	}
	for name, p := range classics(t, dialect.Archs()...) {
		check(name, p)
	}
	r := rand.New(rand.NewSource(1))
	for range 300 {
		p := randomThreads(r)
		check(describe(p), p)
	}
}

// With one round each, threads run as a whole, one after the other.
func TestOneRoundRunsWholeThreads(t *testing.T) {
	check := func(name string, p *ir.Program) {
		want := printed(p, wholeThreads(t, p))
		for _, age := range []int{-1, 0, 1} {
			if got := printed(p, restricted(p, 1, age)); got != want {
				t.Errorf("%s, age %d:\ngot  %s\nwant %s", name, age, got, want)
			}
		}
	}
	for name, p := range classics(t, "X86") {
		check(name, unrolled(p))
	}
}

// wholeThreads runs the threads of p, which make no choices, in every order.
func wholeThreads(t *testing.T, p *ir.Program) map[string]ir.State {
	t.Helper()
	out := map[string]ir.State{}
	var run func(done []int, memory []uint64, final ir.State)
	run = func(done []int, memory []uint64, final ir.State) {
		if len(done) == len(p.Threads) {
			for i, o := range p.Observed {
				if o.Thread < 0 {
					final[i] = memory[o.Index]
				}
				final[i] &= ir.Mask(o.Bits)
			}
			if p.Filter == nil || p.Satisfies(p.Filter, final) {
				out[p.Visible(final).Key()] = p.Visible(final)
			}
			return
		}
		for next := range p.Threads {
			if slices.Contains(done, next) {
				continue
			}
			memory := slices.Clone(memory)
			c, ended := runAlone(t, p, next, memory)
			if !ended {
				continue
			}
			final := slices.Clone(final)
			for i, o := range p.Observed {
				if o.Thread == next {
					final[i] = c.Regs[o.Index]
				}
			}
			run(append(slices.Clone(done), next), memory, final)
		}
	}
	memory := make([]uint64, len(p.Locs))
	for i, l := range p.Locs {
		memory[i] = l.Init & ir.Mask(l.Bits)
	}
	run(nil, memory, make(ir.State, len(p.Observed)))
	return out
}

// runAlone runs one thread on memory; ended is false when it went beyond its loops' bound.
func runAlone(t *testing.T, p *ir.Program, thread int, memory []uint64) (c *ir.Cursor, ended bool) {
	t.Helper()
	c = ir.NewCursor(p, thread, false)
	for {
		a, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		switch a.Kind {
		case ir.ActEnd:
			return c, true
		case ir.ActUnwound:
			return c, false
		case ir.ActLoad:
			c.Read(memory[a.Loc])
		case ir.ActStore:
			memory[a.Loc] = a.Value
			c.Pass()
		case ir.ActRMW:
			if v, writes := c.Read(memory[a.Loc]); writes {
				memory[a.Loc] = v
			}
		case ir.ActFence:
			c.Pass()
		default:
			t.Fatalf("P%d takes a step of kind %d, which may go either way", thread, a.Kind)
		}
	}
}

// bounded are tests whose questions need bounds that the classic ones do not.
var bounded = []string{
	// The store to x waits while first z and then y change, and P2 still reads the old x.
	`X86 two-switches
{}
 P0          | P1         | P2          ;
 MOV [x],$1  | MOV [z],$1 | MOV [y],$1  ;
 MOV EAX,[z] |            | MFENCE      ;
 MOV EBX,[z] |            | MOV EAX,[x] ;
 MOV ECX,[y] |            |             ;
exists (0:EAX=0 /\ 0:EBX=1 /\ 0:ECX=0 /\ 2:EAX=0)
`,
	// The exclusive load reads the store that is still pending, and the pair holds.
	`RISCV forwarded-pair
{ 0:x1=x; 0:x2=y; 0:x5=1; 0:x6=2; 1:x1=x; 1:x2=y; 1:x5=1; }
 P0              | P1            ;
 sw x5,0(x1)     | sw x5,0(x2)   ;
 lr.w x7,(x1)    | fence rw,rw   ;
 lw x8,0(x2)     | lw x7,0(x1)   ;
 sc.w x9,x6,(x1) |               ;
exists (0:x7=1 /\ 0:x8=0 /\ 0:x9=0 /\ 1:x7=0)
`,
	// The flush of what the first exclusive load has read mends no pair of the second.
	`RISCV second-pair
{ 0:x1=x; 0:x2=y; 0:x5=1; 0:x6=2; 1:x2=y; 1:x5=1; }
 P0              | P1          ;
 sw x5,0(x1)     | sw x5,0(x2) ;
 lr.w x7,(x1)    |             ;
 lr.w x8,(x2)    |             ;
 sc.w x9,x6,(x2) |             ;
exists (0:x8=0 /\ 0:x9=0 /\ y=2)
`,
}

// What a test asks for needs at least so many rounds and so old stores.
func TestLeastRoundsAndAge(t *testing.T) {
	tests := classics(t, "X86")
	for _, source := range bounded {
		p, err := dialect.Parse("bounded", source)
		if err != nil {
			t.Fatal(err)
		}
		tests[p.Name] = p
	}
	for name, want := range map[string]string{
		// One store has to wait while another thread runs as a whole.
		"SB": "2/1", "SB+mfence+po": "2/1", "SB+rfi-pos": "2/1", "3.SB": "2/1", "R": "2/1", "RWC": "2/1",
		"n6": "2/1", "Dekker": "2/1", "Peterson": "2/1",
		"two-switches": "3/2", "forwarded-pair": "2/1",
		// Another thread's write between two steps is enough.
		"inc": "2/0",
		// TSO forbids it.
		"second-pair": "", "SB+mfences": "", "SB+xchgs": "", "MP": "", "LB": "", "2+2W": "", "IRIW": "", "n5": "",
	} {
		p := unrolled(tests[name])
		var reached [4][3]bool // by rounds and age
		var least []string
		for rounds := 1; rounds < len(reached); rounds++ {
			for age := range reached[rounds] {
				for _, s := range restricted(p, rounds, age) {
					reached[rounds][age] = reached[rounds][age] || p.Satisfies(p.Condition.Prop, s)
				}
				if reached[rounds][age] && !reached[rounds-1][age] && (age == 0 || !reached[rounds][age-1]) {
					least = append(least, fmt.Sprintf("%d/%d", rounds, age))
				}
			}
		}
		if got := strings.Join(least, " "); got != want {
			t.Errorf("%s: the least rounds/age are %q, want %q", name, got, want)
		}
	}
}

// More rounds and older stores lose nothing. Of k rounds, all but the first can add to a
// store's age, so that more than k-1 adds nothing.
func TestBoundsAreMonotone(t *testing.T) {
	rounds, ages := []int{1, 2, 3, 0}, []int{0, 1, 2, -1}
	check := func(name string, p *ir.Program) {
		var outcomes [4][4]map[string]ir.State
		for i, k := range rounds {
			for j, age := range ages {
				outcomes[i][j] = restricted(p, k, age)
				here := outcomes[i][j]
				if i > 0 && !within(outcomes[i-1][j], here) {
					t.Errorf("%s: age %d: more than %d rounds lose an outcome", name, age, rounds[i-1])
				}
				if j > 0 && !within(outcomes[i][j-1], here) {
					t.Errorf("%s: %d rounds: an age above %d loses an outcome", name, k, ages[j-1])
				}
				if j > 0 && 0 < k && k <= j && !within(here, outcomes[i][j-1]) {
					t.Errorf("%s: %d rounds: an age above %d adds an outcome", name, k, ages[j-1])
				}
			}
		}
	}
	for name, p := range classics(t, "X86") {
		check(name, unrolled(p))
	}
	r := rand.New(rand.NewSource(2))
	for range 40 {
		p := randomThreads(r)
		check(describe(p), p)
	}
}

func within(a, b map[string]ir.State) bool {
	for key := range a {
		if _, ok := b[key]; !ok {
			return false
		}
	}
	return true
}

package play_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/play"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// witnesses are the executions that show what a model allows of a test.
func witnesses(t *testing.T, source, model string) []solver.Outcome {
	t.Helper()
	o := solver.DefaultOptions()
	o.Witnesses, o.Timeout, o.States, o.Executions = true, 20*time.Second, 64, 0
	r, err := engines.Run(context.Background(), solver.Task{Path: "t.litmus", Source: source, Model: model, Options: o})
	if err != nil || r.Status == solver.Failed {
		t.Fatalf("%s under %s: %v %s", source, model, err, r.Error)
	}
	return r.Outcomes
}

// check follows frames by itself, with the values that the execution says each thread reads, and reports errors.
func check(g *models.Graph, frames []play.Frame) error {
	events, from, co := map[int]models.GraphEvent{}, map[int]int{}, map[int]int{}
	locs := map[string]int{} // the columns of views
	for _, e := range g.Events {
		events[e.ID] = e
		if _, ok := locs[e.Loc]; !ok && e.Kind != "F" {
			locs[e.Loc] = len(locs)
		}
	}
	for _, r := range g.Relations {
		for _, e := range r.Edges {
			switch r.Name {
			case "rf":
				from[e[1]] = e[0]
			case "co":
				co[e[0]] = e[1]
			}
		}
	}
	last := map[string]string{} // what memory ends with
	for _, e := range g.Events {
		if e.Thread < 0 {
			w := e.ID
			for next, ok := co[w]; ok; next, ok = co[w] {
				w = next
			}
			last[e.Loc] = events[w].Value
		}
	}
	happened := map[int]int{} // the frame of an event
	view := func(f play.Frame, t int, loc string) string {
		cells := f.Memory
		if cells == nil {
			cells = f.Threads[t].View
		}
		value := cells[locs[loc]].Value
		for _, b := range f.Threads[t].Buffer {
			if b.Name == loc {
				value = b.Value
			}
		}
		for _, id := range f.Waiting { // of an access of several pieces a buffer has the whole
			if e := events[id]; g.Mixed() && e.Thread == t && e.Loc == loc {
				value = e.Value
			}
		}
		return value
	}
	for i, f := range frames[1:] {
		before := frames[i]
		for _, id := range f.Events {
			e := events[id]
			if _, again := happened[id]; again || f.Source < 0 {
				continue // it reaches others
			}
			happened[id] = i + 1
			if e.Kind == "R" && view(before, e.Thread, e.Loc) != e.Value {
				return fmt.Errorf("step %d: %s reads %s=%s where its thread sees %s", i+1, e.Name, e.Loc, e.Value,
					view(before, e.Thread, e.Loc))
			}
			if w, ok := from[id]; ok && events[w].Thread >= 0 && happened[w] == 0 {
				return fmt.Errorf("step %d: %s reads from %s, which has not happened", i+1, e.Name, events[w].Name)
			}
			if e.Kind == "W" && view(f, e.Thread, e.Loc) != e.Value {
				return fmt.Errorf("step %d: P%d does not see its own %s", i+1, e.Thread, e.Name)
			}
		}
	}
	for _, e := range g.Events {
		if e.Thread >= 0 && happened[e.ID] == 0 {
			return fmt.Errorf("%s never happens", e.Name)
		}
	}
	for _, r := range g.Relations {
		if !slices.Contains([]string{"addr", "data", "rmw"}, r.Name) {
			continue
		}
		for _, e := range r.Edges {
			if happened[e[0]] > happened[e[1]] {
				return fmt.Errorf("%s does not come before %s (%s)", events[e[0]].Name, events[e[1]].Name, r.Name)
			}
		}
	}
	end := frames[len(frames)-1]
	for loc, value := range last {
		for t := range g.Threads {
			if got := view(end, t, loc); got != value {
				return fmt.Errorf("in the end P%d sees %s=%s, not %s", t, loc, got, value)
			}
		}
	}
	if len(end.Waiting) > 0 {
		return errors.New("writes wait in the end")
	}
	return nil
}

// Every execution of a classic test that a built-in model allows has a run to follow: each read sees what it reads at
// the moment it does.
func TestClassicsCanBePlayed(t *testing.T) {
	var n atomic.Int32
	t.Run("models", func(t *testing.T) {
		for _, m := range models.Names() {
			t.Run(m, func(t *testing.T) {
				t.Parallel()
				for i, e := range catalogue.Core() {
					if !slices.Contains(models.For(dialect.Tongue(e.Source)), m) || testing.Short() && i%4 != 0 {
						continue
					}
					for _, o := range witnesses(t, e.Source, m) {
						frames, err := play.Play(o.Graph)
						if errors.Is(err, play.ErrNoOrder) && strings.HasPrefix(m, "c11") {
							continue // C11 has reads in a circle
						}
						if err == nil {
							err = check(o.Graph, frames)
						}
						if err != nil {
							t.Errorf("%s, %v: %v", e.ID(), o.State, err)
						}
						n.Add(1)
					}
				}
			})
		}
	})
	if n := n.Load(); n < 1000 && !testing.Short() || n < 250 {
		t.Errorf("%d executions were played", n)
	}
}

// What cannot go in program order stands out, and views are split only where they must be.
func TestPlaysInWords(t *testing.T) {
	for _, c := range []struct{ test, model, want string }{
		{"X86/MP", "rmo", `
P1: reads x=0 [P1's load of x overtakes its earlier load of y]
P0: x:=1
P0: y:=1
P1: reads y=1`},
		{"PPC/MP+lwsync+po", "power", `
P1: reads x=0 [P1's load of x overtakes its earlier load of y]
P0: x:=1
P0: fence
P0: y:=1
P1: reads y=1`},
		{"PPC/IRIW+lwsyncs", "power", `
views
P0: x:=1, not yet seen by P3
P1: reads x=1
P1: fence
P1: reads y=0
P2: y:=1
P3: reads y=1
P3: fence
P3: reads x=0
P0: x=1 reaches P3`},
		// P2's write comes before P0's in coherence, which P1 has seen: P1 never sees P2's.
		{"PPC/WWC+addrs", "power", `
views
P0: x:=2, not yet seen by P2
P1: reads x=2
P1: y:=1
P2: reads y=1
P2: x:=1
P0: x=2 reaches P2`},
		// The store to z is guessed, and forwards its value to the load behind it.
		{"PPC/PPOCA", "power", `
P0: x:=1, not yet seen by P1
P1: z:=1, not yet seen by P0 [P1's store to z overtakes its earlier load of y]
P1: reads z=1 [P1's load of z overtakes its earlier load of y]
P1: reads x=0 [P1's load of x overtakes its earlier load of y]
P0: x=1 reaches memory
P0: fence
P0: y:=1
P1: reads y=1
P1: z=1 reaches memory`},
	} {
		e, ok := catalogue.Find(c.test)
		if !ok {
			t.Fatal(c.test)
		}
		for _, o := range witnesses(t, e.Source, c.model) {
			if !o.Satisfies {
				continue
			}
			frames, err := play.Play(o.Graph)
			if err != nil {
				t.Fatal(err)
			}
			if got := script(frames); got != strings.TrimPrefix(c.want, "\n")+"\n" {
				t.Errorf("%s under %s:\n%s", c.test, c.model, got)
			}
		}
	}
}

// Grace periods wait for the critical sections that have begun, locks have their own names, and the cause of a flag
// orders nothing.
func TestPlaysOfC(t *testing.T) {
	const source = `C sections
{}
P0(int *x, int *y, spinlock_t *s) {
 rcu_read_lock();
 int r0 = READ_ONCE(*x);
 int r1 = READ_ONCE(*y);
 rcu_read_unlock();
}
P1(int *x, int *y, spinlock_t *s) {
 WRITE_ONCE(*x, 1);
 synchronize_rcu();
 spin_lock(s);
 WRITE_ONCE(*y, 1);
 spin_unlock(s);
}
exists (0:r0=1 /\ 0:r1=0)`
	played := 0
	for _, o := range witnesses(t, source, "sc") {
		if !o.Satisfies {
			continue
		}
		last := o.Graph.Events[len(o.Graph.Events)-1].ID
		o.Graph.Flag("race", []models.Pair{{last, last - 1}})
		frames, err := play.Play(o.Graph)
		if err != nil {
			t.Fatal(err)
		}
		const want = `P0: rcu_read_lock
P1: x:=1
P0: reads x=1
P0: reads y=0
P0: rcu_read_unlock
P1: synchronize_rcu
P1: lock: reads s=0, s:=1 in one step
P1: y:=1
P1: unlock: s:=0
`
		if got := script(frames); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
		played++
	}
	if played != 1 {
		t.Errorf("%d executions were played", played)
	}
}

// An execution whose values come from nowhere has no order.
func TestOutOfThinAir(t *testing.T) {
	g := &models.Graph{
		Threads: []models.GraphThread{{Name: "P0"}, {Name: "P1"}},
		Events: []models.GraphEvent{
			{ID: 0, Name: "ix", Thread: -1, Kind: "W", Loc: "x", Value: "0"},
			{ID: 1, Name: "iy", Thread: -1, Kind: "W", Loc: "y", Value: "0"},
			{ID: 2, Name: "a", Thread: 0, Kind: "R", Loc: "x", Value: "1"},
			{ID: 3, Name: "b", Thread: 0, Kind: "W", Loc: "y", Value: "1"},
			{ID: 4, Name: "c", Thread: 1, Kind: "R", Loc: "y", Value: "1"},
			{ID: 5, Name: "d", Thread: 1, Kind: "W", Loc: "x", Value: "1"},
		},
		Relations: []models.GraphEdges{
			{Name: "rf", Edges: []models.Pair{{5, 2}, {3, 4}}},
			{Name: "co", Edges: []models.Pair{{0, 5}, {1, 3}}},
			{Name: "data", Edges: []models.Pair{{2, 3}, {4, 5}}},
		},
	}
	if _, err := play.Play(g); !errors.Is(err, play.ErrNoOrder) {
		t.Errorf("%v", err)
	}
	g.Relations = g.Relations[:2]
	if frames, err := play.Play(g); err != nil || check(g, frames) != nil {
		t.Errorf("without dependencies: %v", err)
	}
}

// script is a run in words.
func script(frames []play.Frame) string {
	var b strings.Builder
	if frames[0].Memory == nil {
		b.WriteString("views\n")
	}
	for _, f := range frames[1:] {
		fmt.Fprintf(&b, "P%d: %s", f.Thread, f.Did)
		if f.Note != "" {
			fmt.Fprintf(&b, " [%s]", f.Note)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// So has every allowed execution with accesses that overlap in part: a step of one has all of its bytes. A jump to what
// a register has is as any other branch to who plays.
func TestJumpsToLabelsCanBePlayed(t *testing.T) {
	const test = `AArch64 MP+dmb.sy+br
{ 0:X0=label:"P1:L1"; 0:X1=x; int64_t x=label:"P1:L0"; 0:X2=y; 1:X1=x; 1:X2=y; int y; }
 P0 | P1 ;
 MOV W3,#1 | LDR X0,[X1] ;
 STR W3,[X2] | BR X0 ;
 DMB SY | L0: MOV W4,#9 ;
 STR X0,[X1] | B E ;
 | L1: LDR W4,[X2] ;
 | E: NOP ;
exists (1:X0=label:"P1:L1" /\ 1:X4=0)
`
	for _, m := range []string{"sc", "aarch64"} {
		found := witnesses(t, test, m)
		if len(found) < 2 {
			t.Errorf("%s: %d outcomes", m, len(found))
		}
		for _, o := range found {
			frames, err := play.Play(o.Graph)
			if err == nil {
				err = check(o.Graph, frames)
			}
			if err != nil {
				t.Errorf("%s, %v: %v", m, o.State, err)
			}
		}
	}
}

func TestMixedSizesCanBePlayed(t *testing.T) {
	const test = `AArch64 SB+rfis
{ uint64_t x; uint64_t y; 0:X1=x; 0:X2=0x0102030401020304; 0:X3=y; 1:X1=x; 1:X3=y; 1:X2=0x0102030401020304; }
 P0           | P1           ;
 STR W2,[X1]  | STR W2,[X3]  ;
 LDR X5,[X1]  | LDR X5,[X3]  ;
 LDRH W6,[X3] | LDRB W6,[X1] ;
 STR X2,[X1]  |              ;
exists (0:X5=0x01020304 /\ 0:X6=0 /\ 1:X6=0)
`
	for _, m := range []string{"sc", "tso", "pso", "aarch64", "riscv"} {
		found := witnesses(t, test, m)
		if len(found) < 3 {
			t.Errorf("%s: %d outcomes", m, len(found))
		}
		for _, o := range found {
			frames, err := play.Play(o.Graph)
			if err == nil {
				err = check(o.Graph, frames)
			}
			if err != nil {
				t.Errorf("%s, %v: %v", m, o.State, err)
			}
		}
	}
}

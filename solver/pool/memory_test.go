package pool

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/solver"
)

// A claim that does not fit waits, in the order of arrival, and no later question passes one that waits.
func TestMemoryServesInOrder(t *testing.T) {
	m := NewMemory(1000 << 20)
	first, second, third, fourth := m.arrive(), m.arrive(), m.arrive(), m.arrive()
	if !first.ask(600 << 20) {
		t.Fatal("the first claim does not fit")
	}
	if second.ask(700 << 20) {
		t.Fatal("two claims exceed the memory")
	}
	ended := make(chan string, 3)
	wait := func(c *claim, name string, bytes int64) {
		go func() {
			if err := c.wait(t.Context(), bytes); err != nil {
				name = err.Error()
			}
			ended <- name
		}()
		for stop := time.Now().Add(time.Minute); m.Stats().Waiting == 0 && time.Now().Before(stop); {
			time.Sleep(time.Millisecond)
		}
	}
	wait(second, "second", 700<<20)
	if third.ask(300 << 20) {
		t.Error("a small claim that would fit passes an earlier one that waits")
	}
	if !fourth.ask(perChild / 2) {
		t.Error("a question that needs no more than each child may have waits")
	}
	wait(third, "third", 300<<20)
	first.end()
	if got := []string{<-ended, <-ended}; !slices.Contains(got, "second") || !slices.Contains(got, "third") {
		t.Errorf("went on: %q", got) // both fit beside each other
	}
	if s := m.Stats(); s.Claimed != 1000<<20 || s.Waiting != 0 {
		t.Errorf("in the end: %+v", s)
	}
}

// A question that grows beyond its claim makes the latest others leave, never an earlier one, and a question alone
// leaves for nobody.
func TestMemoryGrows(t *testing.T) {
	m := NewMemory(1000 << 20)
	early, middle, late := m.arrive(), m.arrive(), m.arrive()
	left := func(c *claim) bool {
		select {
		case <-c.leave:
			return true
		default:
			return false
		}
	}
	for _, c := range []*claim{early, middle, late} {
		if !c.ask(300 << 20) {
			t.Fatal("no room")
		}
	}
	middle.grow(400 << 20)
	if left(early) || left(middle) || !left(late) {
		t.Errorf("left: %v %v %v, want the last alone", left(early), left(middle), left(late))
	}
	middle.grow(700 << 20)
	if left(early) || !left(middle) {
		t.Error("a question that grows too large for an earlier one stays")
	}
	early.grow(2000 << 20)
	if left(early) {
		t.Error("the oldest question leaves")
	}
}

// Whatever questions claim, give back and outgrow: claims never exceed the memory but for one question's alone, nobody
// is passed, and in the end everybody has had a turn.
func TestMemoryIsFair(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		m := NewMemory(100 * perChild)
		var at, waits []*claim // at work; waiting, as the test believes
		turned := map[*claim]bool{}
		follow := func() {
			for len(waits) > 0 {
				select {
				case <-waits[0].turn:
					at, turned[waits[0]] = append(at, waits[0]), true
					waits = waits[1:]
					continue
				default:
				}
				break
			}
			for _, c := range waits {
				select {
				case <-c.turn:
					r.Fatalf("question %d passes %d", c.arrival, waits[0].arrival)
				default:
				}
			}
			for _, c := range slices.Clone(at) {
				select {
				case <-c.leave:
					at = slices.DeleteFunc(at, func(o *claim) bool { return o == c })
					waits = append(waits, c)
					slices.SortFunc(waits, func(a, b *claim) int { return int(a.arrival - b.arrival) })
					startWait(m, c, c.bytes)
				default:
				}
			}
			if all := m.claimed(nil); all > m.total && len(m.running) > 1 {
				r.Fatalf("%d bytes claimed of %d by %d questions", all, m.total, len(m.running))
			}
		}
		sizes := rapid.Int64Range(2*perChild, 120*perChild)
		for range rapid.IntRange(1, 60).Draw(r, "steps") {
			switch rapid.IntRange(0, 3).Draw(r, "step") {
			case 0, 1:
				c, need := m.arrive(), sizes.Draw(r, "need")
				if c.ask(need) {
					at = append(at, c)
				} else {
					waits = append(waits, c)
					startWait(m, c, need)
				}
			case 2:
				if len(at) > 0 {
					i := rapid.IntRange(0, len(at)-1).Draw(r, "ends")
					c := at[i]
					at = slices.Delete(at, i, i+1)
					c.end()
				}
			case 3:
				if len(at) > 0 {
					rapid.SampledFrom(at).Draw(r, "grows").grow(sizes.Draw(r, "has"))
				}
			}
			follow()
			follow() // those that left may have a turn again
		}
		for len(at) > 0 {
			c := at[0]
			at = at[1:]
			c.end()
			follow()
		}
		if len(waits) > 0 || m.Stats().Waiting > 0 {
			r.Fatalf("%d questions wait for ever", len(waits))
		}
	})
}

// startWait is the beginning of wait, which does not block.
func startWait(m *Memory, c *claim, bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c.line(bytes)
}

// Eight large questions at once on a memory that has room for one of them: all end with answers, none is killed for
// want of memory, and those that wait say so.
func TestLargeQuestionsWait(t *testing.T) {
	const children = 8
	p, err := New(Options{Workers: children, Memory: NewMemory(4 * perChild)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	var mu sync.Mutex
	waited := map[string]bool{}
	var group sync.WaitGroup
	for i := range children {
		group.Go(func() {
			task := manyEvents(fmt.Sprint("large", i), 150)
			ctx := solver.Following(t.Context(), func(r *solver.Result) {
				if strings.HasPrefix(r.Reason, WaitingForMemory+": needs about ") {
					mu.Lock()
					defer mu.Unlock()
					waited[task.Path] = true
				}
			})
			r, err := solver.Ask(ctx, p, task)
			switch {
			case err != nil:
				t.Error(err)
			case r.Status != solver.OK || r.Verdict != solver.Forbidden:
				t.Errorf("%s: %s %s %s", task.Path, r.Status, r.Reason, r.Error)
			case r.Stats.ForecastMiB == 0 || r.Stats.PeakMiB == 0 || r.Stats.PeakMiB > 4*r.Stats.ForecastMiB:
				t.Errorf("%s: a forecast of %v MiB, a peak of %v MiB", task.Path, r.Stats.ForecastMiB, r.Stats.PeakMiB)
			}
		})
	}
	group.Wait()
	if s := p.Stats(); s.Died > 0 || s.Limited > 0 || s.Moved == 0 || len(waited) == 0 {
		t.Errorf("in the end: %+v, of which %d said that they wait", s, len(waited))
	}
	if s := p.Memory.Stats(); s.Waiting != 0 || s.Claimed != 2*perChild {
		t.Errorf("memory in the end: %+v", s)
	}
}

// manyEvents is a task about a test with so many writes in one thread.
func manyEvents(name string, n int) solver.Task {
	var b strings.Builder
	fmt.Fprintf(&b, "X86 %s\n{}\n P0 | P1 ;\n", name)
	for i := range n {
		fmt.Fprintf(&b, " MOV [x%d],$1 | %s ;\n", i, []string{"MOV EAX,[x0]", ""}[min(i, 1)])
	}
	b.WriteString("exists (1:EAX=2)\n")
	return solver.Task{Path: name, Source: b.String(), Model: "sc", Options: solver.DefaultOptions()}
}

// filler fills so many MiB of memory, so slowly that the child's watch sees it.
var filler = Kind[int, int]{Title: "filler", Answer: func(mib int) (int, error) {
	var all [][]byte
	for range mib {
		all = append(all, bytes.Repeat([]byte{1}, 1<<20))
		time.Sleep(2 * time.Millisecond)
	}
	return len(all), nil
}}

// A question whose child outgrows the claim of an earlier question makes room for that and waits, and has its answer
// later.
func TestQuestionsMakeRoom(t *testing.T) {
	p, err := New(Options{Workers: 3, Memory: NewMemory(6 * perChild)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if n, err := filler.Call(t.Context(), p, 280); err != nil || n != 280 {
				t.Errorf("%d MiB, %v", n, err)
			}
		})
	}
	group.Wait()
	if s := p.Stats(); s.Died > 0 || s.Limited > 0 || s.Moved == 0 {
		t.Errorf("in the end: %+v", s)
	}
}

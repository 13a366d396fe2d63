package axiomatic_test

import (
	"errors"
	"fmt"
	"iter"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/c/cprog"
	"litmuscope/litmus/c/cprog/cprogtest"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/models/replay"
	"litmuscope/solver"
)

// On random programs, an assertion fails, and a thread reaches the bound, exactly if it does in some interleaving of
// the threads with their store buffers.
func TestVerifyIsInterleaving(t *testing.T) {
	const n = 250
	unsafe := 0
	for seed := range int64(n) {
		text := irtest.Draw(rand.New(rand.NewSource(seed)))
		for _, m := range []irtest.Model{irtest.SC, irtest.TSO, irtest.PSO} {
			p := irtest.Parse(text)
			want := irtest.Run(p, m)
			v := verify(t, p, string(m), solver.Verify{Properties: []ir.Property{ir.Assertion}})
			if got := v.Verdict == solver.Unsafe; got != want.Fails || v.Verdict == solver.Undecided || !got &&
				v.Complete == want.Unwound {
				t.Errorf("seed %d under %s: %s, complete %v; want failure %v, bound %v: %s", seed, m, v.Verdict,
					v.Complete, want.Fails, want.Unwound, text)
			}
			if want.Fails {
				unsafe++
			}
		}
	}
	if unsafe < n/10 {
		t.Errorf("only %d failures", unsafe)
	}
}

// On random programs, what plain enumeration finds of prefixes and of complete executions, judged one by one, is
// what the engine finds.
func TestVerifyIsEnumeration(t *testing.T) {
	n := 30
	if testing.Short() {
		n = 12
	}
	checked := 0
	for seed := range int64(n) {
		text := irtest.Draw(rand.New(rand.NewSource(seed)))
		if strings.Contains(text, "atomic") { // where threads may stop before a section is for the test above
			continue
		}
		p := irtest.Parse(text)
		for _, name := range []string{"sc", "tso", "aarch64", "power", "rc11", "lkmm"} {
			m, _ := models.Find(name)
			fails, bound, _, count, ok := prefixes(p, m, guessed)
			if !ok {
				continue
			}
			checked++
			v := verify(t, p, name, solver.Verify{Properties: []ir.Property{ir.Assertion}, Count: true})
			if got := v.Verdict == solver.Unsafe; got != fails || !got && v.Complete == bound {
				t.Errorf("seed %d under %s: %s, complete %v; want failure %v, bound %v: %s", seed, name, v.Verdict,
					v.Complete, fails, bound, text)
			}
			if got := counted(v); got != len(count) {
				t.Errorf("seed %d under %s: %d executions, want %d: %s", seed, name, got, len(count), text)
			}
			reads := map[string]bool{}
			for c := range count {
				reads[c[:strings.Index(c, "|")]] = true
			}
			v = verify(t, p, name, solver.Verify{Properties: []ir.Property{ir.Assertion}, Count: true, ByReads: true})
			if got := counted(v); got != len(reads) {
				t.Errorf("seed %d under %s: %d executions by reads, want %d: %s", seed, name, got, len(reads), text)
			}
		}
	}
	if checked < n/2 {
		t.Errorf("only %d programs were small enough", checked)
	}
}

// On random programs in C, the engine finds exactly what plain enumeration finds under RC11.
func TestVerifyIsEnumerationOfC(t *testing.T) {
	irtest.AtMost(t, 20)
	checked, unsafe := 0, 0
	m, _ := models.Find("rc11")
	rapid.Check(t, func(r *rapid.T) {
		text := cprogtest.Draw(r, cprogtest.Shape{Atomics: true, Statements: 2})
		p, err := cprog.Lower(t.Context(), cprog.Source{Files: []cprog.File{{Name: "random.c", Text: text}}},
			cprog.Options{
				Unroll: 2, Properties: []ir.Property{ir.Assertion}, Waits: ir.Waits{},
			})
		if err != nil {
			r.Fatalf("%v\n%s", err, text)
		}
		fails, bound, _, count, ok := prefixes(p, m, grown)
		if !ok {
			return
		}
		checked++
		v := verify(t, p, "rc11", solver.Verify{Properties: []ir.Property{ir.Assertion}, Count: true})
		if got := v.Verdict == solver.Unsafe; got != fails || !got && v.Complete == bound {
			r.Fatalf("%s, complete %v; want failure %v, bound %v:\n%s", v.Verdict, v.Complete, fails, bound, text)
		}
		if got := counted(v); got != len(count) {
			r.Fatalf("%d executions, want %d:\n%s", got, len(count), text)
		}
		if fails {
			unsafe++
		}
	})
	t.Logf("%d programs, of which %d fail", checked, unsafe)
}

// Random programs in C have the same answer, however few possible values the analysis tracks, pointers among them, and
// whether or not branches may run ahead, if nothing depends on itself.
func TestWhatIsKnownSaysTheSame(t *testing.T) {
	most := 250 // each takes three verifications
	if testing.Short() {
		most = 60
	}
	for _, test := range []struct {
		model string
		shape cprogtest.Shape
		o     cprog.Options
		vary  func(o *cprog.Options, i int)
	}{
		{
			"tso",
			cprogtest.Shape{Statements: 3},
			cprog.Options{Target: cprog.Generic},
			func(o *cprog.Options, i int) { o.Numbers = i },
		},
		{
			"imm",
			cprogtest.Shape{Atomics: true, Statements: 3},
			cprog.Options{Target: cprog.Language},
			func(o *cprog.Options, i int) { o.Ahead = i > 0 },
		},
	} {
		t.Run(test.model, func(t *testing.T) {
			checked, unsafe, larger := 0, 0, 0
			rapid.Check(t, func(r *rapid.T) {
				if checked++; checked > most {
					return
				}
				text := cprogtest.Draw(r, test.shape)
				o := test.o
				o.Unroll, o.Properties = 2, []ir.Property{ir.Assertion}
				said, size := "", 0
				for i := range 3 {
					test.vary(&o, i)
					p, err := cprog.Lower(t.Context(),
						cprog.Source{Files: []cprog.File{{Name: "random.c", Text: text}}}, o)
					if err != nil {
						r.Fatalf("%v\n%s", err, text)
					}
					steps := 0
					for i := range p.Threads {
						steps += len(p.Threads[i].Code)
					}
					v := verify(t, p, test.model, solver.Verify{Properties: []ir.Property{ir.Assertion}, Count: true})
					says := fmt.Sprintf("%s, complete %v, %d executions", v.Verdict, v.Complete, counted(v))
					if i == 0 {
						said, size = says, steps
					}
					if says != said {
						r.Fatalf("%s, and the other way %s:\n%s", said, says, text)
					}
					if v.Verdict == solver.Unsafe {
						unsafe++
					}
					if steps > size {
						larger++
					}
				}
			})
			if unsafe == 0 || larger == 0 {
				t.Errorf("%d times unsafe, %d times larger", unsafe, larger)
			}
			t.Logf("%d times unsafe, %d times larger", unsafe, larger)
		})
	}
}

// counted is the number of executions, -1 without a count.
func counted(v *solver.Verification) int {
	if v.Executions == nil {
		return -1
	}
	return *v.Executions
}

// prefixes visits all executions in which each thread runs as far as it gets, with values of reads from an enumeration.
// It gives up on large programs.
func prefixes(
	p *ir.Program, m *models.Model, runs func(*ir.Program) iter.Seq[[][]uint64],
) (fails, bound, forever bool, complete map[string]bool, ok bool) {
	complete = map[string]bool{}
	thinAir, checker := !m.ForbidsThinAir(), evaluation.NewChecker(m)
	visited := 0
	for reads := range runs(p) {
		x, err := replay.Run{Reads: reads}.Replay(p)
		if err != nil {
			panic(err)
		}
		for x := range communicate(x) {
			if visited++; visited > 4_000 {
				return fails, bound, forever, complete, false
			}
			if thinAir && fromThinAir(x) || len(checker.Check(x)) > 0 {
				continue
			}
			forever = forever || waitsForEver(x)
			whole := true
			for t, s := range x.Stops {
				fails = fails || s.Kind == ir.ActFailed
				if s.Kind == ir.ActUnwound {
					bound = bound || !p.Threads[t].Code[s.Step].Op.(ir.Unwound).Spin
				}
				whole = whole && (s.Kind == ir.ActEnd || s.Kind == ir.ActUnspawned)
			}
			if whole {
				complete[signature(x)] = true
			}
		}
	}
	return fails, bound, forever, complete, true
}

// waitsForEver reports whether no thread continues in an execution, and some thread waits: all that have not ended
// wait, each for what it has read last, and of that there is nothing newer, but what such rounds write.
func waitsForEver(x *models.Execution) bool {
	waits := false
	for t, s := range x.Stops {
		switch s.Kind {
		case ir.ActEnd, ir.ActUnspawned, ir.ActJoin:
		case ir.ActUnwound:
			if !x.Program.Threads[t].Code[s.Step].Op.(ir.Unwound).Spin {
				return false
			}
			waits = true
		case ir.ActBlocked:
			if !x.Program.Threads[t].Code[s.Step].Op.(ir.Assume).Wait {
				return false
			}
			waits = true
		default:
			return false
		}
	}
	inRound := func(e int) bool {
		ev := &x.Events[e]
		if ev.Thread == models.InitThread {
			return false
		}
		stop := x.Stops[ev.Thread].Step
		if stop >= len(x.Program.Threads[ev.Thread].Code) {
			return false
		}
		since := stop
		switch op := x.Program.Threads[ev.Thread].Code[stop].Op.(type) {
		case ir.Unwound:
			since = op.Since
		case ir.Assume:
			since = op.Since
		}
		return ev.Step >= since && ev.Step < stop
	}
	for e := range x.Events {
		if x.Events[e].Kind != models.Read || !inRound(e) {
			continue
		}
		order := x.CO[x.Events[e].Loc]
		if slices.ContainsFunc(order[slices.Index(order, x.RF[e])+1:], func(w int) bool { return !inRound(w) }) {
			return false
		}
	}
	return waits
}

// On random programs with waiting loops, the engine finds a thread that waits for ever exactly if plain enumeration has
// an execution in which no thread continues, under every model.
func TestTerminationIsEnumeration(t *testing.T) {
	irtest.AtMost(t, 50)
	names := models.Names()
	checked, endless := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		text := irtest.DrawWaits(rand.New(rand.NewSource(rapid.Int64().Draw(r, "seed"))))
		p := irtest.Parse(text)
		name := rapid.SampledFrom(names).Draw(r, "model")
		m, _ := models.Find(name)
		_, _, forever, _, ok := prefixes(p, m, guessed)
		if !ok {
			return
		}
		checked++
		v := verify(t, p, name, solver.Verify{Properties: []ir.Property{ir.Termination}})
		if got := v.Verdict == solver.Unsafe; got != forever || v.Verdict == solver.Undecided {
			r.Fatalf("under %s: %s, want one that waits forever: %v: %s", name, v.Verdict, forever, text)
		}
		if forever {
			endless++
		}
	})
	t.Logf("%d programs, of which %d wait for ever", checked, endless)
	if !t.Failed() && (checked < 15 || endless < 5) {
		t.Errorf("of %d programs that were small enough %d wait for ever", checked, endless)
	}
}

// guessed has threads read everything below 3, whether or not anybody writes it.
func guessed(p *ir.Program) iter.Seq[[][]uint64] {
	return func(yield func([][]uint64) bool) {
		var extend func(reads [][]uint64) bool
		extend = func(reads [][]uint64) bool {
			_, err := replay.Run{Reads: reads}.Replay(p)
			if err == nil {
				return yield(reads)
			}
			var thread int
			if _, scan := fmt.Sscanf(err.Error(), "P%d: more", &thread); scan != nil {
				panic(errors.Join(err, scan))
			}
			values := uint64(3)
			if strings.Contains(err.Error(), "choices") {
				values = 2
			}
			for v := range values {
				if !extend(with(reads, thread, v)) {
					return false
				}
			}
			return true
		}
		extend(make([][]uint64, len(p.Threads)))
	}
}

// grown makes threads read, at any width, earlier writes, as in each execution of a model under which po and rf have no
// cycle.
func grown(p *ir.Program) iter.Seq[[][]uint64] {
	return func(yield func([][]uint64) bool) {
		seen := map[string]bool{}
		var extend func(reads [][]uint64) bool
		extend = func(reads [][]uint64) bool {
			if key := fmt.Sprint(reads); seen[key] {
				return true
			} else {
				seen[key] = true
			}
			wanting, written := standing(p, reads)
			if len(wanting) == 0 {
				return yield(reads)
			}
			for thread, loc := range wanting {
				for _, v := range written[loc] {
					if !extend(with(reads, thread, v)) {
						return false
					}
				}
			}
			return true
		}
		extend(make([][]uint64, len(p.Threads)))
	}
}

// with are the reads of threads and one more.
func with(reads [][]uint64, thread int, v uint64) [][]uint64 {
	more := slices.Clone(reads)
	more[thread] = append(slices.Clone(more[thread]), v)
	return more
}

// standing runs threads until each ends, stops, or wants to read more: of which location, by thread; and returns the
// writes so far, by location.
func standing(p *ir.Program, reads [][]uint64) (wanting map[int]int, written [][]uint64) {
	wanting, written = map[int]int{}, make([][]uint64, len(p.Locs))
	for l, loc := range p.Locs {
		written[l] = []uint64{loc.Init}
	}
	write := func(loc int, v uint64) {
		if !slices.Contains(written[loc], v) {
			written[loc] = append(written[loc], v)
		}
	}
	cursors, ended, left := make([]*ir.Cursor, len(p.Threads)), make([]bool, len(p.Threads)), slices.Clone(reads)
	for t := range cursors {
		cursors[t] = ir.NewCursor(p, t, false)
	}
	// step takes a thread's next step, if it can.
	step := func(t int) bool {
		c := cursors[t]
		a, err := c.Next()
		if err != nil {
			panic(err)
		}
		switch a.Kind {
		case ir.ActLoad, ir.ActRMW:
			if len(left[t]) == 0 {
				wanting[t] = a.Loc
				return false
			}
			if v, writes := c.Read(left[t][0]); writes {
				write(a.Loc, v)
			}
			left[t] = left[t][1:]
		case ir.ActStore:
			write(a.Loc, a.Value)
			c.Pass()
		case ir.ActSpawn:
			cursors[a.Other].Start(c.Arguments())
			c.Pass()
		case ir.ActJoin:
			if !ended[a.Other] {
				return false
			}
			c.Pass()
		case ir.ActFence, ir.ActEnter, ir.ActLeave:
			c.Pass()
		case ir.ActEnd:
			ended[t] = true
			return false
		case ir.ActBlocked, ir.ActFailed, ir.ActUnwound, ir.ActUnspawned:
			return false
		default:
			panic(fmt.Sprintf("action %d is in none of these programs", a.Kind))
		}
		return true
	}
	for going := true; going; {
		going = false
		for t := range cursors {
			for step(t) {
				going = true
			}
		}
	}
	return wanting, written
}

// signature tells executions apart: by events and their values, and behind a bar by co.
func signature(x *models.Execution) string {
	var b strings.Builder
	name := func(e int) string {
		ev := &x.Events[e]
		return fmt.Sprintf("%d.%d.%d", ev.Thread, ev.Step, ev.Loc)
	}
	for e := range x.Events {
		if x.Events[e].Kind == models.Fence {
			continue
		}
		b.WriteString(name(e) + x.Events[e].Kind.String())
		if x.RF[e] >= 0 {
			b.WriteString("<" + name(x.RF[e]))
		}
		b.WriteByte(' ')
	}
	b.WriteByte('|')
	for _, order := range x.CO {
		for _, w := range order {
			b.WriteString(name(w) + " ")
		}
	}
	return b.String()
}

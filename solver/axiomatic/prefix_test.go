package axiomatic_test

import (
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/models"
	"litmuscope/solver"
)

// On random programs, an assertion fails, and the bound is reached, just where some interleaving of the
// threads with their store buffers has it so.
func TestVerifyIsInterleaving(t *testing.T) {
	n := int64(250)
	if testing.Short() {
		n = 60
	}
	unsafe := 0
	for seed := range n {
		text := irtest.Draw(rand.New(rand.NewSource(seed)))
		for _, m := range []irtest.Model{irtest.SC, irtest.TSO, irtest.PSO} {
			p := irtest.Parse(text)
			want := irtest.Run(p, m)
			v := verify(t, p, string(m), solver.Verify{Properties: []ir.Property{ir.Assertion}})
			if got := v.Verdict == solver.Unsafe; got != want.Fails || v.Verdict == solver.Undecided || !got && v.Complete == want.Unwound {
				t.Errorf("seed %d under %s: %s, complete %v; want failure %v, bound %v: %s", seed, m, v.Verdict, v.Complete, want.Fails, want.Unwound, text)
			}
			if want.Fails {
				unsafe++
			}
		}
	}
	if unsafe < int(n)/10 {
		t.Errorf("only %d failures", unsafe)
	}
}

// On random programs, what plain enumeration finds of prefixes and of complete executions, judged one by one, is
// what the engine finds.
func TestVerifyIsEnumeration(t *testing.T) {
	n := int64(30)
	if testing.Short() {
		n = 20
	}
	checked := 0
	for seed := range n {
		text := irtest.Draw(rand.New(rand.NewSource(seed)))
		if strings.Contains(text, "atomic") { // where threads may stop before a section is for the test above
			continue
		}
		p := irtest.Parse(text)
		for _, name := range []string{"sc", "tso", "aarch64", "power", "rc11", "lkmm"} {
			m, _ := models.Find(name)
			fails, bound, count, ok := prefixes(p, m)
			if !ok {
				continue
			}
			checked++
			v := verify(t, p, name, solver.Verify{Properties: []ir.Property{ir.Assertion}, Count: true})
			if got := v.Verdict == solver.Unsafe; got != fails || !got && v.Complete == bound {
				t.Errorf("seed %d under %s: %s, complete %v; want failure %v, bound %v: %s", seed, name, v.Verdict, v.Complete, fails, bound, text)
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
	if checked < int(n)/2 {
		t.Errorf("only %d programs were small enough", checked)
	}
}

// counted is the number of executions, -1 where they were not counted.
func counted(v *solver.Verification) int {
	if v.Executions == nil {
		return -1
	}
	return *v.Executions
}

// prefixes goes through all executions in which each thread runs as far as it gets. It gives up on large programs.
func prefixes(p *ir.Program, m *models.Model) (fails, bound bool, complete map[string]bool, ok bool) {
	complete = map[string]bool{}
	thinAir := !m.ForbidsThinAir()
	visited, ok := 0, true
	var extend func(reads [][]uint64)
	extend = func(reads [][]uint64) {
		x, err := models.Run{Reads: reads}.Replay(p)
		if err != nil {
			var thread int
			if _, scan := fmt.Sscanf(err.Error(), "P%d: more", &thread); scan != nil {
				panic(errors.Join(err, scan))
			}
			values := uint64(3)
			if strings.Contains(err.Error(), "choices") {
				values = 2
			}
			for v := range values {
				more := slices.Clone(reads)
				more[thread] = append(slices.Clone(more[thread]), v)
				if extend(more); !ok {
					return
				}
			}
			return
		}
		communicate(x, 0, func() {
			if visited++; visited > 4_000 {
				ok = false
			}
			if !ok || thinAir && fromThinAir(x) || len(models.Check(m, x)) > 0 {
				return
			}
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
		})
	}
	extend(make([][]uint64, len(p.Threads)))
	return fails, bound, complete, ok
}

// signature tells executions apart: by what is executed and read, and behind a bar by co.
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

package store

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/solver/suites"
)

func seenState(text string, count int64) solver.SeenState {
	var s solver.State
	for _, b := range strings.Fields(text) {
		name, value, _ := strings.Cut(b, "=")
		s = append(s, solver.Binding{Name: name, Value: value})
	}
	return solver.SeenState{State: s, Count: count}
}

// shown is what machines have shown, as text.
func shown(list []solver.MachineRuns) string {
	var out []string
	for _, m := range list {
		line := fmt.Sprintf("%s %d in %d:", m.Name, m.Runs, m.Sessions)
		for _, s := range m.Outcomes {
			line += fmt.Sprintf(" %s%d", s.State.Key(), s.Count)
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}

func hashOf(n byte) []byte { return slices.Repeat([]byte{n}, programBytes) }

func TestObservations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "observations.db")
	s := open(t, path)
	date := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	put := func(o Observation) {
		t.Helper()
		if err := s.PutObservations(t.Context(), []Observation{o}); err != nil {
			t.Fatal(err)
		}
	}
	pc, board := solver.Computer{Name: "pc", Arch: "X86_64", Cores: 2}, solver.Computer{Name: "board"}
	put(Observation{
		Program: hashOf(1), Test: "SB", Machine: pc, Session: "a", Date: date, Runs: 10,
		Outcomes: []solver.SeenState{seenState("0:EAX=0 1:EAX=0", 3), seenState("0:EAX=0 1:EAX=1", 7)},
	})
	put(Observation{ // the same outcomes, with their names in another order
		Program: hashOf(1), Test: "SB", Machine: pc, Session: "b", Date: date.Add(time.Hour), Runs: 5,
		Outcomes: []solver.SeenState{seenState("1:EAX=0 0:EAX=0", 5)},
	})
	again := Observation{
		Program: hashOf(1), Test: "SB", Machine: solver.Computer{Name: "pc", Processor: "P"}, Session: "b",
		Date: date.Add(time.Hour), Runs: 6, Outcomes: []solver.SeenState{seenState("0:EAX=0 1:EAX=0", 6)},
	}
	put(again)
	put(again)
	put(Observation{
		Program: hashOf(1), Test: "SB", Machine: board, Session: "a", Date: date, Runs: 1,
		Outcomes: []solver.SeenState{seenState("0:EAX=1 1:EAX=1", 1)},
	})
	s.Close()

	s = open(t, path)
	got, err := s.Observed(t.Context(), hashOf(1))
	if want := "board 1 in 1: 0:EAX=1;1:EAX=1;1; pc 16 in 2: 0:EAX=0;1:EAX=0;9 0:EAX=0;1:EAX=1;7"; err != nil ||
		shown(got) != want {
		t.Fatalf("got  %s, %v\nwant %s", shown(got), err, want)
	}
	if m := got[1]; m.Arch != "X86_64" || m.Processor != "P" || m.Cores != 2 || !m.First.Equal(date) ||
		!m.Last.Equal(date.Add(time.Hour)) {
		t.Errorf("the machine is %+v", m)
	}
	again.Add = true
	put(again)
	put(again)
	if got, err := s.Observed(t.Context(), hashOf(1)); err != nil ||
		!strings.Contains(shown(got), "pc 28 in 2: 0:EAX=0;1:EAX=0;21") {
		t.Errorf("added twice: %s, %v", shown(got), err)
	}
	if got, err := s.Observed(t.Context(), hashOf(2)); err != nil || len(got) > 0 {
		t.Errorf("another test has %s, %v", shown(got), err)
	}
	if n, err := s.ForgetMachine(t.Context(), "pc"); n != 2 || err != nil {
		t.Errorf("forgot %d sessions, %v", n, err)
	}
	if got, err := s.Observed(t.Context(), hashOf(1)); err != nil || shown(got) != "board 1 in 1: 0:EAX=1;1:EAX=1;1" {
		t.Errorf("left is %s, %v", shown(got), err)
	}
}

// Whatever is stored in whatever order, sums are exact.
func TestObservationsAddUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := open(t, ":memory:")
		defer s.Close()
		sums := map[string]map[string]int64{} // by machine and program, then state
		runs := map[string]int64{}
		for n := range rapid.IntRange(1, 8).Draw(r, "sessions") {
			machine := rapid.SampledFrom([]string{"a", "b"}).Draw(r, "machine")
			program := rapid.SampledFrom([]byte{1, 2}).Draw(r, "program")
			key := fmt.Sprint(machine, program)
			o := Observation{
				Program: hashOf(program), Test: "T", Machine: solver.Computer{Name: machine}, Session: fmt.Sprint(n),
				Date: time.Now(),
			}
			for x := range rapid.IntRange(0, 3).Draw(r, "outcomes") {
				count := rapid.Int64Range(0, math.MaxInt64/64).Draw(r, "count")
				o.Outcomes = append(o.Outcomes, seenState(fmt.Sprint("x=", x), count))
				o.Runs += count
				if sums[key] == nil {
					sums[key] = map[string]int64{}
				}
				sums[key][fmt.Sprintf("x=%d;", x)] += count
			}
			runs[key] += o.Runs
			if err := s.PutObservations(t.Context(), []Observation{o}); err != nil {
				r.Fatal(err)
			}
		}
		all, err := s.ObservedOf(t.Context(), [][]byte{hashOf(1), hashOf(2)})
		if err != nil {
			r.Fatal(err)
		}
		for program, list := range all {
			for _, m := range list {
				key := fmt.Sprint(m.Name, program[0])
				if m.Runs != runs[key] || len(m.Outcomes) != len(sums[key]) {
					r.Errorf("%s: %d runs and %d outcomes, want %d and %d", key, m.Runs, len(m.Outcomes), runs[key],
						len(sums[key]))
				}
				for _, o := range m.Outcomes {
					if want := sums[key][o.State.Key()]; o.Count != want {
						r.Errorf("%s: %s %d times, want %d", key, o.State.Key(), o.Count, want)
					}
				}
				delete(runs, key)
			}
		}
		if len(runs) > 0 {
			r.Errorf("missing: %v", runs)
		}
	})
}

// What does not add up, or is beyond a bound, is refused with the reason, and nothing of it is stored.
func TestObservationsAreBounded(t *testing.T) {
	s := open(t, ":memory:")
	good := func() Observation {
		return Observation{
			Program: hashOf(1), Test: "SB", Machine: solver.Computer{Name: "pc"}, Session: "a", Date: time.Now(),
			Runs: 5, Outcomes: []solver.SeenState{seenState("x=0", 5)},
		}
	}
	for _, x := range []struct {
		want   string
		change func(*Observation)
	}{
		{"more than the 4 runs", func(o *Observation) { o.Runs = 4 }},
		{"negative", func(o *Observation) { o.Outcomes[0].Count = -1 }},
		{"listed twice", func(o *Observation) {
			o.Runs, o.Outcomes = 10, append(o.Outcomes, seenState("x=0", 5))
		}},
		{"no name", func(o *Observation) { o.Machine.Name = "" }},
		{"longer than 64 bytes", func(o *Observation) { o.Machine.Name = strings.Repeat("x", MaxMachineName+1) }},
		{"in one line", func(o *Observation) { o.Machine.Processor = "a\nb" }},
		{"want 1 to 200", func(o *Observation) { o.Session = strings.Repeat("x", MaxSession+1) }},
		{"at most 10000", func(o *Observation) {
			o.Runs = MaxSeen + 1
			o.Outcomes = nil
			for i := range MaxSeen + 1 {
				o.Outcomes = append(o.Outcomes, seenState(fmt.Sprint("x=", i), 1))
			}
		}},
	} {
		o := good()
		x.change(&o)
		err := s.PutObservations(t.Context(), []Observation{good(), o})
		if bad := (*BadObservation)(nil); !errors.As(err, &bad) || !strings.Contains(err.Error(), x.want) {
			t.Errorf("got %v, want %q", err, x.want)
		}
	}
	if got, err := s.Observed(t.Context(), hashOf(1)); err != nil || len(got) > 0 {
		t.Errorf("stored: %s, %v", shown(got), err)
	}
	most := good()
	most.Runs = math.MaxInt64
	more := good()
	more.Session = "b"
	if err := s.PutObservations(t.Context(), []Observation{most}); err != nil {
		t.Fatal(err)
	}
	if err := s.PutObservations(t.Context(), []Observation{more}); err == nil ||
		!strings.Contains(err.Error(), "more runs than a number can count") {
		t.Errorf("beyond an int64: %v", err)
	}
	more.Session, more.Add = "a", true
	if err := s.PutObservations(t.Context(), []Observation{more}); err == nil ||
		!strings.Contains(err.Error(), "more runs than a number can count") {
		t.Errorf("added beyond an int64: %v", err)
	}
	for n := range MaxMachines - 1 {
		o := good()
		o.Machine.Name = fmt.Sprint("m", n)
		if err := s.PutObservations(t.Context(), []Observation{o}); err != nil {
			t.Fatal(err)
		}
	}
	o := good()
	o.Machine.Name = "one more"
	if err := s.PutObservations(t.Context(), []Observation{o}); err == nil ||
		!strings.Contains(err.Error(), "100 machines, which is the limit") {
		t.Errorf("one machine more: %v", err)
	}
}

// An observation without its test's source belongs to no test until somebody supplies the source.
func TestUnattachedObservations(t *testing.T) {
	s := open(t, ":memory:")
	for _, test := range []string{"SB", "MP"} {
		if err := s.PutObservations(t.Context(), []Observation{{
			Test: test, Machine: solver.Computer{Name: "pc"}, Session: "log", Date: time.Now(), Runs: 2,
			Outcomes: []solver.SeenState{seenState("x=0", 2)},
		}}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Unattached(t.Context(), "")
	if err != nil || len(list) != 2 || list[0].Test != "MP" || list[1].Test != "SB" {
		t.Fatalf("got %+v, %v", list, err)
	}
	if got, err := s.Observed(t.Context(), nil); err != nil || len(got) > 0 {
		t.Errorf("a test without a hash has %s, %v", shown(got), err)
	}
	if err := s.Attach(t.Context(), list[1], hashOf(7)); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Observed(t.Context(), hashOf(7)); err != nil || shown(got) != "pc 2 in 1: x=0;2" {
		t.Errorf("attached: %s, %v", shown(got), err)
	}
	if list, err := s.Unattached(t.Context(), "pc"); err != nil || len(list) != 1 || list[0].Test != "MP" {
		t.Errorf("left: %+v, %v", list, err)
	}
}

// A suite's tests find what machines have shown of them, whatever their names and comments.
func TestObservationsOfSuites(t *testing.T) {
	s := open(t, ":memory:")
	const source = "X86 SB\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n"
	test, err := litmus.Parse("", source)
	if err != nil {
		t.Fatal(err)
	}
	hash := litmus.ProgramHash(test)
	other := slices.Clone(hash[:])
	other[0]++
	of := &suites.Suite{
		ID: "s", State: suites.Receiving, Created: time.Now(),
		Request: suites.Request{Models: []suites.Model{{Name: "sc"}}},
	}
	if err := s.CreateSuite(t.Context(), of); err != nil {
		t.Fatal(err)
	}
	if err := s.AddTests(t.Context(), of.Number, []suites.Test{
		{N: 0, Path: "a", Source: "broken"},
		{N: 1, Path: "b", Source: source, Program: hash[:]},
		{N: 2, Path: "c", Source: source, Program: other},
		{N: 3, Path: "d", Source: source, Program: hash[:]},
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.SealSuite(t.Context(), of.Number, "", nil); err != nil {
		t.Fatal(err)
	}
	if of, err = s.Suite(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	if list, err := s.SuiteMachines(t.Context(), of); err != nil || len(list) > 0 {
		t.Errorf("machines before: %v, %v", list, err)
	}
	if err := s.PutObservations(t.Context(), []Observation{{
		Program: hash[:], Test: "another name", Machine: solver.Computer{Name: "pc"}, Session: "x", Date: time.Now(),
		Runs: 4, Outcomes: []solver.SeenState{seenState("x=1", 4)},
	}}); err != nil {
		t.Fatal(err)
	}
	if list, err := s.SuiteMachines(t.Context(), of); err != nil || len(list) != 1 || list[0].Name != "pc" {
		t.Errorf("machines: %v, %v", list, err)
	}
	if list, err := s.SuiteObserved(t.Context(), of); err != nil || !slices.Equal(list, []int{1, 3}) {
		t.Errorf("tests: %v, %v", list, err)
	}
	seen, err := s.SuiteSeen(t.Context(), of, []int{0, 1, 2})
	if err != nil || len(seen) != 1 || shown(seen[1]) != "pc 4 in 1: x=1;4" {
		t.Errorf("seen: %v, %v", seen, err)
	}
}

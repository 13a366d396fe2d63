package pool

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// What the catalogue says of a program, the axiomatic engine and the machine must find. The others, which work in
// rounds, must not contradict it within two rounds. With -short, each build runs under a third of its models; and of
// the engines in rounds, which leave most questions open after seconds, an eighth of these.
func TestCatalogueOfPrograms(t *testing.T) {
	p, err := New(Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	var found, missed atomic.Int32
	t.Cleanup(func() {
		p.Close()
		t.Logf("within two rounds, or one by one: %d answers, %d left open", found.Load(), missed.Load())
	})
	turn := 0
	for _, program := range catalogue.Programs() {
		for _, b := range program.Builds {
			turn++
			t.Run(strings.Join(append([]string{program.Name}, b.Defines...), " "), func(t *testing.T) {
				first, turn := turn, turn
				t.Parallel()
				for i, k := range b.Known {
					if testing.Short() && (i+first)%3 != 0 {
						continue
					}
					for _, e := range engines.All() {
						if !e.VerifiesUnder(k.Model) {
							continue
						}
						options := solver.DefaultOptions()
						if b.Unroll > 0 {
							options.Unroll = b.Unroll
						}
						options.Timeout = 0
						inRounds, oneByOne := e.Heeds("rounds") || e.Heeds("k"), e.Name == "graphs"
						if oneByOne { // of many executions, it is not for this one to see them all
							options.Timeout = time.Second
						}
						if inRounds {
							options.Rounds, options.K, options.Timeout = 2, 1, 5*time.Second
						}
						if inRounds {
							turn++
						}
						if inRounds && (b.Large || testing.Short() && turn%8 != 0) {
							continue
						}
						v, err := solver.Ask(t.Context(), p, solver.VerifyTask{
							Path:    program.File(),
							Files:   []solver.SourceFile{{Name: program.File(), Text: program.Source}},
							Defines: b.Defines,
							Model:   k.Model, Engine: e.Name, Options: e.Heeded(options),
						})
						switch {
						case err != nil:
							t.Fatal(err)
						case inRounds && v.Verdict != solver.Unsafe && v.Status != solver.Failed && !v.Complete,
							oneByOne && (v.Status == solver.Unknown || strings.Contains(v.Error, "engine")):
							missed.Add(1)
						case v.Status != solver.OK || string(v.Verdict) != k.Verdict:
							t.Errorf("under %s by %s: %s; the catalogue says %s", k.Model, e.Name, said(v), k.Verdict)
						case v.Verdict == solver.Unsafe && (v.Failure == nil || v.Failure.Line == 0):
							t.Errorf("under %s by %s: unsafe, and no place", k.Model, e.Name)
						case inRounds, oneByOne:
							found.Add(1)
						case v.MS > 5000:
							t.Logf("under %s by %s: %.1f s", k.Model, e.Name, v.MS/1000)
						}
					}
				}
			})
		}
	}
}

// said is an answer in a line.
func said(v *solver.Verification) string {
	text := fmt.Sprintf("%s %s, complete %v", v.Status, v.Verdict, v.Complete)
	if f := v.Failure; f != nil {
		text += fmt.Sprintf(" (%s:%d: %s: %s)", f.File, f.Line, f.Property, f.Text)
	}
	if why := v.Reason + v.Error; why != "" {
		text += ": " + why
	}
	return text
}

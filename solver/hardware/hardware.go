// Package hardware runs litmus tests on processors. An [Observation] says how often each outcome of a test was seen
// on a [Machine].
//
//	target, err := hardware.Probe(ctx, compiler)
//	job, err := hardware.Admit(path, source, target)
//	err = hardware.Run(ctx, jobs, hardware.Options{…}, func(o hardware.Answer) error { … })
//
// [Run] builds programs of some hundred tests each with a C compiler (litmus/native, litmus/toolchain), starts them,
// and reads their logs. A test that stops its program costs only itself.
//
// An outcome that a machine never shows can still be allowed: an observation forbids nothing. An outcome that a machine
// shows although the model of its architecture forbids it refutes the model, or the processor: [Judge] says which.
//
// It imports litmus, litmus/native, litmus/toolchain, solver and solver/report.
package hardware

import (
	"cmp"
	"slices"
	"time"

	"litmuscope/solver"
)

// Machine describes the computer that ran a test.
type Machine struct {
	Name      string `json:"name"`      // as its owner calls it; the host's name if nobody says otherwise
	Arch      string `json:"arch"`      // as in the headers of tests: X86_64, AArch64, …
	Processor string `json:"processor"` // the processor's own name, or ""
	System    string `json:"system"`    // linux, darwin
	Cores     int    `json:"cores"`     // that the runs could use
}

// Count is an outcome with the number of runs that ended in it.
type Count struct {
	State solver.State `json:"state"`
	N     int64        `json:"count"`
}

// Observation is the result of one test on one machine.
type Observation struct {
	Path    string  `json:"path,omitempty"` // where the test came from
	Test    string  `json:"name"`
	Arch    string  `json:"arch"`   // the test's
	Source  string  `json:"source"` // the test's text
	Machine Machine `json:"machine"`
	Runs    int64   `json:"runs"`
	// Counts are sorted by state, and their numbers add up to Runs.
	Counts   []Count   `json:"counts"`
	Seconds  float64   `json:"seconds"`
	Compiler string    `json:"compiler"` // what built it: "gcc -O2", and its version if it says one
	Date     time.Time `json:"date"`
}

// Sort puts the counts in the order of their states, value by value.
func Sort(counts []Count) {
	slices.SortFunc(counts, func(a, b Count) int {
		return slices.CompareFunc(a.State, b.State, func(x, y solver.Binding) int {
			return cmp.Or(cmp.Compare(len(x.Value), len(y.Value)), cmp.Compare(x.Value, y.Value))
		})
	})
}

// Add returns the sum of two observations of one test on one machine, such as of runs before and after an
// interruption. It has the second's date and compiler.
func Add(a, b Observation) Observation {
	sum := b
	sum.Runs += a.Runs
	sum.Seconds += a.Seconds
	sum.Counts = slices.Clone(b.Counts)
	for _, c := range a.Counts {
		i := slices.IndexFunc(sum.Counts, func(d Count) bool { return slices.Equal(c.State, d.State) })
		if i < 0 {
			sum.Counts = append(sum.Counts, c)
		} else {
			sum.Counts[i].N += c.N
		}
	}
	Sort(sum.Counts)
	return sum
}

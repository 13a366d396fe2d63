package cmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/toolchain"
	"litmuscope/solver"
	"litmuscope/solver/hardware"
	"litmuscope/store"
	explorer "litmuscope/web/pages/explore"
)

// Runs of a visitor's test on the server's machine: at most so many, of so many cells.
const (
	serverRuns = 100
	serverSize = 10_000
)

// printing is the time that a program has to print what it has counted when its time is over.
const printing = 2 * time.Second

// serverMachine runs tests on the server's machine for visitors of the explorer. It implements explorer.NativeRunner.
type serverMachine struct {
	target  hardware.Target
	machine hardware.Machine
}

// newServerMachine returns the machine that serve runs on. cc is the compiler that builds tests.
func newServerMachine(ctx context.Context, cc string) (*serverMachine, error) {
	with, err := toolchain.Parse(cc)
	if err != nil {
		return nil, err
	}
	target, err := hardware.Probe(ctx, with)
	if err != nil {
		return nil, err
	}
	if !target.Here() {
		return nil, fmt.Errorf("%s builds for %s on %s, which is not this machine", cc, target.Arch, target.System)
	}
	return &serverMachine{target, hardware.ThisMachine(target, "")}, nil
}

// Machine implements [explorer.NativeRunner].
func (m *serverMachine) Machine() solver.Computer { return computerOf(m.machine) }

// computerOf is a machine as the database and the pages have it.
func computerOf(m hardware.Machine) solver.Computer {
	return solver.Computer{Name: m.Name, Arch: m.Arch, Processor: m.Processor, System: m.System, Cores: m.Cores}
}

// seenOf are counts as the database and the pages have them.
func seenOf(counts []hardware.Count) []solver.SeenState {
	out := make([]solver.SeenState, len(counts))
	for i, c := range counts {
		out[i] = solver.SeenState{State: c.State, Count: c.N}
	}
	return out
}

// Refuses implements [explorer.NativeRunner].
func (m *serverMachine) Refuses(arch string) string {
	if m.target.Runs(arch) {
		return ""
	}
	return fmt.Sprintf("it is for %s, and the machine is %s", arch, m.target.Arch)
}

// Run implements [explorer.NativeRunner].
func (m *serverMachine) Run(ctx context.Context, source string) (store.Observation, error) {
	var out store.Observation
	job, err := hardware.Admit("test", source, m.target)
	if list := litmus.ErrorList(nil); errors.As(err, &list) && len(list) > 0 {
		return out, &explorer.NativeRefusal{Msg: placed(list[0])}
	} else if one := (*litmus.Error)(nil); errors.As(err, &one) {
		return out, &explorer.NativeRefusal{Msg: placed(one)}
	} else if err != nil {
		return out, &explorer.NativeRefusal{Msg: err.Error()}
	}
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end.Add(-printing))
		defer cancel()
	}
	var failed error
	err = hardware.Run(ctx, []hardware.Job{job}, hardware.Options{
		Target: m.target, Machine: m.machine, Runs: serverRuns, Size: serverSize, Limit: explorer.NativeTime,
	}, func(o hardware.Answer) error {
		failed = o.Err
		if o.Log != "" {
			out.Runs, out.Outcomes, out.Date = o.Observation.Runs, seenOf(o.Observation.Counts), o.Observation.Date
		}
		return nil
	})
	switch {
	case err != nil:
		return out, err
	case out.Runs > 0:
		return out, nil
	case failed != nil:
		return out, &explorer.NativeRefusal{Msg: failed.Error()}
	case ctx.Err() != nil:
		return out, ctx.Err()
	}
	return out, errors.New("BUG: the test has neither run nor failed")
}

// placed is an error with its line and column.
func placed(e *litmus.Error) string {
	if e.Pos.Line == 0 {
		return e.Msg
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Pos.Line, e.Pos.Col, e.Msg)
}

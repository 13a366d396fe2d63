package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"litmuscope/solver"
	"litmuscope/solver/pool"
)

func TestInterruptible(t *testing.T) {
	got, err := io.ReadAll(interruptible(t.Context(), strings.NewReader("X86 SB")))
	if string(got) != "X86 SB" || err != nil {
		t.Errorf("%q, %v", got, err)
	}

	silent, _ := io.Pipe() // nobody writes
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := io.ReadAll(interruptible(ctx, silent)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Every option of the table has a flag, which sets it.
func TestOptionFlags(t *testing.T) {
	var o solver.Options
	flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
	optionFlags(flags, &o)
	if o != solver.DefaultOptions() {
		t.Errorf("defaults: %+v", o)
	}
	for _, opt := range solver.OptionTable {
		if flags.Lookup(opt.Name) == nil {
			t.Errorf("no flag for %s", opt.Name)
		}
	}
	err := flags.Parse([]string{"--timeout", "1m30s", "--unroll=4", "--acyclicity", "clocks", "--witnesses"})
	if err != nil || o.Timeout != 90*time.Second || o.Unroll != 4 || o.Acyclicity != "clocks" || !o.Witnesses {
		t.Errorf("%+v, %v", o, err)
	}
}

// Options and titles know engines by their names only.
func TestOptionsOfEngines(t *testing.T) {
	heeded := map[string][]string{} // by engine: its options
	for _, opt := range solver.OptionTable {
		for _, name := range opt.Engines {
			heeded[name] = append(heeded[name], opt.Name)
			if _, err := pool.Engine(name); err != nil {
				t.Errorf("option %s: %v", opt.Name, err)
			}
		}
	}
	const sb = "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n"
	for _, name := range pool.Engines() {
		if engineTitles[name] == "" {
			t.Errorf("%s has no title", name)
		}
		r, err := pool.Local{}.Run(t.Context(), solver.Task{Source: sb, Engine: name, Options: solver.DefaultOptions()})
		if err != nil || r.Status != solver.OK {
			t.Errorf("%s: %+v, %v", name, r, err)
			continue
		}
		for _, b := range r.Bounds {
			if !slices.Contains(heeded[name], b.Name) {
				t.Errorf("%s has the bound %s, and no option for it", name, b.Name)
			}
		}
		if bounded := slices.Contains(heeded[name], "least"); bounded != (len(r.Bounds) > 0) {
			t.Errorf("%s has bounds: %v; it heeds --least: %v", name, len(r.Bounds) > 0, bounded)
		}
	}
}

package cmd

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"litmuscope/solver"
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
	optionFlags(flags, &o, solver.OptionTable)
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

package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/suite"
	"litmuscope/solver/batch"
)

// nameFlags are the flags of the name command.
type nameFlags struct {
	format string
}

func nameCommand() *cobra.Command {
	var f nameFlags
	c := &cobra.Command{
		Use:   "name [flags] PATH...",
		Short: "Find the cycles that tests ask about, and name them by the field's convention",
		Long: `Find the cycle of program order and communications that each test's condition asks
about, whatever the test is called, and print the test's path, its name by the field's
convention (SB, MP+lwsync+addr, WRC+sync+addr) and the cycle in diyone7's words.

The name stands where the test is the one that gen makes of the cycle: with the same
accesses, fences, dependencies and condition, up to what threads, registers and
locations are called, which values tell writes apart, and how instructions are spelled.
Another test that contains the cycle has a - there.

A PATH is one that run takes. What a test's doc string or its name says is not looked
at. A test may have no cycle: threads that take turns end as its condition asks, or no
execution does. It may run in too many ways to look at all of them. That is said at
the condition.

Exit status: 0 when every test has a cycle, 1 when some have none or cannot be read,
2 when the command line is wrong.`,
		Example: `  litmuscope name SB.litmus
  litmuscope name tests/ suite.zip
  litmuscope name -f jsonl @all > names.jsonl
  litmuscope gen --arch PPC Rfe SyncdRW Rfe DpAddrdR Fre | litmuscope name -`,
		Args: some("name", "a test, a folder, @LIST, an archive or -"),
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := untilInterrupted(c.Context())
			defer stop()
			return f.name(ctx, os.Stdout, os.Stderr, args)
		},
	}
	formatFlag(c, &f.format, "output format", textOrLines)
	return c
}

// named is what the name command finds out about a test.
type named struct {
	Path  string `json:"path"`
	Test  string `json:"test,omitempty"` // the name that it has
	Name  string `json:"name,omitempty"` // the cycle's, where the test is the one of the cycle
	Cycle string `json:"cycle,omitempty"`
	Error string `json:"error,omitempty"`
}

// name is the name command. Every error but errNotAll is the user's.
func (f *nameFlags) name(ctx context.Context, out, failures io.Writer, paths []string) error {
	if err := checkFormat(f.format, textOrLines); err != nil {
		return err
	}
	all := true
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	err := batch.InOrder(ctx, runtime.NumCPU(), suite.Collect(ctx, paths, os.Stdin),
		func(_ context.Context, e suite.Entry) named { return find(e) },
		func(n named) (err error) {
			all = all && n.Error == ""
			switch {
			case f.format == "jsonl":
				err = lines.Encode(n)
			case n.Error != "":
				fmt.Fprintln(failures, "litmuscope:", n.Error)
			default:
				_, err = fmt.Fprintf(out, "%s\t%s\t%s\n", n.Path, cmp.Or(n.Name, "-"), n.Cycle)
			}
			return err
		})
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(failures, "litmuscope: interrupted")
		return errNotAll
	case err != nil:
		return err
	case !all:
		return errNotAll
	}
	return nil
}

// find finds the cycle of a test.
func find(e suite.Entry) named {
	n := named{Path: e.Path}
	if e.Err != nil {
		n.Error = e.Err.Error()
		return n
	}
	t, err := litmus.Parse(e.Path, e.Source)
	if err == nil {
		n.Test = t.Name
		var c cycle.Cycle
		if c, err = cycle.Of(t); err == nil {
			n.Cycle = c.String()
			if c.IsOf(t) {
				n.Name = c.Name()
			}
		}
	}
	if err != nil {
		n.Error = err.Error()
	}
	return n
}

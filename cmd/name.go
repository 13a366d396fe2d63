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

// nameCommand returns the name command.
func nameCommand() *cobra.Command {
	var f nameFlags
	c := &cobra.Command{
		Use:   "name [flags] PATH...",
		Short: "Find the cycles that tests ask about, and print their conventional names",
		Long: `Find the cycle of program order and communications that each test's condition asks about.
For each test, print its path, its conventional name (SB, MP+lwsync+addr, WRC+sync+addr)
and the cycle as written for diyone7. The command ignores the name and the doc string in
the test.

The command prints the name if the test is the one that gen makes from the cycle: it has
the same accesses, fences, dependencies and condition. The names of threads, registers and
locations, the values that distinguish writes, and the spelling of instructions may
differ. For another test that contains the cycle, it prints - instead of the name.

A PATH is any that run accepts. A test may have no cycle: some interleaving satisfies its
condition, or no execution does. A test may also have too many executions to search all of
them. An error at the condition says which.

Exit status: 0 when every test has a cycle, 1 when some have none or cannot be read,
2 when the command line is wrong.`,
		Example: `  litmuscope name SB.litmus
  litmuscope name tests/ suite.zip
  litmuscope name -f jsonl @all > names.jsonl
  litmuscope gen --arch PPC Rfe SyncdRW Rfe DpAddrdR Fre | litmuscope name -`,
		Args: atLeastOne("name", "a test, a folder, @LIST, an archive or -"),
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := untilInterrupted(c.Context())
			defer stop()
			return f.name(ctx, os.Stdout, os.Stderr, args)
		},
	}
	formatFlag(c, &f.format, "output `FORMAT`", textOrLines)
	return c
}

// named is the name command's answer for one test.
type named struct {
	Path  string `json:"path"`
	Test  string `json:"test,omitempty"` // the name in the test
	Name  string `json:"name,omitempty"` // the cycle's name, if the test is the one that gen makes from the cycle
	Cycle string `json:"cycle,omitempty"`
	Error string `json:"error,omitempty"`
}

// name runs the name command. Every error except errNotAll is for the user to fix.
func (f *nameFlags) name(ctx context.Context, out, failures io.Writer, paths []string) error {
	if err := checkFormat(f.format, textOrLines); err != nil {
		return err
	}
	all := true
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	err := batch.InOrder(ctx, runtime.NumCPU(), suite.Collect(ctx, paths, os.Stdin),
		func(_ context.Context, e suite.Entry) named { return findCycle(e) },
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

// findCycle finds the cycle of a test. Errors are in the answer.
func findCycle(e suite.Entry) named {
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

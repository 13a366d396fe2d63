package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"litmuscope/solver/compare"
	"litmuscope/solver/report"
)

// compareFlags are the flags of the compare command.
type compareFlags struct {
	format  string
	only    []string
	models  [2]string
	engines [2]string
}

func compareCommand() *cobra.Command {
	var f compareFlags
	var kinds, formats []string
	var list strings.Builder
	for _, k := range compare.Kinds {
		kinds = append(kinds, string(k.Kind))
		fmt.Fprintf(&list, "  %-15s %s\n", k.Kind, k.Text)
	}
	for _, format := range compare.Formats {
		formats = append(formats, format.Name)
	}
	c := &cobra.Command{
		Use:   "compare [flags] A [B]",
		Short: "Compare two logs: runs, models, engines, or a machine and a model",
		Long: `Compare two logs test by test, and say what differs.

A and B are files, or - for standard input: JSON lines (run -f jsonl), or a log of
herd7 (run -f herd, or its own) or of litmus7, told apart by what is in them. Without
B, two models or two engines of A are compared.

A test is known by its name, or by its path where several have the name. Models have
to be the same where A and B have any in common; a log that does not say its model is
compared with each of the other's. The kinds of differences are

` + list.String() + `
of which unseen and unanswered do not count as different unless asked for by --only.
A state that a machine has seen is called forbidden only where the model's list of
states is whole, and no bound hides any.

Exit status: 0 when they are the same, 1 when they differ, 2 when the command line is
wrong or a log cannot be read.`,
		Example: `  litmuscope compare before.jsonl after.jsonl
  litmuscope compare --only seen-forbidden raspberry.log aarch64.jsonl
  litmuscope compare --model-a sc --model-b tso all.jsonl
  litmuscope run -f jsonl tests | litmuscope compare -f jsonl expected.jsonl -`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error { return f.compare(c.Context(), args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	formatFlag(c, &f.format, "output format", formats)
	flags.StringSliceVar(&f.only, "only", nil, "tell, and count as different, these kinds alone")
	for i, side := range []string{"a", "b"} {
		flags.StringVar(&f.models[i], "model-"+side, "",
			"of "+strings.ToUpper(side)+", only the rows under this model, whatever the other side's")
	}
	for i, side := range []string{"a", "b"} {
		flags.StringVar(&f.engines[i], "engine-"+side, "",
			"of "+strings.ToUpper(side)+", only the rows by this engine, whatever the other side's")
	}
	complete(c, "only", kinds)
	return c
}

// compare is the compare command. Every error but errNotAll is the user's.
func (f *compareFlags) compare(ctx context.Context, args []string) error {
	var out compare.Writer
	for _, format := range compare.Formats {
		if format.Name == f.format {
			out = format.New(os.Stdout)
		}
	}
	if out == nil {
		return fmt.Errorf("unknown format %q: want text or jsonl", f.format)
	}
	var only []compare.Kind
	for _, name := range f.only {
		kind, ok := compare.Find(name)
		if !ok {
			return fmt.Errorf("--only: there is no kind of difference %q (see litmuscope compare --help)", name)
		}
		only = append(only, kind)
	}
	if len(args) == 1 {
		if f.models[0] == f.models[1] && f.engines[0] == f.engines[1] {
			return fmt.Errorf("compare: want a second log, or two models or engines of %s: --model-a, --model-b, "+
				"--engine-a, --engine-b", args[0])
		}
		args = append(args, args[0])
	}
	if args[0] == "-" && args[1] == "-" {
		return fmt.Errorf("compare: standard input can be but one of the logs")
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()

	var sides [2]compare.Side
	for i, name := range args {
		in := io.Reader(nil)
		if name == "-" {
			in, name = interruptible(ctx, os.Stdin), "standard input"
		} else {
			file, err := os.Open(name)
			if err != nil {
				return err
			}
			defer file.Close()
			in = file
		}
		sides[i] = compare.Side{Rows: report.NewReader(name, in), Model: f.models[i], Engine: f.engines[i]}
	}
	totals, err := compare.Run(ctx, sides[0], sides[1], func(d compare.Difference) error {
		if len(only) > 0 && !slices.Contains(only, d.Kind) {
			return nil
		}
		return out.Difference(d)
	})
	if err != nil {
		return err
	}
	for i, name := range args {
		switch {
		case totals.Rows[i] > 0:
		case f.models[i] != "":
			return fmt.Errorf("%s has no row under the model %q", name, f.models[i])
		case f.engines[i] != "":
			return fmt.Errorf("%s has no row by the engine %q", name, f.engines[i])
		}
	}
	if err := out.Close(totals); err != nil {
		return err
	}
	if totals.Different(only...) {
		return errNotAll
	}
	return nil
}

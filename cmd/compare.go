package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
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
	pairs   []string
	engines [2]string
}

// compareCommand returns the compare command.
func compareCommand() *cobra.Command {
	var f compareFlags
	var kinds, formats []string
	var list strings.Builder
	for _, k := range compare.Kinds {
		kinds = append(kinds, string(k.Kind))
		fmt.Fprintf(&list, "    %-15s %s\n", k.Kind, k.Text)
	}
	for _, format := range compare.Formats {
		formats = append(formats, format.Name)
	}
	c := &cobra.Command{
		Use:   "compare [flags] A [B]",
		Short: "Compare two logs: runs, models, engines, or a machine and a model",
		Long: `Compare two logs test by test, and print the differences.

A and B are files, or - for standard input. A log contains JSON lines (run -f jsonl), or
it is a log of herd7 (also run -f herd) or of litmus7; the command recognises which.
Without B, the command compares two models or two engines of A.

The command matches tests by name, or by path where several tests have the same name.
If A and B have models in common, it compares only rows of the same model. It compares
a log that does not name its model with each model of the other log. --pair sc=tso
compares the rows of A under sc with those of B under tso; it can be repeated.

The kinds of differences are

` + list.String() + `
A test is missing only if the log has no row of it. --only error-a includes limit-a.
The kinds unseen and unanswered do not make the logs different unless --only names them.
A state that a machine has seen counts as forbidden only if the model's list of states is
complete: no bound may have hidden a state.

Exit status: 0 when the logs are the same, 1 when they differ, 2 when the command line
is wrong or a log cannot be read.`,
		Example: `  litmuscope compare before.jsonl after.jsonl
  litmuscope compare --only seen-forbidden raspberry.log aarch64.jsonl
  litmuscope compare --model-a sc --model-b tso all.jsonl
  litmuscope run -f jsonl tests | litmuscope compare -f jsonl expected.jsonl -`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error { return f.compare(c.Context(), args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	formatFlag(c, &f.format, "output `FORMAT`", formats)
	flags.StringSliceVar(&f.only, "only", nil, "print and count only differences of these kinds")
	for i, side := range []string{"a", "b"} {
		flags.StringVar(&f.models[i], "model-"+side, "",
			"compare only the rows of "+strings.ToUpper(side)+" under this model, with any model of the other log")
	}
	flags.StringSliceVar(&f.pairs, "pair", nil,
		"compare the rows of A under model `X` with those of B under model Y, as X=Y; repeatable")
	for i, side := range []string{"a", "b"} {
		flags.StringVar(&f.engines[i], "engine-"+side, "",
			"compare only the rows of "+strings.ToUpper(side)+" from this engine, with any engine of the other log")
	}
	complete(c, "only", kinds)
	return c
}

// compare runs the compare command. Every error except errNotAll is for the user to fix.
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
			return fmt.Errorf("--only: unknown kind of difference %q (see litmuscope compare --help)", name)
		}
		only = append(only, kind)
	}
	pairs, err := f.modelPairs()
	if err != nil {
		return err
	}
	if len(args) == 1 {
		if f.models[0] == f.models[1] && f.engines[0] == f.engines[1] && len(f.pairs) == 0 {
			return fmt.Errorf("compare: want a second log, or two models or engines of %s: --model-a, --model-b, "+
				"--pair, --engine-a, --engine-b", args[0])
		}
		args = append(args, args[0])
	}
	if args[0] == "-" && args[1] == "-" {
		return fmt.Errorf("compare: only one of the logs can be standard input")
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
		sides[i] = compare.Side{
			Rows:   report.NewReader(name, in),
			Model:  f.models[i],
			Models: pairs[i],
			Engine: f.engines[i],
		}
	}
	totals, err := compare.Run(ctx, sides[0], sides[1], func(d compare.Difference) error {
		if !d.Kind.In(only) {
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
		case len(pairs[i]) > 0:
			return fmt.Errorf("%s has no row under the models of --pair: %s", name, strings.Join(pairs[i], ", "))
		case f.engines[i] != "":
			return fmt.Errorf("%s has no row from the engine %q", name, f.engines[i])
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

// modelPairs splits the pairs X=Y into the models of A and those of B.
func (f *compareFlags) modelPairs() (out [2][]string, err error) {
	if len(f.pairs) > 0 && (f.models[0] != "" || f.models[1] != "") {
		return out, fmt.Errorf("compare: want --pair, or --model-a and --model-b, not both")
	}
	for _, p := range f.pairs {
		a, b, ok := strings.Cut(p, "=")
		if !ok || a == "" || b == "" {
			return out, fmt.Errorf("--pair: got %q, want two models as X=Y", p)
		}
		out[0], out[1] = append(out[0], a), append(out[1], b)
	}
	return out, nil
}

package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/suite"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/report"
)

// exploreFlags are the flags of the explore command.
type exploreFlags struct {
	model   string
	format  string
	most    int
	defines []string
	unroll  int
}

func exploreCommand() *cobra.Command {
	var f exploreFlags
	c := &cobra.Command{
		Use:   "explore [flags] PATH",
		Short: "Show how the engine graphs goes through the executions of a test or a program",
		Long: `Show how the engine graphs goes through the executions of a litmus test, or of a
program in C, as a tree of execution graphs: each has some events more than the one
that it hangs on. A write that comes later than a read that could have taken its value
revisits it, along a dashed line. Graphs that the model does not allow, and those in
which a thread waits for ever, are marked.

That is so under models that keep program order and reads-from without cycles. With no
model, it is the test's own if it is one of these, or else sc.

Exit status: 0 when there is a tree, 1 when the test cannot be explored so, 2 when the
command line is wrong.`,
		Example: `  litmuscope explore SB.litmus
  litmuscope explore -m rc11 -f dot mutex.c | dot -Tsvg > mutex.svg`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return f.explore(c.Context(), c.OutOrStdout(), os.Stderr, args[0])
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.model, "model", "m", "", "model: a name, or a .cat file")
	complete(c, "model", models.Names())
	formatFlag(c, &f.format, "output format", report.TourFormats)
	flags.IntVar(&f.most, "most", 200, "how many graphs to show")
	flags.IntVar(&f.unroll, "unroll", solver.DefaultOptions().Unroll,
		"rounds of a loop whose end is not known in advance")
	flags.StringArrayVarP(&f.defines, "define", "D", nil,
		"define a macro of a program, NAME or NAME=VALUE; may be given several times")
	return c
}

// explore is the explore command. Every error but errNotAll is the user's.
func (f *exploreFlags) explore(ctx context.Context, out, failures io.Writer, path string) error {
	if err := checkFormat(f.format, report.TourFormats); err != nil {
		return err
	}
	if f.most < 1 {
		return fmt.Errorf("--most: got %d, want 1 or more", f.most)
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	t := solver.Task{Path: path, Model: f.model, Options: solver.DefaultOptions()}
	t.Options.Unroll = f.unroll
	if err := modelFile(&t); err != nil {
		return err
	}
	q := engines.Touring{Most: f.most, At: -1}
	if ext := filepath.Ext(path); ext == ".c" || ext == ".i" {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		q.Program = &solver.VerifyTask{
			Path:  filepath.ToSlash(path),
			Files: []solver.SourceFile{{Name: filepath.ToSlash(path), Text: string(text)}}, Defines: f.defines,
			Model: f.usual("C"), ModelText: t.ModelText, ModelFiles: t.ModelFiles, Options: t.Options,
		}
		if q.Program.Include, err = suite.Includes(map[string]string{q.Program.Path: string(text)}, nil,
			f.defines); err != nil {
			return err
		}
	} else {
		for e := range suite.Collect(ctx, []string{path}, stdin(ctx, []string{path})) {
			if q.Test != nil {
				return fmt.Errorf("%s has several tests, and one is explored at a time", path)
			}
			if e.Err != nil {
				return e.Err
			}
			t.Source, t.Model = e.Source, f.usual(dialect.Tongue(e.Source))
			q.Test = &t
		}
		if q.Test == nil {
			return fmt.Errorf("%s has no test", path)
		}
	}
	tour, err := engines.TourWithin(ctx, q)
	if err != nil {
		fmt.Fprintln(failures, "litmuscope:", err)
		return errNotAll
	}
	return report.Tour(f.format, out, tour)
}

// usual is the model asked for, or the usual one of a tongue.
func (f *exploreFlags) usual(tongue string) string {
	known := engines.TourModels(tongue)
	switch own := models.Default(tongue); {
	case f.model != "":
		return f.model
	case slices.Contains(known, own):
		return own
	}
	return "sc"
}

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

// exploreCommand returns the explore command.
func exploreCommand() *cobra.Command {
	var f exploreFlags
	c := &cobra.Command{
		Use:   "explore [flags] PATH",
		Short: "Show how the graphs engine explores the executions of a test or a program",
		Long: `Show how the graphs engine explores the executions of a litmus test or a C program.

The result is a tree of execution graphs. Each graph adds events to its parent. When a
write is added after a read that could have read from it, the write revisits the read;
a dashed line shows this. The tree marks graphs that the model forbids and graphs in which
a thread waits forever.

The model must forbid cycles of program order and reads-from. Without --model, the command
uses the test's own model if that is one of these, otherwise sc.

Exit status: 0 when there is a tree, 1 when the graphs engine cannot explore the test, 2
when the command line is wrong.`,
		Example: `  litmuscope explore SB.litmus
  litmuscope explore -m rc11 -f dot mutex.c | dot -Tsvg > mutex.svg`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return f.explore(c.Context(), c.OutOrStdout(), os.Stderr, args[0])
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.model, "model", "m", "",
		"explore under this `MODEL`: a name or a .cat file (default the test's own, or sc)")
	complete(c, "model", models.AllNames())
	formatFlag(c, &f.format, "output `FORMAT`", report.TourFormats)
	flags.IntVar(&f.most, "most", 200, "largest number of graphs to show")
	flags.IntVar(&f.unroll, "unroll", solver.DefaultOptions().Unroll,
		"iterations of a loop without a known bound")
	flags.StringArrayVarP(&f.defines, "define", "D", nil,
		"define a macro of a C program, `NAME[=VALUE]`; may be given several times")
	return c
}

// explore runs the explore command. Every error except errNotAll is for the user to fix.
func (f *exploreFlags) explore(ctx context.Context, out, failures io.Writer, path string) error {
	if err := checkFormat(f.format, report.TourFormats); err != nil {
		return err
	}
	if f.most < 1 {
		return fmt.Errorf("--most: %d is out of range (1 or more)", f.most)
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
			Model: f.chosenModel("C"), ModelText: t.ModelText, ModelFiles: t.ModelFiles, Options: t.Options,
		}
		if q.Program.Include, err = suite.Includes(map[string]string{q.Program.Path: string(text)}, nil,
			f.defines); err != nil {
			return err
		}
	} else {
		for e := range suite.Collect(ctx, []string{path}, stdin(ctx, []string{path})) {
			if q.Test != nil {
				return fmt.Errorf("%s contains several tests: want one", path)
			}
			if e.Err != nil {
				return e.Err
			}
			t.Source, t.Model = e.Source, f.chosenModel(dialect.Tongue(e.Source))
			q.Test = &t
		}
		if q.Test == nil {
			return fmt.Errorf("%s contains no test", path)
		}
	}
	tour, err := engines.TourWithin(ctx, q)
	if err != nil {
		fmt.Fprintln(failures, "litmuscope:", err)
		return errNotAll
	}
	return report.Tour(f.format, out, tour)
}

// chosenModel returns the model of --model. Without it, it returns the default model of an architecture or language if
// the graphs engine can explore under that model, otherwise sc.
func (f *exploreFlags) chosenModel(language string) string {
	supported := engines.TourModels(language)
	switch own := models.Default(language); {
	case f.model != "":
		return f.model
	case slices.Contains(supported, own):
		return own
	}
	return "sc"
}

package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"litmuscope/solver"
	"litmuscope/web/parts/glossary"
	"litmuscope/web/teaching/lesson"
)

// lessonsCommand returns the lessons command.
func lessonsCommand() *cobra.Command {
	var every bool
	c := &cobra.Command{
		Use:   "lessons [flags] [FOLDER]",
		Short: "Check the claims and links of lessons",
		Long: `Check the claims and links of lessons: those in a folder, or the built-in ones.

The engine checks the verdicts, goals and solutions that the lessons state. The command
also checks that every link has a target. The manual's page lessons.md is the author's
guide.

Exit status: 0 when everything is correct, 1 when something is wrong, 2 when the command
line is wrong.`,
		Example: `  litmuscope lessons my-course
  litmuscope lessons --every`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dir := ""
			if len(args) > 0 {
				dir = args[0]
			}
			return checkLessons(c.Context(), c.OutOrStdout(), dir, every)
		},
	}
	c.Flags().BoolVar(&every, "every", false,
		"check with every engine that supports the model, not only the default one")
	return c
}

// checkLessons prints the faults of the lessons in a folder, or of the built-in lessons if dir is empty. It returns
// errNotAll if there are any.
func checkLessons(ctx context.Context, out io.Writer, dir string, every bool) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	library, err := lesson.NewLibrary(dir, glossary.LessonTerms)
	if err != nil {
		return err
	}
	list, own := library.All()
	if dir != "" {
		list = own
	}
	if len(list) == 0 {
		return fmt.Errorf("%s contains no lessons: want files with names like 01-fences.md", dir)
	}
	r, end, err := newRunner(ctx, runtime.NumCPU(), "")
	if err != nil {
		return err
	}
	defer end()
	wrong, items := 0, 0
	for _, e := range list {
		faults := slices.Concat(e.Faults, e.Broken)
		if len(e.Faults) == 0 {
			more, err := lesson.CheckClaims(ctx, r, e.Lesson, every)
			if err != nil {
				return err
			}
			faults = append(faults, more...)
		}
		for _, f := range faults.Sorted() {
			fmt.Fprintln(out, f)
		}
		wrong += len(faults)
		items += checkedItems(e.Lesson)
	}
	if wrong > 0 {
		return errNotAll
	}
	_, err = fmt.Fprintf(out, "%s, %s: no faults found.\n", solver.Count(len(list), "lesson"),
		solver.Count(items, "test"))
	return err
}

// checkedItems counts the claims and exercises of a lesson that an engine checks.
func checkedItems(l *lesson.Lesson) int {
	n := len(l.Claims)
	for _, b := range l.Blocks {
		switch b.(type) {
		case *lesson.Test, *lesson.Exercise, *lesson.Mappings, *lesson.Log:
			n++
		}
	}
	return n
}

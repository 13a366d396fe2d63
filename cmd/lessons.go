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

func lessonsCommand() *cobra.Command {
	var every bool
	c := &cobra.Command{
		Use:   "lessons [flags] [FOLDER]",
		Short: "Hold lessons to their word",
		Long: `Read the lessons of a folder, or those of the program, and have the engine decide
what they say: verdicts, goals and solutions, and that their links lead somewhere.
The manual's page lessons.md is the author's guide.

Exit status: 0 when all is so, 1 when something is not, 2 when the command line is wrong.`,
		Example: `  litmuscope lessons my-course
  litmuscope lessons --every`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dir := ""
			if len(args) > 0 {
				dir = args[0]
			}
			return holdLessons(c.Context(), c.OutOrStdout(), dir, every)
		},
	}
	c.Flags().BoolVar(&every, "every", false, "ask all engines that answer for a model, not the usual one alone")
	return c
}

// holdLessons prints what is wrong with the lessons of a folder, or of the program.
func holdLessons(ctx context.Context, out io.Writer, dir string, every bool) error {
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
		return fmt.Errorf("%s has no lessons: they are files like 01-fences.md", dir)
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
			more, err := lesson.Hold(ctx, r, e.Lesson, every)
			if err != nil {
				return err
			}
			faults = append(faults, more...)
		}
		for _, f := range faults.Sorted() {
			fmt.Fprintln(out, f)
		}
		wrong += len(faults)
		items += tests(e.Lesson)
	}
	if wrong > 0 {
		return errNotAll
	}
	_, err = fmt.Fprintf(out, "%s, %s: all is as they say.\n", solver.Count(len(list), "lesson"),
		solver.Count(items, "test"))
	return err
}

// tests counts what an engine decides in a lesson.
func tests(l *lesson.Lesson) int {
	n := len(l.Claims)
	for _, b := range l.Blocks {
		switch b.(type) {
		case *lesson.Test, *lesson.Exercise, *lesson.Mappings, *lesson.Log:
			n++
		}
	}
	return n
}

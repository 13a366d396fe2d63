package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/web/glossary"
	"litmuscope/web/lesson"
	"litmuscope/web/syllabus"
)

func courseCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "course",
		Short: "Courses: check them, make codes, print grades",
		Long: `A course is a folder that a lecturer keeps: weeks with lessons, sheets of exercises
that students hand in by a code, and are judged by the engine. litmuscope serve
--course shows it. LESSONS.md, under "A course", tells what is in the folder.`,
	}
	c.AddCommand(courseExample(), courseCheck(), courseCodes())
	return c
}

func courseExample() *cobra.Command {
	var begins string
	c := &cobra.Command{
		Use:     "example [flags] FOLDER",
		Short:   "Write out a course of eight weeks, to begin with",
		Long:    "Write out a course of eight weeks, which uses the program's lessons, with codes for three students.",
		Example: "  litmuscope course example my-course\n  litmuscope course example --begins 2027-04-12 my-course",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			at := monday(time.Now())
			if begins != "" {
				var err error
				if at, err = time.Parse(time.DateOnly, begins); err != nil {
					return fmt.Errorf("--begins: want a day, 2027-04-12: got %q", begins)
				}
			}
			return syllabus.WriteExample(args[0], at)
		},
	}
	c.Flags().StringVar(&begins, "begins", "", "the first day of the first week (default this week's Monday)")
	return c
}

// monday is the first day of a time's week.
func monday(now time.Time) time.Time {
	y, m, d := now.Date()
	return time.Date(y, m, d-(int(now.Weekday())+6)%7, 0, 0, 0, 0, time.UTC)
}

func courseCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FOLDER",
		Short: "Hold a course to its word",
		Long: `Read a course and have the engine decide what its sheets and its own lessons say:
that no exercise is done from the start, and that its solution does it.

Exit status: 0 when all is so, 1 when something is not, 2 when the command line is wrong.`,
		Example: "  litmuscope course check my-course",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return checkCourse(c.Context(), c.OutOrStdout(), args[0])
		},
	}
}

// readCourse reads the course in a folder, with the lessons that it may have. Its errors, if they are no
// [litmus.ErrorList], are not about what it says.
func readCourse(dir string) (*syllabus.Course, *lesson.Library, error) {
	library, err := lesson.NewLibrary(syllabus.LessonsOf(dir), glossary.LessonTerms())
	if err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	course, err := syllabus.Read(root.FS(), library)
	return course, library, err
}

// checkCourse prints what is wrong with a course.
func checkCourse(ctx context.Context, out io.Writer, dir string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	course, library, err := readCourse(dir)
	if course == nil {
		return err
	}
	r, end, err2 := newRunner(ctx, runtime.NumCPU(), "")
	if err2 != nil {
		return err2
	}
	defer end()
	faults := litmus.Errors(err)
	more, err := syllabus.Hold(ctx, r, course)
	if err != nil {
		return err
	}
	faults = append(faults, more...)
	_, own := library.All()
	for _, e := range own {
		held, err := lesson.Hold(ctx, r, e.Lesson, false)
		if err != nil {
			return err
		}
		for _, f := range slices.Concat(e.Faults, e.Broken, held) {
			f.Pos.File = filepath.Join(syllabus.LessonsDir, f.Pos.File)
			faults = append(faults, f)
		}
	}
	for _, f := range faults.Sorted() {
		fmt.Fprintln(out, f)
	}
	if len(faults) > 0 {
		return errNotAll
	}
	exercises, points := 0, 0
	for _, a := range course.Assignments() {
		exercises, points = exercises+len(a.Exercises), points+a.Of()
	}
	_, err = fmt.Fprintf(out, "%s, %s, %s, %s: all is as they say.\n", solver.Count(len(course.Weeks), "week"),
		solver.Count(exercises, "exercise"), solver.Count(points, "point"), solver.Count(len(course.Students), "student"))
	return err
}

func courseCodes() *cobra.Command {
	var students int
	c := &cobra.Command{
		Use:   "codes [flags] FOLDER",
		Short: "Make codes for the students of a course",
		Long: `Make a code for each student of the course's roster.csv who has none, and write it
there. Without such a file, --students makes one.

A code is all that it takes to hand in: keep the file to yourself, and give each
student the code in their line. To replace a code, take it out and make it anew.`,
		Example: "  litmuscope course codes my-course\n  litmuscope course codes --students 40 my-course",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			root, err := os.OpenRoot(args[0])
			if err != nil {
				return err
			}
			defer root.Close()
			roster, err := syllabus.ReadRoster(root.FS())
			if err != nil {
				return err
			}
			made, err := roster.AddCodes(students)
			if err != nil {
				return err
			}
			if made > 0 {
				if err := replaceFile(root, syllabus.RosterFile, roster.String()); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s in %s\n", solver.Count(made, "new code"), filepath.Join(args[0], syllabus.RosterFile))
			return err
		},
	}
	c.Flags().IntVar(&students, "students", 0, "write a roster with so many students, student-01 and on, where there is none")
	return c
}

// replaceFile writes a file, of which there is the old or the new at any time, for its owner alone to read.
func replaceFile(root *os.Root, name, text string) error {
	fresh := name + ".new"
	if err := root.WriteFile(fresh, []byte(text), 0o600); err != nil {
		return err
	}
	return root.Rename(fresh, name)
}

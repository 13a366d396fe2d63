package cmd

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"litmuscope/solver"
	"litmuscope/store"
	coursepages "litmuscope/web/pages/course"
	"litmuscope/web/parts/glossary"
	"litmuscope/web/teaching/course"
)

func courseCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "course",
		Short: "Courses: check them, make codes, print grades",
		Long: `A course is a folder that a lecturer keeps: weeks with lessons, sheets of exercises
that students hand in by a code, and are judged by the engine. litmuscope serve
--course shows it. The manual's page classes-and-courses.md describes the files of the folder.`,
	}
	c.AddCommand(courseExample(), courseCheck(), courseCodes(), courseGrades(), courseForget())
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
			at := course.Monday(time.Now())
			if begins != "" {
				var err error
				if at, err = time.Parse(time.DateOnly, begins); err != nil {
					return fmt.Errorf("--begins: want a day, 2027-04-12: got %q", begins)
				}
			}
			return course.WriteExample(args[0], at)
		},
	}
	c.Flags().StringVar(&begins, "begins", "", "the first day of the first week (default this week's Monday)")
	return c
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

// checkCourse prints what is wrong with a course.
func checkCourse(ctx context.Context, out io.Writer, dir string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	r, end, err := newRunner(ctx, runtime.NumCPU(), "")
	if err != nil {
		return err
	}
	defer end()
	held, faults, err := course.Check(ctx, r, dir, glossary.LessonTerms)
	if err != nil {
		return err
	}
	for _, f := range faults {
		fmt.Fprintln(out, f)
	}
	if len(faults) > 0 {
		return errNotAll
	}
	_, err = fmt.Fprintf(out, "%s: all is as they say.\n", held.Size())
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
			made, err := course.WriteCodes(args[0], students)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s in %s\n", solver.Count(made, "new code"),
				filepath.Join(args[0], course.RosterFile))
			return err
		},
	}
	c.Flags().IntVar(&students, "students", 0,
		"write a roster with so many students, student-01 and on, where there is none")
	return c
}

func courseGrades() *cobra.Command {
	var db string
	var each bool
	c := &cobra.Command{
		Use:   "grades [flags] FOLDER",
		Short: "Print the grades of a course as CSV",
		Long: `Print what the students of a course have come to, as CSV: a line for each student
of roster.csv with its further columns, the points of each assignment, all points,
how many exercises count as late, and how much could not be judged yet. With --each
there is a line for everything that was handed in, with its text.

Points are those that course.yaml gives now; whether something was right was said
when it was handed in. The server may be running.`,
		Example: "  litmuscope course grades my-course > grades.csv\n" +
			"  litmuscope course grades --each my-course > tries.csv",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return withCourse(c.Context(), args[0], db, func(held *course.Course, s *store.Store) error {
				tries, err := s.Tries(c.Context(), held.Name, "")
				if err != nil {
					return err
				}
				for _, stray := range coursepages.Strays(held, tries) {
					fmt.Fprintln(c.ErrOrStderr(), "litmuscope: warning:", stray)
				}
				rows := coursepages.Grades
				if each {
					rows = coursepages.EachTry
				}
				return csv.NewWriter(c.OutOrStdout()).WriteAll(rows(held, tries))
			})
		},
	}
	databaseFlag(c, &db)
	c.Flags().BoolVar(&each, "each", false, "a line for everything that was handed in")
	return c
}

func courseForget() *cobra.Command {
	var db string
	c := &cobra.Command{
		Use:   "forget [flags] FOLDER NAME",
		Short: "Forget all that a student of a course has handed in",
		Long: `Forget all that a student of a course has handed in. NAME is that of roster.csv, or
was; the line there is yours to take out.`,
		Example: "  litmuscope course forget my-course Ada",
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			return withCourse(c.Context(), args[0], db, func(held *course.Course, s *store.Store) error {
				n, err := s.ForgetStudent(c.Context(), held.Name, args[1])
				if err != nil {
					return err
				}
				if n == 0 {
					return fmt.Errorf("%q has handed in nothing in the course %s", args[1], held.Name)
				}
				_, err = fmt.Fprintf(c.OutOrStdout(), "forgot %s\n", solver.Count(int(n), "submission"))
				return err
			})
		},
	}
	databaseFlag(c, &db)
	return c
}

// withCourse has something done with a course and what its students have handed in.
func withCourse(ctx context.Context, dir, db string, do func(*course.Course, *store.Store) error) error {
	held, _, err := course.ReadFolder(dir, glossary.LessonTerms)
	if err != nil {
		return err
	}
	path, err := databasePath(db)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); err != nil {
		// rather than a new one
		return fmt.Errorf("%w: want the database of the server that has the course, --db FILE", err)
	}
	return withStore(ctx, path, func(s *store.Store) error { return do(held, s) })
}

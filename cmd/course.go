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

// courseCommand returns the course command, which has a subcommand for each task of a lecturer.
func courseCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "course",
		Short: "Check courses, make student codes and print grades",
		Long: `Check courses, make student codes and print grades.

A course is a folder with weeks, lessons and sheets of exercises. Students hand in their
solutions with a code, and the engine grades them. litmuscope serve --course shows the
course. The manual's page classes-and-courses.md describes the files of the folder.`,
	}
	c.AddCommand(courseExample(), courseCheck(), courseCodes(), courseGrades(), courseForget())
	return c
}

func courseExample() *cobra.Command {
	var begins string
	c := &cobra.Command{
		Use:   "example [flags] FOLDER",
		Short: "Write an example course of eight weeks",
		Long: "Write an example course of eight weeks. It uses the built-in lessons and has codes for three " +
			"students.",
		Example: "  litmuscope course example my-course\n  litmuscope course example --begins 2027-04-12 my-course",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			at := course.Monday(time.Now())
			if begins != "" {
				var err error
				if at, err = time.Parse(time.DateOnly, begins); err != nil {
					return fmt.Errorf("--begins: got %q, want a date such as 2027-04-12", begins)
				}
			}
			return course.WriteExample(args[0], at)
		},
	}
	c.Flags().StringVar(&begins, "begins", "",
		"first day of the first week, as `YYYY-MM-DD` (default this week's Monday)")
	return c
}

func courseCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FOLDER",
		Short: "Check the exercises and lessons of a course",
		Long: `Check the exercises and lessons of a course with the engine.

The command checks that no exercise is solved from the start, that each sample solution
solves its exercise, and that the claims of the course's own lessons are true.

Exit status: 0 when everything is correct, 1 when something is wrong, 2 when the command
line is wrong.`,
		Example: "  litmuscope course check my-course",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return checkCourse(c.Context(), c.OutOrStdout(), args[0])
		},
	}
}

// checkCourse prints the faults of a course, and returns errNotAll if it has any.
func checkCourse(ctx context.Context, out io.Writer, dir string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	r, end, err := newRunner(ctx, runtime.NumCPU(), "")
	if err != nil {
		return err
	}
	defer end()
	checked, faults, err := course.Check(ctx, r, dir, glossary.LessonTerms)
	if err != nil {
		return err
	}
	for _, f := range faults {
		fmt.Fprintln(out, f)
	}
	if len(faults) > 0 {
		return errNotAll
	}
	_, err = fmt.Fprintf(out, "%s: no faults found.\n", checked.Size())
	return err
}

// courseCodes returns the command course codes.
func courseCodes() *cobra.Command {
	var students int
	c := &cobra.Command{
		Use:   "codes [flags] FOLDER",
		Short: "Make codes for the students of a course",
		Long: `Make a code for each student without one in the course's roster.csv, and write it to
that file. If there is no such file, --students creates it.

Whoever has a code can hand in solutions: keep the file secret, and give each student the
code in their line. To replace a code, delete it from the file and run the command again.`,
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
		"if there is no roster, create one with this many students, named student-01 and so on")
	return c
}

// courseGrades returns the command course grades.
func courseGrades() *cobra.Command {
	var db string
	var each bool
	c := &cobra.Command{
		Use:   "grades [flags] FOLDER",
		Short: "Print the grades of a course as CSV",
		Long: `Print the grades of a course as CSV.

Each student of roster.csv has one line: the columns of roster.csv, the points of each
assignment, the sum of all points and the largest possible sum, the number of late
exercises, and the number of submissions that could not be graded yet. With --each, there is one line for each
submission, with its text.

Points follow the current course.yaml. Whether a submission is correct was decided when
the student handed it in. The server may be running.`,
		Example: "  litmuscope course grades my-course > grades.csv\n" +
			"  litmuscope course grades --each my-course > tries.csv",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return withCourse(c.Context(), args[0], db, func(crs *course.Course, s *store.Store) error {
				tries, err := s.Tries(c.Context(), crs.Name, "")
				if err != nil {
					return err
				}
				for _, stray := range coursepages.Strays(crs, tries) {
					fmt.Fprintln(c.ErrOrStderr(), "litmuscope: warning:", stray)
				}
				rows := coursepages.Grades
				if each {
					rows = coursepages.EachTry
				}
				return csv.NewWriter(c.OutOrStdout()).WriteAll(rows(crs, tries))
			})
		},
	}
	databaseFlag(c, &db)
	c.Flags().BoolVar(&each, "each", false, "print one line for each submission")
	return c
}

// courseForget returns the command course forget.
func courseForget() *cobra.Command {
	var db string
	c := &cobra.Command{
		Use:   "forget [flags] FOLDER NAME",
		Short: "Delete a student's submissions in a course",
		Long: `Delete all submissions of a student in a course. NAME is the student's name in
roster.csv, now or formerly. The command does not change roster.csv; delete the line
there yourself.`,
		Example: "  litmuscope course forget my-course Ada",
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			return withCourse(c.Context(), args[0], db, func(crs *course.Course, s *store.Store) error {
				n, err := s.ForgetStudent(c.Context(), crs.Name, args[1])
				if err != nil {
					return err
				}
				if n == 0 {
					return fmt.Errorf("%q has no submissions in the course %s", args[1], crs.Name)
				}
				_, err = fmt.Fprintf(c.OutOrStdout(), "forgot %s\n", solver.Count(int(n), "submission"))
				return err
			})
		},
	}
	databaseFlag(c, &db)
	return c
}

// withCourse calls do with the course in a folder and the database that has its students' submissions.
func withCourse(ctx context.Context, dir, db string, do func(*course.Course, *store.Store) error) error {
	crs, _, err := course.ReadFolder(dir, glossary.LessonTerms)
	if err != nil {
		return err
	}
	path, err := databasePath(db)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); err != nil {
		// else withStore would create a database
		return fmt.Errorf("%w: name the database of the course's server with --db FILE", err)
	}
	return withStore(ctx, path, func(s *store.Store) error { return do(crs, s) })
}

package course

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"litmuscope/solver/report"
	"litmuscope/store"
	"litmuscope/web/teaching/course"
)

// Grades returns a table of all students: a row of column names, then for each student the columns of the roster and
// the points for each assignment.
func Grades(c *course.Course, all []store.Try) [][]string {
	head := slices.Concat([]string{"name"}, c.Columns)
	for _, a := range c.Assignments() {
		head = append(head, a.Slug)
	}
	out := [][]string{append(head, "points", "of", "late", "unjudged")}
	by := byStudent(all)
	for _, s := range c.Students {
		row := slices.Concat([]string{s.Name}, s.More)
		var sum course.Points
		of, late, unjudged := 0, 0, 0
		for _, a := range c.Assignments() {
			var got course.Points
			for i := range a.Exercises {
				m := by[s.Name].mark(a, i)
				got, unjudged = got+m.Points, unjudged+m.Unjudged
				if m.Late {
					late++
				}
			}
			row = append(row, got.String())
			sum, of = sum+got, of+a.Of()
		}
		out = append(out, append(row, sum.String(), strconv.Itoa(of), strconv.Itoa(late), strconv.Itoa(unjudged)))
	}
	return noFormulas(out)
}

// EachTry returns a table of all submissions of the course's students, with their texts.
func EachTry(c *course.Course, all []store.Try) [][]string {
	out := [][]string{
		slices.Concat([]string{"name"}, c.Columns,
			[]string{"sheet", "exercise", "handed_in", "verdict", "late", "counts", "points", "of", "text"}),
	}
	by := byStudent(all)
	mark := func(yes bool) string { return map[bool]string{true: "yes"}[yes] }
	for _, s := range c.Students {
		for _, a := range c.Assignments() {
			for i, x := range a.Exercises {
				m := by[s.Name].mark(a, i)
				for n, t := range by[s.Name].of(a, x) {
					points := ""
					if n == m.Counts {
						points = m.Points.String()
					}
					out = append(out, slices.Concat([]string{s.Name}, s.More, []string{
						a.Slug, x.ID, t.At.In(c.Zone).Format(time.RFC3339),
						[...]string{"unjudged", "missed", "met"}[verdictOf(t)],
						mark(t.At.After(a.Due)), mark(n == m.Counts), points, strconv.Itoa(m.Of), t.Text,
					}))
				}
			}
		}
	}
	return noFormulas(out)
}

// Strays describes stored submissions that count for nobody, because the course no longer has the student or the
// exercise. It returns one sentence for each.
func Strays(c *course.Course, all []store.Try) (out []string) {
	say := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for _, t := range all {
		a := c.Assignment(t.Sheet)
		switch {
		case !slices.ContainsFunc(c.Students, func(s course.Student) bool { return s.Name == t.Student }):
			say("%s has submissions but is not in %s", t.Student, course.RosterFile)
		case a == nil:
			say("the course has no sheet %s, but has submissions for it", t.Sheet)
		case a.Find(t.Exercise) == nil:
			say("%s has submissions, but the sheet %s does not contain it",
				strings.ReplaceAll(t.Exercise, "-", " "), t.Sheet)
		}
	}
	return out
}

// byStudent groups submissions by student.
func byStudent(all []store.Try) map[string]submissions {
	out := map[string]submissions{}
	for _, t := range all {
		if out[t.Student] == nil {
			out[t.Student] = submissions{}
		}
		out[t.Student].add(t)
	}
	return out
}

func noFormulas(rows [][]string) [][]string {
	for _, row := range rows {
		report.NoFormulas(row)
	}
	return rows
}

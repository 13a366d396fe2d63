package course_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"litmuscope/store"
	coursepages "litmuscope/web/pages/course"
	"litmuscope/web/teaching/course"
	"litmuscope/web/teaching/lesson"
)

// Grades sums points by the course's rules and marks late work. Texts of students never become formulas in
// spreadsheets, and Strays lists what counts for nobody.
func TestGrades(t *testing.T) {
	due := time.Date(2026, 10, 19, 12, 0, 0, 0, time.UTC)
	sheet := func(slug string, points ...int) *course.Assignment {
		a := &course.Assignment{
			Entry: &lesson.Entry{Lesson: &lesson.Lesson{Slug: slug}}, Due: due, Days: 7,
			Percent: 50, Points: points,
		}
		for i := range points {
			x := &lesson.Exercise{ID: "exercise-" + string(rune('1'+i))}
			a.Exercises, a.Blocks = append(a.Exercises, x), append(a.Blocks, x)
		}
		return a
	}
	c := &course.Course{
		Zone:  time.UTC,
		Weeks: []*course.Week{{Assignments: []*course.Assignment{sheet("a", 1, 2), sheet("b", 5)}}},
	}
	c.Columns, c.Students = []string{"email"},
		[]course.Student{{Name: "Ada", More: []string{"=a@x"}}, {Name: "Bob", More: []string{""}}}
	try := func(student, sheet, exercise string, days int, judged, met bool) store.Try {
		return store.Try{
			Student: student, Sheet: sheet, Exercise: exercise, At: due.AddDate(0, 0, days),
			Judged: judged, Met: met, Text: "=1+1",
		}
	}
	tries := []store.Try{
		try("Ada", "a", "exercise-1", 1, true, true),
		try("Ada", "a", "exercise-2", -2, true, false),
		try("Ada", "a", "exercise-2", -1, true, true),
		try("Ada", "b", "exercise-1", 0, false, false),
		try("Ada", "b", "exercise-7", 0, true, true),
		try("Ada", "c", "exercise-1", 0, true, true),
		try("Eve", "a", "exercise-1", 0, true, true),
		try("Eve", "a", "exercise-2", 0, true, true),
	}
	lines := func(rows [][]string) (out []string) {
		for _, row := range rows {
			out = append(out, strings.Join(row, ","))
		}
		return out
	}
	for what, one := range map[string]struct{ got, want []string }{
		"grades": {lines(coursepages.Grades(c, tries)), []string{
			"name,email,a,b,points,of,late,unjudged",
			"Ada,'=a@x,2.5,0,2.5,8,1,1",
			"Bob,,0,0,0,8,0,0",
		}},
		"each": {lines(coursepages.EachTry(c, tries)), []string{
			"name,email,sheet,exercise,handed_in,verdict,late,counts,points,of,text",
			"Ada,'=a@x,a,exercise-1,2026-10-20T12:00:00Z,met,yes,yes,0.5,1,'=1+1",
			"Ada,'=a@x,a,exercise-2,2026-10-17T12:00:00Z,missed,,,,2,'=1+1",
			"Ada,'=a@x,a,exercise-2,2026-10-18T12:00:00Z,met,,yes,2,2,'=1+1",
			"Ada,'=a@x,b,exercise-1,2026-10-19T12:00:00Z,unjudged,,yes,0,5,'=1+1",
		}},
		"strays": {coursepages.Strays(c, tries), []string{
			"exercise 7 has submissions, but the sheet b does not contain it",
			"the course has no sheet c, but has submissions for it",
			"Eve has submissions but is not in roster.csv",
		}},
	} {
		if !slices.Equal(one.got, one.want) {
			t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(one.got, "\n"), strings.Join(one.want, "\n"))
		}
	}
}

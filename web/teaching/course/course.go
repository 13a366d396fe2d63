package course

import (
	"crypto/sha256"
	"crypto/subtle"
	"slices"
	"strings"
	"time"

	"litmuscope/litmus"
	"litmuscope/web/teaching/lesson"
)

// Course is the contents of a course folder.
type Course struct {
	Name  string // by which what is handed in is known to be of this course
	Title string
	Term  string
	Zone  *time.Location // of its times
	Weeks []*Week
	Roster
}

// Week is a week of the course.
type Week struct {
	Title       string
	About       string    // a sentence; "" if there is nothing to say
	Begins      time.Time // at midnight
	Lessons     []*lesson.Entry
	Assignments []*Assignment
}

// Assignment is a sheet with its due date and points.
type Assignment struct {
	*lesson.Entry // the sheet
	Exercises     []*lesson.Exercise
	Points        []int // of each of them
	Due           time.Time
	Days, Percent int  // for so many days after it was due, what is handed in is worth so many percent
	Last          bool // of what a student hands in the last counts, not the best
	Secret        bool // solutions are not shown afterwards, either
	Pos           litmus.Pos
}

// Assignments returns the course's assignments in order.
func (c *Course) Assignments() (out []*Assignment) {
	for _, w := range c.Weeks {
		out = append(out, w.Assignments...)
	}
	return out
}

// Assignment returns the assignment with a slug; nil if there is none.
func (c *Course) Assignment(slug string) *Assignment {
	all := c.Assignments()
	i := slices.IndexFunc(all, func(a *Assignment) bool { return a.Slug == slug })
	if i < 0 {
		return nil
	}
	return all[i]
}

// Of returns the total points of the assignment's exercises.
func (a *Assignment) Of() (points int) {
	for _, p := range a.Points {
		points += p
	}
	return points
}

// Closes returns the time from which work earns no points and solutions may be shown.
func (a *Assignment) Closes() time.Time { return a.Due.AddDate(0, 0, a.Days) }

// Open reports whether solutions may be shown at a time.
func (a *Assignment) Open(now time.Time) bool { return !a.Secret && now.After(a.Closes()) }

// Roster lists the students who may hand in.
type Roster struct {
	Columns  []string // further ones, which are the lecturer's own
	Students []Student
}

// Student is one line of the roster.
type Student struct {
	Name string   // of which there is one
	More []string // what further columns say
	code [sha256.Size]byte
}

// Student returns the student with a code; nil if there is none. It takes the same time for every code.
func (r *Roster) Student(code string) (found *Student) {
	if PlainCode(code) == "" {
		return nil // who has no code yet has this one
	}
	sum := hashOf(code)
	for i := range r.Students {
		if subtle.ConstantTimeCompare(sum[:], r.Students[i].code[:]) == 1 {
			found = &r.Students[i]
		}
	}
	return found
}

func hashOf(code string) [sha256.Size]byte { return sha256.Sum256([]byte(PlainCode(code))) }

// PlainCode normalises a code: it removes the parts that people may write differently.
func PlainCode(code string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(code))
}

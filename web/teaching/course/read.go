package course

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"litmuscope/litmus"
	"litmuscope/web/teaching/lesson"
)

// The names of a course's files.
const (
	File       = "course.yaml"
	RosterFile = "roster.csv"
	LessonsDir = "lessons"
)

// Limits of a course.
const (
	maxFile        = 1 << 20 // bytes
	maxWeeks       = 60
	maxLessons     = 50  // of a week
	maxAssignments = 20  // of a week
	maxExercises   = 30  // of a sheet
	maxPoints      = 999 // of an exercise
	maxDays        = 365
	maxText        = 300 // bytes of a title
)

// reading holds the state while a course is read.
type reading struct {
	files   fs.FS
	lessons *lesson.Library
	course  *Course
	sheets  []string // that have been read
	errs    litmus.ErrorList
}

// Read reads the course in a folder. Lessons are those that its weeks may name. Its error is a [litmus.ErrorList] of
// all faults.
func Read(files fs.FS, lessons *lesson.Library) (*Course, error) {
	in := &reading{files: files, lessons: lessons, course: &Course{Zone: time.UTC}}
	in.file()
	if roster, err := ReadRoster(files); err != nil {
		in.errs = append(in.errs, litmus.Errors(err)...)
	} else {
		in.course.Roster = roster.Roster
		in.errs = append(in.errs, roster.codeless()...)
	}
	return in.course, in.errs.Sorted().Err()
}

// slurp reads a file of limited size.
func slurp(files fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(files, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxFile:
		return nil, fmt.Errorf("it is not a file, or it is longer than %d KiB", maxFile>>10)
	}
	return fs.ReadFile(files, name)
}

func (in *reading) fail(n *yaml.Node, format string, args ...any) {
	in.errs = append(in.errs, litmus.Errorf(posOf(n), format, args...))
}

func posOf(n *yaml.Node) litmus.Pos {
	return litmus.Pos{File: File, Line: max(n.Line, 1), Col: max(n.Column, 1)}
}

// file reads course.yaml. A fault in its YAML has the line that the parser names.
func (in *reading) file() {
	text, err := slurp(in.files, File)
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New(
			"a course's folder needs this file: litmuscope course example DIR writes an example")
	}
	if err != nil {
		in.fail(&yaml.Node{}, "%v", err)
		return
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		at, msg := &yaml.Node{}, strings.TrimPrefix(err.Error(), "yaml: ")
		if n, _ := fmt.Sscanf(msg, "line %d:", &at.Line); n == 1 {
			_, msg, _ = strings.Cut(msg, ": ")
		}
		in.fail(at, "%s", msg)
		return
	}
	if len(doc.Content) == 0 {
		doc.Content = []*yaml.Node{{Kind: yaml.ScalarNode}}
	}
	c := in.course
	in.fields(doc.Content[0], "a course",
		field{"name", true, func(n *yaml.Node) {
			if in.text(&c.Name)(n); c.Name != "" && !courseName().MatchString(c.Name) {
				in.fail(n, "a course's name has letters a to z, digits and -, and must be unique: want "+
					"weak-memory-2026, got %q", litmus.Shorten(c.Name))
			}
		}},
		field{"title", true, in.text(&c.Title)},
		field{"term", true, in.text(&c.Term)},
		field{"zone", true, in.zone},
		field{"weeks", true, in.list("weeks", maxWeeks, in.week)},
	)
	in.unused()
}

var courseName = litmus.Pattern(`^[a-z0-9][a-z0-9-]{0,63}$`)

// field describes a field of a mapping, and the function that reads its value.
type field struct {
	name string
	must bool
	read func(*yaml.Node)
}

// fields reads a mapping, and its fields in the given order. It reports unknown, repeated and missing fields.
func (in *reading) fields(n *yaml.Node, what string, fields ...field) {
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	want := strings.Join(names, ", ")
	if n.Kind != yaml.MappingNode {
		in.fail(n, "got no fields: want %s, of %s", want, what)
		return
	}
	values := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case !slices.Contains(names, key.Value):
			in.fail(key, "%s has no field %q: want one of %s", what, litmus.Shorten(key.Value), want)
		case values[key.Value] != nil:
			in.fail(key, "%s is given twice", key.Value)
		default:
			values[key.Value] = n.Content[i+1]
		}
	}
	for _, f := range fields {
		switch value := values[f.name]; {
		case value != nil:
			f.read(value)
		case f.must:
			in.fail(n, "%s has no %s", what, f.name)
		}
	}
}

// list reads the elements of a list.
func (in *reading) list(what string, most int, each func(*yaml.Node)) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.SequenceNode {
			in.fail(n, "want a list of %s, each after a dash: got %s", what, shown(n))
			return
		}
		if len(n.Content) > most {
			in.fail(n, "got %d %s, want at most %d", len(n.Content), what, most)
			return
		}
		for _, e := range n.Content {
			each(e)
		}
	}
}

// shown describes a node in an error.
func shown(n *yaml.Node) string {
	switch n.Kind {
	case yaml.ScalarNode:
		return strconv.Quote(litmus.Shorten(n.Value))
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "fields"
	}
	return "an alias"
}

func (in *reading) text(to *string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		text := strings.TrimSpace(n.Value)
		if n.Kind != yaml.ScalarNode || text == "" || len(text) > maxText || strings.ContainsAny(text, "\n\x00") {
			in.fail(n, "want a text of one line with at most %d bytes: got %s", maxText, shown(n))
			return
		}
		*to = text
	}
}

func (in *reading) number(to *int, least, most int) func(*yaml.Node) {
	return func(n *yaml.Node) {
		got, err := strconv.Atoi(n.Value)
		if n.Kind != yaml.ScalarNode || err != nil || got < least || got > most {
			in.fail(n, "want a number from %d to %d: got %s", least, most, shown(n))
			return
		}
		*to = got
	}
}

// choice reads one of two words, and whether it is the second.
func (in *reading) choice(to *bool, usual, other string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || n.Value != usual && n.Value != other {
			in.fail(n, "want %s or %s: got %s", usual, other, shown(n))
		}
		*to = n.Value == other
	}
}

func (in *reading) zone(n *yaml.Node) {
	zone, err := time.LoadLocation(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || n.Value == "" || n.Value == "Local" {
		in.fail(n, "want the name of a time zone, such as Europe/Berlin or UTC: got %s", shown(n))
		return
	}
	in.course.Zone = zone
}

func (in *reading) time(to *time.Time, layout, want string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		at, err := time.ParseInLocation(layout, n.Value, in.course.Zone)
		if n.Kind != yaml.ScalarNode || err != nil {
			in.fail(n, "want %s: got %s", want, shown(n))
			return
		}
		// In spring, an hour is left out.
		if at.Format(layout) != n.Value {
			in.fail(n, "%s does not exist in %s: the clocks go forward then", n.Value, in.course.Zone)
			return
		}
		*to = at
	}
}

func (in *reading) week(n *yaml.Node) {
	w := &Week{}
	in.course.Weeks = append(in.course.Weeks, w)
	in.fields(n, "a week",
		field{"title", true, in.text(&w.Title)},
		field{"about", false, in.text(&w.About)},
		field{"begins", true, in.time(&w.Begins, "2006-01-02", "a day, 2026-10-12")},
		field{"lessons", false, in.list("lessons", maxLessons, func(n *yaml.Node) { in.lesson(w, n) })},
		field{"assignments", false, in.list("assignments", maxAssignments, func(n *yaml.Node) { in.assignment(w, n) })},
	)
	if i := len(in.course.Weeks) - 2; i >= 0 && !w.Begins.IsZero() && !w.Begins.After(in.course.Weeks[i].Begins) {
		in.fail(n, "the week begins on %s, which is not after the week before", w.Begins.Format("2006-01-02"))
	}
}

func (in *reading) lesson(w *Week, n *yaml.Node) {
	e, _, _ := in.lessons.Find(n.Value)
	switch {
	case n.Kind != yaml.ScalarNode || e == nil:
		in.fail(n, "there is no lesson %s: want a name from the lesson's address, store-buffers for "+
			"/learn/store-buffers",
			shown(n))
	case len(e.Faults) > 0:
		in.fail(n, "the lesson %s cannot be shown: %v", e.Slug, e.Faults[0])
	case slices.ContainsFunc(w.Lessons, func(other *lesson.Entry) bool { return other.Slug == e.Slug }):
		in.fail(n, "the week already has the lesson %s", e.Slug)
	default:
		w.Lessons = append(w.Lessons, e)
	}
}

func (in *reading) assignment(w *Week, n *yaml.Node) {
	a := &Assignment{Pos: posOf(n)}
	in.fields(n, "an assignment",
		field{"sheet", true, func(n *yaml.Node) { in.sheet(a, n) }},
		field{"due", true, in.time(&a.Due, "2006-01-02 15:04", "a day and a time, 2026-10-19 12:00")},
		field{"points", true, func(n *yaml.Node) { in.points(a, n) }},
		field{"late", false, func(n *yaml.Node) {
			in.fields(n, "late",
				field{"days", true, in.number(&a.Days, 1, maxDays)},
				field{"percent", true, in.number(&a.Percent, 1, 100)})
		}},
		field{"counts", false, in.choice(&a.Last, "best", "last")},
		field{"solutions", false, in.choice(&a.Secret, "after", "never")},
	)
	if !a.Due.IsZero() && a.Due.Before(w.Begins) {
		in.fail(n, "the assignment is due on %s, before its week begins", a.Due.Format("2006-01-02 15:04"))
	}
	if a.Entry != nil {
		w.Assignments = append(w.Assignments, a)
	}
}

// sheet reads an assignment's sheet. It reports a sheet without exercises, and one with questions or predictions, whose
// answers would be on its page.
func (in *reading) sheet(a *Assignment, n *yaml.Node) {
	if n.Kind != yaml.ScalarNode || path.Ext(n.Value) != ".md" || path.Base(n.Value) != n.Value {
		in.fail(n, "want a sheet's file beside %s, 01-fences.md: got %s", File, shown(n))
		return
	}
	if slices.Contains(in.sheets, n.Value) {
		in.fail(n, "%s is already the sheet of another assignment", n.Value)
		return
	}
	in.sheets = append(in.sheets, n.Value)
	if _, err := fs.Stat(in.files, n.Value); err != nil {
		in.fail(n, "there is no file %s beside %s", n.Value, File)
		return
	}
	e := in.lessons.Sheet(in.files, n.Value)
	if other := in.course.Assignment(e.Slug); other != nil {
		in.fail(n, "%s has the same address, /course/%s", other.File, e.Slug)
		return
	}
	in.errs = append(in.errs, slices.Concat(e.Faults, e.Broken)...)
	a.Entry = e
	for _, b := range e.Blocks {
		switch b := b.(type) {
		case *lesson.Exercise:
			a.Exercises = append(a.Exercises, b)
		case *lesson.Question:
			in.errs = append(in.errs, litmus.Errorf(b.Pos, "a sheet's page contains the answers to its questions: "+
				"put questions into a lesson, and only exercises into a sheet"))
		case *lesson.Test:
			if b.Predict {
				in.errs = append(in.errs, litmus.Errorf(b.Pos, "a sheet's page contains the answers to its "+
					"predictions: put predictions into a lesson, and only exercises into a sheet"))
			}
		}
	}
	if k := len(a.Exercises); k == 0 && len(e.Faults) == 0 {
		in.errs = append(in.errs,
			litmus.Errorf(litmus.Pos{File: n.Value, Line: 1, Col: 1},
				"the sheet has no exercise: want a block ```exercise"))
	} else if k > maxExercises {
		in.errs = append(in.errs,
			litmus.Errorf(litmus.Pos{File: n.Value, Line: 1, Col: 1}, "got %d exercises, want at most %d",
				k, maxExercises))
	}
}

// points reads the points of the exercises: a number for a single exercise, a list for several.
func (in *reading) points(a *Assignment, n *yaml.Node) {
	list := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.Content
	}
	for _, e := range list {
		points := 0
		in.number(&points, 1, maxPoints)(e)
		a.Points = append(a.Points, points)
	}
	if len(a.Exercises) > 0 && len(a.Entry.Faults) == 0 && len(a.Points) != len(a.Exercises) {
		in.fail(n, "want points for each exercise of %s, such as [2, 3]: it has %d exercises, got points for %d",
			a.File,
			len(a.Exercises), len(a.Points))
	}
}

// unused reports sheets that no week uses.
func (in *reading) unused() {
	files, err := fs.ReadDir(in.files, ".")
	if err != nil {
		in.fail(&yaml.Node{}, "the folder cannot be read: %v", err)
	}
	for _, f := range files {
		name := f.Name()
		if path.Ext(name) == ".md" && !strings.EqualFold(name, "README.md") && !strings.HasPrefix(name, ".") &&
			!slices.Contains(in.sheets, name) {
			in.errs = append(in.errs,
				litmus.Errorf(litmus.Pos{File: name, Line: 1, Col: 1},
					"no week has this sheet: add - sheet: %s to a week's assignments, or move the file", name))
		}
	}
}

package course

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"litmuscope/litmus"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/glossary"
	"litmuscope/web/teaching/lesson"
)

func library(t *testing.T) *lesson.Library {
	t.Helper()
	l, err := lesson.NewLibrary("", glossary.LessonTerms)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// sheet is one with an exercise.
const sheet = "---\ntitle: T\nsummary: S.\nminutes: 1\n---\n" + `
§exercise test=SB
-- task --
Forbid it.
-- goal --
tso forbidden
-- rules --
insert fences
-- solution --
X86 SB
{}
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MFENCE      | MFENCE      ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\ 1:EAX=0)
§
`

// folder is a course of a week that is as it should be, but for some of its files.
func folder(change map[string]string) fs.FS {
	files := map[string]string{
		File: `name: c
title: T
term: W
zone: Europe/Berlin
weeks:
  - title: One
    begins: 2026-10-12
    lessons: [fences]
    assignments:
      - sheet: 01-a.md
        due: 2026-10-19 12:00
        points: 4
`,
		"01-a.md":  strings.ReplaceAll(sheet, "§", "```"),
		RosterFile: "name,code,email\nAda,ABCD-EFGH,a@x\nEdsger,ijkl mnop,e@x\n",
	}
	for name, text := range change {
		if text = strings.ReplaceAll(text, "§", "```"); strings.HasPrefix(text, "+") {
			text = files[name] + text[1:]
		} else if old, fresh, ok := strings.Cut(text, " => "); ok {
			text = strings.Replace(files[name], old, fresh, 1)
		}
		files[name] = text
	}
	out := fstest.MapFS{}
	for name, text := range files {
		if text != "" {
			out[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return out
}

func TestRead(t *testing.T) {
	c, err := Read(folder(nil), library(t))
	if err != nil {
		t.Fatal(err)
	}
	a := c.Assignment("a")
	if a == nil || a.Of() != 4 || !a.Due.Equal(time.Date(2026, 10, 19, 10, 0, 0, 0, time.UTC)) || a.Last || a.Secret ||
		c.Weeks[0].Lessons[0].Slug != "fences" {
		t.Errorf("got %+v", a)
	}
	for code, want := range map[string]string{
		"ABCDEFGH": "Ada", " abcd-efgh": "Ada", "IJKLMNOP": "Edsger",
		"ABCDEFGI": "", "": "", "ABCD": "",
	} {
		got := ""
		if s := c.Student(code); s != nil {
			got = s.Name
		}
		if got != want {
			t.Errorf("code %q is %q's, want %q", code, got, want)
		}
	}
}

// Whatever is wrong is said with its place, and what to do.
func TestReadSays(t *testing.T) {
	lessons := library(t)
	for _, test := range []struct{ file, change, want string }{
		{File, "", "course.yaml:1:1: a course's folder needs this file: litmuscope course example DIR writes an " +
			"example"},
		{File, "- 1", "course.yaml:1:1: got no fields: want name, title, term, zone, weeks, of a course"},
		{File, "a: [", "course.yaml:1:1: did not find expected node content"},
		{
			File, "zone: Europe => zone: Nowhere/Europe",
			`course.yaml:4:7: want the name of a time zone, such as Europe/Berlin or UTC: got "Nowhere/Europe/Berlin"`,
		},
		{File, "title: T\n => ", "course.yaml:1:1: a course has no title"},
		{
			File, "term: W => terms: W",
			`course.yaml:3:1: a course has no field "terms": want one of name, title, term, zone, weeks`,
		},
		{File, "term: W => term: W\nterm: W", "course.yaml:4:1: term is given twice"},
		{File, "name: c => name: A course", `course.yaml:1:7: a course's name has letters a to z, digits and -`},
		{
			File, "[fences] => [fence]",
			`course.yaml:8:15: there is no lesson "fence": want a name from the lesson's address, ` +
				`store-buffers for /learn/store-buffers`,
		},
		{File, "[fences] => [fences, fences]", "course.yaml:8:23: the week already has the lesson fences"},
		{File, "[fences] => fences", `course.yaml:8:14: want a list of lessons, each after a dash: got "fences"`},
		{File, "10-19 12:00 => 10-19", `course.yaml:11:14: want a day and a time, 2026-10-19 12:00: got "2026-10-19"`},
		{File, "10-19 12:00 => 02-30 12:00", `want a day and a time`},
		{
			File, "10-19 12:00 => 10-11 12:00",
			"course.yaml:10:9: the assignment is due on 2026-10-11 12:00, before its week begins",
		},
		{
			File, "2026-10-19 12:00 => 2027-03-28 02:30",
			"2027-03-28 02:30 does not exist in Europe/Berlin: the clocks go forward then",
		},
		{
			File, "points: 4 => points: [4, 4]",
			"course.yaml:12:17: want points for each exercise of 01-a.md, such as [2, 3]: " +
				"it has 1 exercises, got points for 2",
		},
		{File, "points: 4 => points: few", `course.yaml:12:17: want a number from 1 to 999: got "few"`},
		{File, "points: 4 => points: 4\n        late: {days: 7}", "course.yaml:13:15: late has no percent"},
		{File, "points: 4 => points: 4\n        counts: first", `course.yaml:13:17: want best or last: got "first"`},
		{
			File, "sheet: 01-a.md => sheet: ../01-a.md",
			`want a sheet's file beside course.yaml, 01-fences.md: got "../01-a.md"`,
		},
		{File, "sheet: 01-a.md => sheet: 02-b.md", "course.yaml:10:16: there is no file 02-b.md beside course.yaml"},
		{File, "sheet: 01-a.md => sheet: 02-b.md", "01-a.md:1:1: no week has this sheet"},
		{
			File, "+      - sheet: 01-a.md\n        due: 2026-10-19 12:00\n        points: 4\n",
			"course.yaml:13:16: 01-a.md is already the sheet of another assignment",
		},
		{
			File, "+  - title: Two\n    begins: 2026-10-12\n",
			"course.yaml:13:5: the week begins on 2026-10-12, which is not after the week before",
		},
		{File, "points: 4 => points: &a 4\n        counts: *a", "got an alias"},
		{"01-a.md", "+\n[x](/?test=NO)\n", `01-a.md:24:1: there is no classic test "NO"`},
		{"01-a.md", "MFENCE => MFINCE", "01-a.md:"},
		{
			"01-a.md", "+\n§question\nQ\n\n(x) A\n> B\n\n( ) C\n> D\n§\n",
			"01-a.md:24:4: a sheet's page contains the answers to its questions",
		},
		{
			"01-a.md", "+\n§litmus predict test=SB expect=\"tso allowed\"\n§\n",
			"01-a.md:24:4: a sheet's page contains the answers to its predictions",
		},
		{
			"01-a.md", "---\ntitle: T\nsummary: S.\nminutes: 1\n---\n",
			"01-a.md:1:1: the sheet has no exercise: want a block ```exercise",
		},
		{
			"02-b.md", "---\ntitle: T\nsummary: S.\nminutes: 1\n---\n",
			"02-b.md:1:1: no week has this sheet: add - sheet: 02-b.md to a week's assignments, or move the file",
		},
		{
			RosterFile, "name;code\nA;ABCDEFGH\n",
			`roster.csv:1:1: the first line names the columns: want name,code and perhaps more columns, ` +
				`separated by commas: got "name;code"`,
		},
		{RosterFile, "name,code\nAda,ABCDEFGH\nAda,ABCDEFGI\n", "roster.csv:3:1: Ada is already in line 2"},
		{RosterFile, "name,code\nAda,ABCDEFGH\nBob,ABCD efgh\n", "roster.csv:3:5: line 2 has the same code"},
		{RosterFile, "name,code\nAda,SHORT\n", "roster.csv:2:5: a code has 8 to 64 letters A to Z and digits"},
		{RosterFile, "name,code\nAda,\n", "roster.csv:2:1: Ada has no code: litmuscope course codes DIR makes one"},
		{RosterFile, "name,code\n,ABCDEFGH\n", "roster.csv:2:1: want a name or a number"},
		{RosterFile, "name,code\nAda\n", "roster.csv:2:1: wrong number of fields"},
		{RosterFile, "\n", "roster.csv:1:1: the file is empty"},
	} {
		t.Run(test.want, func(t *testing.T) {
			_, err := Read(folder(map[string]string{test.file: test.change}), lessons)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v", err)
			}
			for _, e := range litmus.Errors(err) {
				if e.Pos.File == "" || e.Pos.Line < 1 || e.Pos.Col < 1 {
					t.Errorf("%v has no place", e)
				}
			}
		})
	}
}

// A sheet is worth what it says when it says so.
func TestMark(t *testing.T) {
	due := time.Date(2026, 10, 19, 12, 0, 0, 0, time.UTC)
	at := func(days float64, v Verdict) Try {
		return Try{due.Add(time.Duration(days * 24 * float64(time.Hour))), v}
	}
	for _, test := range []struct {
		name  string
		last  bool
		tries []Try
		want  Mark
	}{
		{"nothing", false, nil, Mark{Of: 3, Counts: -1}},
		{"in time", false, []Try{at(-1, Missed), at(0, Met)}, Mark{Points: 300, Of: 3, Counts: 1, Tries: 2}},
		{"late", false, []Try{at(.1, Met)}, Mark{Points: 150, Of: 3, Late: true, Tries: 1}},
		{"at the last moment", false, []Try{at(7, Met)}, Mark{Points: 150, Of: 3, Late: true, Tries: 1}},
		{"too late", false, []Try{at(7.1, Met)}, Mark{Of: 3, Late: true, Tries: 1}},
		{
			"the best is in time", false,
			[]Try{at(-1, Met), at(1, Met), at(2, Missed)},
			Mark{Points: 300, Of: 3, Tries: 3},
		},
		{
			"the best is late", false,
			[]Try{at(-1, Missed), at(1, Met)},
			Mark{Points: 150, Of: 3, Counts: 1, Late: true, Tries: 2},
		},
		{"the last is worse", true, []Try{at(-2, Met), at(-1, Missed)}, Mark{Of: 3, Counts: 1, Tries: 2}},
		{
			"the last is late", true,
			[]Try{at(-2, Met), at(1, Met)},
			Mark{Points: 150, Of: 3, Counts: 1, Late: true, Tries: 2},
		},
		{
			"the last is worth nothing", true,
			[]Try{at(-2, Met), at(8, Missed), at(9, Met)},
			Mark{Points: 300, Of: 3, Tries: 3},
		},
		{"unjudged", false, []Try{at(-2, Unjudged)}, Mark{Of: 3, Tries: 1, Unjudged: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := &Assignment{Due: due, Days: 7, Percent: 50, Points: []int{3}, Last: test.last}
			if got := a.Mark(0, test.tries); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
	for p, want := range map[Points]string{0: "0", 300: "3", 1000: "10", 150: "1.5", 75: "0.75", 1: "0.01"} {
		if p.String() != want {
			t.Errorf("%d hundredths are %q, want %q", p, p, want)
		}
	}
}

// The example is what it says, wherever it is moved to, and each of its students can hand in.
func TestExample(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "course")
	begins := time.Date(2030, 2, 4, 0, 0, 0, 0, time.UTC)
	if err := WriteExample(dir, begins); err != nil {
		t.Fatal(err)
	}
	lessons := library(t)
	f, err := Open(dir, lessons, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	c := f.Course()
	if len(c.Weeks) != 8 || len(c.Assignments()) != 8 || len(c.Students) != 3 ||
		c.Weeks[0].Begins.Format(time.DateOnly) != "2030-02-04" ||
		c.Assignments()[0].Due.Format("2006-01-02 15:04 -0700") != "2030-02-11 12:00 +0100" {
		t.Errorf("got %+v", c)
	}
	faults, err := CheckClaims(t.Context(), engines.Local{}, c)
	if err != nil || len(faults) > 0 {
		t.Error(err, faults)
	}
	if err := WriteExample(dir, begins); err == nil ||
		!strings.Contains(err.Error(), "the folder is not empty") {
		t.Errorf("a second one: %v", err)
	}
	// No exercise of the program's lessons has its solution on a page of theirs.
	builtIn, _ := lessons.All()
	for _, a := range c.Assignments() {
		for _, x := range a.Exercises {
			for _, l := range builtIn {
				for _, b := range l.Blocks {
					if other, ok := b.(*lesson.Exercise); ok && other.Task == x.Task {
						t.Errorf("%s: the lesson %s has the exercise, too", x.Pos, l.Slug)
					}
				}
			}
		}
	}
}

// What does not hold is found by the engine.
func TestHoldFinds(t *testing.T) {
	c, err := Read(folder(map[string]string{"01-a.md": " MFENCE      | MFENCE      ;\n => "}), library(t))
	if err != nil {
		t.Fatal(err)
	}
	faults, err := CheckClaims(t.Context(), engines.Local{}, c)
	if err != nil || !slices.ContainsFunc(faults, func(e *litmus.Error) bool {
		return e.Error() == "01-a.md:11:1: the solution must meet the goal “tso forbidden”: it is allowed"
	}) {
		t.Error(err, faults)
	}
}

// A course that is changed is another at the next look; one that is broken stays what it was.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(files fs.FS) {
		t.Helper()
		err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(files, name)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, name), text, 0o644)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	write(folder(nil))
	var faults []string
	f, err := Open(dir, library(t), func(err error) { faults = append(faults, err.Error()) })
	if err != nil {
		t.Fatal(err)
	}
	again := func() *Course { f.looked = time.Time{}; return f.Course() }
	write(folder(map[string]string{File: "title: T => title: Another"}))
	if c := again(); c.Title != "Another" {
		t.Errorf("got %q", c.Title)
	}
	write(folder(map[string]string{File: "title: T => titel: Third"}))
	if c := again(); c.Title != "Another" || len(faults) != 1 ||
		!strings.HasPrefix(faults[0], "the course is unchanged: course.yaml:") {
		t.Errorf("got %q, %v", c.Title, faults)
	}
	if again(); len(faults) != 1 {
		t.Errorf("told twice: %v", faults)
	}
}

func TestCodes(t *testing.T) {
	r, err := ReadRoster(folder(map[string]string{RosterFile: "email,code,name\na@x,,Ada\nb@x,ABCDEFGH,Bob\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if made, err := r.AddCodes(0); made != 1 || err != nil {
		t.Errorf("made %d, %v", made, err)
	}
	again, err := ReadRoster(fstest.MapFS{RosterFile: {Data: []byte(r.String())}})
	if err != nil || len(again.codeless()) > 0 || again.Students[0].Name != "Ada" ||
		!slices.Equal(again.Students[0].More, []string{"a@x"}) || again.Student("abcdefgh").Name != "Bob" {
		t.Errorf("%v: %+v", err, again)
	}
	if _, err := r.AddCodes(3); err == nil {
		t.Error("a roster that there is was written over")
	}
	none, err := ReadRoster(fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := none.AddCodes(0); err == nil {
		t.Error("codes for nobody")
	}
	if made, err := none.AddCodes(12); made != 12 || err != nil || !strings.Contains(none.String(), "\nstudent-01,") {
		t.Errorf("%d, %v: %s", made, err, none)
	}
}

// Checking a folder finds what reading finds, and what engines find in sheets and in the course's own lessons.
func TestCheck(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	if _, _, err := Check(t.Context(), engines.Local{}, none, glossary.LessonTerms); err == nil {
		t.Error("a folder that there is not is checked")
	}
	dir := filepath.Join(t.TempDir(), "course")
	if err := WriteExample(dir, Monday(time.Date(2030, 2, 7, 15, 0, 0, 0, time.UTC))); err != nil {
		t.Fatal(err)
	}
	c, faults, err := Check(t.Context(), engines.Local{}, dir, glossary.LessonTerms)
	if err != nil || len(faults) > 0 || c.Size() != "8 weeks, 16 exercises, 50 points, 3 students" {
		t.Fatalf("%v, %v: %+v", err, faults, c)
	}
	if first := c.Weeks[0].Begins.Format(time.DateOnly); first != "2030-02-04" {
		t.Errorf("the first week begins on %s", first)
	}
	if err := os.MkdirAll(filepath.Join(dir, LessonsDir), 0o755); err != nil {
		t.Fatal(err)
	}
	wrong := strings.ReplaceAll(strings.Replace(sheet, " MFENCE      | MFENCE      ;\n", "", 1), "§", "```")
	if err := os.WriteFile(filepath.Join(dir, LessonsDir, "own.md"), []byte(wrong), 0o644); err != nil {
		t.Fatal(err)
	}
	_, faults, err = Check(t.Context(), engines.Local{}, dir, glossary.LessonTerms)
	if err != nil || len(faults) == 0 || !strings.HasPrefix(faults[0].Error(), filepath.Join(LessonsDir, "own.md:")) {
		t.Errorf("%v, %v", err, faults)
	}
}

// Codes are written into the roster once; without a roster, for as many students as are asked for.
func TestWriteCodes(t *testing.T) {
	dir := t.TempDir()
	if _, err := WriteCodes(dir, 0); err == nil {
		t.Error("codes for nobody")
	}
	if made, err := WriteCodes(dir, 3); err != nil || made != 3 {
		t.Errorf("%d codes, %v", made, err)
	}
	if made, err := WriteCodes(dir, 0); err != nil || made != 0 {
		t.Errorf("again %d codes, %v", made, err)
	}
	info, err := os.Stat(filepath.Join(dir, RosterFile))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

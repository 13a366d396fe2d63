package course

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/web/teaching/lesson"
)

// ReadFolder reads the course in a folder and its own lessons, if it has any. Terms are the glossary's terms that
// lessons may link to. An error that is not a [litmus.ErrorList] is not about the course's contents.
func ReadFolder(dir string, terms func() map[string]string) (*Course, *lesson.Library, error) {
	library, err := lesson.NewLibrary(LessonsOf(dir), terms)
	if err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	read, err := Read(root.FS(), library)
	return read, library, err
}

// Check reads the course in a folder and returns all faults: those that reading finds, and those that engines find in
// its sheets and its own lessons (see [CheckClaims]). If the course cannot be read, it returns an error.
func Check(
	ctx context.Context, r solver.Runner, dir string, terms func() map[string]string,
) (*Course, litmus.ErrorList, error) {
	c, library, err := ReadFolder(dir, terms)
	if c == nil {
		return nil, nil, err
	}
	faults := litmus.Errors(err)
	more, err := CheckClaims(ctx, r, c)
	if err != nil {
		return c, nil, err
	}
	faults = append(faults, more...)
	_, own := library.All()
	for _, e := range own {
		wrong := slices.Concat(e.Faults, e.Broken)
		if len(e.Faults) == 0 {
			more, err := lesson.CheckClaims(ctx, r, e.Lesson, false)
			if err != nil {
				return c, nil, err
			}
			wrong = append(wrong, more...)
		}
		for _, f := range wrong {
			f.Pos.File = filepath.Join(LessonsDir, f.Pos.File)
			faults = append(faults, f)
		}
	}
	return c, faults.Sorted(), nil
}

// Size describes the size of the course: "8 weeks, 16 exercises, 50 points, 3 students".
func (c *Course) Size() string {
	exercises, points := 0, 0
	for _, a := range c.Assignments() {
		exercises, points = exercises+len(a.Exercises), points+a.Of()
	}
	return fmt.Sprintf("%s, %s, %s, %s", solver.Count(len(c.Weeks), "week"), solver.Count(exercises, "exercise"),
		solver.Count(points, "point"), solver.Count(len(c.Students), "student"))
}

// WriteCodes makes the missing codes in the roster of the course in a folder, as [RosterText.AddCodes] does, and
// returns their number.
func WriteCodes(dir string, students int) (made int, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	roster, err := ReadRoster(root.FS())
	if err != nil {
		return 0, err
	}
	if made, err = roster.AddCodes(students); err != nil || made == 0 {
		return 0, err
	}
	return made, replaceFile(root, RosterFile, roster.String())
}

// replaceFile writes a file that only its owner may read. It replaces the old file atomically.
func replaceFile(root *os.Root, name, text string) error {
	fresh := name + ".new"
	if err := root.WriteFile(fresh, []byte(text), 0o600); err != nil {
		return err
	}
	return root.Rename(fresh, name)
}

// Monday returns the first day of a time's week.
func Monday(now time.Time) time.Time {
	y, m, d := now.Date()
	return time.Date(y, m, d-(int(now.Weekday())+6)%7, 0, 0, 0, 0, time.UTC)
}

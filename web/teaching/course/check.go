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

// ReadFolder reads the course in a folder and the lessons that it may have; terms are those that lessons may use. An
// error that is no [litmus.ErrorList] is not about what the course says.
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

// Check reads the course in a folder and lists all that is wrong with it: what reading finds, and what engines find in
// its sheets and its own lessons (see [Hold]). Without a course that can be read there is an error.
func Check(
	ctx context.Context, r solver.Runner, dir string, terms func() map[string]string,
) (*Course, litmus.ErrorList, error) {
	c, library, err := ReadFolder(dir, terms)
	if c == nil {
		return nil, nil, err
	}
	faults := litmus.Errors(err)
	more, err := Hold(ctx, r, c)
	if err != nil {
		return c, nil, err
	}
	faults = append(faults, more...)
	_, own := library.All()
	for _, e := range own {
		wrong := slices.Concat(e.Faults, e.Broken)
		if len(e.Faults) == 0 {
			more, err := lesson.Hold(ctx, r, e.Lesson, false)
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

// Size says how much there is in the course, and how many students: "8 weeks, 16 exercises, 50 points, 3 students".
func (c *Course) Size() string {
	exercises, points := 0, 0
	for _, a := range c.Assignments() {
		exercises, points = exercises+len(a.Exercises), points+a.Of()
	}
	return fmt.Sprintf("%s, %s, %s, %s", solver.Count(len(c.Weeks), "week"), solver.Count(exercises, "exercise"),
		solver.Count(points, "point"), solver.Count(len(c.Students), "student"))
}

// WriteCodes makes codes in the roster of the course in a folder, as [RosterText.AddCodes] does, and says how many.
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

// replaceFile writes a file that only its owner may read. At any time there is the old file or the new one.
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

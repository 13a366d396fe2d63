package webtest

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"
	"time"

	"litmuscope/web/teaching/course"
)

// ExampleCourse is the example, written out to begin on a day, and the codes of its students by name.
func ExampleCourse(t *testing.T, begins time.Time) (dir string, codes map[string]string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "course")
	if err := course.WriteExample(dir, begins); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, course.RosterFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	codes = map[string]string{}
	for _, row := range rows[1:] {
		codes[row[0]] = row[1]
	}
	return dir, codes
}

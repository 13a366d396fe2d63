package webtest

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/parts/glossary"
	"litmuscope/web/teaching/lesson"
)

// Course is a server with lessons of a lecturer's in a folder.
func Course(t *testing.T, files map[string]string) (http.Handler, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		Put(t, dir, name, text)
	}
	c := TestConfig(engines.Local{})
	c.Lessons = dir
	h, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return h, dir
}

// Put writes a file, so that it is seen to have changed.
func Put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Front is the head of a lesson's file.
const Front = "---\ntitle: Mine\nsummary: What I teach.\nminutes: 5\n---\n"

// ExerciseOf returns an exercise of a built-in lesson.
func ExerciseOf(t *testing.T, slug, name string) *lesson.Exercise {
	t.Helper()
	l, err := lesson.NewLibrary("", glossary.LessonTerms)
	if err != nil {
		t.Fatal(err)
	}
	e, _, _ := l.Find(slug)
	if e == nil {
		t.Fatalf("no lesson %s", slug)
	}
	return e.Find(name).(*lesson.Exercise)
}

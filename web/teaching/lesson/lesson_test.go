package lesson

import (
	"context"
	"testing"

	"litmuscope/solver/engines"
)

// noTerms are those of no glossary.
func noTerms() map[string]string { return nil }

// TestLessonsSayWhatIsSo holds every lesson of the program to its word.
func TestLessonsSayWhatIsSo(t *testing.T) {
	l, err := NewLibrary("", noTerms)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := l.All()
	for _, e := range all {
		t.Run(e.Slug, func(t *testing.T) {
			t.Parallel()
			faults, err := CheckClaims(context.Background(), engines.Local{}, e.Lesson, true)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range faults {
				t.Error(f)
			}
		})
	}
}

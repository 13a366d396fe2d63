package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "courses.db")
	s := open(t, path)
	start := time.Date(2026, 10, 19, 12, 0, 0, 0, time.UTC)
	hand := func(student, exercise, text string, after time.Duration) Try {
		t.Helper()
		try := Try{Course: "c", Student: student, Sheet: "fences", Exercise: exercise, At: start.Add(after), Text: text}
		if err := s.HandIn(t.Context(), &try); err != nil {
			t.Fatal(err)
		}
		return try
	}
	first := hand("Ada", "exercise-1", "a", 0)
	if again := hand("Ada", "exercise-1", "a", time.Hour); again.Number != first.Number || !again.At.Equal(start) {
		t.Errorf("what is still to be judged was handed in again as %+v", again)
	}
	if err := s.JudgeTry(t.Context(), first.Number, false); err != nil {
		t.Fatal(err)
	}
	second := hand("Ada", "exercise-1", "a", 2*time.Hour)
	if err := s.JudgeTry(t.Context(), second.Number, true); err != nil {
		t.Fatal(err)
	}
	hand("Ada", "exercise-2", "b", time.Hour)
	hand("Bob", "exercise-1", "c", 0)
	s.Close()

	s = open(t, path) // all is as it was
	list := func(course, student string) string {
		t.Helper()
		tries, err := s.Tries(t.Context(), course, student)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, try := range tries {
			out = append(out,
				fmt.Sprint(try.Student, " ", try.Exercise, " ", try.Text, " ", try.At.Sub(start), " ",
					try.Judged, " ", try.Met))
		}
		return strings.Join(out, "; ")
	}
	if got, want := list("c", "Ada"),
		"Ada exercise-1 a 0s true false; Ada exercise-2 b 1h0m0s false false; Ada exercise-1 a 2h0m0s true true"; got !=
		want {
		t.Errorf("Ada's: %s", got)
	}
	if got := list("d", ""); got != "" {
		t.Errorf("another course has %s", got)
	}
	if n, err := s.ForgetStudent(t.Context(), "c", "Ada"); n != 3 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	if got, want := list("c", ""), "Bob exercise-1 c 0s false false"; got != want {
		t.Errorf("left is %s", got)
	}
}

func TestTriesAreBounded(t *testing.T) {
	s := open(t, ":memory:")
	hand := func(exercise, text string) error {
		return s.HandIn(t.Context(),
			&Try{Course: "c", Student: "Ada", Sheet: "fences", Exercise: exercise, At: time.Now(), Text: text})
	}
	for n := range MaxTries {
		if err := hand("exercise-1", fmt.Sprint(n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := hand("exercise-1", "more"); !errors.Is(err, ErrManyTries) {
		t.Errorf("one more: %v", err)
	}
	if err := hand("exercise-1", "0"); err != nil {
		t.Errorf("what is still to be judged: %v", err)
	}
	if err := hand("exercise-2", strings.Repeat("x", MaxTry)); err != nil {
		t.Errorf("another exercise's: %v", err)
	}
	if err := hand("exercise-2", strings.Repeat("x", MaxTry+1)); !errors.Is(err, ErrLongTry) {
		t.Errorf("one that is too long: %v", err)
	}
}

package store

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"litmuscope/solver"
)

// keyed is a key of its own for each text.
func keyed(text string, version int) solver.Key {
	return solver.Key{Hash: sha256.Sum256([]byte(text)), Engine: "axiomatic", Version: version}
}

// An answer without witnesses must not take the place of one that has them.
func TestWitnessesStay(t *testing.T) {
	s := open(t, ":memory:")
	k := keyed("SB", 1)
	r := &solver.Result{Status: solver.OK, Outcomes: []solver.Outcome{{Satisfies: true}}}
	for _, err := range []error{
		s.PutAnswer(t.Context(), k, false, &solver.Result{Status: solver.OK}),
		s.PutAnswer(t.Context(), k, true, r),
		s.PutAnswer(t.Context(), k, false, &solver.Result{Status: solver.OK}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if r, ok, err := s.Answer(t.Context(), k, true); !ok || err != nil || len(r.Outcomes) != 1 {
		t.Error(r, ok, err)
	}
	if r, ok, err := s.Answer(t.Context(), k, false); !ok || err != nil || len(r.Outcomes) != 0 {
		t.Error(r, ok, err)
	}
}

func TestDropStale(t *testing.T) {
	s := open(t, ":memory:")
	for version := range 3 {
		if err := s.PutAnswer(t.Context(), keyed(fmt.Sprint(version), version), false, &solver.Result{Status: solver.OK}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.DropStale(t.Context(), func(string) int { return 2 }); err != nil {
		t.Fatal(err)
	}
	for version := range 3 {
		if _, ok, err := s.Answer(t.Context(), keyed(fmt.Sprint(version), version), false); ok != (version == 2) || err != nil {
			t.Errorf("version %d: %v, %v", version, ok, err)
		}
	}
}

func TestTrim(t *testing.T) {
	s := open(t, ":memory:")
	s.MaxBytes = 4000
	r := &solver.Result{Status: solver.OK, States: []solver.State{}}
	for i := range 100 {
		if err := s.PutAnswer(t.Context(), keyed(fmt.Sprint(i), 1), false, r); err != nil {
			t.Fatal(err)
		}
		// Test 0 is asked for all the time, long after it was written.
		if _, err := s.db.Exec("UPDATE results SET used = ? WHERE id = 1", time.Now().Unix()+1000); err != nil {
			t.Fatal(err)
		}
	}
	var rows, size int64
	if err := s.db.QueryRow("SELECT count(*), sum(length(body)) FROM results").Scan(&rows, &size); err != nil {
		t.Fatal(err)
	}
	if size > s.MaxBytes+s.MaxBytes/16+200 || rows < 10 {
		t.Errorf("%d rows of %d bytes", rows, size)
	}
	for source, want := range map[string]bool{"0": true, "1": false, "99": true} {
		if _, ok, err := s.Answer(t.Context(), keyed(source, 1), false); ok != want || err != nil {
			t.Errorf("%s: %v, %v", source, ok, err)
		}
	}
}

func TestLinks(t *testing.T) {
	s := open(t, ":memory:")
	l := Link{Source: "X86 SB", Models: []string{"tso", "sc"}, Options: solver.DefaultOptions()}
	id, err := s.SaveLink(t.Context(), l)
	if err != nil || len(id) != idLength {
		t.Fatal(id, err)
	}
	if again, err := s.SaveLink(t.Context(), l); again != id || err != nil {
		t.Error(again, err)
	}
	if got, err := s.Link(t.Context(), id); err != nil || !reflect.DeepEqual(got, l) {
		t.Error(got, err)
	}
	if _, err := s.Link(t.Context(), "nothing"); !errors.Is(err, ErrNoLink) {
		t.Error(err)
	}
	if _, err := s.SaveLink(t.Context(), Link{Source: strings.Repeat("x", MaxLink)}); !errors.Is(err, ErrLinkTooLong) {
		t.Error(err)
	}

	// Another link in its place: the id grows until it is free.
	if _, err := s.db.Exec(`UPDATE links SET body = '{"source":"other"}'`); err != nil {
		t.Fatal(err)
	}
	longer, err := s.SaveLink(t.Context(), l)
	if err != nil || len(longer) != idLength+1 || !strings.HasPrefix(longer, id) {
		t.Error(longer, err)
	}
	if got, err := s.Link(t.Context(), longer); err != nil || !reflect.DeepEqual(got, l) {
		t.Error(got, err)
	}
}

func BenchmarkPutAnswer(b *testing.B) {
	s, err := Open(b.Context(), b.TempDir()+"/l.db")
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for i := 0; b.Loop(); i++ {
		if err := s.PutAnswer(b.Context(), keyed(fmt.Sprint(i), 1), false, &solver.Result{Status: solver.OK}); err != nil {
			b.Fatal(err)
		}
	}
}

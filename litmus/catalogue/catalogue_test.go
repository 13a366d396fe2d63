package catalogue

import (
	"strings"
	"testing"
)

func TestEveryFileIsListedOnce(t *testing.T) {
	dir, err := files.ReadDir("tests")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for _, e := range All() {
		listed[e.Name+".litmus"]++
	}
	for _, f := range dir {
		if n := listed[f.Name()]; n != 1 {
			t.Errorf("%s is listed %d times, want once", f.Name(), n)
		}
	}
	if len(dir) != len(All()) {
		t.Errorf("%d files, %d entries", len(dir), len(All()))
	}
}

func TestEntries(t *testing.T) {
	for _, e := range All() {
		if e.Note == "" || strings.Contains(e.Note, "\n") || len(e.Note) > 140 {
			t.Errorf("%s: the note must be one short line, got %q", e.Name, e.Note)
		}
		if e.Arch == "" || e.Family == "" || !strings.HasSuffix(e.Source, "\n") {
			t.Errorf("%s: incomplete: %+v", e.Name, e)
		}
	}
}

func TestFind(t *testing.T) {
	if e, ok := Find("IRIW"); !ok || e.Name != "IRIW" {
		t.Errorf("Find(IRIW) = %+v, %v", e, ok)
	}
	if _, ok := Find("nothing"); ok {
		t.Error("found a test that is not there")
	}
}

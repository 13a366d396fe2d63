package models

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"litmuscope/models/cat"
)

// A folder with a model and what it includes.
var folder = map[string]string{
	"own.cat":     "include \"fences.cat\"\ninclude \"cos.cat\"\ninclude \"filters.cat\"\nacyclic full | RR(po) as fences",
	"fences.cat":  "include \"inner.cat\"\nlet full = all(FWR)",
	"inner.cat":   "let all(S) = po ; [S] ; po",
	"cos.cat":     "with co from linearisations(W, co0)",
	"unasked.cat": "let let",
}

func read(name string) (string, error) {
	if text, ok := folder[name]; ok {
		return text, nil
	}
	return "", fs.ErrNotExist
}

func TestFilesBesideAModelComeFirst(t *testing.T) {
	files, err := Includes("own.cat", folder["own.cat"], read)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 || files["fences.cat"] == "" || files["inner.cat"] == "" {
		t.Errorf("got %v, want fences.cat and inner.cat: cos.cat and filters.cat are the library's", files)
	}
	m, err := ParseWith("own.cat", folder["own.cat"], files)
	if err != nil {
		t.Fatal(err)
	}
	files["inner.cat"] += "\n"
	if other, err := ParseWith("own.cat", folder["own.cat"], files); err != nil || other.Key() == m.Key() {
		t.Errorf("the model's key does not tell what it includes: %v", err)
	}
	if _, err := Parse("own.cat", folder["own.cat"]); err == nil || !strings.Contains(err.Error(), "full is not defined") {
		t.Errorf("without its files: got %v", err)
	}
}

func TestIncludeErrors(t *testing.T) {
	if _, err := Includes("m.cat", "include \"unasked.cat\"", read); err == nil || !strings.HasPrefix(err.Error(), "unasked.cat:1:5: ") {
		t.Errorf("bad file: got %v", err)
	}
	broken := errors.New("broken")
	if _, err := Includes("m.cat", "include \"x.cat\"", func(string) (string, error) { return "", broken }); !errors.Is(err, broken) {
		t.Errorf("unreadable file: got %v", err)
	}
}

// Who generates coherence orders has coherent ones; it is checked once.
func TestCoherenceOfGeneratedOrders(t *testing.T) {
	for text, want := range map[string]int{
		"include \"cos.cat\"\nacyclic rfe | po & (R * R)":                             2,
		"include \"cos.cat\"\nacyclic po-loc | com":                                   1,
		"include \"cos-no-opt.cat\"\nacyclic po-loc | rf | ca as a\nacyclic rfe | po": 2,
	} {
		m, err := Parse("m.cat", text)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Axioms) != want || !m.Coherent() {
			t.Errorf("%s: axioms %v, coherent %v", text, m.Axioms, m.Coherent())
		}
	}
}

// Every file of the library can be included in a model by itself.
func TestEveryIncludeResolves(t *testing.T) {
	paths, err := fs.Glob(files, "library/*.cat")
	if err != nil {
		t.Fatal(err)
	}
	given := "let ii0 = 0 let ic0 = 0 let ci0 = 0 let cc0 = 0 let ppo = po let strong = po let light = 0\n"
	for _, path := range paths {
		file := strings.TrimPrefix(path, "library/")
		m, err := Parse("m.cat", given+"include \""+file+"\"\nempty rmw & (fre ; coe)")
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for i, x := range someExecutions(t) {
			for _, a := range m.Axioms {
				one := *m
				one.Model = &cat.Model{Title: m.Title, Defs: m.Defs, Axioms: []cat.Axiom{a}}
				Check(&one, x) // must find a value for every name
			}
			x.Graph(m)
			if i > 0 {
				break
			}
		}
	}
}

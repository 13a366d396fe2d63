package models_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/models/library"
	"litmuscope/models/modelstest"
	"litmuscope/models/replay"
)

// A folder with a model and what it includes.
var folder = map[string]string{
	"own.cat": "include \"fences.cat\"\ninclude \"cos.cat\"\ninclude \"filters.cat\"\n" +
		"acyclic full | RR(po) as fences",
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
	files, err := models.Includes("own.cat", folder["own.cat"], read)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 || files["fences.cat"] == "" || files["inner.cat"] == "" {
		t.Errorf("got %v, want fences.cat and inner.cat: cos.cat and filters.cat are the library's", files)
	}
	m, err := models.ParseWith("own.cat", folder["own.cat"], files, dialect.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	files["inner.cat"] += "\n"
	if other, err := models.ParseWith("own.cat", folder["own.cat"], files, dialect.Vocabulary()); err != nil ||
		other.Key() == m.Key() {
		t.Errorf("the model's key does not tell what it includes: %v", err)
	}
	if _, err := models.Parse("own.cat", folder["own.cat"], dialect.Vocabulary()); err == nil ||
		!strings.Contains(err.Error(), "full is not defined") {
		t.Errorf("without its files: got %v", err)
	}
}

func TestIncludeErrors(t *testing.T) {
	if _, err := models.Includes("m.cat", "include \"unasked.cat\"", read); err == nil ||
		!strings.HasPrefix(err.Error(), "unasked.cat:1:5: ") {
		t.Errorf("bad file: got %v", err)
	}
	broken := errors.New("broken")
	if _, err := models.Includes("m.cat", "include \"x.cat\"",
		func(string) (string, error) { return "", broken }); !errors.Is(err, broken) {
		t.Errorf("unreadable file: got %v", err)
	}
}

// Who generates coherence orders has coherent ones; the checker verifies it once.
func TestCoherenceOfGeneratedOrders(t *testing.T) {
	for text, want := range map[string]int{
		"include \"cos.cat\"\nacyclic rfe | po & (R * R)":                             2,
		"include \"cos.cat\"\nacyclic po-loc | com":                                   1,
		"include \"cos-no-opt.cat\"\nacyclic po-loc | rf | ca as a\nacyclic rfe | po": 2,
	} {
		m, err := models.Parse("m.cat", text, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Axioms) != want || !m.Coherent() {
			t.Errorf("%s: axioms %v, coherent %v", text, m.Axioms, m.Coherent())
		}
		p, _ := dialect.Parse("t", "X86 T\n{}\nP0;\nMOV [x],$1;\nexists (x=1)")
		remarks := fmt.Sprint(m.Remarks(p))
		if added := strings.Contains(remarks, "m.cat:1:1: cos.cat adds coherence"); added != (want == 2 &&
			strings.Contains(text, "cos.cat")) {
			t.Errorf("%s: remarks %s", text, remarks)
		}
	}
}

// Every file of the library works as a model's only include, and means there what it should: it lets sequential
// consistency be, a model says what it says by itself, and what has axioms forbids a thread to overlook its own write.
func TestEveryIncludeResolves(t *testing.T) {
	p, err := dialect.Parse("test.litmus", "X86 CoWR\n{ x=0; }\n P0 ;\n MOV [x],$1 ;\n MOV EAX,[x] ;\nexists (0:EAX=0)")
	if err != nil {
		t.Fatal(err)
	}
	overlooked, err := replay.Replay(p, [][]uint64{{0}})
	if err != nil {
		t.Fatal(err)
	}
	overlooked.RF[2], overlooked.CO[0] = 0, []int{0, 1}
	sc, _ := models.Find("sc")
	given := "let ii0 = 0 let ic0 = 0 let ci0 = 0 let cc0 = 0 let ppo = po let strong = po let light = 0\n"
	for _, f := range library.All() {
		file := f.Name
		if strings.HasPrefix(file, "vulkan") || file == "opencl.cat" || strings.HasPrefix(file, "ptx") {
			continue // for tests with scopes; Vulkan's models define chains for the first
		}
		m, err := models.Parse("m.cat", given+"include \""+file+"\"\nempty rmw & (fre ; coe) as last",
			dialect.Vocabulary())
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		builtin, isModel := models.Find(strings.TrimSuffix(file, ".cat"))
		for i, x := range append(modelstest.Candidates(t), overlooked) {
			got := fmt.Sprint(evaluation.Check(m, x))
			if want := "[]"; len(evaluation.Check(sc, x)) == 0 && got != want {
				t.Errorf("%s: execution %d is sequentially consistent, and breaks %s", file, i, got)
			}
			if isModel && got != fmt.Sprint(evaluation.Check(builtin, x)) {
				t.Errorf("%s: execution %d breaks %s, and of the model itself %v", file, i, got,
					evaluation.Check(builtin, x))
			}
			display.Graph(x, m)
		}
		// Some leave that to others.
		coherent := len(m.Axioms) > 1 &&
			!slices.Contains([]string{"ppc-checks.cat", "c11_cos.cat", "c11-pieces.cat", "c11-races.cat", "lock.cat"},
				file)
		if broken := len(evaluation.Check(m, overlooked)) > 0; broken != coherent {
			t.Errorf("%s: that a thread overlooks its own write is forbidden: %v, want %v", file, broken, coherent)
		}
	}
}

package catalogue_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
)

// Every C++ program is in the table and says first what it shows, the manual lists it, its macros occur in it, and a
// program in C that does the same has the same verdicts.
func TestCPlusPlus(t *testing.T) {
	files, err := filepath.Glob("cpp/*.cpp")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 40 {
		t.Errorf("%d programs", len(files))
	}
	manual, err := os.ReadFile("../../static/docs/cpp.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".cpp")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), "// ") {
			t.Errorf("%s does not begin with a comment that says what it shows", name)
		}
		if !strings.Contains(string(manual), "`"+name+"`") {
			t.Errorf("the manual does not list %s", name)
		}
		found := false
		for _, b := range catalogue.CPlusPlus() {
			if b.Program != name {
				continue
			}
			found = true
			for _, d := range b.Defines {
				if macro, _, _ := strings.Cut(d, "="); !strings.Contains(string(text), macro) {
					t.Errorf("%s knows no %s", name, macro)
				}
			}
			agreesWithTwin(t, b)
		}
		if !found {
			t.Errorf("%s is not in verdicts.txt", name)
		}
	}
	for _, b := range catalogue.CPlusPlus() {
		if !slices.Contains(files, filepath.Join("cpp", b.Program+".cpp")) {
			t.Errorf("verdicts.txt has %s, which is no program", b.Program)
		}
	}
}

// agreesWithTwin compares the verdicts with those that programs.txt has for the program in C.
func agreesWithTwin(t *testing.T, b catalogue.CompiledBuild) {
	t.Helper()
	if b.Twin == "" {
		return
	}
	twin, ok := catalogue.FindProgram(b.Twin)
	i := slices.IndexFunc(twin.Builds, func(c catalogue.Build) bool { return slices.Equal(c.Defines, b.Defines) })
	if !ok || i < 0 {
		t.Errorf("%s %v: no program %s in C with these macros", b.Program, b.Defines, b.Twin)
		return
	}
	for _, k := range b.Known {
		for _, c := range twin.Builds[i].Known {
			if c.Model == k.Model && c.Verdict != k.Verdict {
				t.Errorf("%s %v under %s: %s, and in C %s", b.Program, b.Defines, k.Model, k.Verdict, c.Verdict)
			}
		}
	}
}

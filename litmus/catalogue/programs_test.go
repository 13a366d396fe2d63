package catalogue_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
)

// Every program is in the table, has a description, and has a build that is safe under sequential consistency; those
// that have FENCES are safe with them under every model.
func TestPrograms(t *testing.T) {
	files, err := fs.Glob(os.DirFS("programs"), "*.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range catalogue.Programs() {
		files = slices.DeleteFunc(files, func(f string) bool { return f == p.File() })
		if p.Note == "" || strings.Contains(p.Note, "\n") || !strings.HasSuffix(p.Note, ".") || len(p.Note) > 160 {
			t.Errorf("%s: its note is %q", p.Name, p.Note)
		}
		if p.Published == "" || p.Family == "" {
			t.Errorf("%s: no family, or nowhere published", p.Name)
		}
		if found, ok := catalogue.FindProgram(p.Name); !ok || found.Source != p.Source {
			t.Errorf("%s cannot be found", p.Name)
		}
		safe := 0
		for _, b := range p.Builds {
			for _, k := range b.Known {
				if k.Verdict == "safe" && k.Model == "sc" {
					safe++
				}
				if k.Verdict != "safe" && slices.Equal(b.Defines, []string{"FENCES"}) {
					t.Errorf("%s with its fences is %s under %s", p.Name, k.Verdict, k.Model)
				}
			}
			for _, d := range b.Defines {
				name, _, _ := strings.Cut(d, "=")
				if !strings.Contains(p.Source, name) {
					t.Errorf("%s knows no %s", p.Name, name)
				}
			}
		}
		if safe == 0 || len(p.Builds) == 0 {
			t.Errorf("%s: no way to build it is safe under SC", p.Name)
		}
	}
	if len(files) > 0 {
		t.Errorf("not in programs.txt: %v", files)
	}
}

// The programs are C that a compiler takes without a warning, in each way to build them.
func TestProgramsCompile(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		gcc, err = exec.LookPath("cc")
	}
	if err != nil {
		t.Fatal("no C compiler found, which SQLite needs as well (Debian, Ubuntu: apt-get install gcc libc6-dev)")
	}
	for _, p := range catalogue.Programs() {
		for _, b := range p.Builds {
			args := []string{
				"-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-pthread",
				"-fsyntax-only",
			}
			for _, d := range b.Defines {
				args = append(args, "-D"+d)
			}
			if out, err := exec.Command(gcc,
				append(args, filepath.Join("programs", p.File()))...).CombinedOutput(); err != nil {
				t.Errorf("%s %v: %v\n%s", p.Name, b.Defines, err, out)
			}
		}
	}
}

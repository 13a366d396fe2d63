// Package published contains memory models as they were published, with year and source, so that versions of a model
// can be compared. [All] lists each [Version], oldest first; [Of] lists those of an architecture, and [Find] finds one.
// Some are built-in models, the others were written from their published definitions. [Tests] returns the tests that
// distinguish versions and that no small cycle makes.
//
// published.txt lists the versions. It imports models: no solver.
package published

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"litmuscope/models"
	"litmuscope/models/library"
)

// Version is a model as it was published.
type Version struct {
	Name   string   // of a built-in model, or its own
	Title  string   // as its text has it
	Archs  []string // the architectures whose model it is a version of
	Year   int
	Source string
	Text   string // "" for a built-in model
}

// Test is a litmus test that no cycle generates and that distinguishes versions.
type Test struct{ Name, Source string }

//go:embed published.txt *.cat tests
var files embed.FS

// Tests returns the tests that distinguish versions of an architecture's model where no small cycle does.
func Tests(arch string) (out []Test) {
	dir := path.Join("tests", arch)
	entries, err := files.ReadDir(dir)
	if err != nil {
		return nil // the architecture has no such tests
	}
	for _, e := range entries {
		text, err := files.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			panic("BUG: " + err.Error())
		}
		out = append(out, Test{strings.TrimSuffix(e.Name(), ".litmus"), string(text)})
	}
	return out
}

// All returns the versions by architecture, oldest first.
func All() []Version { return all() }

// Of returns the versions of an architecture's model that are not built in.
func Of(arch string) []Version {
	return slices.DeleteFunc(slices.Clone(all()),
		func(v Version) bool { return v.Text == "" || !slices.Contains(v.Archs, arch) })
}

// Names returns the names of the versions that are not built in.
func Names() (out []string) {
	for _, v := range all() {
		if v.Text != "" {
			out = append(out, v.Name)
		}
	}
	return out
}

// Find returns the version with a name.
func Find(name string) (Version, bool) {
	i := slices.IndexFunc(all(), func(v Version) bool { return v.Name == name })
	if i < 0 {
		return Version{}, false
	}
	return all()[i], true
}

var all = sync.OnceValue(func() (out []Version) {
	table, err := files.ReadFile("published.txt")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	n := 0
	for line := range strings.Lines(string(table)) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, " | ")
		var v Version
		if len(f) == 4 {
			if _, err := fmt.Sscan(f[1], &v.Year); err != nil {
				panic(fmt.Sprintf("BUG: published.txt:%d: %v", n, err))
			}
		} else {
			panic(fmt.Sprintf("BUG: published.txt:%d: want a name, a year, architectures and a source", n))
		}
		v.Name, v.Archs, v.Source = f[0], strings.Fields(f[2]), f[3]
		text, err := library.Text(v.Name + ".cat")
		if !slices.Contains(models.AllNames(), v.Name) {
			var own []byte
			own, err = files.ReadFile(v.Name + ".cat")
			text, v.Text = string(own), string(own)
		}
		if err != nil {
			panic("BUG: " + err.Error())
		}
		v.Title, _, _ = strings.Cut(strings.TrimPrefix(text, `"`), `"`) // without parsing all models at the start
		out = append(out, v)
	}
	return out
})

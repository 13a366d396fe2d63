// Package catalogue holds the classic litmus tests of each architecture, each with a
// note on what it asks, in the order in which one would teach them.
//
// The tests are files in a folder per architecture under tests, named after the
// test, by the conventions of diy: a shape (SB, MP …) and, after it, what keeps each
// thread's accesses in order. The note is the file's own doc string. A new test is one
// file and one name in the table of families.
package catalogue

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"litmuscope/litmus"
)

// Entry is one classic test.
type Entry struct {
	Name   string `json:"name"` // unique for its architecture
	Arch   string `json:"arch"`
	Family string `json:"family"` // the kind of question it asks
	Large  bool   `json:"large"`  // a whole program, which may take an engine long
	Note   string `json:"note"`   // one line
	Source string `json:"source"` // the test's text
}

// firstArch is the architecture of tests that go by their name alone.
const firstArch = "X86"

// ID names the test among all: SB, PPC/SB.
func (e Entry) ID() string {
	if e.Arch == firstArch {
		return e.Name
	}
	return e.Arch + "/" + e.Name
}

//go:embed tests/*/*.litmus
var files embed.FS

var entries = sync.OnceValue(func() (all []Entry) {
	for _, t := range table {
		for _, f := range t.families {
			for name := range strings.FieldsSeq(f.tests) {
				e, err := load(t.arch, name)
				if err != nil {
					panic(fmt.Sprintf("BUG: classic test %s of %s: %v", name, t.arch, err))
				}
				e.Family, e.Large = f.title, f.large
				all = append(all, e)
			}
		}
	}
	return all
})

func load(arch, name string) (Entry, error) {
	file := name + ".litmus"
	text, err := files.ReadFile("tests/" + arch + "/" + file)
	if err != nil {
		return Entry{}, err
	}
	t, err := litmus.Parse(file, string(text))
	if err != nil {
		return Entry{}, err
	}
	return Entry{Name: t.Name, Arch: t.Arch, Note: t.Doc, Source: string(text)}, nil
}

// All gives the classic tests by architecture and family. The caller must not change it.
func All() []Entry { return entries() }

// Find gives the test with that ID. X86/SB is SB, too.
func Find(id string) (Entry, bool) {
	arch, name, ok := strings.Cut(id, "/")
	if !ok {
		arch, name = firstArch, id
	}
	for _, e := range All() {
		if e.Arch == arch && e.Name == name {
			return e, true
		}
	}
	return Entry{}, false
}

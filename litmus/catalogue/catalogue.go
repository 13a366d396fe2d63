// Package catalogue holds the classic litmus tests of each architecture, each with a
// note on what it asks, in the order in which one would teach them. Some are whole
// programs, which take some engines long: All leaves them out.
//
// The tests are files in a folder for each architecture under tests, named after the
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

// entries gives the small tests, and every test.
var entries = sync.OnceValues(func() (all, every []Entry) {
	for _, t := range table {
		for _, f := range t.families {
			whole := false
			for name := range strings.FieldsSeq(f.tests) {
				if name == "|" {
					whole = true
					continue
				}
				e, err := load(t.arch, name)
				if err != nil {
					panic(fmt.Sprintf("BUG: classic test %s of %s: %v", name, t.arch, err))
				}
				e.Family = f.title
				every = append(every, e)
				if !whole {
					all = append(all, e)
				}
			}
		}
	}
	return all, every
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

// All gives the classic tests that every engine answers at once, by architecture and
// family. The caller must not change it.
func All() []Entry {
	all, _ := entries()
	return all
}

// Every gives the whole programs, too, each in its family. The caller must not change it.
func Every() []Entry {
	_, every := entries()
	return every
}

// Find gives the test with that ID, of Every. X86/SB is SB, too.
func Find(id string) (Entry, bool) {
	arch, name, ok := strings.Cut(id, "/")
	if !ok {
		arch, name = firstArch, id
	}
	for _, e := range Every() {
		if e.Arch == arch && e.Name == name {
			return e, true
		}
	}
	return Entry{}, false
}

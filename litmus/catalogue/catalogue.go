// Package catalogue holds the classic litmus tests, each with a note on what it
// asks, in the order in which one would teach them.
//
// The tests are files under tests, named after the test; the note is the file's
// own doc string. A new test is one file and one name in the table of families.
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
	Name   string `json:"name"`
	Arch   string `json:"arch"`
	Family string `json:"family"` // the kind of question it asks
	Note   string `json:"note"`   // one line
	Source string `json:"source"` // the test's text
}

// families lists the tests by the question they ask, the simplest first.
var families = []struct {
	title string
	tests string
}{
	{"Store buffering", "SB SB+mfence+po SB+mfences SB+xchgs 3.SB"},
	{"Message passing", "MP MP+mfence+po MP+mfences MP+xchg ISA2"},
	{"Load buffering", "LB LB+mfences"},
	{"Order of writes", "S R R+po+mfence 2+2W 2+2W+mfences"},
	{"One location: coherence", "CoRR CoWW CoRW1 CoRW2 CoWR CoRR2"},
	{"Several observers", "WRC RWC RWC+po+mfence W+RWC WWC IRIW IRIW+mfences"},
	{"Store forwarding", "SB+rfi-pos n6 n5 n4b"},
	{"Atomic instructions and locks", "inc lock-inc xchg-lock xchg-handover spinlock"},
	{"Mutual exclusion by reads and writes", "Dekker Dekker+mfences Peterson Peterson+mfences"},
}

//go:embed tests/*.litmus
var files embed.FS

var all = sync.OnceValue(func() []Entry {
	var out []Entry
	for _, f := range families {
		for name := range strings.FieldsSeq(f.tests) {
			e, err := load(name)
			if err != nil {
				panic(fmt.Sprintf("BUG: classic test %s: %v", name, err))
			}
			e.Family = f.title
			out = append(out, e)
		}
	}
	return out
})

func load(name string) (Entry, error) {
	file := name + ".litmus"
	text, err := files.ReadFile("tests/" + file)
	if err != nil {
		return Entry{}, err
	}
	t, err := litmus.Parse(file, string(text))
	if err != nil {
		return Entry{}, err
	}
	return Entry{Name: t.Name, Arch: t.Arch, Note: t.Doc, Source: string(text)}, nil
}

// All gives every classic test, family by family. The caller must not change it.
func All() []Entry { return all() }

// Find gives the test of that name.
func Find(name string) (Entry, bool) {
	for _, e := range All() {
		if e.Name == name {
			return e, true
		}
	}
	return Entry{}, false
}

// Package catalogue contains the classic litmus tests of each architecture, and classic programs in C. [All] lists the
// tests, [Find] finds one. An [Entry] has the test's text, its [Shape], its cycle, a note on what it asks, and the
// [Verdict] of every built-in model with the publication that reports it. [Programs] lists the programs, with the
// models under which each is safe, and [Museum] the programs with published bugs, before and after the fix.
//
// The program embeds the data files (the comment of the variable files describes them). The names of the tests follow
// the conventions of diy: a shape (SB, MP …), then what orders the accesses of each thread. Tests of litmus/catalogue
// and solver/engines compare every verdict with the answers of the engines.
//
// It imports litmus and its packages: no model and no solver.
package catalogue

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
)

// Entry is one classic test.
type Entry struct {
	Name     string    `json:"name"` // unique in its architecture
	Arch     string    `json:"arch"`
	Family   string    `json:"family"` // the kind of question it asks
	Large    bool      `json:"large"`  // a whole program, which may take an engine long
	Note     string    `json:"note"`   // one line
	Source   string    `json:"source"` // the test's text
	Shape    string    `json:"shape" doc:"the name of its shape: SB, MP, Locks"`
	Cycle    string    `json:"cycle,omitempty" doc:"the cycle that it tests, in diy's notation"`
	Remark   string    `json:"remark,omitempty" doc:"a few sentences, if the test teaches something special"`
	Verdicts []Verdict `json:"verdicts" doc:"the verdict of each built-in model"`
	core     bool
	system   bool // from a table of a system's side
}

// Verdict is a model's answer to a test.
type Verdict struct {
	Model   string `json:"model"`
	Verdict string `json:"verdict" enum:"allowed,forbidden"`
	Source  string `json:"source,omitempty" doc:"the publication that reports the verdict; absent if only our engines do"`
}

// Allowed reports whether the model allows the outcome that the test is about.
func (v Verdict) Allowed() bool { return v.Verdict == allowed }

// Under returns the verdict of a model.
func (e Entry) Under(model string) (Verdict, bool) {
	for _, v := range e.Verdicts {
		if v.Model == model {
			return v, true
		}
	}
	return Verdict{}, false
}

// System reports whether the test is of a system's side: memory tags, page tables, instruction fetch, exceptions or
// pointer authentication. Only the architecture's own model decides it.
func (e Entry) System() bool { return e.system }

// firstArch is the architecture of tests whose ID is only their name.
const firstArch = "X86"

// ID names the test among all: SB, PPC/SB.
func (e Entry) ID() string {
	if e.Arch == firstArch {
		return e.Name
	}
	return e.Arch + "/" + e.Name
}

// files are the data on tests. tests/ARCH/NAME.litmus is a test; its doc string is the note. Beside the tests are, as
// plain text:
//
//   - verdicts/ARCH.txt: the tests of an architecture by family, in the order in which one would teach them, with a
//     verdict for each model
//   - verdicts/ARCH-system.txt: the same for tests of a system's side (tags, page tables, exceptions …), which only the
//     architecture's own model decides
//   - shapes.txt: the shapes, each with its cycle, a few sentences and where it was published
//   - cycles.txt: the cycle that a test asks about, as [litmuscope/litmus/cycle] finds it
//   - remarks.txt: a few sentences on tests that teach something of their own
//   - sources.txt: which publication reports which verdict. Only our engines have found the others.
//
//go:embed tests/*/*.litmus verdicts/*.txt shapes.txt cycles.txt remarks.txt sources.txt
var files embed.FS

// read returns an embedded file. It panics if the file is missing.
func read(in embed.FS, name string) string {
	text, err := in.ReadFile(name)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return string(text)
}

var entries = sync.OnceValue(func() (all []Entry) {
	for _, arch := range dialect.Archs() {
		all = append(all, tests(arch, arch)...)
		all = append(all, tests(arch, arch+"-system")...)
	}
	ask(all)
	remark(all)
	cite(all)
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
	if t.Arch != arch || t.Name != name {
		return Entry{}, fmt.Errorf("the file has %s of %s", t.Name, t.Arch)
	}
	return Entry{Name: t.Name, Arch: t.Arch, Note: t.Doc, Source: string(text)}, nil
}

// All returns the classic tests by architecture and family. The caller must not change them.
func All() []Entry { return entries() }

// Core returns a quarter of the tests, a selection from all families. Tests of other packages use it where all tests
// would take minutes.
func Core() []Entry { return core() }

var core = sync.OnceValue(func() []Entry {
	return slices.DeleteFunc(slices.Clone(All()), func(e Entry) bool { return !e.core })
})

var byID = sync.OnceValue(func() map[string]Entry {
	out := map[string]Entry{}
	for _, e := range All() {
		out[e.Arch+"/"+e.Name] = e
	}
	return out
})

// Find returns the test with an ID. X86/SB is the same as SB.
func Find(id string) (Entry, bool) {
	if !strings.Contains(id, "/") {
		id = firstArch + "/" + id
	}
	e, ok := byID()[id]
	return e, ok
}

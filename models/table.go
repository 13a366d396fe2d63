package models

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models/library"
)

// Facts are the properties of a built-in model that its text does not state.
type Facts struct {
	Name, Label string // a label is the name as people write it
	// The architectures or languages whose tests the model is for. The first model with a language is the default for
	// it.
	Languages []string
	Generic   bool // for no single architecture
	// The target to which C's atomics are compiled: an architecture in the default variants of its mapping, or a
	// language.
	Target  string
	ShownIn PageKinds // where pages show it by default
	Machine bool      // store buffers, or their absence, explain it completely
	// An exchange that writes back what it has read can be left out: forgetful.go gives the reason.
	Exchanges     bool
	Grounded      bool    // it forbids all cycles of dependencies and reads-from, so that no value depends on itself
	Buffers       bool    // stores of its machine can wait in a buffer
	Marks         ir.Tags // the tags by which accesses and fences of its language are recognised
	ReferenceName string  // its name in reference answers, if different
	Unsettled     string  // why its verdicts on accesses of mixed size are experimental or missing
	// Order names the axiom that enforces program order: every cycle through po and rf that the model forbids breaks
	// this axiom. The axiom orders what follows an acquiring read, the read of an update or a fence. What depends on a
	// read comes after the read, or no other thread sees it except through what comes after.
	Order string
	// Scoped: it is for tests in which threads are in scopes, and for no others.
	Scoped bool
}

// PageKinds is a set of pages that show a model by default.
type PageKinds int

// The kinds of pages.
const (
	InTests PageKinds = 1 << iota // of architectures
	InC                           // tests in C, which are compared with what a compiler makes for x86
	InPrograms
)

// IsLanguage reports whether a model is that of a programming language or of a GPU, which knows only the accesses and
// fences of that language.
func (f Facts) IsLanguage() bool {
	return slices.Contains(f.Languages, "C") || slices.Contains(f.Languages, dialect.Kernel) || f.Scoped
}

// table has the generic models first, from the strongest to the weakest, except that rmo and alpha each allow what the
// other forbids; then those of architectures, then those of languages. If a model has no instruction set, as tso, C's
// atomics keep the meaning that they have in tests.
var table = []Facts{
	{
		Name: "sc", Label: "SC", Generic: true, Target: "generic", ShownIn: InTests | InC | InPrograms, Machine: true,
		Exchanges: true,
	},
	{
		Name: "tso", Label: "TSO", Languages: []string{"X86", "X86_64"}, Generic: true, Target: "generic",
		ShownIn: InTests | InC | InPrograms, Machine: true, Exchanges: true, Buffers: true,
	},
	{
		Name: "pso", Label: "PSO", Generic: true, Target: "generic", Machine: true, Exchanges: true, Buffers: true,
	},
	{Name: "rmo", Label: "RMO", Generic: true, Target: "generic"},
	{Name: "alpha", Label: "Alpha", Generic: true, Target: "generic"},
	{Name: "riscv", Label: "RISC-V", Languages: []string{"RISCV"}, Target: "riscv", ShownIn: InTests},
	{
		Name:      "aarch64",
		Label:     "AArch64",
		Languages: []string{"AArch64"},
		Target:    "aarch64",
		ShownIn:   InTests | InPrograms,
	},
	{
		Name:      "arm",
		Label:     "ARM",
		Languages: []string{"ARM"},
		Target:    "arm",
		Unsettled: "no axioms for them are published",
	},
	{Name: "mips", Label: "MIPS", Languages: []string{"MIPS"}, Target: "generic"},
	{
		Name: "power", Label: "Power", Languages: []string{"PPC"}, Target: "power", ShownIn: InTests,
		Unsettled: "no axioms for them are published",
	},
	{Name: "power-cav10", Label: "Power (2010)", Languages: []string{"PPC"}, Target: "power"},
	{
		Name: "bpf", Label: "BPF", Languages: []string{"BPF"}, Target: "generic",
		Unsettled: "no axioms for them are published",
	},
	{
		Name: "rc11", Label: "RC11", Languages: []string{"C"}, Target: "c", ShownIn: InC, Exchanges: true,
		Marks: ir.Tags{"RLX", "ACQ", "REL", "ACQ_REL", "SC"},
	},
	{Name: "c11", Label: "C11", Languages: []string{"C"}, Target: "c", ShownIn: InC, ReferenceName: "c11-orig"},
	{Name: "c11-psc", Label: "C11-psc", Languages: []string{"C"}, Target: "c", ReferenceName: "c11"},
	{Name: "imm", Label: "IMM", Languages: []string{"C"}, Target: "c", Grounded: true, Order: "no-thin-air"},
	{
		Name: "lkmm", Label: "LKMM", Languages: []string{dialect.Kernel, "LISA"}, Target: "lkmm",
		Unsettled: "the kernel's model does not define them",
		Marks:     ir.Tags{"ONCE", "NORETURN", "LKR", "LKW", "UL", "MB", "Mb", "Rmb", "Wmb", "Rcu-lock"},
	},
	{Name: "ptx", Label: "PTX", Languages: []string{"PTX"}, Scoped: true, ReferenceName: "ptx-v7.5"},
	{Name: "ptx-v6.0", Label: "PTX 6.0", Languages: []string{"PTX"}, Scoped: true},
	{Name: "vulkan", Label: "Vulkan", Languages: []string{"VULKAN"}, Scoped: true},
	{Name: "vulkan-nochains", Label: "Vulkan without chains", Languages: []string{"VULKAN"}, Scoped: true},
	{Name: "opencl", Label: "OpenCL", Languages: []string{"OPENCL"}, Scoped: true},
}

func first(is func(Facts) bool) Facts {
	if i := slices.IndexFunc(table, is); i >= 0 {
		return table[i]
	}
	return Facts{}
}

func names(are func(Facts) bool) (all []string) {
	for _, f := range table {
		if are(f) {
			all = append(all, f.Name)
		}
	}
	return all
}

// Label returns a model's name as people write it: SC, TSO, RISC-V, Power (2010), TSO without consensus. A model that
// is not built in has its own name.
func Label(name string) string {
	base, without := Split(name)
	label := cmp.Or(FactsOf(strings.ToLower(base)).Label, base)
	if len(without) > 0 {
		label += " without " + strings.Join(without, ", ")
	}
	return label
}

// FactsOf returns the facts of a built-in model, and the zero value for another name.
func FactsOf(name string) Facts { return first(func(f Facts) bool { return f.Name == name }) }

// ByReferenceName returns the built-in model with a name in reference answers, or the name itself if there is none.
func ByReferenceName(theirs string) string {
	if f := first(func(f Facts) bool { return f.ReferenceName != "" && f.ReferenceName == theirs }); f.Name != "" {
		return f.Name
	}
	return theirs
}

// Default returns the model for the tests of an architecture or language; "" for an unknown one.
func Default(tongue string) string {
	return first(func(f Facts) bool { return slices.Contains(f.Languages, tongue) }).Name
}

// For lists the built-in models for tests in C, in the kernel's C (LKMM), or in any architecture's instructions.
func For(tongue string) []string {
	in := FactsOf(Default(tongue)).IsLanguage()
	return names(func(f Facts) bool {
		return f.Generic || f.IsLanguage() == in && (!in || slices.Contains(f.Languages, tongue))
	})
}

// ShownByDefault lists the built-in models that a kind of page shows by default.
func ShownByDefault(where PageKinds) []string {
	return names(func(f Facts) bool { return f.ShownIn&where != 0 })
}

// IsTheory reports whether a model is that of no architecture or language in which tests are written: SC, PSO, RMO and
// Alpha.
func (f Facts) IsTheory() bool { return len(f.Languages) == 0 }

// Place returns a model's place in the lists that people read, for a test in tongue: first the models of the test's own
// architecture or language, its default at the front, then those of the others, and then the models of theory. Within
// each group, the order is that of [Names]. Models without an axiom stand with their model, and models that are not
// built in come last. Without a test, tongue is "".
func Place(name, tongue string) int {
	base, _ := Split(name)
	at := slices.IndexFunc(table, func(f Facts) bool { return f.Name == strings.ToLower(base) })
	switch {
	case at < 0:
		return 3 * len(table)
	case slices.Contains(table[at].Languages, tongue):
		return at
	case table[at].IsTheory():
		return at + 2*len(table)
	}
	return at + len(table)
}

// Arranged returns names of models in the order of [Place]. Names of equal place keep their order. Every list of models
// on a page has this order; what scripts read has that of [Names] or of the question.
func Arranged(names []string, tongue string) []string {
	out := slices.Clone(names)
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(Place(a, tongue), Place(b, tongue)) })
	return out
}

// Machines lists the models that a machine explains completely, strongest first.
func Machines() []string { return machines }

var machines = names(func(f Facts) bool { return f.Machine })

// Names lists the built-in models that tests of every architecture, or of a language, can be asked about: all but
// those for GPUs.
func Names() []string { return names(func(f Facts) bool { return !f.Scoped }) }

// ScopedNames lists the built-in models for tests of GPUs.
func ScopedNames() []string { return names(func(f Facts) bool { return f.Scoped }) }

// AllNames lists all built-in models: those of [Names], and then those of [ScopedNames].
func AllNames() []string { return names(func(Facts) bool { return true }) }

// Target returns the target of the language whose tags the model names. It returns "" if the model names none, or gives
// a meaning to the tags of all architectures: SC is a tag of BPF as well.
func (m *Model) Target() string {
	if slices.ContainsFunc(append(ir.FullFence, ir.TagFull, ir.TagLocked), m.Mentions) {
		return ""
	}
	return first(func(f Facts) bool { return slices.ContainsFunc(f.Marks, m.Mentions) }).Target
}

// OfRaces returns the model that defines data races where the chosen model does not: that of the language whose own
// tags some access has, or else C's happens-before (c11-races.cat).
func OfRaces(has func(ir.Tag) bool) *Model {
	if f := first(func(f Facts) bool { return slices.ContainsFunc(f.Marks, has) }); f.Name != "" &&
		f.Name != Default("C") {
		return builtins[f.Name]()
	}
	return c11Races()
}

var c11Races = sync.OnceValue(func() *Model { return mustParse("c11-races") })

// builtins are the built-in models. Each is parsed on first use, so that a process that needs one starts faster.
var builtins = func() map[string]func() *Model {
	all := map[string]func() *Model{}
	for _, f := range table {
		all[f.Name] = sync.OnceValue(func() *Model { return mustParse(f.Name) })
	}
	return all
}()

// mustParse returns the model of a library file. It panics on errors.
func mustParse(name string) *Model {
	text, err := library.Text(name + ".cat")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	m, err := Parse(name, text, dialect.Vocabulary())
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return m
}

// BuiltInKeys returns the keys of the built-in models, in the order of [AllNames], without parsing them.
func BuiltInKeys() []string {
	var keys []string
	for _, name := range AllNames() {
		text, err := library.Text(name + ".cat")
		if err != nil {
			panic("BUG: " + err.Error())
		}
		keys = append(keys, keyOf(text, nil))
	}
	return keys
}

// Find returns a built-in model, or a variant of one: tso~consensus is tso without that axiom.
func Find(name string) (*Model, bool) {
	m, err := Named(name)
	return m, err == nil
}

// Named is like [Find], but returns an error that lists the models.
func Named(name string) (*Model, error) {
	base, without := Split(name)
	m, ok := builtins[strings.ToLower(base)]
	if !ok {
		return nil, fmt.Errorf("unknown model %q: want one of %s, or a model in the cat language (a .cat file)",
			litmus.Shorten(name), strings.Join(AllNames(), ", "))
	}
	return m().Less(without)
}

// HasMachine reports whether m is one of the built-in models that store buffers explain completely. A user's model with
// such a name is not.
func (m *Model) HasMachine() bool { return m.facts().Machine }

// IsBuiltIn reports whether m is one of the built-in models, complete: not a variant, nor a user's model of that name.
func (m *Model) IsBuiltIn() bool { return m.facts().Name != "" }

// IsGrounded reports whether no write and no branch depends on itself: by [Model.ForbidsThinAir], or because m is a
// built-in model that forbids cycles of reads-from and of dependencies by value, condition or address, including what
// the write of an update depends on.
func (m *Model) IsGrounded() bool { return m.ForbidsThinAir() || m.facts().Grounded }

// Order returns the axiom of a built-in model that [Facts.Order] describes.
func (m *Model) Order() string { return m.facts().Order }

// facts returns the facts of a built-in model, and the zero value for another model of that name.
func (m *Model) facts() Facts {
	if find := builtins[m.Name]; find != nil {
		if builtin := find(); builtin == m || builtin.Key() == m.Key() {
			return FactsOf(m.Name)
		}
	}
	return Facts{}
}

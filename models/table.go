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

// Facts are what there is to know of a built-in model beside its text.
type Facts struct {
	Name, Label string // a label is the name as people write it
	// what tests are written in that it is for; the first model with a tongue is asked where none is named
	Own     []string
	Generic bool // no single architecture's
	// what C's atomics are compiled to: a mapping to its architecture, in its default variants, or a language
	Target  string
	Front   Front // where it is in sight on a page though nobody chose it
	Machine bool  // store buffers, or none, explain it in full
	// an exchange that writes back what it has read can be left out of account: forgetful.go says why
	Exchanges bool
	Grounded  bool    // it forbids all cycles of dependencies and reads-from, so that nothing depends on itself
	Buffers   bool    // so that stores of its machine may wait
	Marks     ir.Tags // by which accesses and fences of its language are known
	Theirs    string  // what reference answers call it, where they have another name for it
	Unsettled string  // why what it says of accesses of mixed size is an experiment, or why it says nothing
	// Order is the axiom that says which of what threads do comes in their order, where no cycle of program order and
	// reads-from is without it: what is behind an acquiring read, an update's read or a fence is; and what depends on a
	// read does, or is seen by nobody but by way of what does.
	Order string
}

// Front says in front of whom a model is.
type Front int

// Those who come for other models than the one for what they have.
const (
	InTests Front = 1 << iota // of architectures
	InC                       // tests in C, which hold it against what a compiler makes for x86
	InPrograms
)

// IsLanguage tells whether a model is a programming language's: it knows the accesses and
// fences of that language alone.
func (f Facts) IsLanguage() bool {
	return slices.Contains(f.Own, "C") || slices.Contains(f.Own, dialect.Kernel)
}

// table has the generic models first, from the strongest to the weakest but that rmo and alpha each
// allow what the other forbids; then those of architectures, and those of languages. Where no instruction
// set is meant, as under tso by itself, C's atomics are what they are in tests.
var table = []Facts{
	{
		Name: "sc", Label: "SC", Generic: true, Target: "generic", Front: InTests | InC | InPrograms, Machine: true,
		Exchanges: true,
	},
	{
		Name: "tso", Label: "TSO", Own: []string{"X86", "X86_64"}, Generic: true, Target: "generic",
		Front: InTests | InC | InPrograms, Machine: true, Exchanges: true, Buffers: true,
	},
	{
		Name: "pso", Label: "PSO", Generic: true, Target: "generic", Front: InTests, Machine: true, Exchanges: true,
		Buffers: true,
	},
	{Name: "rmo", Label: "RMO", Generic: true, Target: "generic"},
	{Name: "alpha", Label: "Alpha", Generic: true, Target: "generic"},
	{Name: "riscv", Label: "RISC-V", Own: []string{"RISCV"}, Target: "riscv", Front: InTests},
	{Name: "aarch64", Label: "AArch64", Own: []string{"AArch64"}, Target: "aarch64", Front: InTests | InPrograms},
	{Name: "arm", Label: "ARM", Own: []string{"ARM"}, Target: "arm", Unsettled: "no axioms for them are published"},
	{Name: "mips", Label: "MIPS", Own: []string{"MIPS"}, Target: "generic"},
	{
		Name: "power", Label: "Power", Own: []string{"PPC"}, Target: "power", Front: InTests,
		Unsettled: "no axioms for them are published",
	},
	{Name: "power-cav10", Label: "Power (2010)", Own: []string{"PPC"}, Target: "power"},
	{
		Name: "bpf", Label: "BPF", Own: []string{"BPF"}, Target: "generic",
		Unsettled: "no axioms for them are published",
	},
	{
		Name: "rc11", Label: "RC11", Own: []string{"C"}, Target: "c", Front: InC, Exchanges: true,
		Marks: ir.Tags{"RLX", "ACQ", "REL", "ACQ_REL", "SC"},
	},
	{Name: "c11", Label: "C11", Own: []string{"C"}, Target: "c", Front: InC, Theirs: "c11-orig"},
	{Name: "c11-psc", Label: "C11-psc", Own: []string{"C"}, Target: "c", Theirs: "c11"},
	{Name: "imm", Label: "IMM", Own: []string{"C"}, Target: "c", Grounded: true, Order: "no-thin-air"},
	{
		Name: "lkmm", Label: "LKMM", Own: []string{dialect.Kernel}, Target: "lkmm",
		Unsettled: "the kernel's model does not define them",
		Marks:     ir.Tags{"ONCE", "NORETURN", "LKR", "LKW", "UL", "MB", "Mb", "Rmb", "Wmb", "Rcu-lock"},
	},
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

// Label is a model's name as people write it: SC, TSO, RISC-V, Power (2010), TSO without consensus; one that is not
// built in goes by its own.
func Label(name string) string {
	base, without := Split(name)
	label := cmp.Or(FactsOf(strings.ToLower(base)).Label, base)
	if len(without) > 0 {
		label += " without " + strings.Join(without, ", ")
	}
	return label
}

// FactsOf are a built-in model's, and none for another name.
func FactsOf(name string) Facts { return first(func(f Facts) bool { return f.Name == name }) }

// Ours is the built-in model that reference answers have a name for.
func Ours(theirs string) string {
	if f := first(func(f Facts) bool { return f.Theirs != "" && f.Theirs == theirs }); f.Name != "" {
		return f.Name
	}
	return theirs
}

// Default is the model of an architecture's tests, or of a tongue's: "" for one that there is not.
func Default(tongue string) string {
	return first(func(f Facts) bool { return slices.Contains(f.Own, tongue) }).Name
}

// For lists the built-in models that know what tests say that are written in C, in the
// kernel's C (LKMM), or in any architecture's instructions.
func For(tongue string) []string {
	in := FactsOf(Default(tongue)).IsLanguage()
	return names(func(f Facts) bool {
		return f.Generic || f.IsLanguage() == in && (!in || slices.Contains(f.Own, tongue))
	})
}

// InFront lists the built-in models that are in sight somewhere.
func InFront(where Front) []string { return names(func(f Facts) bool { return f.Front&where != 0 }) }

// Machines lists the models that a machine explains in full, from the strongest on.
func Machines() []string { return machines }

var machines = names(func(f Facts) bool { return f.Machine })

// Names lists the built-in models.
func Names() []string { return names(func(Facts) bool { return true }) }

// Target is that of the language whose marks the model names, "" where it names none, or gives a meaning to what all
// architectures have: SC is a mark of BPF's as well.
func (m *Model) Target() string {
	if slices.ContainsFunc(append(ir.FullFence, ir.TagFull, ir.TagLocked), m.Mentions) {
		return ""
	}
	return first(func(f Facts) bool { return slices.ContainsFunc(f.Marks, m.Mentions) }).Target
}

// OfRaces is the model that says what a data race is where another one says nothing of them: that of the language whose
// own tags some access has, or else C's happens-before (c11-races.cat).
func OfRaces(has func(ir.Tag) bool) *Model {
	if f := first(func(f Facts) bool { return slices.ContainsFunc(f.Marks, has) }); f.Name != "" &&
		f.Name != Default("C") {
		return builtins[f.Name]()
	}
	return c11Races()
}

var c11Races = sync.OnceValue(func() *Model { return mustParse("c11-races") })

// builtins are the built-in models, each parsed when it is first asked for: a process
// that answers for one of them starts all the sooner.
var builtins = func() map[string]func() *Model {
	all := map[string]func() *Model{}
	for _, f := range table {
		all[f.Name] = sync.OnceValue(func() *Model { return mustParse(f.Name) })
	}
	return all
}()

// mustParse is the model of a file of the library.
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

// BuiltInKeys are the keys of the built-in models, in the order of [Names], none of which need be parsed for them.
func BuiltInKeys() []string {
	var keys []string
	for _, name := range Names() {
		text, err := library.Text(name + ".cat")
		if err != nil {
			panic("BUG: " + err.Error())
		}
		keys = append(keys, keyOf(text, nil))
	}
	return keys
}

// Find gives the built-in model of a name, or the variant of one: tso~consensus is tso
// without that axiom.
func Find(name string) (*Model, bool) {
	m, err := Named(name)
	return m, err == nil
}

// Named is [Find] in words for whoever asks: its error says what there is.
func Named(name string) (*Model, error) {
	base, without := Split(name)
	m, ok := builtins[strings.ToLower(base)]
	if !ok {
		return nil, fmt.Errorf("unknown model %q: want one of %s, or a model in the cat language (a .cat file)",
			litmus.Shorten(name), strings.Join(Names(), ", "))
	}
	return m().Less(without)
}

// HasMachine tells whether m is one of the built-in models that store buffers explain
// in full: not just another of that name.
func (m *Model) HasMachine() bool { return m.facts().Machine }

// IsBuiltIn tells whether m is one of the built-in models, whole: not a variant, nor just another of that name.
func (m *Model) IsBuiltIn() bool { return m.facts().Name != "" }

// IsGrounded tells whether no write is there, and no branch taken, for what comes of it: by [Model.ForbidsThinAir], or
// as one of the built-in models, of which it is known that cycles of reads-from and of dependencies by value, condition
// or address are forbidden, what the write of an update depends on among them.
func (m *Model) IsGrounded() bool { return m.ForbidsThinAir() || m.facts().Grounded }

// Order is the axiom of one of the built-in models that [Facts] has.
func (m *Model) Order() string { return m.facts().Order }

// facts are those of a built-in model, and none of another of that name.
func (m *Model) facts() Facts {
	if find := builtins[m.Name]; find != nil {
		if builtin := find(); builtin == m || builtin.Key() == m.Key() {
			return FactsOf(m.Name)
		}
	}
	return Facts{}
}

package lower

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Words is the vocabulary of an architecture's tests, for completions and hints.
type Words struct {
	Forms     func() []Form // made at the first call: only completion and suggestions need them
	Registers []string      // as outcomes print them
	Aliases   []string      // alternative names of registers
	Modifiers []string      // operands that are not registers, numbers or names: LSL, ISH, cr0
	Sigil     string        // before a register in an instruction
	// Register parses a register's name in an instruction; nil for C.
	Register func(name string) (v RegisterView, ok bool)
	Bodies   bool     // threads are below each other, as litmus.Test.HasBodies reports
	Controls []string // for C: words for control flow
	Types    []string // for C: words that types consist of
	// Barriers are those that a user can be asked to place in a program: a full one first, then weaker ones.
	Barriers []string
	Cycles   *Cycles
	// Alternatives, unless nil, returns the parts of a statement without labels that have stronger or weaker variants.
	Alternatives func(statement string) []Alternative
	Scoped       *Scoped      // nil if threads are in no scopes
	Maintenance  *Maintenance // nil if tests have no system side
	// Frame are words of the init block and of the condition, of tests of a system side.
	Frame []FrameWord
}

// Alternative is a part of a statement with its possible variants, including itself.
type Alternative struct {
	At, Length int
	Ways       []Way
}

// Way is a way to write an access or a fence. Name is its name in tables of costs; a way without a name costs nothing.
// Its scope costs in addition.
type Way struct{ Text, Name, Scope string }

// Scoped says how the accesses and fences of a test may be written differently whose threads are in scopes.
type Scoped struct {
	// Ways returns the parts of a statement, without labels, that have stronger or weaker variants.
	Ways func(t *litmus.Test, statement string) []Alternative
	// Fences returns the fences for a place between two accesses, in families that order different things. In each
	// family, one fence orders at least as much as all others.
	Fences func(t *litmus.Test) [][]Way
	// Includes has, by the tag of an order, those of all weaker ones. Scopes are the tags of scopes, the narrowest
	// first.
	Includes map[ir.Tag]ir.Tags
	Scopes   []ir.Tag
	// Equal says that accesses only synchronise if they name one scope, so that a wider one may order less.
	Equal bool
}

// Closure returns the tags of an access or a fence, with those of all weaker orders and, if wide is true, of all
// narrower scopes.
func (s *Scoped) Closure(tags ir.Tags, wide bool) ir.Tags {
	out := slices.Clone(tags)
	for _, t := range tags {
		out = append(out, s.Includes[t]...)
		if i := slices.Index(s.Scopes, t); i > 0 && wide {
			out = append(out, s.Scopes[:i]...)
		}
	}
	return out
}

// AlternativeMnemonics finds a statement's mnemonic in families of mnemonics that differ only in their order. Mnemonics
// are as in the families, or in lower case.
func AlternativeMnemonics(families [][]Way) func(statement string) []Alternative {
	by := map[string][]Way{}
	for _, f := range families {
		small := make([]Way, len(f))
		for i, w := range f {
			small[i] = Way{Text: strings.ToLower(w.Text), Name: w.Name}
		}
		for i := range f {
			by[small[i].Text], by[f[i].Text] = small, f
		}
	}
	return func(statement string) []Alternative {
		end := strings.IndexAny(statement+" ", " \t\r\n")
		if ways, ok := by[statement[:end]]; ok {
			return []Alternative{{0, end, ways}}
		}
		return nil
	}
}

// Form is a way to write an instruction: its mnemonic, operands that the dialect can parse, and a line of help.
type Form struct {
	Mnemonic, Operands, Help string

	after string // the instruction or the line of the header that has to come before it, or ""
}

// FrameWord is what the init block or the condition of a test may have, with x for a location and P0 for a thread.
type FrameWord struct {
	Text, Help     string
	Initial, Final bool // it is for the init block, and for what is behind the threads
	// Inside: it is a field of a value in parentheses.
	Inside bool
}

// Names returns the keys of a table in order.
func Names[T any](table map[string]T) []string { return slices.Sorted(maps.Keys(table)) }

// Forms expands a table of mnemonics, operands and helps. Mnemonics and operands may contain alternatives,
// "LD<ADD|CLR><|A=acquire>", each optionally with a note after "=". Help contains the notes at $1, $2 and so on, by the
// position of the alternatives; other notes are appended in parentheses. Behind " after ", operands name an instruction
// or a line of the header that has to come before. The returned function does so once.
func Forms(rows [][3]string) func() []Form {
	return sync.OnceValue(func() []Form { return formsOf(rows) })
}

func formsOf(rows [][3]string) (out []Form) {
	for _, r := range rows {
		for _, mnemonic := range expand(r[0]) {
			for _, operands := range expand(r[1]) {
				notes := slices.Concat(mnemonic.notes, operands.notes)
				text, after, _ := strings.Cut(operands.text, " after ")
				out = append(out, Form{mnemonic.text, text, annotate(r[2], notes), after})
			}
		}
	}
	return out
}

// alternative is one expansion of a pattern, with a note for each choice.
type alternative struct {
	text  string
	notes []string
}

func expand(pattern string) []alternative {
	before, rest, found := strings.Cut(pattern, "<")
	if !found {
		return []alternative{{text: pattern}}
	}
	choices, after, _ := strings.Cut(rest, ">")
	tails := expand(after)
	var out []alternative
	for _, c := range strings.Split(choices, "|") {
		text, note, _ := strings.Cut(c, "=")
		for _, tail := range tails {
			out = append(out, alternative{before + text + tail.text, append([]string{note}, tail.notes...)})
		}
	}
	return out
}

func annotate(help string, notes []string) string {
	var rest []string
	for i, note := range notes {
		place := "$" + string(rune('1'+i))
		if strings.Contains(help, place) {
			help = strings.ReplaceAll(help, place, note)
		} else if note != "" {
			rest = append(rest, note)
		}
	}
	if len(rest) > 0 {
		help += " (" + strings.Join(rest, ", ") + ")"
	}
	return help
}

// Example returns a test of one form's instruction, with a label L0 to jump to.
func Example(arch string, f Form) string {
	if (&litmus.Test{Arch: arch}).HasBodies() {
		return arch + " example\n{ }\nP0" + litmus.SomePlace(arch) + "(atomic_int *p, int *m, int *l, " +
			"struct srcu_struct *s) { int v, u, old, expected, index; " + f.Mnemonic + f.Operands + "; }\nexists true\n"
	}
	head, before := "", ""
	switch {
	case strings.Contains(f.after, "="):
		head = f.after + "\n"
	case f.after != "":
		before = f.after + ";\n"
	}
	return arch + " example\n" + head + "{ }\nP0" + litmus.SomePlace(arch) + ";\n" + before + f.Mnemonic + " " +
		f.Operands + ";\nL0: ;\nexists true\n"
}

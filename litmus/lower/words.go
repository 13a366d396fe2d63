package lower

import (
	"maps"
	"slices"
	"strings"
)

// Words is what tests of an architecture are written in, for those who type one.
type Words struct {
	Forms     []Form
	Registers []string // as final states print them
	Aliases   []string // further names of registers
	Modifiers []string // what may stand among operands and is no register, number or name: LSL, ISH, cr0
	Sigil     string   // before a register in an instruction
	// Register, but in C, reads a register's name, as it stands in an instruction.
	Register func(name string) (v RegisterView, ok bool)
	Bodies   bool     // threads stand below one another, as litmus.Test.HasBodies tells
	Controls []string // of C: words for where control goes
	Types    []string // of C: words that types are made of
	// Barriers are those that one may be asked to place in a program, as it is written: a full
	// one first, then weaker ones.
	Barriers []string
	Cycles   *Cycles
	// Alternatives, unless nil, are the parts of a statement without labels that could be written otherwise, and would
	// keep more in order, or less.
	Alternatives func(statement string) []Alternative
}

// Alternative is a part of a statement with all that could stand there, itself among it.
type Alternative struct {
	At, Length int
	Ways       []Way
}

// Way is a way to write an access. Its name is what tables of costs call it by; what has none costs nothing.
type Way struct{ Text, Name string }

// AlternativeMnemonics finds a statement's mnemonic among families of them, each with all that do the same but for what
// they keep in order. Mnemonics are as the families have them, or in lower case.
func AlternativeMnemonics(families [][]Way) func(statement string) []Alternative {
	by := map[string][]Way{}
	for _, f := range families {
		small := make([]Way, len(f))
		for i, w := range f {
			small[i] = Way{strings.ToLower(w.Text), w.Name}
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

// Form is a way to write an instruction: operands to begin with, which its dialect reads,
// and what it does, in a line.
type Form struct {
	Mnemonic, Operands, Help string
}

// Names are those of a table, in their order.
func Names[T any](table map[string]T) []string { return slices.Sorted(maps.Keys(table)) }

// Forms writes out a table of mnemonics, operands and helps. Mnemonics and operands may hold alternatives,
// "LD<ADD|CLR><|A=acquire>", each with a note behind "=" perhaps. Help has the notes in
// the places of $1, $2 and so on, by the place of the alternatives; those that it has no
// place for come behind it in parentheses.
func Forms(rows [][3]string) []Form {
	var out []Form
	for _, r := range rows {
		for _, mnemonic := range expand(r[0]) {
			for _, operands := range expand(r[1]) {
				notes := slices.Concat(mnemonic.notes, operands.notes)
				out = append(out, Form{mnemonic.text, operands.text, annotate(r[2], notes)})
			}
		}
	}
	return out
}

// alternative is one way to read a pattern, with a note for each choice in it.
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

// Example is a test of one form's instruction, with a label to go to, L0.
func Example(arch string, f Form) string {
	if arch == "C" {
		return "C example\n{ }\nP0(atomic_int *p, int *m, int *l, struct srcu_struct *s) { int v, u, old, expected, " +
			"index; " + f.Mnemonic + f.Operands + "; }\nexists true\n"
	}
	return arch + " example\n{ }\nP0;\n" + f.Mnemonic + " " + f.Operands + ";\nL0: ;\nexists true\n"
}

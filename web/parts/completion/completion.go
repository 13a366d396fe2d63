package completion

import (
	"slices"
	"strings"

	"litmuscope/litmus/c/cprog"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/display"
	"litmuscope/models/library"
	"litmuscope/web/parts/question"
)

// Test is what completion knows of tests of one architecture.
type Test struct {
	Arch         string        `json:"arch"`
	Instructions []Instruction `json:"instructions"` // the most usual first
	Registers    []string      `json:"registers"`
	Aliases      []string      `json:"aliases,omitempty"`   // further names of registers
	Modifiers    []string      `json:"modifiers,omitempty"` // other words among operands
	Sigil        string        `json:"sigil,omitempty"`     // before a register in an instruction
	Bodies       bool          `json:"bodies,omitempty"`    // threads are functions of C
	Controls     []string      `json:"controls,omitempty"`  // of C: words for where control goes
	Types        []string      `json:"types,omitempty"`     // of C: words that types are made of
	Keywords     []Keyword     `json:"keywords"`
	Models       []string      `json:"models"` // to be ticked for a test of it
}

// Instruction is what a statement begins with, or a call.
type Instruction struct {
	Name     string       `json:"name"`
	Operands string       `json:"operands,omitempty"` // to begin with
	Kind     dialect.Kind `json:"kind"`
	Help     string       `json:"help"`
}

// Keyword is one of the frame of a test.
type Keyword struct {
	Name string `json:"name"`
	Help string `json:"help"`
}

// keywords are those of the frame of a test. Each begins what is behind the program.
var keywords = []Keyword{
	{"exists", "asks whether some outcome satisfies the condition"},
	{"~exists", "claims that no outcome satisfies the condition"},
	{"forall", "claims that every outcome satisfies the condition"},
	{"locations", "what outcomes show in addition: locations [x; 0:EAX;]"},
	{"filter", "restricts outcomes to those in which this is true"},
}

// Keywords are those of the frame of any test.
func Keywords() []Keyword { return slices.Clone(keywords) }

// Models is what completion knows of models.
type Models struct {
	Words   []cat.Word `json:"words"`
	Files   []File     `json:"files"`   // to include
	Builtin []string   `json:"builtin"` // names that are taken
}

// File is one that models may include.
type File struct {
	Name    string     `json:"name"`
	Help    string     `json:"help"`    // its title, or what its first comment says
	Defines []cat.Word `json:"defines"` // for those who include it
}

// Programs is what completion knows of C programs.
type Programs struct {
	Calls     []Instruction `json:"calls"`
	Modifiers []string      `json:"modifiers"` // memory orders
	Controls  []string      `json:"controls"`
	Types     []string      `json:"types"`
	Asks      []string      `json:"asks"` // calls by which a program says what is asked of it
}

// OfPrograms returns the words of C programs.
func OfPrograms() Programs {
	words, _ := dialect.Words("C")
	out := Programs{Calls: []Instruction{}, Modifiers: words.Modifiers, Controls: words.Controls, Types: cprog.Types()}
	for _, w := range cprog.Words() {
		help := "needs no header"
		if w.Header != "" {
			help = "of <" + w.Header + ">"
		}
		if w.Help != "" {
			help = w.Help + ", " + help
		}
		if w.Asks {
			out.Asks = append(out.Asks, w.Name)
		}
		out.Calls = append(out.Calls, Instruction{Name: w.Name, Operands: w.Takes, Help: help})
	}
	return out
}

// OfTests returns the words of tests of an architecture; false if no dialect has this name.
func OfTests(arch string) (Test, bool) {
	words, ok := dialect.Words(arch)
	if !ok {
		return Test{}, false
	}
	out := Test{
		Arch: arch, Registers: words.Registers, Aliases: words.Aliases, Modifiers: words.Modifiers,
		Sigil: words.Sigil, Bodies: words.Bodies, Controls: words.Controls, Types: words.Types, Keywords: keywords,
		Models: question.FirstModels(arch),
	}
	for _, in := range dialect.Instructions(arch) {
		out.Instructions = append(out.Instructions, Instruction{in.Mnemonic, in.Operands, in.Kind, in.Help})
	}
	return out, true
}

// OfModels returns the words of models: the library's definitions, tags, and files to include.
func OfModels() Models {
	out := Models{Words: library.Words(), Builtin: models.Names()}
	for _, tag := range dialect.Vocabulary().Tags {
		help := display.Help(nil, string(tag))
		if archs := dialect.Tagging(tag); len(archs) > 0 {
			help += " (" + strings.Join(archs, ", ") + ")"
		}
		out.Words = append(out.Words, cat.Word{Name: string(tag), Kind: cat.Set.String(), Help: help})
	}
	for _, f := range library.Files() {
		defines, err := cat.Definitions(f.Name, f.Text)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		out.Files = append(out.Files, File{f.Name, aboutFile(f), defines})
	}
	return out
}

// aboutFile is a file's title, else the first sentence of its first comment.
func aboutFile(f library.File) string {
	if parsed, err := cat.Parse(f.Name, f.Text); err == nil && parsed.Title != "" {
		return parsed.Title
	}
	_, comment, _ := strings.Cut(f.Text, "(*")
	comment, _, _ = strings.Cut(comment, "*)")
	sentence, _, _ := strings.Cut(strings.Join(strings.Fields(comment), " "), ". ")
	return strings.TrimSuffix(sentence, ".")
}

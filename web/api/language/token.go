package language

import (
	"cmp"
	"slices"
)

// token is a part of a text that is shown as one thing.
type token struct {
	from, to int
	kind     kind
	part     part // of a test
	column   int  // the thread that it stands in, by its place in the text; -1 for none
	of       symbol
	defines  bool // it is where the symbol is defined
}

// kind is what a token is; semantic tokens have the names of kindNames.
type kind int

const (
	keyword kind = iota
	mnemonic
	typeName
	heading
	comment
	quoted
	number
	register
	label
	locationName
	punctuation
	relation // of cat, as the language or the library has it
	function
	definition
	parameter
	tag
)

// kindNames are the names of the protocol that come nearest, but that it has none for labels.
var kindNames = [...]string{
	keyword: "keyword", mnemonic: "function", typeName: "type", heading: "class", comment: "comment", quoted: "string",
	number: "number", register: "variable", label: "label", locationName: "property", punctuation: "operator",
	relation: "variable", function: "function", definition: "variable", parameter: "parameter", tag: "enumMember",
}

// modifierNames are those of the protocol that tokens may have.
var modifierNames = []string{"definition", "defaultLibrary"}

// part is where in a test a token stands.
type part int

const (
	header part = iota
	initial
	code
	final // the condition, and what else is behind the threads
)

// symbol is what a name means. Two tokens of a document mean the same if they have the same symbol; the zero one means
// nothing that could be asked for.
type symbol struct {
	space space
	// of registers, labels and locals by the thread's number; of a model's names by their definition's token; of C's by
	// their block
	thread int
	name   string
}

type space int

const (
	nothing space = iota
	registers
	locals // of C
	labels
	locations
	localNames   // of a model: names in one declaration
	topNames     // those that a file that includes this one may mean, and names that the file has not defined
	files        // that a model includes
	tags         // by the names of their sets
	programNames // of C, by the number of the block that declares them: see scopes
	structTags
	members
	inMacros // names in a macro's text
)

// hasDefinition reports whether the places where a symbol is defined and used are known. If a program declares a
// name nowhere, a header declares it.
func (of symbol) hasDefinition() bool {
	return of.space != nothing && of.space != inMacros && (of.space != programNames || of.thread > 0)
}

// tokenAt is the token that a byte is in, or that ends there.
func tokenAt(tokens []token, at int) (token, bool) {
	i, _ := slices.BinarySearchFunc(tokens, at, func(t token, at int) int { return cmp.Compare(t.to, at) })
	for ; i < len(tokens) && tokens[i].from <= at; i++ {
		// Of two that meet there, the one that means something.
		if next := i + 1; tokens[i].to == at && next < len(tokens) && tokens[next].from == at &&
			tokens[i].of == (symbol{}) {
			continue
		}
		return tokens[i], true
	}
	return token{}, false
}

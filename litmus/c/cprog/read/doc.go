// Package read parses C programs with modernc.org/cc/v4. [Translate] returns the syntax trees of the translation units
// of a [Source], with types. The parser sees only the program's files and the headers in this package, never the file
// system. [Preprocessed] returns the tokens after the preprocessor. [ABIOf] gives the sizes of types for a target.
//
// It adds what the parser omits: which lvalues are atomic or volatile ([Qualifiers]), attributes, pragmas, bit-fields,
// and all errors of a text at once in litmuscope's words. A source has limits of size, because programs come from
// untrusted visitors (source.go).
//
// It imports litmus: no IR, no model and no solver.
package read

// The files:
//
//	source      the limits of a program, and its translation units one by one; measure.go: checks before parsing
//	include     the files that a program opens, the built-in headers, what comes before each file
//	directive   lines of the preprocessor, and pragmas: which are known, and which are rejected
//	message     the parser's messages in litmuscope's words; mend.go: all syntax errors at once, at helpful positions
//	qualifiers  which lvalues are atomic or volatile, which the parser's types omit
//	attribute   the attributes that are known and implemented; packed.go: those of structures

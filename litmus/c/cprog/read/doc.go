// Package read parses C programs with modernc.org/cc/v4. [Translate] returns the syntax trees of the translation units
// of a [Source], with types. The parser sees only the program's files and the headers in this package, never the file
// system. [Preprocessed] returns the tokens after the preprocessor. [ABIOf] gives the sizes of types for a target.
//
// It adds what cc omits: which lvalues are atomic or volatile ([Qualifiers]), attributes, pragmas, bit-fields, and all
// mistakes of a text at once in litmuscope's words. A source has limits of size, because programs come from people whom
// the server does not know (source.go).
//
// It imports litmus: no IR, no model and no solver.
package read

// The files:
//
//	source      the limits of a program, and its translation units one by one; measure.go: what cc is spared
//	include     the files that a program opens, the built-in headers, what comes before each file
//	directive   lines of the preprocessor, and pragmas: which are known, and which are rejected
//	message     cc's messages in litmuscope's words; mend.go: all mistakes at once, at the place where one looks
//	qualifiers  which lvalues are atomic or volatile, which cc's types do not say
//	attribute   the attributes that are known and obeyed; packed.go: those of structures

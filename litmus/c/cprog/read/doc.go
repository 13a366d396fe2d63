// Package read takes the text of a C program apart: into syntax trees with types, of what
// modernc.org/cc/v4 makes of it. It is shown nothing but the program and the headers in this
// package, and what it leaves out is mended here:
//
//	source      what a program may be at most; its translation units, one by one; measure, what cc is spared
//	include     the files that it opens, the headers that are built in, what comes before each file
//	directive   lines of the preprocessor, and pragmas: those that are known, and what is refused
//	message     what cc says of a mistake, in our words; mend, all mistakes at once, where the eye looks for them
//	qualifiers  which lvalues are atomic or volatile: cc's types forget it
//	attribute   what is known of attributes, and heeded of them; packed, those of structures
//
// The package may import litmus.
package read

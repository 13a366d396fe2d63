package read

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
)

// Limits of a program. They prevent untrusted programs from exhausting time, or the stack, whose overflow Go cannot
// recover from.
const (
	maxText      = 1 << 20 // bytes in all files together
	maxTokens    = 200_000 // after the preprocessor
	maxExpansion = 300_000
	maxNesting   = 256   // of brackets
	maxRun       = 5_000 // tokens since the last separator, which bounds nesting without brackets
	maxIncludes  = 1_000
	maxMentions  = 2_000 // mentions of a name outside functions: the parser searches all its declarations each time
)

// The way of a translation unit to its syntax tree. The parser is written for programs that compile, so this package
// stands between it and what people send:
//
//   - Texts are changed before the parser reads them, where it does not know a notation (spelling.go), ignores a
//     directive (directive.go) or an attribute (packed.go), or lays out a structure in another way (bitfield.go). No
//     change moves a line, so that the lines in messages are those of the program.
//
//   - The preprocessor runs alone first and counts what it writes (measure.go). The parser gets only texts within the
//     limits below, because a Go program cannot recover from a stack overflow.
//
//   - A panic of the parser is an error of the file (try).
//
//   - What the parser accepts wrongly is rejected afterwards: structures that contain themselves, attributes that its
//     tree omits, layouts that differ from the compiler's.
//
// A text is read several times if there are edits: the tree of one reading says where the next one needs them.

// Source is the text of a program. Nothing else is read.
type Source struct {
	// Files are the translation units, in order.
	Files []File
	// Include contains the files they may include, besides the built-in headers. Dirs, folders in it, are
	// searched in order, after the including file's own directory. Nil: nothing.
	Include fs.FS
	Dirs    []string
	// Defines are macros in the order of the command line: NAME or NAME=VALUE defines one, -UNAME takes a predefined
	// or an earlier one away.
	Defines []string
	ABI     ABI
}

// File is one file of a program.
type File struct{ Name, Text string }

// reading is a program to read, with the functions it can call without declaring them.
type reading struct {
	Source
	calls map[string]bool
}

// knows reports whether a program can call a function without declaring it.
func (r reading) knows(name string) bool { return r.calls[name] || IsAnything(name) }

// IsAnything reports whether a name is that of a function that returns any value of its declared type.
func IsAnything(name string) bool {
	return strings.HasPrefix(name, "__VERIFIER_nondet_") || strings.HasPrefix(name, "nondet_")
}

// Translate parses and type-checks the translation units. It reads only the source's texts and the built-in headers.
// calls has the functions that programs need not declare. The error is a litmus.ErrorList if there are several.
func Translate(s Source, calls map[string]bool) ([]*cc.AST, error) {
	if len(s.Files) == 0 {
		return nil, errors.New("no C file to read")
	}
	size := 0
	for _, f := range s.Files {
		if err := inC(f); err != nil {
			return nil, err
		}
		if size += len(f.Text); size > maxText {
			return nil, litmus.Errorf(litmus.Pos{File: f.Name, Line: 1, Col: 1},
				"the program's files have more than %d bytes together: remove what the question does not need",
				maxText)
		}
	}
	defines, err := definitions(s.Defines)
	if err != nil {
		return nil, err
	}
	var units []*cc.AST
	var all litmus.ErrorList
	for _, f := range s.Files {
		ast, err := translateFile(reading{s, calls}, f, defines)
		if err != nil {
			all = append(all, litmus.Errors(err)...)
			continue
		}
		units = append(units, ast)
	}
	return units, all.Err()
}

// panicError is the error for a panic of the C parser.
type panicError struct{ what any }

// Error omits the panic's value, which does not help users.
func (p *panicError) Error() string {
	return "the C parser fails on this file and cannot say where: remove parts of the file to find the place, and " +
		"rewrite it"
}

// try calls do and returns its error, or a panicError if the C parser panics.
func try(do func() error) (err error) {
	defer func() {
		if what := recover(); what != nil {
			err = &panicError{what}
		}
	}()
	return do()
}

// translateFile parses and checks one translation unit. It preprocesses the file first, to check the limits before the
// parser runs. If there are packed structures or bit-fields, it parses the file again with edits that correct the
// layout. If the parser reports errors, mistakes looks for more.
func translateFile(s reading, f File, defines string) (ast *cc.AST, err error) {
	in := &inclusion{source: s}
	defer func(first *inclusion) { // the first reading sees all directives
		if first.dismissed != nil {
			ast, err = nil, append(litmus.Errors(err), first.dismissed...).Sorted()
		}
	}(in)
	at := litmus.Pos{File: f.Name, Line: 1, Col: 1}
	// Run only the preprocessor first: the parser must not get a program that is too large.
	run := &measure{}
	if err := in.preprocess(f, defines, run, run); err != nil {
		return nil, err
	}
	in = in.again(nil)
	var lost error
	if run.packed {
		if err := try(func() error {
			ast, err := cc.Parse(in.config(), in.sources(f, defines))
			if err == nil {
				in.edits = append(in.edits, pack(ast))
				lost = in.rejectDropped(ast, run.given, at)
			}
			return nil // a later reading reports it
		}); err != nil {
			return nil, litmus.Errorf(at, "%v", err)
		}
		in = in.again(nil)
	}
	translate := func(defines string) (err error) {
		return try(func() error {
			var err error
			ast, err = cc.Translate(in.config(), in.sources(f, defines))
			return err
		})
	}
	for range maxWraps {
		if !run.bits {
			break
		}
		err := translate(defines + "#define _Static_assert(...)\n") // sizes are not final yet
		var edits map[string][]edit
		if err == nil && finite(ast, at) == nil {
			edits = wrap(ast)
		}
		if len(edits) > 0 {
			in.edits = append(in.edits, edits)
		}
		hidden := err != nil && in.hide(err)
		in = in.again(nil)
		if len(edits) == 0 && !hidden {
			break // other errors are reported below
		}
	}
	for ; ; in = in.again(nil) {
		err = translate(defines)
		if err == nil || in.refused != nil || !in.hide(err) {
			break
		}
	}
	if in.refused != nil {
		return nil, in.refused.Sorted()
	}
	if panicked := new(panicError); errors.As(err, &panicked) {
		return nil, litmus.Errorf(at, "%v", err)
	}
	if err != nil {
		return nil, in.mistakes(f, defines, in.positioned(err, at), at)
	}
	if !run.packed {
		lost = in.rejectDropped(ast, run.given, at)
	}
	if lost == nil {
		lost = finite(ast, at)
	}
	if lost != nil || !run.packed {
		return ast, lost
	}
	return ast, isPackedWell(ast)
}

// maxWraps bounds the nesting of structures whose bit-fields are rewritten.
const maxWraps = 8

// conflict matches the parser's message that a name is declared twice.
var conflict = litmus.Pattern(
	`(?m)^(.*?):\d+:\d+: conflicting types for '(\w+)', previous declaration at (.*?):\d+:\d+`)

// maxHidden is the maximum number of header names that a program declares itself.
const maxHidden = 20

// hide removes from the headers the name that the program declares differently, and reports whether there is one.
//
// A program may define a function that a built-in header declares differently, for example its own strlen. The
// program's declaration counts, and the header's gets another name.
func (in *inclusion) hide(err error) bool {
	found := false
	for _, m := range conflict().FindAllStringSubmatch(err.Error(), -1) {
		if strings.HasPrefix(m[1], BuiltIn) != strings.HasPrefix(m[3], BuiltIn) && !in.hidden[m[2]] &&
			len(in.hidden) < maxHidden {
			if in.hidden == nil {
				in.hidden = map[string]bool{}
			}
			in.hidden[m[2]], found = true, true
		}
	}
	return found
}

// finite rejects structures that contain themselves, which the parser accepts.
//
// It visits each field once and bounds its steps and its depth, because a structure that contains itself has no end.
func finite(ast *cc.AST, at litmus.Pos) error {
	known := map[*cc.Field]bool{}
	budget := 100 * maxTokens
	var visit func(t cc.Type, depth int) *cc.Field
	visit = func(t cc.Type, depth int) *cc.Field {
		for a, ok := t.(*cc.ArrayType); ok; a, ok = t.(*cc.ArrayType) {
			t = a.Elem()
		}
		s, ok := t.(interface{ FieldByIndex(int) *cc.Field })
		if !ok {
			return nil
		}
		for i := 0; s.FieldByIndex(i) != nil; i++ {
			f := s.FieldByIndex(i)
			if known[f] {
				continue
			}
			if budget--; budget < 0 || depth > maxNesting {
				return f
			}
			if bad := visit(f.Type(), depth+1); bad != nil {
				return bad
			}
			known[f] = true
		}
		return nil
	}
	for _, nodes := range ast.Scope.Nodes {
		for _, n := range nodes {
			var t cc.Type
			switch n := n.(type) {
			case *cc.Declarator:
				t = n.Type()
			case *cc.StructOrUnionSpecifier:
				t = n.Type()
			}
			if t == nil {
				continue
			}
			if f := visit(t, 0); f != nil {
				if d := f.Declarator(); d != nil {
					at = Place(d)
				}
				return litmus.Errorf(at, "a structure contains itself, or structures nest too deep")
			}
		}
	}
	return nil
}

// macro is the definition in an option -D or -U.
type macro struct {
	name, params, value string // params with parentheses, for a function-like macro
	undefine            bool
}

var macroForm = litmus.Pattern(`^([A-Za-z_]\w*)(\([^()\n]*\))?(?:=([^\n]*))?$`)

// definition parses an element of [Source.Defines].
func definition(d string) (macro, error) {
	if name, ok := strings.CutPrefix(d, Undefine); ok {
		name = strings.TrimSpace(name)
		if m := macroForm().FindStringSubmatch(name); m == nil || m[1] != name {
			return macro{}, fmt.Errorf("-U %s: want -U NAME", name)
		}
		return macro{name: name, undefine: true}, nil
	}
	m := macroForm().FindStringSubmatch(d)
	if m == nil {
		return macro{}, fmt.Errorf("-D %s: want NAME or NAME=VALUE", d)
	}
	if slices.Contains(computed, m[1]) {
		return macro{}, fmt.Errorf("-D %s: the preprocessor computes %s itself", d, m[1])
	}
	value := m[3]
	if !strings.Contains(d, "=") {
		value = "1"
	}
	return macro{name: m[1], params: m[2], value: value}, nil
}

// definitions returns the directives for -D and -U, except those for protected macros, which are added to the
// predefined ones.
func definitions(defines []string) (string, error) {
	var b strings.Builder
	for _, d := range defines {
		m, err := definition(d)
		switch {
		case err != nil:
			return "", err
		case slices.Contains(protected, m.name):
		case m.undefine:
			fmt.Fprintf(&b, "#undef %s\n", m.name)
		default:
			fmt.Fprintf(&b, "#define %s%s %s\n", m.name, m.params, m.value)
		}
	}
	return b.String(), nil
}

// preprocess runs only the preprocessor on a translation unit, writes its tokens to a writer, and measures them.
func (in *inclusion) preprocess(f File, defines string, to io.Writer, run *measure) error {
	in.note(f.Name, f.Text)
	in.last = lastPlace(f)
	if in.refused != nil {
		return in.refused.Sorted()
	}
	err := try(func() error { return cc.Preprocess(in.config(), in.sources(f, defines), to) })
	at := litmus.Pos{File: f.Name, Line: 1, Col: 1}
	switch {
	case in.refused != nil:
		return in.refused.Sorted()
	case run.err != nil:
		return litmus.Errorf(at, "%v", run.err)
	case err != nil:
		return in.positioned(err, at)
	}
	return nil
}

// Preprocessed returns the tokens of the translation units after preprocessing, with the built-in texts before and
// after each. calls and errors are as for [Translate].
func Preprocessed(s Source, calls map[string]bool) (words []string, err error) {
	defines, err := definitions(s.Defines)
	if err != nil {
		return nil, err
	}
	for _, f := range s.Files {
		in := &inclusion{source: reading{s, calls}}
		run := &tokenList{}
		if err := in.preprocess(f, defines, run, &run.measure); err != nil {
			return nil, err
		}
		words = append(words, run.words...)
	}
	return words, nil
}

// tokenList collects the tokens that the preprocessor writes.
type tokenList struct {
	measure
	words []string
}

// Write implements io.Writer.
func (l *tokenList) Write(token []byte) (int, error) {
	if text := strings.TrimSpace(string(token)); text != "" {
		l.words = append(l.words, text)
	}
	return l.measure.Write(token)
}

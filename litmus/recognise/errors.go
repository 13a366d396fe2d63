package recognise

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/isa/x86"
)

// instead says what to do with a text of each kind that was pasted in the place of a litmus test.
var instead = map[Kind]string{
	CProgram: `open it in Programs, or check it with "litmuscope verify"`,
	CPP: `check it with "litmuscope verify FILE.cpp", or compile it with "clang++ -O1 -g -S -emit-llvm" and open the ` +
		`.ll file in Programs`,
	Rust: `check it with "litmuscope verify FILE.rs"`,
	HerdLog: `it has the outcomes of a test, not its code. Paste the .litmus file; "litmuscope compare" compares the ` +
		`log with the answers of litmuscope`,
	Isla:   "Explorer converts it to a litmus test of its architecture",
	CppMem: "Explorer converts it to a litmus test in C",
	Boogie: "litmuscope reads C. Open the C program that it was made from in Programs",
	LLVM:   `open it in Programs, or check it with "litmuscope verify FILE.ll"`,
	SPIRV:  "litmuscope reads tests for Vulkan, but not SPIR-V. Check it with Dartagnan",
	Objdump: "it is one function or file, not the threads and the question of a test. Write a header, an init block, " +
		"a column of instructions for each thread and a condition",
	Listing: "it is one function or file, not the threads and the question of a test. Write a header, an init block, " +
		"a column of instructions for each thread and a condition",
	Model: `add it as a model of your own below the test, or use it with "litmuscope run --model FILE.cat"`,
}

// Errors lists the errors of a text that litmus.Parse or its dialect rejects as a test. If the text is of another kind,
// it returns one error, which says so. It returns nil for a valid test.
func Errors(file, source string) litmus.ErrorList {
	if r, ok := Of(source); ok && r.Kind != Test {
		return litmus.ErrorList{r.error(file, source, "not a litmus test", instead[r.Kind])}
	}
	if errs := otherSyntax(file, source); errs != nil {
		return errs
	}
	return dialect.Errors(file, source)
}

// ProgramErrors returns the errors of a C program that cannot be read: errs, or one error if the text is of another
// kind.
func ProgramErrors(file, source string, errs litmus.ErrorList) litmus.ErrorList {
	r, ok := Of(source)
	if len(errs) == 0 || !ok || r.Kind == CProgram {
		return errs
	}
	what := instead[r.Kind]
	switch r.Kind {
	case Test, Isla, CppMem:
		what = `open it in Explorer, or run it with "litmuscope run"`
	case CPP:
		what = `compile it with "clang++ -O1 -g -S -emit-llvm" and paste the .ll file`
	case Rust:
		what = `check it with "litmuscope verify FILE.rs"`
	case Boogie:
		what = "paste the C program that it was compiled from"
	case LLVM:
		what = "give the file a name that ends in .ll"
	case Listing, Objdump:
		what = "paste the C program that it was compiled from, or write a litmus test of its instructions in Explorer"
	}
	e := r.error(file, source, "not a C program", what)
	if e.Fix = (litmus.Fix{}); r.Kind == Test || r.Kind == Isla || r.Kind == CppMem {
		e.Fix = litmus.Fix{Pos: e.Pos, Opens: litmus.Explorer}
	}
	return litmus.ErrorList{e}
}

// error returns the error about a text of a foreign kind, with its conversion, or with the reason why there is none.
func (r Recognised) error(file, source, isNot, instead string) *litmus.Error {
	pos := litmus.Pos{File: file, Line: r.Line, Col: 1}
	what := string(r.Kind)
	if r.Arch != "" {
		what += " of " + r.Arch + " code"
	}
	e := litmus.Errorf(pos, "this is %s, %s: %s", what, isNot, instead)
	var convert func(file, source string) (string, error)
	switch r.Kind {
	case CProgram:
		e.Fix = litmus.Fix{Pos: pos, Opens: litmus.Programs}
		return e
	case Isla:
		convert = fromIsla
	case CppMem:
		convert = fromCppMem
	default:
		return e
	}
	text, err := "", error(fmt.Errorf("it is longer than %d KiB", maxText>>10))
	if len(source) <= maxText {
		text, err = convert(file, source)
	}
	if err == nil {
		if bad := dialect.Errors(file, text); len(bad) > 0 {
			err = fmt.Errorf("%s: %s", lineIn(text, bad[0].Pos.Line), bad[0].Msg)
		}
	}
	if err != nil {
		return unconverted(e, what, isNot, err)
	}
	e.Fix = whole(file, source, text, "Convert to a litmus test")
	return e
}

// unconverted says why a text is not converted, at the place of the reason.
func unconverted(e *litmus.Error, what, isNot string, err error) *litmus.Error {
	why := litmus.Errors(err)[0]
	if why.Pos.Line > 0 {
		e.Pos = why.Pos
	}
	e.Msg = fmt.Sprintf("this is %s, %s, and cannot be converted because of this line: %s", what, isNot, why.Msg)
	if why.Pos.Line == 0 {
		e.Msg = fmt.Sprintf("this is %s, %s, and cannot be converted: %s", what, isNot, why.Msg)
	}
	return e
}

// lineIn quotes a line of a text.
func lineIn(text string, line int) string {
	lines := strings.Split(text, "\n")
	if line < 1 || line > len(lines) {
		return "the test"
	}
	return litmus.Shorten(strings.TrimSpace(lines[line-1]))
}

// whole is the correction that replaces all of a text.
func whole(file, source, text, title string) litmus.Fix {
	return litmus.Fix{Pos: litmus.Pos{File: file, Line: 1, Col: 1}, Was: source, Text: text, Title: title}
}

// otherSyntax returns the errors of an x86 test that is written in the syntax of the other x86 architecture, or nil.
func otherSyntax(file, source string) litmus.ErrorList {
	t, errs := litmus.ParseAll(file, source)
	if t == nil || len(t.Threads) == 0 {
		return nil
	}
	if _, err := dialect.Lower(t); err == nil {
		return nil
	}
	o, ok := x86.OtherSyntax(t)
	if !ok {
		return nil
	}
	e := litmus.Errorf(o.At, "the instructions are in %s, but %s tests use %s", o.Syntax, t.Arch, o.Wants)
	if o.Text != "" && len(errs) == 0 {
		e.Fix = whole(file, source, o.Text, "Convert to "+o.Wants)
	} else {
		e.Msg += ". They can be converted after the other errors are corrected"
	}
	return append(append(litmus.ErrorList{e}, o.Errors...), errs...).Sorted()
}

package builtins

import (
	_ "embed"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// libraryText defines functions of C's library in C. Their names begin with InLibrary. The front end omits it for
// programs that call none of them.
//
//go:embed library/library.c
var libraryText string

// InLibrary is the prefix of the names of functions that the library defines.
const InLibrary = "__litmus_"

// written enters functions that libraryText defines. Of several names, the first is the library's, without its prefix
// pthread_ or __builtin_.
func (all byName) written(names, params, help string) {
	of := InLibrary + strings.TrimPrefix(strings.TrimPrefix(strings.Fields(names)[0], "pthread_"), "__builtin_")
	all.add(names, params, help, func(k *Call) values.Operand { return callWritten(k, of) })
	for name := range strings.FieldsSeq(names) {
		all[name].library = true
	}
}

// ReadLibrary adds the library to a program's translation units if the program mentions a function that the library
// defines.
func ReadLibrary(s read.Source, asts []*cc.AST, mentions map[string]bool) ([]*cc.AST, error) {
	wanted := false
	for name, b := range All() {
		wanted = wanted || b.library && mentions[name]
	}
	if !wanted {
		return asts, nil
	}
	s.Files = []read.File{{Name: read.BuiltIn + "/library.c", Text: libraryText}}
	s.Defines, s.Include, s.Dirs = nil, nil, nil
	own, err := read.Translate(s, Names())
	if err != nil {
		return nil, err // an error in the library
	}
	return append(asts, own...), nil
}

// callWritten calls a library function with the call's arguments, followed by more.
func callWritten(k *Call, name string, more ...ir.Expr) values.Operand {
	var args []ir.Expr
	t := k.Caller.LibraryType(name)
	for i := range min(len(k.Args), len(t.Parameters())) {
		args = append(args, k.as(i, t.Parameters()[i].Type()))
	}
	return k.Caller.CallLibrary(name, append(args, more...)...)
}

// destroys reports whether the program may give thread-specific data a destructor: somewhere it passes one that is not
// a constant null pointer.
func (sh *Shared) destroys() bool {
	if sh.destructors == nil {
		found := false
		for _, ast := range sh.Asts {
			read.EachTree(ast, func(n cc.Node) bool {
				switch n := n.(type) {
				case *cc.PostfixExpression:
					if d := syntax.FunctionNamed(n.PostfixExpression); n.Case == cc.PostfixExpressionCall && d != nil &&
						makesKey(d.Name()) {
						args := syntax.Arguments(n)
						found = found || len(args) < 2 || !syntax.IsNull(args[1])
						return false
					}
				case *cc.PrimaryExpression:
					found = found || n.Case == cc.PrimaryExpressionIdent && makesKey(n.Token.SrcStr())
				}
				return !found
			})
		}
		sh.destructors = &found
	}
	return *sh.destructors
}

func makesKey(name string) bool { return name == "pthread_key_create" || name == "tss_create" }

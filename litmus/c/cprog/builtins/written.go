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

// libraryText defines functions of C's library in C, each under a name that begins with inLibrary. Programs that call
// none of them are read without it.
//
//go:embed library/library.c
var libraryText string

// inLibrary begins the names of functions that the library defines.
const InLibrary = "__litmus_"

// written enters functions that libraryText defines: pairs of a name and its parameters; of several names, the first is
// the library's.
func (all known) written(names, params, help string) {
	of := InLibrary + strings.TrimPrefix(strings.TrimPrefix(strings.Fields(names)[0], "pthread_"), "__builtin_")
	all.add(names, params, help, func(k *Call) values.Operand { return callWritten(k, of) })
	for name := range strings.FieldsSeq(names) {
		all[name].library = true
	}
}

// ReadLibrary adds the library to a program's translation units if the program mentions what is defined there.
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
		return nil, err // a mistake in the library
	}
	return append(asts, own...), nil
}

// callWritten calls a function of the library with the arguments at hand, and more numbers behind them.
func callWritten(k *Call, name string, more ...ir.Expr) values.Operand {
	var args []ir.Expr
	t := k.Caller.LibraryType(name)
	for i := range min(len(k.Args), len(t.Parameters())) {
		args = append(args, k.as(i, t.Parameters()[i].Type()))
	}
	return k.Caller.CallLibrary(name, append(args, more...)...)
}

// destroys tells whether the program may give a key of threads a destructor: it is no null pointer as it is written.
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

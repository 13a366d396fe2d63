package code

import (
	_ "embed"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// libraryText defines functions of C's library in C, each under a name that begins with inLibrary. Programs that call none of
// them are read without it.
//
//go:embed library/library.c
var libraryText string

// inLibrary begins the names of functions that the library defines.
const inLibrary = "__litmus_"

// written enters functions that libraryText defines: pairs of a name and its parameters; of several names, the first is the
// library's.
func (all known) written(names, params, help string) {
	of := inLibrary + strings.TrimPrefix(strings.TrimPrefix(strings.Fields(names)[0], "pthread_"), "__builtin_")
	all.add(names, params, help, func(k *calling) operand { return k.fromLibrary(of) })
	for name := range strings.FieldsSeq(names) {
		all[name].library = true
	}
}

// readLibrary adds the library to a program's translation units if the program mentions what is defined there.
func readLibrary(s read.Source, asts []*cc.AST, mentions map[string]bool) ([]*cc.AST, error) {
	wanted := false
	for name, b := range builtins() {
		wanted = wanted || b.library && mentions[name]
	}
	if !wanted {
		return asts, nil
	}
	s.Files = []read.File{{Name: read.BuiltIn + "/library.c", Text: libraryText}}
	s.Defines, s.Include, s.Dirs = nil, nil, nil
	own, err := read.Translate(s, builtinNames())
	if err != nil {
		return nil, err // a mistake in the library
	}
	return append(asts, own...), nil
}

// fromLibrary calls a function of the library with the arguments at hand, and more numbers behind them.
func (k *calling) fromLibrary(name string, more ...ir.Expr) operand {
	var args []ir.Expr
	t := k.caller.libraryType(name)
	for i := range min(len(k.args), len(t.Parameters())) {
		args = append(args, k.as(i, t.Parameters()[i].Type()))
	}
	return k.caller.callLibrary(name, append(args, more...)...)
}

func (cs *calls) libraryType(name string) *cc.FunctionType {
	return cs.program.external[name].definition.Declarator.Type().(*cc.FunctionType)
}

// callLibrary calls a function of the library.
func (cs *calls) callLibrary(name string, args ...ir.Expr) operand {
	t := cs.libraryType(name).Result()
	c := Call{Dst: -1, Fn: cs.libraryFunction(name), Args: args}
	if t.Kind() == cc.Void {
		cs.build.emit(c)
		return operand{nil, cs.types.ast.Void}
	}
	c.Dst = cs.build.temp(cs.types.width(t))
	cs.build.emit(c)
	return operand{cs.build.reg(c.Dst), t}
}

// libraryFunction is the function of the library that has a name; nil where the program does not have it.
func (cs *calls) libraryFunction(name string) *Function {
	s := cs.program.external[name]
	if s == nil {
		return nil
	}
	return cs.symbols.libraryFunction(s)
}

// libraryFunction is the code of a function of the library as it is called at the line at hand, which all of its steps are of.
func (sy *symbols) libraryFunction(s *symbol) *Function {
	key := atLine{s, sy.build.line}
	if f := sy.program.called[key]; f != nil {
		return f
	}
	name := strings.TrimPrefix(s.declared.Name(), inLibrary)
	for sy.program.unit.Functions[name] != nil {
		name += "'"
	}
	f := &Function{Name: name}
	sy.program.called[key], sy.program.unit.Functions[name] = f, f
	p := sy.program
	p.fixed[f] = sy.build.line
	p.queue = append(p.queue, func() { p.lower(s, f, false) })
	return f
}

// atLine is a function of the library that is called at a line.
type atLine struct {
	of   *symbol
	line int
}

// isLibrary tells whether a symbol is one of the library's.
func isLibrary(s *symbol) bool {
	return strings.HasPrefix(read.Place(s.declared).File, read.BuiltIn) && s.definition != nil
}

// destroys tells whether the program may give a key of threads a destructor: it is no null pointer as it is written.
func (sh *shared) destroys() bool {
	if sh.destructors == nil {
		found := false
		for _, ast := range sh.asts {
			read.EachTree(ast, func(n cc.Node) bool {
				switch n := n.(type) {
				case *cc.PostfixExpression:
					if d := functionNamed(n.PostfixExpression); n.Case == cc.PostfixExpressionCall && d != nil && makesKey(d.Name()) {
						args := arguments(n)
						found = found || len(args) < 2 || !isNull(args[1])
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

// isNull tells whether an expression is a null pointer as it is written.
func isNull(e cc.ExpressionNode) bool {
	switch v := e.Value().(type) {
	case cc.Int64Value:
		return v == 0
	case cc.UInt64Value:
		return v == 0
	}
	return false
}

package codegen

import (
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/builtins"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/syntax"
)

// atLine is a library function together with the line it is called from.
type atLine struct {
	of   *symbol
	line int
}

// symbols resolves names at file scope from within a function.
type symbols struct {
	program  *program
	build    *code.Builder
	types    *layout.Types
	position *position
}

// translation is one translation unit.
type translation struct {
	ast      *cc.AST
	internal map[string]*symbol
}

// symbol is a function or a variable at file scope, with all its declarations.
type symbol struct {
	unit       *translation
	definition *cc.FunctionDefinition
	variable   *cc.InitDeclarator
	declared   *cc.Declarator // the declaration with the most complete type
	defined    bool           // it has storage in the program, and is not only declared
	function   *code.Function // set when it is first used
	storage    *code.Variable
	does       *effects // effects of a call, computed when needed
}

// collect records the declarations at file scope.
func (p *program) collect(ast *cc.AST) {
	t := &translation{ast, map[string]*symbol{}}
	p.units = append(p.units, t)
	for list := ast.TranslationUnit; list != nil; list = list.TranslationUnit {
		switch n := list.ExternalDeclaration; n.Case {
		case cc.ExternalDeclarationFuncDef:
			d := n.FunctionDefinition.Declarator
			s := p.symbol(t, d)
			if s.definition != nil {
				if d.IsInline() && s.definition.Declarator.IsInline() {
					continue
				}
				panic(syntax.Failure{Err: litmus.Errorf(read.Place(d), "%s is defined twice, at %s before", d.Name(),
					read.Place(s.definition.Declarator))})
			}
			s.unit, s.definition, s.declared = t, n.FunctionDefinition, d
		case cc.ExternalDeclarationDecl:
			if n.Declaration.Case != cc.DeclarationDecl {
				continue
			}
			for list := n.Declaration.InitDeclaratorList; list != nil; list = list.InitDeclaratorList {
				p.declare(t, list.InitDeclarator)
			}
		}
	}
}

// symbol returns the symbol of a declaration at file scope, and creates it if necessary.
func (p *program) symbol(t *translation, d *cc.Declarator) *symbol {
	in := p.external
	if s, ok := t.internal[d.Name()]; ok {
		return s
	}
	if d.Linkage() == cc.Internal {
		in = t.internal
	}
	s, ok := in[d.Name()]
	if !ok {
		s = &symbol{unit: t, declared: d}
		in[d.Name()] = s
	}
	return s
}

func (p *program) declare(t *translation, n *cc.InitDeclarator) {
	d := n.Declarator
	if d.IsTypename() {
		return
	}
	s := p.symbol(t, d)
	if d.Type().Kind() == cc.Function {
		return
	}
	switch {
	case n.Initializer != nil:
		if s.variable != nil {
			panic(syntax.Failure{
				Err: litmus.Errorf(read.Place(d), "%s is initialised twice, at %s before", d.Name(),
					read.Place(s.variable)),
			})
		}
		s.unit, s.variable, s.declared, s.defined = t, n, d, true
	case !d.IsExtern():
		if s.variable == nil && (!s.defined || s.declared.Type().IsIncomplete()) {
			s.unit, s.declared = t, d
		}
		s.defined = true
	}
}

// find returns the symbol that a name in the current unit refers to, or nil.
func (sy *symbols) find(d *cc.Declarator) *symbol {
	for _, t := range sy.program.units {
		if t.ast == sy.types.AST {
			if s := t.internal[d.Name()]; s != nil {
				return s
			}
		}
	}
	return sy.program.external[d.Name()]
}

// streams lists the variables that C's library defines.
var streams = map[string]bool{"stdin": true, "stdout": true, "stderr": true}

// global returns the variable, and its type, that a name refers to which is not an automatic local variable.
func (sy *symbols) global(n cc.Node, d *cc.Declarator) (*code.Variable, cc.Type) {
	if v, ok := sy.program.statics[d]; ok {
		return v, d.Type()
	}
	s := sy.find(d)
	if s != nil && !s.defined && streams[d.Name()] && d.Type().Kind() == cc.Ptr {
		s.defined = true
		s.storage = sy.newStatic(s.declared, func() (*cc.AST, *cc.Initializer) { return nil, nil })
		s.storage.Init = []code.Initial{{Bits: sy.types.Pointer, Value: 1}}
	}
	if s == nil || !s.defined {
		syntax.Failf(n, "%s is declared but not defined", d.Name())
	}
	if s.storage == nil {
		s.storage = sy.newStatic(s.declared, func() (*cc.AST, *cc.Initializer) {
			if s.variable == nil {
				return s.unit.ast, nil
			}
			return s.unit.ast, s.variable.Initializer
		})
	}
	return s.storage, s.declared.Type()
}

// newStatic creates a static variable. Its initialiser is evaluated later.
func (sy *symbols) newStatic(d *cc.Declarator, initial func() (*cc.AST, *cc.Initializer)) *code.Variable {
	t := d.Type()
	if t.Kind() == cc.Array && t.(*cc.ArrayType).Len() < 0 && !t.(*cc.ArrayType).IsVLA() {
		syntax.Failf(d, "the size of %s is unknown", d.Name())
	}
	v := &code.Variable{
		Name: d.Name(), Pos: read.Place(d), Size: sy.types.Size(d, t), Align: max(t.Align(), d.Alignas()),
		PerThread: d.IsThreadLocal(), Static: true, Layout: sy.types.Layout(d.Name(), t),
	}
	if layout.IsConst(t) {
		v.ReadOnly = code.ConstObject
	}
	p := sy.program
	p.queue = append(p.queue, func() {
		if ast, init := initial(); init != nil {
			v.Init = p.initials(ast, init)
		}
	})
	return v
}

// functionOf returns the code of a function, which is made later, or nil if the program does not define it.
func (sy *symbols) functionOf(d *cc.Declarator) *code.Function {
	s := sy.find(d)
	if s == nil || s.definition == nil {
		return nil
	}
	if sy.position.isFixed && isLibrary(s) {
		return sy.libraryFunction(s)
	}
	if s.function == nil {
		name := d.Name()
		for sy.program.unit.Functions[name] != nil {
			name += "'"
		}
		f := &code.Function{Name: name}
		s.function, sy.program.unit.Functions[name] = f, f
		p := sy.program
		p.queue = append(p.queue, func() { p.lower(s, f, false) })
	}
	return s.function
}

// libraryFunction returns the code of a library function for calls from the current line. All its steps have that line.
func (sy *symbols) libraryFunction(s *symbol) *code.Function {
	key := atLine{s, sy.build.Line}
	if f := sy.program.called[key]; f != nil {
		return f
	}
	name := strings.TrimPrefix(s.declared.Name(), builtins.InLibrary)
	for sy.program.unit.Functions[name] != nil {
		name += "'"
	}
	f := &code.Function{Name: name}
	sy.program.called[key], sy.program.unit.Functions[name] = f, f
	p := sy.program
	p.fixed[f] = sy.build.Line
	p.queue = append(p.queue, func() { p.lower(s, f, false) })
	return f
}

// isLibrary reports whether a symbol belongs to the library.
func isLibrary(s *symbol) bool {
	return strings.HasPrefix(read.Place(s.declared).File, read.BuiltIn) && s.definition != nil
}

// outArguments returns the arguments of a call of a builtin that only say through which local variable it reads or
// writes.
func (sy *symbols) outArguments(n *cc.PostfixExpression) (out []cc.ExpressionNode) {
	if n.Case != cc.PostfixExpressionCall {
		return nil
	}
	if d := syntax.FunctionNamed(n.PostfixExpression); d != nil {
		if b := sy.builtinOf(d); b != nil {
			for i, a := range syntax.Arguments(n) {
				if i < len(b.Params) && strings.HasPrefix(b.Params[i], "&") {
					out = append(out, a)
				}
			}
		}
	}
	return out
}

// builtinOf returns the builtin that a declaration refers to, or nil.
func (sy *symbols) builtinOf(d *cc.Declarator) *builtins.Builtin {
	if s := sy.find(d); s != nil && s.definition != nil && !builtins.IgnoresDefinition(d.Name()) {
		return nil
	}
	if b := builtins.All()[d.Name()]; b != nil || !read.IsAnything(d.Name()) {
		return b
	}
	return builtins.AnyValue()
}

package cprog

import (
	"errors"
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// program is a unit on its way, with what all functions of it share.
type program struct {
	*unit
	*qualifiers
	source   Source
	overflow bool // asked for
	// archs are the architectures that the program is for, the likeliest first: some barriers of Arm's keep
	// other things in order in 32 bits than in 64.
	archs    []string
	units    []*translation
	external map[string]*symbol
	queue    []func() // functions and initialisers that something refers to
	statics  map[*cc.Declarator]*variable
	strings  map[string]*variable
	wrappers map[string]*function // of builtins
	texts    map[string][]string  // of files, by line
	lineAt   map[litmus.Pos]int
	owned    map[string]*variable // of builtins
	mistakes litmus.ErrorList
}

// translation is one translation unit.
type translation struct {
	ast      *cc.AST
	internal map[string]*symbol
}

// symbol is a function or a variable at file scope, in all its declarations.
type symbol struct {
	unit       *translation
	definition *cc.FunctionDefinition
	variable   *cc.InitDeclarator
	declared   *cc.Declarator // that says most of its type
	defined    bool           // it has storage, and not elsewhere only
	function   *function      // once it is wanted
	storage    *variable
}

// parse reads a program, and lowers what its entry leads to.
func parse(s Source, o Options) (u *unit, err error) {
	asts, err := translate(s)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(failure)
			if !ok {
				panic(r)
			}
			u, err = nil, f.error
		}
	}()
	p := &program{
		unit: &unit{pointer: 64, functions: map[string]*function{}}, source: s,
		overflow: slices.Contains(o.Properties, ir.Overflow), external: map[string]*symbol{},
		statics: map[*cc.Declarator]*variable{}, strings: map[string]*variable{},
		wrappers: map[string]*function{}, texts: map[string][]string{}, lineAt: map[litmus.Pos]int{},
	}
	p.archs = []string{"AArch64"}
	if s.ILP32 {
		p.unit.pointer, p.archs = 32, []string{"ARM"}
	}
	if o.Mapping != nil {
		p.archs = slices.Insert(p.archs, 0, o.Mapping.Arch)
	}
	p.qualifiers = newQualifiers(asts, p.unit.pointer)
	if err := p.refused.Err(); err != nil {
		return nil, err
	}
	for _, ast := range asts {
		p.collect(ast)
	}
	entry := o.Entry
	if entry == "" {
		entry = "main"
	}
	sym := p.external[entry]
	for _, t := range p.units {
		if sym == nil || sym.definition == nil {
			sym = t.internal[entry]
		}
	}
	if sym == nil || sym.definition == nil {
		name := ""
		if len(s.Files) > 0 {
			name = s.Files[0].Name
		}
		return nil, litmus.Errorf(litmus.Pos{File: name, Line: 1, Col: 1}, "there is no function %s to begin with", entry)
	}
	f := &function{name: entry} // of its own: it is called with no arguments
	p.functions[entry] = f
	p.tolerate(func() { p.lower(sym, f, true) })
	if len(p.around) > 0 && len(p.mistakes) == 0 {
		p.last = len(p.inTurn(true)) > 0
		p.functions[entry] = p.surrounded(f)
	}
	for len(p.queue) > 0 {
		next := p.queue[0]
		p.queue = p.queue[1:]
		p.tolerate(next)
	}
	if len(p.mistakes) > 0 {
		return nil, p.mistakes.Sorted()
	}
	return p.unit, nil
}

// tolerate goes on behind a mistake, for the sake of others.
func (p *program) tolerate(do func()) {
	defer func() {
		r := recover()
		f, ok := r.(failure)
		switch {
		case ok && len(p.mistakes) < maxErrors:
			p.mistakes = append(p.mistakes, litmus.Errors(f.error)...)
		case r != nil && !ok && len(p.mistakes) == 0: // else it is what comes of them
			panic(r)
		}
	}()
	do()
}

// surrounded calls what runs before main, main, and what runs after it.
func (p *program) surrounded(main *function) *function {
	l := &lowerer{program: p, ast: p.units[0].ast, f: &function{name: main.name, pos: main.pos, result: main.result}}
	for _, r := range p.inTurn(false) {
		l.runs(r)
	}
	l.line = main.code[0].line
	c := call{dst: -1, fn: main}
	for _, r := range main.params {
		to := l.temp(main.regs[r].bits)
		l.f.params = append(l.f.params, to)
		c.args = append(c.args, l.reg(to))
	}
	out := ret{}
	if main.result > 0 {
		c.dst = l.temp(main.result)
		out.value = l.reg(c.dst)
	}
	l.emit(c)
	l.runLast()
	l.emit(out)
	tidy(l.f)
	return l.f
}

// runs calls a function that runs before main, or after it.
func (l *lowerer) runs(r runs) {
	ast, d := l.ast, r.of
	defer func() { l.ast = ast }()
	l.ast = r.ast
	fn := l.functionOf(d)
	if fn == nil {
		l.failf(d, "%s has an attribute that runs it, and is not defined", d.Name())
	}
	if t, ok := l.find(d).declared.Type().(*cc.FunctionType); !ok || slices.ContainsFunc(t.Parameters(), func(p *cc.Parameter) bool { return p.Type().Kind() != cc.Void }) {
		l.failf(d, "%s has an attribute that runs it: want a function without parameters", d.Name())
	}
	l.at(d)
	l.emit(call{dst: -1, fn: fn})
}

// runLast calls what runs when the program ends.
func (l *lowerer) runLast() {
	for _, r := range l.inTurn(true) {
		l.runs(r)
	}
}

// collect notes what is declared at file scope.
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
				panic(failure{litmus.Errorf(place(d), "%s is defined twice, at %s before", d.Name(), place(s.definition.Declarator))})
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

// symbol is that of a name at file scope, or with it.
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
			panic(failure{litmus.Errorf(place(d), "%s is initialised twice, at %s before", d.Name(), place(s.variable))})
		}
		s.unit, s.variable, s.declared, s.defined = t, n, d, true
	case !d.IsExtern():
		if s.variable == nil && (!s.defined || s.declared.Type().IsIncomplete()) {
			s.unit, s.declared = t, d
		}
		s.defined = true
	}
}

// find is the symbol that a name in the unit at hand refers to; nil where there is none.
func (l *lowerer) find(d *cc.Declarator) *symbol {
	for _, t := range l.units {
		if t.ast == l.ast {
			if s := t.internal[d.Name()]; s != nil {
				return s
			}
		}
	}
	return l.external[d.Name()]
}

// streams are the variables that a library defines.
var streams = map[string]bool{"stdin": true, "stdout": true, "stderr": true}

// global is the variable, and its type, that a name which is no automatic local refers to.
func (l *lowerer) global(n cc.Node, d *cc.Declarator) (*variable, cc.Type) {
	if v, ok := l.statics[d]; ok {
		return v, d.Type()
	}
	s := l.find(d)
	if s != nil && !s.defined && streams[d.Name()] && d.Type().Kind() == cc.Ptr {
		s.defined = true
		s.storage = l.newStatic(s.declared, func() (*cc.AST, *cc.Initializer) { return nil, nil })
		s.storage.init = []initial{{bits: l.unit.pointer, value: 1}}
	}
	if s == nil || !s.defined {
		l.failf(n, "%s is declared, but not defined", d.Name())
	}
	if s.storage == nil {
		s.storage = l.newStatic(s.declared, func() (*cc.AST, *cc.Initializer) {
			if s.variable == nil {
				return s.unit.ast, nil
			}
			return s.unit.ast, s.variable.Initializer
		})
	}
	return s.storage, s.declared.Type()
}

// newStatic makes a variable that is there from the beginning; its initialiser is read later.
func (l *lowerer) newStatic(d *cc.Declarator, initial func() (*cc.AST, *cc.Initializer)) *variable {
	t := d.Type()
	if t.Kind() == cc.Array && t.(*cc.ArrayType).Len() < 0 && !t.(*cc.ArrayType).IsVLA() {
		l.failf(d, "the size of %s is not known", d.Name())
	}
	v := &variable{
		name: d.Name(), pos: place(d), size: l.size(d, t), align: max(t.Align(), d.Alignas()),
		perThread: d.IsThreadLocal(), static: true, layout: layout(d.Name(), t),
	}
	p := l.program
	p.queue = append(p.queue, func() {
		if ast, init := initial(); init != nil {
			v.init = p.initials(ast, init)
		}
	})
	return v
}

// functionOf is the code, made later, of a function that is defined; nil where it is not.
func (l *lowerer) functionOf(d *cc.Declarator) *function {
	s := l.find(d)
	if s == nil || s.definition == nil {
		return nil
	}
	if s.function == nil {
		name := d.Name()
		for l.functions[name] != nil {
			name += "'"
		}
		f := &function{name: name}
		s.function, l.functions[name] = f, f
		p := l.program
		p.queue = append(p.queue, func() { p.lower(s, f, false) })
	}
	return s.function
}

// lower makes the code of a function. What the program begins with is called with no arguments: it finds any.
func (p *program) lower(s *symbol, f *function, entry bool) {
	n := s.definition
	t, ok := n.Declarator.Type().(*cc.FunctionType)
	if !ok {
		panic(failure{errors.New("BUG: a function of no function type")})
	}
	l := &lowerer{
		program: p, ast: s.unit.ast, f: f, locals: map[*cc.Declarator]binding{}, result: t.Result(),
		gotos: map[string][]int{}, labels: map[string]int{}, cases: map[*cc.LabeledStatement][]int{},
	}
	f.pos = place(n.Declarator)
	l.taken = l.pointed(n.CompoundStatement)
	l.at(n)
	if t.IsVariadic() {
		l.failf(n.Declarator, "functions of a variable number of arguments, as %s, are not supported", f.name)
	}
	if n.DeclarationList != nil {
		l.failf(n.Declarator, "old declarations of parameters, as of %s, are not supported", f.name)
	}
	switch {
	case aggregate(l.result):
		r := l.temp(p.unit.pointer)
		f.params = append(f.params, r)
		l.into = l.reg(r)
	case l.result.Kind() != cc.Void:
		f.result = l.bits(n.Declarator, l.result)
	}
	l.parameters(t, entry)
	l.inScope(func() { l.block(n.CompoundStatement, false) })
	if len(p.mistakes) > 0 {
		return // nobody runs it
	}
	for name := range l.gotos {
		l.failf(n.Declarator, "%s has no label %s", f.name, name)
	}
	if f.result > 0 && entry {
		l.emit(ret{ir.Number(0, f.result)})
	} else {
		l.emit(ret{})
	}
	tidy(f)
}

// parameters binds a function's parameters.
func (l *lowerer) parameters(t *cc.FunctionType, entry bool) {
	for _, p := range t.Parameters() {
		if p.Type().Kind() == cc.Void {
			continue
		}
		d := p.Declarator
		if aggregate(p.Type()) {
			r := l.temp(l.unit.pointer)
			l.f.params = append(l.f.params, r)
			if d != nil {
				l.locals[d] = binding{by: l.reg(r)}
			}
			continue
		}
		bits := l.unit.bits(p.Type())
		if d == nil {
			if bits == 0 {
				bits = 1
			}
			l.f.params = append(l.f.params, l.temp(bits))
			continue
		}
		if entry && p.Type().Kind() == cc.Ptr {
			if l.f.name == "main" {
				l.argv(d)
			}
			continue // else it is refused where it is used
		}
		r := l.temp(l.bits(d, p.Type()))
		switch {
		case entry:
			l.emit(choose{r})
			if d.Name() == "argc" {
				l.emit(assume{cond: not(fold(ir.Slt, l.reg(r), ir.Number(0, l.f.regs[r].bits)))})
			}
		default:
			l.f.params = append(l.f.params, r)
		}
		if l.taken[d] {
			o := l.declare(d)
			l.write(d, o, operand{l.reg(r), p.Type()})
			continue
		}
		l.f.regs[r].name = d.Name()
		l.locals[d] = binding{reg: r}
	}
}

// maxArguments is how many arguments a program is called with at most, for all that it can see of them.
const maxArguments = 16

// argv binds what main is called with: pointers to anything.
func (l *lowerer) argv(d *cc.Declarator) {
	size := l.unit.pointer / 8
	v := &variable{name: d.Name(), pos: place(d), size: maxArguments * size, align: size}
	v.layout = func(offset int) (string, int) { return fmt.Sprintf("%s[%d]", v.name, offset/size), l.unit.pointer }
	l.f.locals = append(l.f.locals, v)
	r := l.temp(l.unit.pointer)
	l.f.regs[r].name = d.Name()
	l.emit(assign{r, l.locate(v)})
	l.locals[d] = binding{reg: r}
}

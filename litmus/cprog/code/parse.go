package code

import (
	"errors"
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/cprog/read"
	"litmuscope/litmus/ir"
)

// program is a unit on its way, with what all functions of it share.
type program struct {
	*Unit
	*read.Qualifiers
	source   read.Source
	overflow bool // asked for
	// archs are the architectures that the program is for, the likeliest first: some barriers of Arm's keep
	// other things in order in 32 bits than in 64.
	archs    []string
	units    []*translation
	external map[string]*symbol
	queue    []func() // functions and initialisers that something refers to
	statics  map[*cc.Declarator]*Variable
	strings  map[string]*Variable
	wrappers map[string]*Function // of builtins
	texts    map[string][]string  // of files, by line
	lineAt   map[litmus.Pos]int
	owned    map[string]*Variable // of builtins
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
	function   *Function      // once it is wanted
	storage    *Variable
}

// Options say what code is made of.
type Options struct {
	Entry    string // function to begin with; "" is main
	Overflow bool   // whether arithmetic is asked about
	Arch     string // of the machine that it is for; "" for none
}

// Make reads a program, and makes code of what its entry leads to.
func Make(s read.Source, o Options) (u *Unit, err error) {
	asts, err := read.Translate(s, calls())
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
		Unit: &Unit{Pointer: 64, Functions: map[string]*Function{}}, source: s,
		overflow: o.Overflow, external: map[string]*symbol{},
		statics: map[*cc.Declarator]*Variable{}, strings: map[string]*Variable{},
		wrappers: map[string]*Function{}, texts: map[string][]string{}, lineAt: map[litmus.Pos]int{},
	}
	p.archs = []string{"AArch64"}
	if s.ILP32 {
		p.Unit.Pointer, p.archs = 32, []string{"ARM"}
	}
	if o.Arch != "" {
		p.archs = slices.Insert(p.archs, 0, o.Arch)
	}
	p.Qualifiers = read.NewQualifiers(asts, p.Unit.Pointer)
	if err := p.Refused.Err(); err != nil {
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
	f := &Function{Name: entry} // of its own: it is called with no arguments
	p.Functions[entry] = f
	p.tolerate(func() { p.lower(sym, f, true) })
	if len(p.Around) > 0 && len(p.mistakes) == 0 {
		p.Last = len(p.InTurn(true)) > 0
		p.Functions[entry] = p.surrounded(f)
	}
	for len(p.queue) > 0 {
		next := p.queue[0]
		p.queue = p.queue[1:]
		p.tolerate(next)
	}
	if len(p.mistakes) > 0 {
		return nil, p.mistakes.Sorted()
	}
	return p.Unit, nil
}

// tolerate goes on behind a mistake, for the sake of others.
func (p *program) tolerate(do func()) {
	defer func() {
		r := recover()
		f, ok := r.(failure)
		switch {
		case ok && len(p.mistakes) < read.MaxErrors:
			p.mistakes = append(p.mistakes, litmus.Errors(f.error)...)
		case r != nil && !ok && len(p.mistakes) == 0: // else it is what comes of them
			panic(r)
		}
	}()
	do()
}

// surrounded calls what runs before main, main, and what runs after it.
func (p *program) surrounded(main *Function) *Function {
	l := &lowerer{program: p, ast: p.units[0].ast, f: &Function{Name: main.Name, Pos: main.Pos, Result: main.Result}}
	for _, r := range p.InTurn(false) {
		l.runs(r)
	}
	l.line = main.Code[0].Line
	c := Call{Dst: -1, Fn: main}
	for _, r := range main.Params {
		to := l.temp(main.Regs[r].Bits)
		l.f.Params = append(l.f.Params, to)
		c.Args = append(c.Args, l.reg(to))
	}
	out := Ret{}
	if main.Result > 0 {
		c.Dst = l.temp(main.Result)
		out.Value = l.reg(c.Dst)
	}
	l.emit(c)
	l.runLast()
	l.emit(out)
	tidy(l.f)
	return l.f
}

// runs calls a function that runs before main, or after it.
func (l *lowerer) runs(r read.Runs) {
	ast, d := l.ast, r.Of
	defer func() { l.ast = ast }()
	l.ast = r.Ast
	fn := l.functionOf(d)
	if fn == nil {
		l.failf(d, "%s has an attribute that runs it, and is not defined", d.Name())
	}
	if t, ok := l.find(d).declared.Type().(*cc.FunctionType); !ok || slices.ContainsFunc(t.Parameters(), func(p *cc.Parameter) bool { return p.Type().Kind() != cc.Void }) {
		l.failf(d, "%s has an attribute that runs it: want a function without parameters", d.Name())
	}
	l.at(d)
	l.emit(Call{Dst: -1, Fn: fn})
}

// runLast calls what runs when the program ends.
func (l *lowerer) runLast() {
	for _, r := range l.InTurn(true) {
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
				panic(failure{litmus.Errorf(read.Place(d), "%s is defined twice, at %s before", d.Name(), read.Place(s.definition.Declarator))})
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
			panic(failure{litmus.Errorf(read.Place(d), "%s is initialised twice, at %s before", d.Name(), read.Place(s.variable))})
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
func (l *lowerer) global(n cc.Node, d *cc.Declarator) (*Variable, cc.Type) {
	if v, ok := l.statics[d]; ok {
		return v, d.Type()
	}
	s := l.find(d)
	if s != nil && !s.defined && streams[d.Name()] && d.Type().Kind() == cc.Ptr {
		s.defined = true
		s.storage = l.newStatic(s.declared, func() (*cc.AST, *cc.Initializer) { return nil, nil })
		s.storage.Init = []Initial{{Bits: l.Unit.Pointer, Value: 1}}
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
func (l *lowerer) newStatic(d *cc.Declarator, initial func() (*cc.AST, *cc.Initializer)) *Variable {
	t := d.Type()
	if t.Kind() == cc.Array && t.(*cc.ArrayType).Len() < 0 && !t.(*cc.ArrayType).IsVLA() {
		l.failf(d, "the size of %s is not known", d.Name())
	}
	v := &Variable{
		Name: d.Name(), Pos: read.Place(d), Size: l.size(d, t), Align: max(t.Align(), d.Alignas()),
		PerThread: d.IsThreadLocal(), Static: true, Layout: layout(d.Name(), t),
	}
	p := l.program
	p.queue = append(p.queue, func() {
		if ast, init := initial(); init != nil {
			v.Init = p.initials(ast, init)
		}
	})
	return v
}

// functionOf is the code, made later, of a function that is defined; nil where it is not.
func (l *lowerer) functionOf(d *cc.Declarator) *Function {
	s := l.find(d)
	if s == nil || s.definition == nil {
		return nil
	}
	if s.function == nil {
		name := d.Name()
		for l.Functions[name] != nil {
			name += "'"
		}
		f := &Function{Name: name}
		s.function, l.Functions[name] = f, f
		p := l.program
		p.queue = append(p.queue, func() { p.lower(s, f, false) })
	}
	return s.function
}

// lower makes the code of a function. What the program begins with is called with no arguments: it finds any. A local that
// may be read before it is set is in memory, of which it is known on which ways it is set.
func (p *program) lower(s *symbol, f *Function, entry bool) {
	inMemory := map[*cc.Declarator]bool{}
	for again := true; again; {
		*f = Function{Name: f.Name}
		p.lowerWith(s, f, entry, inMemory)
		again = false
		for _, step := range f.Code {
			if c, ok := step.Op.(Choose); ok && c.First != nil {
				inMemory[c.First], again = true, true
			}
		}
	}
}

func (p *program) lowerWith(s *symbol, f *Function, entry bool, inMemory map[*cc.Declarator]bool) {
	n := s.definition
	t, ok := n.Declarator.Type().(*cc.FunctionType)
	if !ok {
		panic(failure{errors.New("BUG: a function of no function type")})
	}
	l := &lowerer{
		program: p, ast: s.unit.ast, f: f, locals: map[*cc.Declarator]binding{}, inMemory: inMemory, result: t.Result(),
		gotos: map[string][]int{}, labels: map[string]label{}, cases: map[*cc.LabeledStatement][]int{},
	}
	f.Pos = read.Place(n.Declarator)
	l.pointed(n.CompoundStatement, inMemory)
	l.at(n)
	if t.IsVariadic() {
		l.failf(n.Declarator, "functions of a variable number of arguments, as %s, are not supported", f.Name)
	}
	if n.DeclarationList != nil {
		l.failf(n.Declarator, "old declarations of parameters, as of %s, are not supported", f.Name)
	}
	switch {
	case aggregate(l.result):
		r := l.temp(p.Unit.Pointer)
		f.Params = append(f.Params, r)
		l.into = l.reg(r)
	case l.result.Kind() != cc.Void:
		f.Result = l.bits(n.Declarator, l.result)
	}
	l.parameters(t, entry)
	l.inScope(func() { l.block(n.CompoundStatement, false) })
	if len(p.mistakes) > 0 {
		return // nobody runs it
	}
	for name := range l.gotos {
		l.failf(n.Declarator, "%s has no label %s", f.Name, name)
	}
	if f.Result > 0 && entry {
		l.emit(Ret{ir.Number(0, f.Result)})
	} else {
		l.emit(Ret{})
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
			r := l.temp(l.Unit.Pointer)
			l.f.Params = append(l.f.Params, r)
			if d != nil {
				l.locals[d] = binding{by: l.reg(r)}
			}
			continue
		}
		bits := l.Unit.bits(p.Type())
		if d == nil {
			if bits == 0 {
				bits = 1
			}
			l.f.Params = append(l.f.Params, l.temp(bits))
			continue
		}
		if entry && p.Type().Kind() == cc.Ptr {
			if l.f.Name == "main" {
				l.argv(d)
			}
			continue // else it is refused where it is used
		}
		r := l.temp(l.bits(d, p.Type()))
		switch {
		case entry:
			l.emit(Choose{Dst: r})
			if d.Name() == "argc" {
				l.emit(Assume{Cond: not(fold(ir.Slt, l.reg(r), ir.Number(0, l.f.Regs[r].Bits)))})
			}
		default:
			l.f.Params = append(l.f.Params, r)
		}
		if l.inMemory[d] {
			o := l.declare(d)
			l.write(d, o, operand{l.reg(r), p.Type()})
			continue
		}
		l.f.Regs[r].Name = d.Name()
		l.locals[d] = binding{reg: r}
	}
}

// maxArguments is how many arguments a program is called with at most, for all that it can see of them.
const maxArguments = 16

// argv binds what main is called with: pointers to anything.
func (l *lowerer) argv(d *cc.Declarator) {
	size := l.Unit.Pointer / 8
	v := &Variable{Name: d.Name(), Pos: read.Place(d), Size: maxArguments * size, Align: size}
	v.Layout = func(offset int) (string, int) { return fmt.Sprintf("%s[%d]", v.Name, offset/size), l.Unit.Pointer }
	l.f.Locals = append(l.f.Locals, v)
	r := l.temp(l.Unit.Pointer)
	l.f.Regs[r].Name = d.Name()
	l.emit(Assign{r, l.locate(v)})
	l.locals[d] = binding{reg: r}
}

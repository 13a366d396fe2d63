package codegen

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/builtins"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
)

// program is a unit under construction, with the state that all its functions share.
type program struct {
	unit     *code.Unit
	types    *layout.Types // of the first translation unit
	lines    *lines
	literals *values.Literals
	shared   *builtins.Shared
	overflow bool // the property overflow is checked
	// archs are the architectures that the program may be for, the likeliest first: some barriers of Arm
	// have different effects in 32-bit and 64-bit code.
	archs      []string
	units      []*translation
	external   map[string]*symbol
	queue      []func() // functions and initialisers that are referred to and not translated yet
	statics    map[*cc.Declarator]*code.Variable
	wrappers   map[string]*code.Function // of builtins
	labelNames []string                  // labels whose address is taken, in the order of their numbers
	called     map[atLine]*code.Function
	fixed      map[*code.Function]int // the line of all steps of library functions
	mistakes   litmus.ErrorList
}

// Options control the translation.
type Options struct {
	Entry    string // the first function; "" is main
	Overflow bool   // whether to assert that arithmetic does not overflow
	// Termination: whether the property is that all threads end.
	Termination bool
	Arch        string // architecture that the program is for; "" for none
	// Roots are further functions to translate, as far as the program defines them, for code of other languages.
	Roots   []string
	Relaxed read.RelaxedOptions
}

// Preprocessed returns the tokens of a program after preprocessing.
func Preprocessed(s read.Source) ([]string, error) { return read.Preprocessed(s, builtins.Names()) }

// Make parses a program and translates the functions that its entry reaches. The error is a litmus.ErrorList if the
// program has several errors.
func Make(s read.Source, o Options) (u *code.Unit, err error) {
	markers := read.NewMarkers(s)
	defer func() { err = markers.Error(err) }()
	asts, err := read.Translate(s, builtins.Names())
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(syntax.Failure)
			if !ok {
				panic(r)
			}
			u, err = nil, f.Err
		}
	}()
	p := &program{
		unit: &code.Unit{Pointer: 64, Functions: map[string]*code.Function{}}, overflow: o.Overflow,
		external: map[string]*symbol{}, statics: map[*cc.Declarator]*code.Variable{},
		wrappers: map[string]*code.Function{},
		called:   map[atLine]*code.Function{}, fixed: map[*code.Function]int{},
		literals: &values.Literals{Strings: map[string]*code.Variable{}}, archs: []string{"AArch64"},
	}
	if s.ABI.ILP32 {
		p.unit.Pointer, p.archs = 32, []string{"ARM"}
	}
	if o.Arch != "" {
		p.archs = slices.Insert(p.archs, 0, o.Arch)
	}
	p.lines = &lines{unit: p.unit, source: s, texts: map[string][]string{}, lineAt: map[litmus.Pos]int{}}
	p.unit.Remarks = s.Useless(func(name string) (litmus.Pos, bool) { return redefined(asts, name) })
	qualifiers := read.NewQualifiers(asts, p.unit.Pointer)
	if err := qualifiers.Relax(o.Relaxed, s); err != nil {
		return nil, err
	}
	forVerifiers := builtins.NamesVerifiers(qualifiers.Mentions) // before ReadLibrary adds the names of the library
	if all, err := builtins.ReadLibrary(s, asts, qualifiers.Mentions); err != nil {
		return nil, err
	} else if len(all) > len(asts) {
		asts, qualifiers = all, read.NewQualifiers(all, p.unit.Pointer)
		if err := qualifiers.Relax(o.Relaxed, s); err != nil {
			return nil, err
		}
	}
	if err := qualifiers.Refused.Err(); err != nil {
		return nil, err
	}
	p.types = layout.NewTypes(asts, p.unit.Pointer, qualifiers)
	p.shared = &builtins.Shared{
		Asts: asts, ForVerifiers: forVerifiers, Signals: o.Termination, Added: map[string]*code.Variable{},
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
		return nil, litmus.Errorf(litmus.Pos{File: name, Line: 1, Col: 1},
			"there is no function %s to begin with", entry)
	}
	f := &code.Function{Name: entry} // called without arguments
	p.unit.Functions[entry] = f
	p.tolerate(func() { p.lower(sym, f, true) })
	if last := p.registers(); (last || len(p.types.Qualifiers.Around) > 0) && len(p.mistakes) == 0 {
		p.unit.Last = last || len(p.types.Qualifiers.InOrder(true)) > 0
		p.unit.Functions[entry] = p.surrounded(f)
	}
	for _, name := range o.Roots {
		if s := p.external[name]; s != nil && s.definition != nil && s.function == nil {
			s.function = &code.Function{Name: name}
			p.unit.Functions[name] = s.function
			p.queue = append(p.queue, func() { p.lower(s, s.function, false) })
		}
	}
	for len(p.queue) > 0 {
		next := p.queue[0]
		p.queue = p.queue[1:]
		p.tolerate(next)
	}
	if len(p.mistakes) > 0 {
		return nil, p.mistakes.Sorted()
	}
	p.presume(markers)
	return p.unit, nil
}

// redefined reports whether every translation unit has its own definition of a macro at its end, and the position of
// the first unit's.
func redefined(asts []*cc.AST, name string) (at litmus.Pos, all bool) {
	for i, ast := range asts {
		m := ast.Macros[name]
		if m == nil || strings.HasPrefix(m.Name.Position().Filename, read.BuiltIn) ||
			m.Name.Position().Filename == "<predefined>" {
			return at, false
		}
		if i == 0 {
			pos := m.Name.Position()
			at = litmus.Pos{File: pos.Filename, Line: pos.Line, Col: pos.Column}
		}
	}
	return at, len(asts) > 0
}

// presume moves positions to those that the markers of a preprocessed file state. Positions of operators stay in the
// given text, which repair and optimise edit.
func (p *program) presume(markers *read.Markers) {
	move := func(pos *litmus.Pos) { *pos = markers.Presumed(*pos) }
	for i := range p.unit.Lines {
		move(&p.unit.Lines[i].Pos)
	}
	for i := range p.unit.Remarks {
		move(&p.unit.Remarks[i].Pos)
	}
	variables := map[*code.Variable]bool{}
	for _, all := range []map[string]*code.Variable{p.literals.Strings, p.shared.Added} {
		for _, v := range all {
			variables[v] = true
		}
	}
	for _, v := range p.statics {
		variables[v] = true
	}
	for _, f := range p.unit.Functions {
		move(&f.Pos)
		for _, v := range f.Locals {
			variables[v] = true
		}
	}
	for v := range variables {
		move(&v.Pos)
	}
}

// tolerate records an error and continues, to report others, too.
func (p *program) tolerate(do func()) {
	defer func() {
		r := recover()
		f, ok := r.(syntax.Failure)
		switch {
		case ok && len(p.mistakes) < read.MaxErrors:
			p.mistakes = append(p.mistakes, litmus.Errors(f.Err)...)
		case r != nil && !ok && len(p.mistakes) == 0: // otherwise it may be a consequence of the reported errors
			panic(r)
		}
	}()
	do()
}

// surrounded returns a function that calls the constructors, main and the destructors.
func (p *program) surrounded(main *code.Function) *code.Function {
	l := newLowerer(p, p.units[0].ast, &code.Function{Name: main.Name, Pos: main.Pos, Result: main.Result}, nil)
	for _, r := range p.types.Qualifiers.InOrder(false) {
		l.calls.runs(r)
	}
	l.build.Line = main.Code[0].Line
	c := code.Call{Dst: -1, Fn: main}
	for _, r := range main.Params {
		to := l.build.Temp(main.Regs[r].Bits)
		l.build.Function.Params = append(l.build.Function.Params, to)
		c.Args = append(c.Args, l.build.Reg(to))
	}
	out := code.Ret{}
	if main.Result > 0 {
		c.Dst = l.build.Temp(main.Result)
		out.Value = l.build.Reg(c.Dst)
	}
	l.build.Emit(c)
	l.calls.RunLast(out.Value)
	l.build.Emit(out)
	code.Tidy(l.build.Function)
	return l.build.Function
}

// registers reports whether the program registers functions with atexit or on_exit.
func (p *program) registers() bool {
	return p.external[builtins.InLibrary+"last"] != nil &&
		(p.types.Qualifiers.Mentions["atexit"] || p.types.Qualifiers.Mentions["on_exit"])
}

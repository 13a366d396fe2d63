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

// program is a unit on its way, with what all functions of it share.
type program struct {
	unit     *code.Unit
	types    *layout.Types // as the first translation unit has them
	lines    *lines
	literals *values.Literals
	shared   *builtins.Shared
	overflow bool // asked for
	// archs are the architectures that the program is for, the likeliest first: some barriers of Arm's keep
	// other things in order in 32 bits than in 64.
	archs      []string
	units      []*translation
	external   map[string]*symbol
	queue      []func() // functions and initialisers that something refers to
	statics    map[*cc.Declarator]*code.Variable
	wrappers   map[string]*code.Function // of builtins
	labelNames []string                  // whose address is taken, in the order of their numbers
	called     map[atLine]*code.Function
	fixed      map[*code.Function]int // the line of all steps of functions of the library
	mistakes   litmus.ErrorList
}

// Options say what code is made of.
type Options struct {
	Entry    string // function to begin with; "" is main
	Overflow bool   // whether arithmetic is asked about
	// Termination: whether threads wait for ever is asked about.
	Termination bool
	Arch        string // of the machine that it is for; "" for none
}

// Preprocessed are the tokens that the preprocessor makes of a program.
func Preprocessed(s read.Source) ([]string, error) { return read.Preprocessed(s, builtins.Names()) }

// Make reads a program, and makes code of what its entry leads to.
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
	forVerifiers := builtins.NamesVerifiers(qualifiers.Mentions) // before the library's own names are among them
	if all, err := builtins.ReadLibrary(s, asts, qualifiers.Mentions); err != nil {
		return nil, err
	} else if len(all) > len(asts) {
		asts, qualifiers = all, read.NewQualifiers(all, p.unit.Pointer)
	}
	if err := qualifiers.Refused.Err(); err != nil {
		return nil, err
	}
	p.types = layout.NewTypes(asts, p.unit.Pointer, qualifiers)
	p.shared = &builtins.Shared{
		Asts: asts, ForVerifiers: forVerifiers, Signals: o.Termination, Owned: map[string]*code.Variable{},
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
	f := &code.Function{Name: entry} // of its own: it is called with no arguments
	p.unit.Functions[entry] = f
	p.tolerate(func() { p.lower(sym, f, true) })
	if last := p.registers(); (last || len(p.types.Qualifiers.Around) > 0) && len(p.mistakes) == 0 {
		p.unit.Last = last || len(p.types.Qualifiers.InTurn(true)) > 0
		p.unit.Functions[entry] = p.surrounded(f)
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

// redefined is where every translation unit has its own definition of a macro in the end; that of the first one.
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

// presume moves places to where the markers of a preprocessed file say that they come from. Places of operators stay as
// they are, in the text that was given: repair and optimise, which ask for them, edit that text.
func (p *program) presume(markers *read.Markers) {
	move := func(pos *litmus.Pos) { *pos = markers.Presumed(*pos) }
	for i := range p.unit.Lines {
		move(&p.unit.Lines[i].Pos)
	}
	for i := range p.unit.Remarks {
		move(&p.unit.Remarks[i].Pos)
	}
	variables := map[*code.Variable]bool{}
	for _, all := range []map[string]*code.Variable{p.literals.Strings, p.shared.Owned} {
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

// tolerate goes on behind a mistake, for the sake of others.
func (p *program) tolerate(do func()) {
	defer func() {
		r := recover()
		f, ok := r.(syntax.Failure)
		switch {
		case ok && len(p.mistakes) < read.MaxErrors:
			p.mistakes = append(p.mistakes, litmus.Errors(f.Err)...)
		case r != nil && !ok && len(p.mistakes) == 0: // else it is what comes of them
			panic(r)
		}
	}()
	do()
}

// surrounded calls what runs before main, main, and what runs after it.
func (p *program) surrounded(main *code.Function) *code.Function {
	l := newLowerer(p, p.units[0].ast, &code.Function{Name: main.Name, Pos: main.Pos, Result: main.Result}, nil)
	for _, r := range p.types.Qualifiers.InTurn(false) {
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

// registers tells whether the program has functions called at its end, by atexit or on_exit.
func (p *program) registers() bool {
	return p.external[builtins.InLibrary+"last"] != nil &&
		(p.types.Qualifiers.Mentions["atexit"] || p.types.Qualifiers.Mentions["on_exit"])
}

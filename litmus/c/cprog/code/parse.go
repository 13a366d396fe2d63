package code

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// program is a unit on its way, with what all functions of it share.
type program struct {
	*Unit
	*read.Qualifiers
	source   read.Source
	overflow bool // asked for
	// forVerifiers: the program says by SV-COMP's functions what fails; abort() makes an assumption there.
	forVerifiers bool
	signals      bool // waits on conditions are for signals
	// archs are the architectures that the program is for, the likeliest first: some barriers of Arm's keep
	// other things in order in 32 bits than in 64.
	archs       []string
	units       []*translation
	external    map[string]*symbol
	queue       []func() // functions and initialisers that something refers to
	statics     map[*cc.Declarator]*Variable
	strings     map[string]*Variable
	wrappers    map[string]*Function // of builtins
	texts       map[string][]string  // of files, by line
	lineAt      map[litmus.Pos]int
	owned       map[string]*Variable // of builtins
	labelNames  []string             // whose address is taken, in the order of their numbers
	slotsOf     map[fielded][]slot
	called      map[atLine]*Function
	destructors *bool             // of keys of threads: whether there may be any, once it is known
	fixed       map[*Function]int // the line of all steps of functions of the library
	mistakes    litmus.ErrorList
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
func Preprocessed(s read.Source) ([]string, error) { return read.Preprocessed(s, calls()) }

// Make reads a program, and makes code of what its entry leads to.
func Make(s read.Source, o Options) (u *Unit, err error) {
	markers := read.NewMarkers(s)
	defer func() { err = markers.Error(err) }()
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
		overflow: o.Overflow, signals: o.Termination, external: map[string]*symbol{},
		statics: map[*cc.Declarator]*Variable{}, strings: map[string]*Variable{},
		wrappers: map[string]*Function{}, texts: map[string][]string{}, lineAt: map[litmus.Pos]int{}, slotsOf: map[fielded][]slot{},
		called: map[atLine]*Function{}, fixed: map[*Function]int{},
	}
	p.archs = []string{"AArch64"}
	if s.ABI.ILP32 {
		p.Unit.Pointer, p.archs = 32, []string{"ARM"}
	}
	if o.Arch != "" {
		p.archs = slices.Insert(p.archs, 0, o.Arch)
	}
	p.Remarks = s.Useless(func(name string) (litmus.Pos, bool) { return redefined(asts, name) })
	p.Qualifiers = read.NewQualifiers(asts, p.Unit.Pointer)
	p.forVerifiers = namesVerifiers(p.Mentions) // before the library's own names are among them
	if all, err := readLibrary(s, asts, p.Mentions); err != nil {
		return nil, err
	} else if len(all) > len(asts) {
		asts, p.Qualifiers = all, read.NewQualifiers(all, p.Unit.Pointer)
	}
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
	if last := p.registers(); (last || len(p.Around) > 0) && len(p.mistakes) == 0 {
		p.Last = last || len(p.InTurn(true)) > 0
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
	p.presume(markers)
	return p.Unit, nil
}

// redefined is where every translation unit has its own definition of a macro in the end; that of the first one.
func redefined(asts []*cc.AST, name string) (at litmus.Pos, all bool) {
	for i, ast := range asts {
		m := ast.Macros[name]
		if m == nil || strings.HasPrefix(m.Name.Position().Filename, read.BuiltIn) || m.Name.Position().Filename == "<predefined>" {
			return at, false
		}
		if i == 0 {
			pos := m.Name.Position()
			at = litmus.Pos{File: pos.Filename, Line: pos.Line, Col: pos.Column}
		}
	}
	return at, len(asts) > 0
}

// presume moves places to where the markers of a preprocessed file say that they come from. Places of operators stay as they
// are, in the text that was given: repair and optimise, which ask for them, edit that text.
func (p *program) presume(markers *read.Markers) {
	move := func(pos *litmus.Pos) { *pos = markers.Presumed(*pos) }
	for i := range p.Lines {
		move(&p.Lines[i].Pos)
	}
	for i := range p.Remarks {
		move(&p.Remarks[i].Pos)
	}
	variables := map[*Variable]bool{}
	for _, all := range []map[string]*Variable{p.strings, p.owned} {
		for _, v := range all {
			variables[v] = true
		}
	}
	for _, v := range p.statics {
		variables[v] = true
	}
	for _, f := range p.Functions {
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
	l.runLast(out.Value)
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

// registers tells whether the program has functions called at its end, by atexit or on_exit.
func (p *program) registers() bool {
	return p.external[inLibrary+"last"] != nil && (p.Mentions["atexit"] || p.Mentions["on_exit"])
}

// runLast calls what runs when the program ends, with a status (nil: 0).
func (l *lowerer) runLast(status ir.Expr) {
	if l.registers() {
		if status == nil {
			status = ir.Number(0, 32)
		}
		l.callLibrary(inLibrary+"last", widen(status, 32, true))
	}
	for _, r := range l.InTurn(true) {
		l.runs(r)
	}
}

package code

import (
	"errors"
	"fmt"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

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
	l.line, l.isFixed = p.fixed[f]
	l.pointed(n.CompoundStatement, inMemory)
	l.addressed = addressedLabels(n.CompoundStatement)
	l.at(n)
	switch {
	case aggregate(l.result):
		r := l.temp(p.Unit.Pointer)
		f.Params = append(f.Params, r)
		l.into = l.reg(r)
	case l.result.Kind() != cc.Void:
		f.Result = l.bits(n.Declarator, l.result)
	}
	l.parameters(t, entry)
	if t.IsVariadic() && !entry {
		r := l.temp(p.Unit.Pointer)
		f.Params = append(f.Params, r)
		l.variable = l.reg(r)
	}
	l.inScope(func() { l.block(n.CompoundStatement, false) })
	if len(p.mistakes) > 0 {
		return // nobody runs it
	}
	for name := range l.gotos {
		l.failf(n.Declarator, "%s has no label %s", f.Name, name)
	}
	if f.Result > 0 && (entry || f.Name == "main") { // C17, 5.1.2.2.3
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
			o.how.Initial = true
			l.write(d, o, operand{l.reg(r), p.Type()})
			continue
		}
		l.f.Regs[r].Name = d.Name()
		l.locals[d] = binding{reg: r}
	}
	for _, p := range t.Parameters() { // of which one may be the length of another
		if d := p.Declarator; d != nil && !entry {
			l.measure(d, p.Type())
		}
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

package codegen

import (
	"errors"
	"fmt"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// lower makes the code of a function. The entry of the program is called without arguments; its parameters have any
// value. A local that may be read before it is set is in memory, which tracks whether it is set.
func (p *program) lower(s *symbol, f *code.Function, entry bool) {
	inMemory := map[*cc.Declarator]bool{}
	for again := true; again; {
		*f = code.Function{Name: f.Name}
		p.lowerWith(s, f, entry, inMemory)
		again = false
		for _, step := range f.Code {
			if c, ok := step.Op.(code.Choose); ok && c.First != nil {
				inMemory[c.First], again = true, true
			}
		}
	}
}

// lowerWith makes the code of a function with the given locals in memory. The caller of a function that returns a
// structure passes the address of the result as an additional parameter; a function with variable arguments has a
// parameter for their address.
func (p *program) lowerWith(s *symbol, f *code.Function, entry bool, inMemory map[*cc.Declarator]bool) {
	n := s.definition
	t, ok := n.Declarator.Type().(*cc.FunctionType)
	if !ok {
		panic(syntax.Failure{Err: errors.New("BUG: a function of no function type")})
	}
	l := newLowerer(p, s.unit.ast, f, inMemory)
	l.statements.result = t.Result()
	f.Pos = read.Place(n.Declarator)
	l.build.Line, l.position.isFixed = p.fixed[f]
	l.declarations.pointed(n.CompoundStatement, inMemory)
	l.statements.addressed = syntax.AddressedLabels(n.CompoundStatement)
	l.position.at(n)
	switch {
	case layout.IsAggregate(l.statements.result):
		r := l.build.Temp(p.unit.Pointer)
		f.Params = append(f.Params, r)
		l.statements.into = l.build.Reg(r)
	case l.statements.result.Kind() != cc.Void:
		f.Result = l.types.Bits(n.Declarator, l.statements.result)
	}
	l.declarations.parameters(t, entry)
	if t.IsVariadic() && !entry {
		r := l.build.Temp(p.unit.Pointer)
		f.Params = append(f.Params, r)
		l.calls.variable = l.build.Reg(r)
	}
	l.flow.inScope(func() { l.statements.block(n.CompoundStatement, false) })
	if len(p.mistakes) > 0 {
		return // the code will not run
	}
	for name := range l.flow.gotos {
		syntax.Failf(n.Declarator, "%s has no label %s", f.Name, name)
	}
	if f.Result > 0 && (entry || f.Name == "main") { // C17, 5.1.2.2.3
		l.build.Emit(code.Ret{Value: ir.Number(0, f.Result)})
	} else {
		l.build.Emit(code.Ret{})
	}
	code.Tidy(f)
}

// parameters binds a function's parameters to their storage.
func (ds *declarations) parameters(t *cc.FunctionType, entry bool) {
	for _, p := range t.Parameters() {
		if p.Type().Kind() == cc.Void {
			continue
		}
		d := p.Declarator
		if layout.IsAggregate(p.Type()) {
			r := ds.build.Temp(ds.types.Pointer)
			ds.build.Function.Params = append(ds.build.Function.Params, r)
			if d != nil {
				ds.locals.bindings[d] = binding{by: ds.build.Reg(r)}
			}
			continue
		}
		bits := ds.types.Width(p.Type())
		if d == nil {
			if bits == 0 {
				bits = 1
			}
			ds.build.Function.Params = append(ds.build.Function.Params, ds.build.Temp(bits))
			continue
		}
		if entry && p.Type().Kind() == cc.Ptr {
			if ds.build.Function.Name == "main" {
				ds.argv(d)
			}
			continue // a use of the parameter fails
		}
		r := ds.build.Temp(ds.types.Bits(d, p.Type()))
		switch {
		case entry:
			ds.build.Emit(code.Choose{Dst: r})
			if d.Name() == "argc" {
				ds.build.Emit(code.Assume{
					Cond: code.Not(code.Fold(ir.Slt, ds.build.Reg(r), ir.Number(0, ds.build.Function.Regs[r].Bits))),
				})
			}
		default:
			ds.build.Function.Params = append(ds.build.Function.Params, r)
		}
		if ds.locals.inMemory[d] {
			o := ds.declare(d)
			o.How.Initial = true
			ds.memory.Write(d, o, values.Of(ds.build.Reg(r), p.Type()))
			continue
		}
		ds.build.Function.Regs[r].Name = d.Name()
		ds.locals.bindings[d] = binding{reg: r}
	}
	for _, p := range t.Parameters() { // one may be the length of another
		if d := p.Declarator; d != nil && !entry {
			ds.measure(d, p.Type())
		}
	}
}

// maxArguments is the maximum number of arguments of main.
const maxArguments = 16

// argv binds main's argv to an array of pointers to strings of any content.
func (ds *declarations) argv(d *cc.Declarator) {
	size := ds.types.Pointer / 8
	v := &code.Variable{Name: d.Name(), Pos: read.Place(d), Size: maxArguments * size, Align: size}
	v.Layout = func(offset int) (string, int) { return fmt.Sprintf("%s[%d]", v.Name, offset/size), ds.types.Pointer }
	ds.build.Function.Locals = append(ds.build.Function.Locals, v)
	r := ds.build.Temp(ds.types.Pointer)
	ds.build.Function.Regs[r].Name = d.Name()
	ds.build.Emit(code.Assign{Dst: r, Value: ds.memory.Locate(v)})
	ds.locals.bindings[d] = binding{reg: r}
}

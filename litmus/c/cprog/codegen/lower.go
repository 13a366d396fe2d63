package codegen

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/values"
)

// lowerer makes code for one function. Its parts share their state.
type lowerer struct {
	program      *program
	build        *code.Builder
	types        *layout.Types
	values       *values.Arithmetic
	position     *position
	symbols      *symbols
	statements   *statements
	declarations *declarations
	initialisers *initialisers
	calls        *calls
	flow         *flow
}

// newLowerer creates the parts that translate a function or an initialiser of a translation unit into f.
func newLowerer(p *program, ast *cc.AST, f *code.Function, inMemory map[*cc.Declarator]bool) *lowerer {
	t := p.types.Of(ast)
	b := &code.Builder{Function: f}
	at := &position{lines: p.lines, build: b}
	v := &values.Arithmetic{Unit: p.unit, Build: b, Types: t, Overflow: p.overflow}
	m := &values.Memory{Unit: p.unit, Build: b, Types: t, Values: v}
	known := &locals{bindings: map[*cc.Declarator]binding{}, inMemory: inMemory}
	s := &symbols{program: p, build: b, types: t, position: at}
	fl := &flow{
		build: b, gotos: map[string][]int{}, labels: map[string]label{}, cases: map[*cc.LabeledStatement][]int{},
	}
	seen := &effectsAnalysis{types: t, symbols: s, locals: known, lines: p.lines}
	order := &evaluationOrder{build: b, values: v, effects: seen}
	e := &expressions{
		program: p, build: b, types: t, values: v, memory: m, literals: p.literals, symbols: s, locals: known,
		flow: fl, order: order,
	}
	order.expressions = e
	c := &calls{program: p, build: b, position: at, types: t, values: v, memory: m, symbols: s, expressions: e}
	in := &initialisers{program: p, build: b, types: t, values: v, memory: m, expressions: e}
	d := &declarations{
		program: p, build: b, types: t, values: v, memory: m, symbols: s, locals: known, flow: fl, position: at,
		expressions: e, initialisers: in,
	}
	st := &statements{
		program: p, build: b, types: t, values: v, memory: m, symbols: s, flow: fl, position: at,
		expressions: e, calls: c, declarations: d,
	}
	e.calls, e.declarations, e.statements = c, d, st
	return &lowerer{
		program: p, build: b, types: t, position: at, symbols: s, statements: st, declarations: d, initialisers: in,
		calls: c, flow: fl, values: v,
	}
}

// locals maps a function's local variables and parameters to their storage.
type locals struct {
	bindings map[*cc.Declarator]binding
	inMemory map[*cc.Declarator]bool
}

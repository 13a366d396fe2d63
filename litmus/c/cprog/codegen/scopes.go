package codegen

import (
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/ir"
)

// flow knows the blocks around a statement, and the jumps out of them.
type flow struct {
	build *code.Builder
	// Jumps to places that are yet to come, and places that have been.
	breaks, continues *[]int
	gotos             map[string][]int
	labels            map[string]label
	cases             map[*cc.LabeledStatement][]int
	scopes            []*scope
	cleans            []*cc.Declarator
	loopScopes        [2]int // scopes around what a break leaves, and a continue
}

// scope is a block, with what is called at its end, and the locals in memory that end with it.
type scope struct {
	calls  []code.Call
	lines  []int
	locals []*code.Variable
	arrays []ir.Reg // where the arrays of variable length begin
	lasts  bool     // its value is looked at behind it
}

// label is a place that has a name, with the scopes around.
type label struct {
	at     int
	scopes []*scope
}

// inScope lowers what is in a scope, and calls what is to be called at its end.
func (fl *flow) inScope(do func()) {
	depth := len(fl.scopes)
	fl.scopes = append(fl.scopes, &scope{})
	do()
	fl.leaveScopes(depth)
	fl.scopes = fl.scopes[:depth]
}

// leaveScopes calls what is to be called at the end of all scopes but for so many.
func (fl *flow) leaveScopes(but int) {
	line := fl.build.Line
	for _, s := range slices.Backward(fl.scopes[but:]) {
		for i, c := range slices.Backward(s.calls) {
			fl.build.Line = s.lines[i]
			fl.build.Emit(c)
		}
		for _, v := range s.locals {
			fl.build.Emit(code.Life{Of: v, Ends: true})
		}
		for _, at := range s.arrays {
			fl.build.Emit(code.Life{Array: at, Ends: true})
		}
	}
	fl.build.Line = line
}

// stay has the locals live on that a jump to this place has ended in front of it, if it has not left their scopes.
func (fl *flow) stay(from int) {
	for i := from - 1; i >= 0; i-- {
		end, ok := fl.build.Function.Code[i].Op.(code.Life)
		if _, gone := fl.build.Function.Code[i].Op.(code.Nop); !gone && (!ok || !end.Ends) {
			return
		}
		if slices.ContainsFunc(fl.scopes, func(s *scope) bool { return s.declares(end) }) {
			fl.build.Function.Code[i].Op = code.Nop{}
		}
	}
}

// declares tells whether the object whose life ends is of the scope.
func (s *scope) declares(end code.Life) bool {
	if at, ok := end.Array.(ir.Reg); ok {
		return slices.Contains(s.arrays, at)
	}
	return slices.Contains(s.locals, end.Of)
}

// gotoLabel jumps to a label, which may be yet to come.
func (fl *flow) gotoLabel(n *cc.JumpStatement, name string) {
	if len(fl.cleans) > 0 {
		syntax.Failf(n, "a goto in a function with attribute cleanup, as of %s, is not supported: use break, "+
			"continue or return", fl.cleans[0].Name())
	}
	if to, ok := fl.labels[name]; ok {
		in := 0
		for in < min(len(to.scopes), len(fl.scopes)) && to.scopes[in] == fl.scopes[in] {
			in++
		}
		fl.leaveScopes(in)
		fl.build.Emit(code.Branch{Cond: nil, Target: to.at})
		return
	}
	fl.leaveScopes(0) // as far as is known: see stay
	fl.gotos[name] = append(fl.gotos[name], fl.build.Jump(nil))
}

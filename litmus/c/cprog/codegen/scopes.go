package codegen

import (
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/ir"
)

// flow tracks the blocks around a statement and the jumps out of them.
type flow struct {
	build *code.Builder
	// Jumps to targets that are not reached yet, and targets that are.
	breaks, continues *[]int
	gotos             map[string][]int
	labels            map[string]label
	cases             map[*cc.LabeledStatement][]int
	scopes            []*scope
	cleans            []*cc.Declarator
	loopScopes        [2]int // number of scopes around the target of break, and of continue
}

// scope is a block, with the clean-up functions at its end and the locals in memory whose lives end there.
type scope struct {
	calls  []code.Call
	lines  []int
	locals []*code.Variable
	arrays []ir.Reg // addresses of the arrays of variable length
	lasts  bool     // its value is used after its end
}

// label is a labelled position, with the scopes around it.
type label struct {
	at     int
	scopes []*scope
}

// inScope makes code for a scope and the clean-up at its end.
func (fl *flow) inScope(do func()) {
	depth := len(fl.scopes)
	fl.scopes = append(fl.scopes, &scope{})
	do()
	fl.leaveScopes(depth)
	fl.scopes = fl.scopes[:depth]
}

// leaveScopes makes code for the end of all scopes except the outermost ones, as many as but says.
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

// stay removes the ends of those locals' lives from before a jump to this position that are still in scope here.
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

// declares reports whether the object whose life ends belongs to the scope.
func (s *scope) declares(end code.Life) bool {
	if at, ok := end.Array.(ir.Reg); ok {
		return slices.Contains(s.arrays, at)
	}
	return slices.Contains(s.locals, end.Of)
}

// gotoLabel jumps to a label, which may come later.
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
	fl.leaveScopes(0) // of all scopes; stay corrects this
	fl.gotos[name] = append(fl.gotos[name], fl.build.Jump(nil))
}

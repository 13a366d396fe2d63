package codegen

import (
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// Order of evaluation. C does not specify the order in which operands and arguments are evaluated (C17, 6.5p3); calls
// happen one after the other, in any order (6.5.2.2p10). An expression is split into actions, each after those in its
// own operands. If the order of two actions is unspecified and observable, the code covers both orders. There are as
// many turns as such actions; each turn performs one action, by choice, that is not done yet and whose operands are
// done. Everything else is evaluated where its value is needed.
//
// The order of two actions is observable if one accesses an atomic or volatile object, which other threads may access,
// and the other accesses memory, or if one may write an object that the other accesses. A program without data races
// cannot observe the order of plain reads. Arguments of functions that print are evaluated from left to right.
//
// A use of &&, ||, ?: or a comma is one action. C allows other actions between its parts; if that is observable, the
// program is rejected.

// maxUnordered bounds the actions of unspecified order in one expression: n actions have n! orders.
const maxUnordered = 6

// inFull evaluates a full expression with its operands in any order. Inside a full expression, it calls do only.
func (eo *evaluationOrder) inFull(e cc.ExpressionNode, do func() values.Operand) values.Operand {
	if eo.within || eo.values.Static {
		return do()
	}
	eo.within = true
	defer func() { eo.within = false }()
	defer eo.assertSequenced(e)()
	all := eo.effects.unordered(e)
	if len(all) > maxUnordered {
		syntax.Failf(e, "C does not specify the order of %d calls and accesses in this expression, and at most %d "+
			"are supported: use several statements", len(all), maxUnordered)
	}
	if len(all) > 0 {
		eo.inAnyOrder(all)
		defer func() {
			for _, a := range all {
				delete(eo.done, a.e)
			}
		}()
	}
	return do()
}

// apart evaluates an expression that a sequence point separates from the expression around it.
func (eo *evaluationOrder) apart(do func() values.Operand) values.Operand {
	within := eo.within
	eo.within = false
	defer func() { eo.within = within }()
	return do()
}

// inAnyOrder emits code that performs the actions in every order that puts each after those in its operands. Their
// values are then in done.
func (eo *evaluationOrder) inAnyOrder(all []action) {
	if eo.done == nil {
		eo.done = map[cc.ExpressionNode]values.Operand{}
	}
	n := len(all)
	isDone, results, latest := make([]int, n), slices.Repeat([]int{-1}, n), make([]int, n)
	for i := range all {
		isDone[i], latest[i] = eo.build.Temp(1), n-1
		eo.build.Emit(code.Assign{Dst: isDone[i], Value: ir.Number(0, 1)})
		for _, b := range all {
			if slices.Contains(b.after, i) {
				latest[i]--
			}
		}
	}
	for turn := range n {
		var may []int
		open := -turn // the number of undone actions that can happen in this turn
		for i, a := range all {
			if latest[i] < turn {
				open++
			} else if len(a.after) <= turn {
				may, open = append(may, i), open+1
			}
		}
		do := func(i int) {
			for _, j := range all[i].after {
				if latest[j] >= turn {
					eo.build.Emit(code.Assume{Cond: eo.build.Reg(isDone[j])})
				}
			}
			results[i] = eo.act(all[i].e, results[i])
			eo.build.Emit(code.Assign{Dst: isDone[i], Value: ir.Number(1, 1)})
		}
		var ends []int
		for at, i := range may {
			undone := code.Not(eo.build.Reg(isDone[i]))
			if at == len(may)-1 {
				if open > 1 {
					eo.build.Emit(code.Assume{Cond: undone})
				}
				do(i)
				break
			}
			var past int
			if open == 1 {
				past = eo.build.Jump(eo.build.Reg(isDone[i]))
			} else {
				which := eo.build.Temp(1)
				eo.build.Emit(code.Choose{Dst: which})
				past = eo.build.Jump(code.Not(eo.build.Reg(which)))
				eo.build.Emit(code.Assume{Cond: undone})
			}
			do(i)
			ends = append(ends, eo.build.Jump(nil))
			eo.build.Land(past)
		}
		eo.build.Land(ends...)
	}
}

// act emits one copy of an action and assigns its value to a register, a new one the first time (-1), to which done
// then refers.
func (eo *evaluationOrder) act(e cc.ExpressionNode, result int) int {
	delete(eo.done, e)
	v := eo.expressions.evaluate(e)
	if v.X == nil {
		eo.done[e] = v
		return result
	}
	if result < 0 {
		result = eo.build.Temp(v.X.Width())
	}
	eo.build.Emit(code.Assign{Dst: result, Value: v.X})
	eo.done[e] = values.Of(eo.build.Reg(result), v.Type)
	return result
}

// evaluationOrder evaluates full expressions, whose operands may be evaluated in several orders.
type evaluationOrder struct {
	build       *code.Builder
	values      *values.Arithmetic
	expressions *expressions
	effects     *effectsAnalysis
	atParts     map[cc.ExpressionNode][]code.Op      // steps at the beginning of a conditional part
	within      bool                                 // a full expression is being evaluated
	done        map[cc.ExpressionNode]values.Operand // values of its actions that are already evaluated
}

package codegen

import (
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// Order of evaluation. C leaves open in which order operands and arguments are evaluated (C17, 6.5p3); calls are made
// one after the other, in any order (6.5.2.2p10). An expression is taken apart into actions, each behind those in its
// own operands. Two whose order is open and may be noticed are tried in both orders: there are as many turns as such
// actions, and in each one is done, by choice, that is left and whose operands are done. All else is done where its
// value is wanted, as if this were not here.
//
// An order may be noticed where one of the two accesses atomic or volatile objects, which other threads may look at,
// and the other accesses memory; or where one may write what the other accesses. Plain reads have no order that a
// program without a data race could notice. What is printed is evaluated from left to right.
//
// A part of && || ?: or a comma is one action here. C lets other actions come between those in it; if that may be
// noticed, the program is refused.

// maxUnordered bounds the actions of one expression whose order is tried: n of them have n! orders.
const maxUnordered = 6

// inFull evaluates a full expression, its operands in any order. Within one it just goes on.
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

// apart evaluates what a sequence point separates from the expression around it.
func (eo *evaluationOrder) apart(do func() values.Operand) values.Operand {
	within := eo.within
	eo.within = false
	defer func() { eo.within = within }()
	return do()
}

// inAnyOrder does actions in every order in which each is behind those in its operands, and has their values in done.
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
		open := -turn // actions that may come now and are not done
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

// act does an action, and has its value in a register, a new one the first time (-1), where done says.
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

// evaluationOrder evaluates full expressions, whose operands may come in several orders.
type evaluationOrder struct {
	build       *code.Builder
	values      *values.Arithmetic
	expressions *expressions
	effects     *effectsAnalysis
	atParts     map[cc.ExpressionNode][]code.Op      // what a conditional part does first
	within      bool                                 // a full expression is being evaluated
	done        map[cc.ExpressionNode]values.Operand // what is evaluated already, of that
}

package c

import (
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
)

// Order of evaluation. C does not specify in which order the operands of an operator and the arguments of a call are
// evaluated (C17, 6.5p3). Calls in one expression do not interleave, but happen one after the other in any order
// (6.5.2.2p10). In a test, almost every access is a call of an atomic operation or a primitive. So each execution has
// one order of the accesses, chosen freely, and program order is total. Plain accesses could interleave, but a program
// without data races cannot observe that.
//
// The lowering splits an expression into actions, the parts that access memory or assign. An action comes after the
// actions in its operands. If this makes a total order, there is no choice. Otherwise there are as many turns as
// actions. Each turn performs one action that is not done yet and whose operands are done: the code of a turn contains
// a copy of each action that can happen in it, and a Choose selects one.

// action is a part of an expression that does more than compute a value.
type action struct {
	x     Expr
	after []int // the actions in its operands
	reads bool  // it accesses memory
}

// maxUnordered bounds the accesses of unspecified order in one expression: n accesses have n! orders.
const maxUnordered = 6

// full lowers a full expression, whose operands can be evaluated in any order.
func (l *lowerer) full(x Expr) value {
	l.findRaces(x)
	return l.unordered(x)
}

// unordered lowers an expression that is not evaluated next to another one: a full expression without the search for
// races.
func (l *lowerer) unordered(x Expr) value {
	all := actionsOf(x)
	switch n := countUnordered(all); {
	case n == 0:
		return l.value(x)
	case n > maxUnordered:
		at := x.Where()
		l.Failf(at.Pos, "C: C does not specify the order of the %d accesses in this expression, and at most %d are "+
			"supported: use several statements", n, maxUnordered)
		return poison()
	}
	if l.done == nil {
		l.done = map[Expr]value{}
	}
	l.inAnyOrder(all)
	v := l.value(x)
	for _, a := range all {
		delete(l.done, a.x)
	}
	return v
}

func (l *lowerer) unorderedTruth(x Expr) ir.Expr { return truthOf(l.unordered(x).x) }

// actionsOf returns an expression's actions, each after those in its operands. The right side of && and ||, and the
// branches of ?:, belong to the action of the operator, because they may not be evaluated.
func actionsOf(x Expr) (all []action) {
	add := func(x Expr, reads bool, after []int) []int {
		all = append(all, action{x, after, reads})
		return append(slices.Clip(after), len(all)-1)
	}
	var collect, collectPlace func(x Expr) []int
	collectPlace = func(x Expr) []int {
		switch x := x.(type) {
		case *Unary:
			if x.Op == "*" {
				return collect(x.X)
			}
		case *Index:
			return append(collect(x.X), collect(x.At)...)
		case *Member:
			return collect(x.X)
		case *Cast:
			return collectPlace(x.X)
		case *Name:
			return nil
		}
		return collect(x)
	}
	collect = func(x Expr) []int {
		switch x := x.(type) {
		case *Unary:
			switch x.Op {
			case "*":
				return add(x, true, collect(x.X))
			case "&":
				return collectPlace(x.X)
			case "++", "--":
				return add(x, inMemory(x.X), collectPlace(x.X))
			}
			return collect(x.X)
		case *Postfix:
			return add(x, inMemory(x.X), collectPlace(x.X))
		case *Binary:
			if x.Op == "&&" || x.Op == "||" {
				after := collect(x.X)
				if Acts(x.Y) {
					return add(x, true, after)
				}
				return after
			}
			return append(collect(x.X), collect(x.Y)...)
		case *Assign:
			return add(x, inMemory(x.To), append(collect(x.X), collectPlace(x.To)...))
		case *Cast:
			return collect(x.X)
		case *Call:
			var after []int
			f, _ := Find(x.Func, len(x.Args), func(int) bool { return false })
			for i, a := range x.Args {
				if f.Object() == i && f.At("*p") == i {
					after = append(after, collectPlace(a)...)
				} else {
					after = append(after, collect(a)...)
				}
			}
			return add(x, true, after)
		case *Index, *Member:
			return add(x, true, collectPlace(x))
		case *Ternary:
			after := collect(x.If)
			if Acts(x.Then) || Acts(x.Else) {
				return add(x, true, after)
			}
			return after
		}
		return nil
	}
	collect(x)
	return all
}

// inMemory reports whether an assignment to x accesses memory: x is not a local variable.
func inMemory(x Expr) bool {
	_, local := x.(*Name)
	return !local
}

// countUnordered counts the actions that access memory and are unordered with another such action.
func countUnordered(all []action) int {
	n := 0
	for i := range all {
		for j := range all {
			if i != j && all[i].reads && all[j].reads && !slices.Contains(all[i].after, j) &&
				!slices.Contains(all[j].after, i) {
				n++
				break
			}
		}
	}
	return n
}

// inAnyOrder emits code that performs the actions in every order that puts each after those in its operands. Their
// values are then in l.done.
//
// For each action, len(after) is the first turn in which it can happen and latest[i] the last one. If only one undone
// action remains for a turn, the code needs no choice.
func (l *lowerer) inAnyOrder(all []action) {
	n := len(all)
	isDone, results, latest := make([]int, n), make([]int, n), make([]int, n)
	for i := range all {
		isDone[i], results[i], latest[i] = l.Temp(1), l.Temp(bits), n-1
		l.Assign(isDone[i], ir.Number(0, 1))
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
					l.Emit(ir.Assume{Cond: l.Value(isDone[j])})
				}
			}
			l.act(all[i].x, results[i])
			l.Assign(isDone[i], ir.Number(1, 1))
		}
		var ends []int
		for k, i := range may {
			undone := ir.Assume{Cond: ir.Not(l.Value(isDone[i]))}
			if k == len(may)-1 {
				if open > 1 {
					l.Emit(undone)
				}
				do(i)
				break
			}
			var past int
			if open == 1 {
				past = l.jump(l.Value(isDone[i]))
			} else {
				which := l.Temp(1)
				l.Emit(ir.Choose{Dst: which})
				past = l.jump(ir.Not(l.Value(which)))
				l.Emit(undone)
			}
			do(i)
			ends = append(ends, l.jump(nil))
			l.land(past)
		}
		l.land(ends...)
	}
}

// act emits one copy of an action and assigns its value to a register, which l.done then refers to. Errors and remarks
// count only for the first copy.
func (l *lowerer) act(x Expr, result int) {
	_, again := l.done[x]
	delete(l.done, x)
	errors, remarks := len(l.Errors), len(l.Program.Remarks)
	v := l.value(x)
	if again {
		l.Errors, l.Program.Remarks = l.Errors[:errors], l.Program.Remarks[:remarks]
	}
	l.Assign(result, v.x)
	l.done[x] = value{l.Value(result), v.typ}
}

// findRaces records an expression whose accesses race with one of its own side effects, and remarks on the first such
// pair.
func (l *lowerer) findRaces(x Expr) {
	same := func(a, b *Evaluation) bool { return a.Object == b.Object }
	for _, r := range l.evaluation(x).Races(same) {
		l.Remarkf(x.Where().Pos, "C: %s", r.Text(fmt.Sprint(r.First.Object)))
		l.Program.Unsequenced = append(l.Program.Unsequenced, ir.Unsequenced{Thread: l.Thread, Always: l.depth == 0})
		return
	}
}

// evaluation returns the expression as C's sequencing rules see it. It compares objects by their names only: two
// different names may still refer to one object through pointers.
func (l *lowerer) evaluation(x Expr) *Evaluation {
	all := func(of Sequencing, xs ...Expr) *Evaluation {
		e := &Evaluation{Of: of}
		for _, x := range xs {
			e.Operands = append(e.Operands, l.evaluation(x))
		}
		return e
	}
	// at makes e an access to the object that an expression names.
	at := func(e *Evaluation, to Expr, writes bool) *Evaluation {
		if name := objectName(to); name != "" {
			e.Object, e.Writes = name, writes
		}
		return e
	}
	place := func(x Expr) []Expr {
		switch x := x.(type) {
		case *Unary:
			return []Expr{x.X}
		case *Index:
			return []Expr{x.X, x.At}
		case *Member:
			return []Expr{x.X}
		}
		return nil
	}
	switch x := x.(type) {
	case *Name:
		if _, constant := Orders[x.Text]; constant {
			return all(Unsequenced)
		}
		return at(all(Unsequenced), x, false)
	case *Unary:
		switch x.Op {
		case "*":
			return at(all(Unsequenced, x.X), x, false)
		case "&":
			return all(Unsequenced, place(x.X)...)
		case "++", "--":
			return at(all(Unsequenced, place(x.X)...), x.X, true)
		}
		return all(Unsequenced, x.X)
	case *Postfix:
		return at(all(Unsequenced, place(x.X)...), x.X, true)
	case *Binary:
		if x.Op == "&&" || x.Op == "||" || x.Op == "," {
			return all(InTurn, x.X, x.Y)
		}
		return all(Unsequenced, x.X, x.Y)
	case *Assign:
		return at(all(Unsequenced, append(place(x.To), x.X)...), x.To, true)
	case *Cast:
		return all(Unsequenced, x.X)
	case *Call:
		return all(Called, x.Args...)
	case *Index, *Member:
		return at(all(Unsequenced, place(x)...), x, false)
	case *Ternary:
		return &Evaluation{Of: InTurn, Operands: []*Evaluation{l.evaluation(x.If), all(OneOf, x.Then, x.Else)}}
	}
	return all(Unsequenced)
}

// objectName returns the notation of an object if it identifies the object: a local variable, or *p, p[1] or p->f.
func objectName(x Expr) string {
	switch x := x.(type) {
	case *Name:
		return x.Text
	case *Unary:
		if name, ok := x.X.(*Name); ok && x.Op == "*" {
			return "*" + name.Text
		}
	case *Index:
		if name, ok := x.X.(*Name); ok {
			if n, ok := x.At.(*Number); ok {
				return fmt.Sprintf("%s[%d]", name.Text, n.Value)
			}
		}
	case *Member:
		if name, ok := x.X.(*Name); ok {
			return name.Text + "->" + x.Field
		}
	}
	return ""
}

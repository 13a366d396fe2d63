package c

import (
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
)

// Order of evaluation. C leaves open in which order the operands of an operator, and the arguments of a call, are
// evaluated (C17, 6.5p3), and calls that are not ordered so are made one after the other, in any order (6.5.2.2p10).
// What accesses memory in a test is a call, of an atomic operation or a primitive, nearly always, so that one order or
// another is what C says: each execution has one, chosen freely, and program order is total. Only plain accesses could
// overlap; of these no program without a data race can tell.
//
// An expression is taken apart into actions: what accesses memory, each behind those in its own operands. As long as
// that is an order, nothing is chosen. Else there are as many turns as actions. In each one that is not done yet, and
// whose operands are, is done: every turn has a copy of each that may come then.

// action is a part of an expression that does more than to compute.
type action struct {
	x     Expr
	after []int // the actions in its operands
	reads bool  // it accesses memory
}

// maxUnordered bounds the accesses in one expression whose order is open: n of them have n! orders.
const maxUnordered = 6

// full is the value of an expression that is evaluated by itself, its operands in any order.
func (l *lowerer) full(x Expr) value {
	l.findRaces(x)
	return l.unordered(x)
}

// unordered is the value of an expression that no other is evaluated beside.
func (l *lowerer) unordered(x Expr) value {
	all := actionsOf(x)
	switch n := countUnordered(all); {
	case n == 0:
		return l.value(x)
	case n > maxUnordered:
		at := x.Where()
		l.Failf(at.Pos, "C: the order of %d accesses in one expression is open, and more than %d are not supported: "+
			"want statements of their own", n, maxUnordered)
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

// actionsOf are an expression's, each behind those in its operands.
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

// inMemory tells whether what is assigned to is no local.
func inMemory(x Expr) bool {
	_, local := x.(*Name)
	return !local
}

// countUnordered counts the actions that access memory whose order with another such is open.
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

// inAnyOrder does actions in every order in which each is behind those in its operands, and has their values in done.
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

// act does an action, and has its value in a register, where done says. What is wrong with it is said the first time.
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

// findRaces notes the accesses of an expression that race with one of its own side effects.
func (l *lowerer) findRaces(x Expr) {
	same := func(a, b *Evaluation) bool { return a.Object == b.Object }
	for _, r := range l.evaluation(x).Races(same) {
		l.Remarkf(x.Where().Pos, "C: %s", r.Text(fmt.Sprint(r.First.Object)))
		l.Program.Unsequenced = append(l.Program.Unsequenced, ir.Unsequenced{Thread: l.Thread, Always: l.depth == 0})
		return
	}
}

// evaluation is an expression as C's rules of sequencing see it. Objects go by their names: two that are not the same
// may be one object by way of pointers all the same.
func (l *lowerer) evaluation(x Expr) *Evaluation {
	all := func(of Sequencing, xs ...Expr) *Evaluation {
		e := &Evaluation{Of: of}
		for _, x := range xs {
			e.Operands = append(e.Operands, l.evaluation(x))
		}
		return e
	}
	// at is an access to what an expression names.
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

// objectName is how an object is written, if that says which it is: a local, or *p, p[1] and p->f.
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

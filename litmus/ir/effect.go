package ir

import "fmt"

// Effect returns the register that an operation sets, or -1, and the expressions it evaluates.
func Effect(op Op) (set int, used []Expr) {
	switch op := op.(type) {
	case Assign:
		return op.Dst, []Expr{op.Value}
	case Pick:
		return op.Dst, []Expr{op.Value}
	case Choose:
		return op.Dst, nil
	case Load:
		return op.Dst, []Expr{op.Addr}
	case Take:
		return op.Dst, nil
	case Store:
		if used = []Expr{op.Addr, op.Value}; op.Next != nil {
			used = append(used, op.Next)
		}
		return -1, used
	case RMW:
		used = []Expr{op.Addr, op.New}
		if op.If != nil {
			used = append(used, op.If)
		}
		return op.Dst, used
	case StoreCond:
		if used = []Expr{op.Addr, op.Value}; op.Next != nil {
			used = append(used, op.Next)
		}
		return op.Status, used
	case Fence:
		if op.Addr != nil {
			used = []Expr{op.Addr}
		}
	case Lost:
		used = []Expr{op.To}
	case Assume:
		used = []Expr{op.Cond}
	case Assert:
		used = []Expr{op.Cond}
	case Spawn:
		for _, a := range op.Args {
			used = append(used, a.Value)
		}
	case Branch:
		if op.Cond != nil {
			used = []Expr{op.Cond}
		}
	}
	return -1, used
}

// At returns the locations that a memory access may reach, or nil if only its address tells.
func At(op Op) Locs {
	switch op := op.(type) {
	case Load:
		return op.At
	case Store:
		return op.At
	case RMW:
		return op.At
	case StoreCond:
		return op.At
	}
	return nil
}

// AccessAt returns a memory access with other possible locations.
func AccessAt(op Op, at Locs) Op {
	switch op := op.(type) {
	case Load:
		op.At = at
		return op
	case Store:
		op.At = at
		return op
	case RMW:
		op.At = at
		return op
	case StoreCond:
		op.At = at
		return op
	}
	panic(fmt.Sprintf("BUG: %T is not a memory access", op))
}

// Access returns the address and the width in bits of a memory access. The address is nil for other operations.
func Access(op Op) (addr Expr, bits int) {
	switch op := op.(type) {
	case Load:
		return op.Addr, op.Bits
	case Store:
		return op.Addr, width(op.Value, op.Next)
	case RMW:
		return op.Addr, op.Bits
	case StoreCond:
		return op.Addr, width(op.Value, op.Next)
	}
	return nil, 0
}

// width returns the width of a value and of its second half (or nil).
func width(value, next Expr) int {
	if next != nil {
		return value.Width() + next.Width()
	}
	return value.Width()
}

package c

// Evaluation is an expression as C's sequencing rules see it (C17, 6.5p2). C does not specify the order in which
// operands are evaluated. The value of an assignment or of ++ may be used before its side effect is complete.
type Evaluation struct {
	Operands []*Evaluation
	// Of says how the operands are sequenced.
	Of Sequencing
	// Object is the object that the expression itself reads or writes, comparable with ==; nil for none.
	Object any
	Writes bool // the expression has a side effect on Object; otherwise it reads it
}

// Sequencing says in which order operands are evaluated.
type Sequencing int

// The ways to evaluate operands.
const (
	Unsequenced Sequencing = iota // in any order, which may interleave
	Called                        // in any order; then a function is called, after all their side effects
	InTurn                        // one after the other, including side effects: operands of && || and the comma
	OneOf                         // only one of them is evaluated: the last two operands of ?:
)

// Race is a pair of unsequenced accesses to one object, at least one of them a side effect, whose behaviour C leaves
// undefined. Second is a side effect.
type Race struct{ First, Second *Evaluation }

// Text describes a race on a named object.
func (r Race) Text(object string) string {
	if r.First.Writes {
		return object +
			" is written twice in one expression, unsequenced: undefined behaviour (C17, 6.5p2)"
	}
	return object +
		" is read and written in one expression, unsequenced: undefined behaviour (C17, 6.5p2)"
}

// Races returns the races between accesses of an expression. conflict reports whether two accesses may be to one
// object.
func (e *Evaluation) Races(conflict func(a, b *Evaluation) bool) []Race {
	var out []Race
	pair := func(a, b *Evaluation) {
		switch {
		case b.Writes && conflict(a, b):
			out = append(out, Race{a, b})
		case a.Writes && conflict(a, b):
			out = append(out, Race{b, a})
		}
	}
	// walk returns the accesses of an expression, and its side effects that may not be complete when its value is
	// known.
	var walk func(e *Evaluation) (all, pending []*Evaluation)
	walk = func(e *Evaluation) (all, pending []*Evaluation) {
		for _, operand := range e.Operands {
			accesses, left := walk(operand)
			switch e.Of {
			case InTurn:
				pending = left
			case OneOf:
				pending = append(pending, left...)
			default:
				for _, a := range all {
					for _, b := range accesses {
						pair(a, b)
					}
				}
				pending = append(pending, left...)
			}
			all = append(all, accesses...)
		}
		if e.Of == Called {
			pending = nil
		}
		if e.Object != nil {
			for _, p := range pending {
				pair(e, p)
			}
			all = append(all, e)
			if e.Writes {
				pending = append(pending, e)
			}
		}
		return all, pending
	}
	walk(e)
	return out
}

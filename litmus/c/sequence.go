package c

// Evaluation is an expression as C's rules of sequencing see it (C17, 6.5p2). C leaves open in which order operands are
// evaluated, and a side effect, that of an assignment or of ++, need not be over when the value of its expression is
// known.
type Evaluation struct {
	Operands []*Evaluation
	// Of is how the operands are related.
	Of Sequencing
	// Object is what the expression itself reads or writes, comparable with ==; nil for none.
	Object any
	Writes bool // it is a side effect on Object; else it reads it
}

// Sequencing says in which order operands are evaluated.
type Sequencing int

// The ways to evaluate operands.
const (
	Unsequenced Sequencing = iota // in any order, which may interleave
	Called                        // in any order; a function is called then, when all side effects are over
	InTurn                        // one after the other, with all side effects: as those of && || and the comma
	OneOf                         // only one of them is evaluated: as the last two of ?:
)

// Race is a pair of accesses to one object, one of them a side effect, that no sequence point separates: C leaves
// undefined what they do. The second is the side effect.
type Race struct{ First, Second *Evaluation }

// Text says what a race is, of an object by its name.
func (r Race) Text(object string) string {
	if r.First.Writes {
		return object +
			" is written twice within an expression, in no order that C defines: undefined behaviour (C17, 6.5p2)"
	}
	return object +
		" is read and written within an expression, in no order that C defines: undefined behaviour (C17, 6.5p2)"
}

// Races finds the pairs among the accesses of an expression that conflict tells may be to one object.
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
	// walk gives the accesses of an expression, and those of its side effects that may not be over when its value is
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

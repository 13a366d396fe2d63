package litmus

// Prop is a proposition over an outcome: And, Or, Implies, Not, Bool, and the atoms: Atom in a Test, Compare in a
// Program, where names are resolved.
type Prop interface{ prop() }

// The connectives of a proposition. An And without arguments is true.
type (
	And     struct{ Args []Prop }
	Or      struct{ Args []Prop }
	Implies struct{ If, Then Prop }
	Not     struct{ Arg Prop }
	Bool    bool

	// Atom compares an observed register or location with a literal, or with
	// another observed one when Other is set.
	Atom struct {
		Left     Place
		NotEqual bool
		Literal  Literal
		Other    *Place
	}

	// Compare compares Program.Observed[Obs] with a value, or with
	// Program.Observed[Other] when Other is not negative.
	Compare struct {
		Obs      int
		NotEqual bool
		Value    uint64
		Other    int
	}
)

func (And) prop()     {}
func (Or) prop()      {}
func (Implies) prop() {}
func (Not) prop()     {}
func (Bool) prop()    {}
func (Atom) prop()    {}
func (Compare) prop() {}

// MapAtoms returns p with each atom replaced by the result of f, from left to right.
func MapAtoms(p Prop, f func(Atom) Prop) Prop {
	mapAll := func(args []Prop) []Prop {
		out := make([]Prop, len(args))
		for i, a := range args {
			out[i] = MapAtoms(a, f)
		}
		return out
	}
	switch p := p.(type) {
	case And:
		return And{mapAll(p.Args)}
	case Or:
		return Or{mapAll(p.Args)}
	case Implies:
		return Implies{MapAtoms(p.If, f), MapAtoms(p.Then, f)}
	case Not:
		return Not{MapAtoms(p.Arg, f)}
	case Atom:
		return f(p)
	}
	return p
}

// Flat returns p with the arguments of nested Ands in one And, and of nested Ors in one Or, in order. Propositions that
// differ only in parentheses have equal results.
func Flat(p Prop) Prop {
	join := func(args []Prop, inner func(Prop) ([]Prop, bool)) (out []Prop) {
		for _, a := range args {
			a = Flat(a)
			if more, same := inner(a); same {
				out = append(out, more...)
			} else {
				out = append(out, a)
			}
		}
		return out
	}
	switch p := p.(type) {
	case And:
		args := join(p.Args, func(q Prop) ([]Prop, bool) { a, ok := q.(And); return a.Args, ok })
		if len(args) == 1 {
			return args[0]
		}
		return And{args}
	case Or:
		args := join(p.Args, func(q Prop) ([]Prop, bool) { o, ok := q.(Or); return o.Args, ok })
		if len(args) == 1 {
			return args[0]
		}
		return Or{args}
	case Implies:
		return Implies{Flat(p.If), Flat(p.Then)}
	case Not:
		return Not{Flat(p.Arg)}
	}
	return p
}

// height returns how deep p nests; an atom has height 1.
func height(p Prop) int {
	most := func(args ...Prop) int {
		h := 0
		for _, a := range args {
			h = max(h, height(a))
		}
		return h + 1
	}
	switch p := p.(type) {
	case And:
		return most(p.Args...)
	case Or:
		return most(p.Args...)
	case Implies:
		return most(p.If, p.Then)
	case Not:
		return most(p.Arg)
	}
	return 1
}

// Logic is a domain in which propositions can be evaluated: truth values, or the literals of a solver.
type Logic[T any] interface {
	Bool(bool) T
	And(...T) T
	Not(T) T
}

// EvalProp evaluates a resolved proposition in a logic, given the value of each atom. A nil proposition is true.
func EvalProp[T any](p Prop, l Logic[T], atom func(Compare) T) T {
	eval := func(q Prop) T { return EvalProp(q, l, atom) }
	switch p := p.(type) {
	case nil:
		return l.Bool(true)
	case And:
		args := make([]T, len(p.Args))
		for i, a := range p.Args {
			args[i] = eval(a)
		}
		return l.And(args...)
	case Or:
		args := make([]T, len(p.Args))
		for i, a := range p.Args {
			args[i] = l.Not(eval(a))
		}
		return l.Not(l.And(args...))
	case Implies:
		return l.Not(l.And(eval(p.If), l.Not(eval(p.Then))))
	case Not:
		return l.Not(eval(p.Arg))
	case Bool:
		return l.Bool(bool(p))
	case Compare:
		return atom(p)
	}
	panic("BUG: unknown proposition")
}

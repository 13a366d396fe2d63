package litmus

import (
	"strconv"
	"strings"
)

func (c Condition) String() string {
	return c.Quantifier.String() + " (" + PropString(c.Prop) + ")"
}

// PropString prints a proposition as written in a test.
func PropString(p Prop) string {
	return propString(p, 0)
}

// Binding strengths: => 0, \/ 1, /\ 2, ~ and atoms 3.
func propString(p Prop, outer int) string {
	paren := func(strength int, s string) string {
		if strength < outer {
			return "(" + s + ")"
		}
		return s
	}
	join := func(args []Prop, op string, strength int) string {
		parts := make([]string, len(args))
		for i, a := range args {
			parts[i] = propString(a, strength+1)
		}
		return paren(strength, strings.Join(parts, op))
	}
	switch p := p.(type) {
	case And:
		if len(p.Args) == 0 {
			return "true"
		}
		return join(p.Args, ` /\ `, 2)
	case Or:
		if len(p.Args) == 0 {
			return "false"
		}
		return join(p.Args, ` \/ `, 1)
	case Implies:
		return paren(0, propString(p.If, 1)+" => "+propString(p.Then, 0))
	case Not:
		return "~" + propString(p.Arg, 3)
	case Bool:
		return strconv.FormatBool(bool(p))
	case Atom:
		op := "="
		if p.NotEqual {
			op = "!="
		}
		right := p.Literal.String()
		if p.Other != nil {
			right = p.Other.String()
		}
		return p.Left.String() + op + right
	}
	panic("BUG: unresolved proposition expected")
}

func (o Observed) String() string {
	switch {
	case o.Thread >= 0:
		return strconv.Itoa(o.Thread) + ":" + o.Name
	case o.Index >= 0:
		return o.Name + "[" + strconv.Itoa(o.Index) + "]"
	}
	return o.Name
}

func (l Literal) String() string {
	if l.Name != "" {
		return l.Name
	}
	return strconv.FormatInt(int64(l.Bits), 10)
}

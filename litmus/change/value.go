package change

import (
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
)

// Value is the kind of change that replaces a number in the condition. It does not change the threads.
const Value Kind = "value"

// MaxValues bounds the values to choose from.
const MaxValues = 16

// numeral matches a number that is an operand of an instruction, or an argument of a call in C, and not part of a name.
var numeral = litmus.Pattern(`(?:^|[\s,$#=(])(\d{1,4})\b`)

// Values returns the places in a test's condition where an atom compares with a number. The options are all numbers in
// the test.
func Values(t *litmus.Test) []Place {
	values := []uint64{0}
	add := func(l litmus.Literal) {
		if l.Name == "" {
			values = append(values, l.Bits)
		}
	}
	for _, i := range t.Init {
		for _, l := range i.Values {
			add(l)
		}
	}
	for _, th := range t.Threads {
		for _, cell := range th.Cells {
			for _, m := range numeral().FindAllStringSubmatch(cell.Text, -1) {
				if n, err := strconv.ParseUint(m[1], 10, 64); err == nil {
					values = append(values, n)
				}
			}
		}
	}
	eachAtom(t.Condition.Prop, func(a litmus.Atom) litmus.Prop {
		if a.Other == nil {
			add(a.Literal)
		}
		return a
	})
	slices.Sort(values)
	values = slices.Compact(values)
	values = values[:min(len(values), MaxValues)]
	var out []Place
	n := -1
	eachAtom(t.Condition.Prop, func(a litmus.Atom) litmus.Prop {
		n++
		if a.Other != nil || a.Literal.Name != "" || !slices.Contains(values, a.Literal.Bits) {
			return a
		}
		p := Place{Kind: Value, Cell: n, Statement: a.Left.String() + "=", Was: slices.Index(values, a.Literal.Bits)}
		if a.NotEqual {
			p.Statement = a.Left.String() + "!="
		}
		for i, v := range values {
			s := Standing{Text: strconv.FormatInt(int64(v), 10)}
			if i != p.Was {
				s.Cost = 1
			}
			p.Choices = append(p.Choices, s)
		}
		out = append(out, p)
		return a
	})
	return out
}

// withValue returns a proposition whose nth atom compares with another number.
func withValue(p litmus.Prop, n int, text string) (out litmus.Prop, ok bool) {
	v, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return p, false
	}
	at := -1
	out = eachAtom(p, func(a litmus.Atom) litmus.Prop {
		if at++; at == n && a.Other == nil && a.Literal.Name == "" {
			a.Literal.Bits, ok = uint64(v), true
		}
		return a
	})
	return out, ok
}

// eachAtom returns a proposition with f applied to each atom, from left to right.
func eachAtom(p litmus.Prop, f func(litmus.Atom) litmus.Prop) litmus.Prop {
	all := func(args []litmus.Prop) (out []litmus.Prop) {
		for _, a := range args {
			out = append(out, eachAtom(a, f))
		}
		return out
	}
	switch p := p.(type) {
	case litmus.Atom:
		return f(p)
	case litmus.Not:
		p.Arg = eachAtom(p.Arg, f)
		return p
	case litmus.And:
		p.Args = all(p.Args)
		return p
	case litmus.Or:
		p.Args = all(p.Args)
		return p
	case litmus.Implies:
		p.If = eachAtom(p.If, f)
		p.Then = eachAtom(p.Then, f)
		return p
	}
	return p
}

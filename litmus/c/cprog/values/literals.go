package values

import (
	"fmt"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/syntax"
)

// Literals has the variables of string literals.
type Literals struct {
	Strings map[string]*code.Variable
}

// CharactersOf returns the characters of a string, including the terminating 0, and the width of each in bits; 0 if v
// is not a string.
func CharactersOf(v cc.Value) (text []rune, bits int) {
	switch s := v.(type) {
	case cc.StringValue:
		for i := range len(s) {
			text = append(text, rune(s[i]))
		}
		return text, 8
	case cc.UTF16StringValue:
		for _, u := range s {
			text = append(text, rune(u))
		}
		return text, 16
	case cc.UTF32StringValue:
		return s, 32
	}
	return nil, 0
}

// Of returns the variable of a string literal.
func (ls *Literals) Of(n *cc.PrimaryExpression) *code.Variable {
	s, ok := n.Value().(cc.StringValue)
	if ok {
		return ls.Add(n, n.Token.SrcStr(), string(s))
	}
	text, bits := CharactersOf(n.Value())
	if bits == 0 {
		syntax.Failf(n, "this string is not supported")
	}
	key := fmt.Sprint(bits, text)
	if v, ok := ls.Strings[key]; ok {
		return v
	}
	v := &code.Variable{
		Name: n.Token.SrcStr(), Pos: read.Place(n), Size: len(text) * bits / 8, Align: bits / 8, Static: true,
	}
	for i, ch := range text {
		v.Init = append(v.Init, code.Initial{Offset: i * bits / 8, Bits: bits, Value: uint64(ch)})
	}
	ls.Strings[key] = v
	return v
}

// Add returns the variable of a string s, which includes its terminating 0; written is its notation.
func (ls *Literals) Add(n cc.Node, written, s string) *code.Variable {
	if v, ok := ls.Strings[s]; ok {
		return v
	}
	v := &code.Variable{
		Name: written, Pos: read.Place(n), Size: len(s), Align: 1, Static: true, ReadOnly: code.StringLiteral,
	}
	for i, ch := range []byte(s) {
		v.Init = append(v.Init, code.Initial{Offset: i, Bits: 8, Value: uint64(ch)})
	}
	ls.Strings[s] = v
	return v
}

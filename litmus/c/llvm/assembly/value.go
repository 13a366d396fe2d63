package assembly

import (
	"math/big"
	"strings"
)

// typed reads a type and a value of it.
func (p *parser) typed() *Value {
	t := p.typ()
	p.attributes(nil)
	return p.value(t)
}

// value reads a value of a type.
func (p *parser) value(t *Type) *Value {
	p.enter()
	defer p.leave()
	v := &Value{Type: t, Offset: p.tok.at}
	tok := p.tok
	if t.Kind == MetadataType {
		v.Kind, v.Meta = MetaValue, p.meta()
		return v
	}
	switch tok.kind {
	case local:
		v.Kind, v.Name = Local, tok.text
	case global:
		v.Kind, v.Name = GlobalRef, tok.text
	case integer:
		if len(tok.text) > mostDigits {
			p.fail("a number has %d digits, and the limit is %d", len(tok.text), mostDigits)
		}
		n, ok := new(big.Int).SetString(strings.TrimPrefix(tok.text, "+"), 10)
		switch {
		case t.Kind == Floating:
			v.Kind, v.Name = Float, tok.text
		case t.Kind != Integer || !ok:
			p.fail("the number %s has type %s", tok.text, t)
		default:
			v.Kind, v.Int = Int, n
		}
	case real:
		v.Kind, v.Name = Float, tok.text
		if t.Kind != Floating {
			p.fail("the number %s has type %s", tok.text, t)
		}
	case chars:
		v.Kind, v.Name = Chars, tok.text
	case sign:
		p.aggregate(v)
		return v
	case word:
		return p.wordValue(v)
	default:
		p.fail("want a value, got %s", p.shown())
	}
	p.advance()
	return v
}

// aggregate reads an array, a vector or a structure.
func (p *parser) aggregate(v *Value) {
	v.Kind = Aggregate
	closing := ""
	switch {
	case p.takeSign("["):
		closing = "]"
	case p.takeSign("{"):
		closing = "}"
	case p.takeSign("<"):
		closing = ">"
		if p.takeSign("{") {
			p.elements(v, "}")
			p.wantSign(">")
			return
		}
	default:
		p.fail("want a value, got %s", p.shown())
	}
	p.elements(v, closing)
}

func (p *parser) elements(v *Value, closing string) {
	for !p.takeSign(closing) {
		if len(v.Elements) > 0 {
			p.wantSign(",")
		}
		v.Elements = append(v.Elements, p.typed())
	}
}

// casts are the conversions that constants may have.
var casts = set(`trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr bitcast addrspacecast`)

// arithmetic are the operators that constants and instructions may have.
var arithmetic = set(`add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem`)

// wordValue reads a value that begins with a word: a keyword, or a constant expression.
func (p *parser) wordValue(v *Value) *Value {
	name := p.tok.text
	switch name {
	case "true", "false":
		v.Kind, v.Int = Int, big.NewInt(0)
		if name == "true" {
			v.Int = big.NewInt(1)
		}
	case "null":
		v.Kind = Null
	case "undef":
		v.Kind = Undef
	case "poison":
		v.Kind = Poison
	case "zeroinitializer", "none":
		v.Kind = Zero
	case "splat":
		p.advance()
		p.wantSign("(")
		v.Kind, v.Elements = Splat, []*Value{p.typed()}
		p.wantSign(")")
		return v
	case "asm":
		p.assembly(v)
		return v
	case "blockaddress":
		p.advance()
		p.wantSign("(")
		v.Kind, v.Name = Address, p.tok.text
		p.advance()
		p.wantSign(",")
		v.Block = p.tok.text
		p.advance()
		p.wantSign(")")
		return v
	case "dso_local_equivalent", "no_cfi":
		p.advance()
		return p.value(v.Type)
	case "ptrauth":
		p.fail("ptrauth is not supported: signed addresses")
	default:
		p.constant(v)
		return v
	}
	p.advance()
	return v
}

// assembly reads inline assembly.
func (p *parser) assembly(v *Value) {
	v.Kind = Assembly
	p.advance()
	for p.takeOneOf("sideeffect", "alignstack", "inteldialect", "unwind") != "" {
	}
	v.Name = p.str()
	p.wantSign(",")
	v.Constraints = p.str()
}

// constant reads a constant expression.
func (p *parser) constant(v *Value) {
	name := p.tok.text
	v.Kind, v.Op = Constant, name
	known := casts[name] || arithmetic[name]
	switch name {
	case "getelementptr", "icmp", "fcmp", "select", "extractelement", "insertelement", "shufflevector", "extractvalue",
		"insertvalue":
		known = true
	}
	if !known {
		p.fail("want a value, got %s", p.shown())
	}
	p.advance()
	for {
		f := p.takeOneOf("nuw", "nsw", "nusw", "exact", "inbounds", "inrange")
		if f == "" {
			break
		}
		if f == "inrange" && p.takeSign("(") {
			p.skipTo(")")
		}
	}
	if name == "icmp" || name == "fcmp" {
		v.Block = p.tok.text // the predicate
		p.advance()
	}
	p.wantSign("(")
	switch {
	case casts[name]:
		v.Elements = append(v.Elements, p.typed())
		p.wantWord("to")
		if to := p.typ(); !same(to, v.Type) {
			p.fail("the constant has type %s, not %s", to, v.Type)
		}
	case name == "getelementptr":
		v.Of = p.typ()
		for p.takeSign(",") {
			p.takeWord("inrange")
			v.Elements = append(v.Elements, p.typed())
		}
	default:
		v.Elements = append(v.Elements, p.typed())
		for p.takeSign(",") {
			v.Elements = append(v.Elements, p.typed())
		}
	}
	p.wantSign(")")
}

// skipTo skips tokens up to a sign and takes it.
func (p *parser) skipTo(s string) {
	for !p.isSign(s) {
		if p.tok.kind == end {
			p.fail("want %q before the end of the file", s)
		}
		p.advance()
	}
	p.advance()
}

package assembly

import (
	"fmt"
	"strings"
)

// TypeKind is the kind of a type.
type TypeKind int

// The kinds.
const (
	Void TypeKind = iota
	Integer
	Floating
	Pointer
	Array
	Vector
	Struct
	FunctionType
	LabelType
	MetadataType
	TokenType
	Opaque
)

// Type is a type. Named structures are shared, so that they may contain pointers to themselves.
type Type struct {
	Kind     TypeKind
	Bits     int    // of an integer or a floating-point number
	Name     string // of a floating-point or a named structure type
	Elem     *Type  // of a pointer (nil: opaque), an array, a vector; the result of a function
	Len      int    // of an array or a vector
	Scalable bool   // a vector whose length depends on the processor
	Space    int    // the address space of a pointer
	Fields   []*Type
	Packed   bool
	Variadic bool
	Target   string // the name of a target extension type, which is Opaque
	defined  bool   // of a named structure
	used     bool   // of a named structure
}

// String returns the type as LLVM prints it.
func (t *Type) String() string {
	list := func(types []*Type) string {
		var out []string
		for _, t := range types {
			out = append(out, t.String())
		}
		return strings.Join(out, ", ")
	}
	switch t.Kind {
	case Void:
		return "void"
	case Integer:
		return fmt.Sprintf("i%d", t.Bits)
	case Floating, Opaque:
		return t.Name
	case Pointer:
		space := ""
		if t.Space != 0 {
			space = fmt.Sprintf(" addrspace(%d)", t.Space)
		}
		if t.Elem == nil {
			return "ptr" + space
		}
		return t.Elem.String() + space + "*"
	case Array:
		return fmt.Sprintf("[%d x %s]", t.Len, t.Elem)
	case Vector:
		return fmt.Sprintf("<%d x %s>", t.Len, t.Elem)
	case Struct:
		if t.Name != "" {
			return "%" + t.Name
		}
		return "{ " + list(t.Fields) + " }"
	case FunctionType:
		return fmt.Sprintf("%s (%s)", t.Elem, list(t.Fields))
	case LabelType:
		return "label"
	case MetadataType:
		return "metadata"
	}
	return "token"
}

// Defined reports whether a named structure has a definition.
func (t *Type) Defined() bool { return t.Kind != Struct || t.Name == "" || t.defined }

// floats are the widths of the floating-point types.
var floats = map[string]int{
	"half": 16, "bfloat": 16, "float": 32, "double": 64, "fp128": 128, "x86_fp80": 80, "ppc_fp128": 128,
}

// isType reports whether a token begins a type.
func (p *parser) isType() bool {
	switch t := p.tok; t.kind {
	case local:
		return true
	case sign:
		return t.text == "[" || t.text == "{" || t.text == "<"
	case word:
		if _, ok := floats[t.text]; ok {
			return true
		}
		switch t.text {
		case "void", "ptr", "label", "metadata", "token", "opaque", "x86_mmx", "x86_amx", "target":
			return true
		}
		return intBits(t.text) > 0
	}
	return false
}

// intBits returns the width of a type such as i32, or 0.
func intBits(text string) int {
	n := 0
	if len(text) < 2 || len(text) > 8 || text[0] != 'i' {
		return 0
	}
	for _, c := range text[1:] {
		if c < '0' || c > '9' {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// typ reads a type.
func (p *parser) typ() *Type {
	p.enter()
	defer p.leave()
	t := p.base()
	for {
		switch {
		case p.takeSign("*"):
			t = &Type{Kind: Pointer, Elem: t}
		case p.isWord("addrspace"):
			space := p.space()
			if t.Kind == Pointer && t.Elem == nil {
				t = &Type{Kind: Pointer, Space: space}
				continue
			}
			p.wantSign("*")
			t = &Type{Kind: Pointer, Elem: t, Space: space}
		case p.isSign("("):
			t = p.signature(t)
		default:
			return t
		}
	}
}

// signature reads the parameters of a function type.
func (p *parser) signature(result *Type) *Type {
	t := &Type{Kind: FunctionType, Elem: result}
	p.wantSign("(")
	for !p.takeSign(")") {
		if len(t.Fields) > 0 || t.Variadic {
			p.wantSign(",")
		}
		if p.takeSign("...") {
			t.Variadic = true
			continue
		}
		t.Fields = append(t.Fields, p.typ())
		p.attributes(nil)
	}
	return t
}

// space reads addrspace(n).
func (p *parser) space() int {
	p.wantWord("addrspace")
	p.wantSign("(")
	n := p.count()
	p.wantSign(")")
	return n
}

// base reads a type without suffixes.
func (p *parser) base() *Type {
	t := p.tok
	switch t.kind {
	case local:
		out := p.named(t.text)
		out.used = true
		p.advance()
		return out
	case sign:
		switch t.text {
		case "[":
			p.advance()
			n := p.count()
			p.wantWord("x")
			out := &Type{Kind: Array, Len: n, Elem: p.typ()}
			p.wantSign("]")
			return out
		case "{":
			return p.structure(false)
		case "<":
			p.advance()
			if p.isSign("{") {
				out := p.structure(true)
				p.wantSign(">")
				return out
			}
			out := &Type{Kind: Vector}
			if p.takeWord("vscale") {
				out.Scalable = true
				p.wantWord("x")
			}
			out.Len = p.count()
			p.wantWord("x")
			out.Elem = p.typ()
			p.wantSign(">")
			return out
		}
	case word:
		if bits := intBits(t.text); bits > 0 {
			if bits > 1<<16 {
				p.fail("the type %s is too wide", t.text)
			}
			p.advance()
			return &Type{Kind: Integer, Bits: bits}
		}
		if bits, ok := floats[t.text]; ok {
			p.advance()
			return &Type{Kind: Floating, Bits: bits, Name: t.text}
		}
		switch t.text {
		case "void":
			p.advance()
			return &Type{Kind: Void}
		case "ptr":
			p.advance()
			return &Type{Kind: Pointer}
		case "label":
			p.advance()
			return &Type{Kind: LabelType}
		case "metadata":
			p.advance()
			return &Type{Kind: MetadataType}
		case "token":
			p.advance()
			return &Type{Kind: TokenType}
		case "opaque", "x86_mmx", "x86_amx":
			p.advance()
			return &Type{Kind: Opaque, Name: t.text}
		case "target":
			return p.targetType()
		}
	}
	p.fail("want a type, got %s", p.shown())
	return nil
}

// targetType reads target("name", ...), a type that only one processor has.
func (p *parser) targetType() *Type {
	from := p.tok.at
	p.advance()
	p.wantSign("(")
	name := p.str()
	for p.takeSign(",") {
		if p.tok.kind == integer {
			p.count()
		} else {
			p.typ()
		}
	}
	p.wantSign(")")
	return &Type{Kind: Opaque, Name: strings.Join(strings.Fields(p.source[from:p.last]), " "), Target: name}
}

// structure reads the fields of a structure.
func (p *parser) structure(packed bool) *Type {
	t := &Type{Kind: Struct, Packed: packed}
	p.wantSign("{")
	for !p.takeSign("}") {
		if len(t.Fields) > 0 {
			p.wantSign(",")
		}
		t.Fields = append(t.Fields, p.typ())
	}
	return t
}

// named returns the structure type of a name, which may be defined later.
func (p *parser) named(name string) *Type {
	t := p.types[name]
	if t == nil {
		t = &Type{Kind: Struct, Name: name}
		p.types[name] = t
		p.typeNames, p.typeAt[name] = append(p.typeNames, name), p.tok.at
	}
	return t
}

// define reads the definition of a named type, behind its name and the equals sign. A type that is no structure must be
// defined before its uses.
func (p *parser) define(name string, at int) {
	if t := p.types[name]; t != nil && t.defined {
		p.failAt(at, "the type %%%s is defined twice", name)
	}
	t := p.named(name)
	p.typeAt[name] = at
	p.wantWord("type")
	made := p.typ()
	switch {
	case made.Kind == Opaque && made.Name == "opaque":
	case made.Kind == Struct && made.Name == "":
		t.Fields, t.Packed, t.defined = made.Fields, made.Packed, true
	case t.used || !made.Defined():
		p.failAt(
			at,
			"the type %%%s is no structure, and a type that is not defined before uses it, or it uses one",
			name,
		)
	default:
		*t = *made
		t.defined = true
	}
}

package cat

import (
	"fmt"
	"strings"
	"testing"
)

// shape prints an expression with all its parentheses.
func shape(e Expr) string {
	switch e := e.(type) {
	case Name:
		return e.Name
	case Nothing:
		return "{}"
	case Call:
		return shape(e.Func) + "(" + shape(e.Arg) + ")"
	case Tuple:
		var members []string
		for _, m := range e.Members {
			members = append(members, shape(m))
		}
		return strings.Join(members, ",")
	case Unary:
		switch e.Op {
		case Complement:
			return "~" + shape(e.X)
		case Identity:
			return "[" + shape(e.X) + "]"
		}
		return shape(e.X) + map[UnaryOp]string{Inverse: "^-1", Plus: "+", Star: "*", Optional: "?"}[e.Op]
	case Binary:
		return "(" + shape(e.X) + map[BinaryOp]string{Union: "|", Inter: "&", Diff: `\`, Seq: ";", Cartesian: "*"}[e.Op] + shape(e.Y) + ")"
	}
	return fmt.Sprintf("%T", e)
}

func TestPrecedence(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`a | b ; c`, "(a|(b;c))"},
		{`a ; b \ c & d`, `(a;(b\(c&d)))`},
		{`a & b | c`, "((a&b)|c)"},
		{`po & R*M | W * W`, "((po&(R*M))|(W*W))"},
		{`r* ; s*`, "(r*;s*)"},
		{`r* | s`, "(r*|s)"},
		{`(r | s)^-1 ; t^+ ; u^* ; v?`, "((((r|s)^-1;t+);u*);v?)"},
		{`~a ; ~(b | c)`, "(~a;~(b|c))"},
		{`[R & A] ; po-loc ; [_]`, "(([(R&A)];po-loc);[_])"},
		{`fencerel(MFENCE) | f(a;b, {})`, "(fencerel(MFENCE)|f((a;b),{}))"},
		{`S * (_ \ IW)`, `(S*(_\IW))`},
		{"r*\nlet s = r", "r*"},
		{`a (* not (* this *) *) | b`, "(a|b)"},
	} {
		f, err := Parse("t.cat", "let x = "+c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := shape(f.Decls[0].(Let).Bindings[0].Body); got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestDeclarations(t *testing.T) {
	f, err := Parse("t.cat", `"A title"
include "other.cat"
let rec a = b and b = a | po
flag ~empty a as odd
acyclic a as first
irreflexive b
show a, b;b as bb
unshow co`)
	if err != nil {
		t.Fatal(err)
	}
	if f.Title != "A title" || len(f.Decls) != 8 {
		t.Fatalf("title %q, %d declarations", f.Title, len(f.Decls))
	}
	flag := f.Decls[2].(Check)
	if !flag.Flag || !flag.Negated || flag.Kind != Empty || flag.Name != "odd" {
		t.Errorf("flag: %+v", flag)
	}
	if s := f.Decls[6].(Show); s.Name != "bb" || s.Hide {
		t.Errorf("show: %+v", s)
	}
}

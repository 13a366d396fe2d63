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
		return "(" + shape(e.X) +
			map[BinaryOp]string{Union: "|", Inter: "&", Diff: `\`, Seq: ";", Cartesian: "*"}[e.Op] + shape(e.Y) + ")"
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
		{"(r | s) ^ -1 ; t ^ + | u ^\t* ; v ^  ? ; w ^-1^+", "(((r|s)^-1;t+)|((u*;v?);w^-1+))"},
		{`~a ; ~(b | c)`, "(~a;~(b|c))"},
		{`[R & A] ; po-loc ; [_]`, "(([(R&A)];po-loc);[_])"},
		{`fencerel(MFENCE) | f(a;b, {})`, "(fencerel(MFENCE)|f((a;b),{}))"},
		{`S * (_ \ IW)`, `(S*(_\IW))`},
		{"r*\nlet s = r", "r*"},
		{`a \ b \ c | d \ e ; f`, `(((a\b)\c)|((d\e);f))`},
		{`a & b \ c & d`, `((a&b)\(c&d))`},
		{`a \ [B] ; c`, `((a\[B]);c)`},
		{`~a & b | ~range(c)^-1`, "((~a&b)|~range(c)^-1)"},
		{`po \ W * R`, `(po\(W*R))`},
		{`W * R & po`, `((W*R)&po)`},
		{`hb* ; (rf | fr)?`, "(hb*;(rf|fr)?)"},
		{`domain [A] ; f g`, "(domain([A]);f(g))"},
		{`begin a | b end ; c`, "((a|b);c)"},
		{"a // to the end | of\n# the line\n| b", "(a|b)"},
		{"r in let y = s", "r"},
		{`a, b`, "a,b"},
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
	if flag.Role != Flagged || !flag.Negated || flag.Kind != Empty || flag.Name != "odd" {
		t.Errorf("flag: %+v", flag)
	}
	if s := f.Decls[6].(Show); s.Name != "bb" || s.Hide {
		t.Errorf("show: %+v", s)
	}
}

func TestTitles(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"let a = po", ""},
		{"X86 TSO\nlet a = po", "X86 TSO"},
		{"RISCV \"Risc V\"\nlet a = po", "Risc V"},
		{"\"Coherence orders\" withoutco\nlet a = po", "Coherence orders"},
		{"(* why *) catdep # how\ninclude \"a.cat\"", "catdep"},
	} {
		f, err := Parse("t.cat", c.text)
		if err != nil || f.Title != c.want || len(f.Decls) != 1 {
			t.Errorf("%q: title %q, %d declarations, %v", c.text, f.Title, len(f.Decls), err)
		}
	}
}

func TestIncludes(t *testing.T) {
	f, err := Parse("t.cat", `include "a.cat"
if variant "x" && not ("y" || "z") include "b.cat" else include "c.cat" end
procedure p() = include "d.cat" end`)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(f.Includes(), " "); got != "a.cat b.cat c.cat d.cat" {
		t.Errorf("got %s", got)
	}
}

package cprogtest

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// DrawSequential writes a random C program of one thread, without undefined behaviour, whose
// checksum a compiler's code prints: structs, unions, initialisers, casts, shifts, loops, pointers
// to all of these and to functions.
func DrawSequential(t *rapid.T) string {
	w := &computation{writer: writer{T: t}}
	w.program()
	return w.String()
}

// computation writes such a program.
type computation struct {
	writer
	scope      []place
	names      int
	calls      int // pure functions written so far
	loops      int // around the current statement
	pure       bool
	procedures []string
	bits       []bitField
}

// bitField is a member of struct bits.
type bitField struct {
	name, kind, convert string
}

// read is an expression that reads it from an object, which an arrow may follow.
func (b bitField) read(of string) string {
	if !strings.HasSuffix(of, "->") {
		of += "."
	}
	return b.convert + of + b.name
}

// bitFields declares a structure of bit-fields and other members, and what it is among.
func (w *computation) bitFields() []bitField {
	var text string
	for i := range 2 + w.upTo(5, "bit-fields") {
		name := fmt.Sprintf("b%d", i)
		k := w.pick("declared", "_Bool", "int", "signed char", "short", "unsigned", "unsigned char", "unsigned short",
			"enum colour", "unsigned long", "long")
		width := 1 + w.upTo(map[bool]int{true: 8, false: 16}[strings.Contains(k, "char")], "width")
		b := bitField{name: name, kind: "short"} // below 16 bits, promoted to int
		switch {
		case k == "_Bool":
			width, b.kind = 1, k
		case strings.HasPrefix(k, "enum"):
			width = 3 + width%4
		case strings.HasSuffix(k, "long") && w.upTo(2, "wide") == 0:
			width, b.kind, b.convert = 33+w.upTo(31, "wide"), "const "+k, "("+k+")"
		case (k == "int" || k == "unsigned") && w.upTo(3, "wider") == 0:
			width, b.kind = 17+w.upTo(13, "wider"), k
		}
		text += fmt.Sprintf("%s %s : %d; ", k, name, width)
		w.bits = append(w.bits, b)
		switch w.upTo(8, "between") {
		case 0:
			text += w.pick("zero", "int", "char", "short", "long") + " : 0; "
		case 1:
			text += fmt.Sprintf("unsigned : %d; ", 1+w.upTo(9, "unnamed"))
		case 2, 3:
			text += fmt.Sprintf("%s m%d; ", w.pick("member", "char", "unsigned char", "short", "int", "long"), i)
		}
	}
	w.line("struct %sbits { %s};", w.pick("packed", "", "", "__attribute__((packed)) "), text)
	w.line("union view { struct bits f; unsigned char byte[sizeof(struct bits)]; };")
	w.line("static struct around { char before; struct bits in[2]; unsigned last : 3; char behind; } around;")
	return w.bits
}

// place is an object of an arithmetic type.
type place struct{ text, kind string }

// kinds are arithmetic types. Of those up to 16 bits, sums and products are no overflow.
var (
	narrow   = []string{"char", "signed char", "unsigned char", "short", "unsigned short"}
	unsigned = []string{"unsigned", "unsigned long", "uint32_t", "unsigned long long"}
	kinds    = append([]string{"_Bool", "int", "long", "int64_t", "enum colour", "const int"},
		append(narrow, unsigned...)...)
)

func (w *computation) fresh(prefix string) string {
	w.names++
	return fmt.Sprintf("%s%d", prefix, w.names)
}

// variable picks a type for an object with writes.
func (w *computation) variable() string {
	for {
		if k := w.pick("kind", kinds...); !strings.HasPrefix(k, "const") {
			return k
		}
	}
}

// program writes the whole program.
func (w *computation) program() {
	w.line("#include \"checksum.h\"\n#include <stdlib.h>\n#include <string.h>\n")
	w.line("enum colour { red, green = 5, blue };")
	w.line("struct point { %s a; %s b; %s v[4]; };", w.variable(), w.variable(), w.variable())
	w.line("union same { int s; unsigned u; };")
	w.line("union mixed { long whole; int half; short part[4]; unsigned char byte[8]; };")
	w.line("struct outer { struct point p, q[2]; union same u; %s n; struct point *to; int (*f)(int, int); };",
		w.variable())
	w.line("union gap { %s whole; struct { %s a; %s b; %s c; } parts; };", w.variable(), w.variable(), w.variable(),
		w.variable())
	w.line("struct gaps { char c; union gap u[2]; };")
	w.line("struct list { %s value; struct list *next; };\n", w.variable())
	bits := w.bitFields()
	point := func(at string) {
		w.scope = append(w.scope, place{at + ".a", "a"}, place{at + ".b", "b"},
			place{at + ".v[" + w.index(4) + "]", "v"})
	}
	kindsOf := w.fields()
	w.line("static union gap unchanged(union gap g) { return g; }")
	for range 2 + w.upTo(3, "functions") {
		w.function()
	}
	for range 2 + w.upTo(3, "globals") {
		k, name := w.variable(), w.fresh("g")
		w.line("static %s %s = %s;", k, name, w.constant(k))
		w.scope = append(w.scope, place{name, k})
	}
	w.line("static const %s table[4] = {%s, [2] = %s, %s};", "int", w.literal(), w.literal(), w.literal())
	w.line("static %s vector[4] = {%s, %s};", "unsigned", w.literal(), w.literal())
	w.line("static char text[] = \"%s\";", w.pick("text", "litmus", "a\\n\\x41\\101", "\\0b"+"c", "store"))
	w.line("static int (*const operations[])(int, int) = {f1, f2};")
	w.line("static struct point left = {%s, .v = {%s, [3] = %s}}, right = {.b = %s};", w.literal(), w.literal(),
		w.literal(), w.literal())
	w.line("static struct outer whole = {{%s, %s, {%s}}, .q[1].b = %s, .u.u = %s, .to = &left, .f = f1};", w.literal(),
		w.literal(), w.literal(), w.literal(), w.literal())
	w.line("static struct point *to = &whole.q[1], *const fixed = &right;")
	w.line("static union mixed mixed = {%s};", w.literal())
	w.line("static unsigned *at = &vector[1], **handle = &at;\n")
	w.scope = append(w.scope,
		place{"table[" + w.index(4) + "]", "const int"}, place{"vector[" + w.index(4) + "]", "unsigned"},
		place{"whole.u.s", "int"}, place{"whole.u.u", "unsigned"}, place{"text[" + w.index(3) + "]", "char"},
		place{"*at", "unsigned"}, place{"**handle", "unsigned"}, place{"mixed.whole", "long"},
		place{"mixed.half", "int"},
		place{"mixed.part[" + w.index(4) + "]", "short"}, place{"mixed.byte[" + w.index(4) + "]", "unsigned char"},
		place{"((signed char *)vector)[" + w.index(4) + "]", "signed char"}, place{"whole.n", "n"},
		place{"whole.q[" + w.index(2) + "].a", "a"})
	var first []string
	for _, b := range bits {
		first = append(first, "."+b.name+" = "+w.literal())
		w.scope = append(w.scope, place{b.read("bits"), b.kind}, place{b.read("view.f"), b.kind},
			place{b.read("some->"), b.kind})
	}
	w.line("static struct bits bits = {%s}, *some = &bits;",
		w.pick("initialiser", strings.Join(first, ", "), w.literal(), first[0], first[len(first)-1]))
	w.line("static union view view;\n")
	for _, p := range []string{"left", "right", "whole.p", "(*to)", "(*whole.to)", "whole.q[1]", "(*fixed)"} {
		point(p)
	}
	for i, p := range w.scope {
		if k, ok := kindsOf[p.kind]; ok {
			w.scope[i].kind = k
		}
	}
	for range 1 + w.upTo(3, "procedures") {
		w.procedure()
	}
	w.line("int main(void)\n{")
	w.indent++
	outer := len(w.scope)
	for range 4 + w.upTo(6, "statements") {
		w.statement(3)
	}
	w.scope = w.scope[:outer]
	for _, p := range w.scope {
		w.line("mix(%s);", p.text)
	}
	w.line("for (unsigned i = 0; i < sizeof text; i++) mix(text[i]);")
	w.line("for (unsigned i = 0; i < sizeof view; i++) mix(view.byte[i]);")
	w.line("mix(sizeof(struct bits)); mix(sizeof(struct around)); mix((char *)&around.behind - (char *)&around);")
	w.line("mix(sizeof(struct outer)); mix(sizeof whole.q / sizeof *whole.q); mix((char *)&whole.n - (char *)&whole);")
	w.line("finish();\n\treturn 0;")
	w.indent--
	w.line("}")
}

// fields reads back the types drawn for members.
func (w *computation) fields() map[string]string {
	of := map[string]string{}
	text := w.String()
	for member, after := range map[string]string{"a": "point { ", "b": " a; ", "v": " b; ", "n": "same u; "} {
		_, rest, _ := strings.Cut(text, after)
		of[member], _, _ = strings.Cut(rest, " "+member)
	}
	return of
}

// function writes a function that reads and writes nothing but its parameters and locals.
func (w *computation) function() {
	w.calls++
	saved, loops := w.scope, w.loops
	w.pure, w.loops = true, 0
	w.scope = []place{{"x", "int"}, {"y", "int"}}
	w.line("static int f%d(int x, int y)\n{", w.calls)
	w.calls-- // it calls those before it
	w.indent++
	k, name := w.variable(), w.fresh("l")
	w.line("%s %s = %s;", k, name, w.expr(2))
	w.scope = append(w.scope, place{name, k})
	for range 1 + w.upTo(3, "statements") {
		w.statement(2)
	}
	w.line("return %s;", w.expr(2))
	w.indent--
	w.line("}\n")
	w.calls++
	w.scope, w.loops, w.pure = saved, loops, false
}

// procedure writes a function with effects, which statements of main call.
func (w *computation) procedure() {
	name := w.fresh("p")
	outer, loops := len(w.scope), w.loops
	w.loops = 0
	k := w.variable()
	w.line("static struct point %s(struct point by, %s x, unsigned *out)\n{", name, k)
	w.indent++
	w.scope = append(w.scope, place{"by.v[" + w.index(4) + "]", w.fields()["v"]}, place{"by.a", w.fields()["a"]},
		place{"x", k}, place{"*out", "unsigned"})
	if w.upTo(2, "static") == 0 {
		s := w.fresh("s")
		w.line("static %s %s = %s;", k, s, w.constant(k))
		w.scope = append(w.scope, place{s, k})
	}
	for range 1 + w.upTo(4, "statements") {
		w.statement(2)
	}
	w.line("return by;")
	w.indent--
	w.line("}\n")
	w.scope, w.loops = w.scope[:outer], loops
	w.procedures = append(w.procedures, name)
}

// index is an index below n, a power of two or three, whatever its expression.
func (w *computation) index(n int) string {
	if n == 3 || w.upTo(2, "constant") == 0 || len(w.scope) == 0 {
		return fmt.Sprint(w.upTo(n, "index"))
	}
	return fmt.Sprintf("(%s & %d)", w.scope[w.upTo(len(w.scope), "indexed")].text, n-1)
}

func (w *computation) literal() string {
	return w.pick("literal", "0", "1", "2", "3", "7", "-1", "-2", "'a'", "127", "128", "255", "256", "-128", "-129",
		"32767", "32768", "65535",
		"2147483647", "-2147483647 - 1", "2147483648", "4294967295", "0x7fffffffffffffffl", "0x8000000000000000u",
		"1ul << 40", "0x123456789abcdefl",
		"blue", "sizeof(struct point)", "'\\xff'", "010")
}

func (w *computation) constant(kind string) string {
	if w.upTo(3, "cast") == 0 {
		return "(" + kind + ")(" + w.literal() + ")"
	}
	return w.literal()
}

// expr is an expression without effects, of any arithmetic type, that overflows nowhere.
func (w *computation) expr(depth int) string {
	if depth == 0 {
		if len(w.scope) > 0 && w.upTo(4, "leaf") > 0 {
			return w.scope[w.upTo(len(w.scope), "read")].text
		}
		if w.upTo(3, "input") == 0 {
			return fmt.Sprintf("INPUT(%s, %s)", w.variable(), w.literal())
		}
		return "(" + w.literal() + ")"
	}
	e := func() string { return w.expr(depth - 1) }
	bits := func(of string) string {
		if strings.Contains(of, "long") {
			return "63"
		}
		return "31"
	}
	switch w.upTo(18, "expression") {
	case 0, 1:
		u := w.pick("unsigned", unsigned...)
		return fmt.Sprintf("((%s)%s %s (%s)%s)", u, e(), w.pick("operator", "+", "-", "*"), u, e())
	case 2:
		return fmt.Sprintf("((%s)%s %s (%s)%s)", w.pick("narrow", "short", "signed char", "unsigned char"), e(),
			w.pick("operator", "+", "-", "*"), w.pick("narrower", "signed char", "char", "_Bool", "unsigned char"), e())
	case 3:
		return fmt.Sprintf("(%s %s %s)", e(), w.pick("bitwise", "&", "|", "^"), e())
	case 4:
		return fmt.Sprintf("%s(%s)", w.pick("unary", "~", "!", "!!", "+", "-(unsigned)", "-(short)"), e())
	case 5:
		u := w.pick("shifted", unsigned...)
		return fmt.Sprintf("((%s)%s << (%s & %s))", u, e(), e(), bits(u))
	case 6:
		k := w.pick("shifted", "int", "long", "unsigned", "unsigned long", "short", "signed char")
		return fmt.Sprintf("((%s)%s >> (%s & %s))", k, e(), e(), bits(k))
	case 7:
		return fmt.Sprintf("((unsigned char)%s << (%s & 7))", e(), e())
	case 8:
		k := w.pick("divided", "short", "signed char", "unsigned", "unsigned long", "unsigned short")
		return fmt.Sprintf("((%s)%s %s ((%s)%s | 1))", k, e(), w.pick("division", "/", "%"), k, e())
	case 9:
		return fmt.Sprintf("((long)(int)%s %s ((int)%s | 1))", e(), w.pick("division", "/", "%"), e())
	case 10:
		return fmt.Sprintf("(%s %s %s)", e(), w.pick("comparison", "<", "<=", ">", ">=", "==", "!="), e())
	case 11:
		return fmt.Sprintf("(%s %s %s)", e(), w.pick("logical", "&&", "||"), e())
	case 12:
		return fmt.Sprintf("(%s ? %s : %s)", e(), e(), e())
	case 13:
		return fmt.Sprintf("(%s)(%s)", w.variable(), e())
	case 14:
		if w.calls > 0 {
			return fmt.Sprintf("f%d((int)%s, (int)%s)", 1+w.upTo(w.calls, "call"), e(), e())
		}
		return fmt.Sprintf("(%s, %s)", "(void)"+e(), e())
	case 15:
		if !w.pure {
			return w.pick("pointers", "(at - vector)", "(*handle == at)", "(to == whole.q)", "(to->a)",
				"(at < vector + 3)", "sizeof *to",
				"(whole.f == f1)", "(&whole.q[1] - whole.q)", "whole.f(3, 4)",
				"operations["+w.index(2)+"](5, "+"(int)"+e()+")", "(&*at)[0]", "(to != 0)",
				"*(vector + "+w.index(4)+")", "((struct point){.b = 1, .v[1] = 3}).b", "strlen(text)")
		}
		return fmt.Sprintf("({ %s l = %s; l; })", w.variable(), e())
	default:
		return w.expr(0)
	}
}

// assignable is a place that the program may write.
func (w *computation) assignable() place {
	for {
		if p := w.scope[w.upTo(len(w.scope), "written")]; !strings.HasPrefix(p.kind, "const") {
			return p
		}
	}
}

func (w *computation) block(statements, depth int) {
	w.indent++
	outer := len(w.scope)
	if w.upTo(3, "local") == 0 {
		k, name := w.variable(), w.fresh("l")
		w.line("%s %s = %s;", k, name, w.expr(1))
		w.scope = append(w.scope, place{name, k})
	}
	for range statements {
		w.statement(depth)
	}
	w.scope = w.scope[:outer]
	w.indent--
}

// statement writes a random statement.
func (w *computation) statement(depth int) {
	p := w.assignable()
	c := w.upTo(20, "statement")
	switch {
	case c < 4:
		w.line("%s = %s;", p.text, w.expr(2))
	case c < 7: // the old value is in range with the addend
		switch {
		case slices.Contains(narrow, p.kind):
			w.line("%s %s (%s)%s;", p.text, w.pick("compound", "+=", "-=", "*=", "|=", "^=", "&="),
				w.pick("narrow", narrow[:4]...), w.expr(1))
		case slices.Contains(unsigned, p.kind):
			w.line("%s %s (%s)%s;", p.text, w.pick("compound", "+=", "-=", "*=", "|=", "^="), p.kind, w.expr(1))
		default:
			w.line("%s %s %s & 7;", p.text, w.pick("compound", "|=", "^=", "&=", ">>="), w.expr(1))
		}
	case c == 7 && (slices.Contains(narrow, p.kind) || slices.Contains(unsigned, p.kind)):
		q := w.assignable()
		if q.text != p.text && !strings.ContainsAny(p.text+q.text, "*&[(.") {
			w.line("%s = %s;", q.text, w.pick("step", p.text+"++", "--"+p.text, p.text+"--", "++"+p.text))
		} else {
			w.line("%s;", w.pick("step", "++"+p.text, "--"+p.text))
		}
	case c == 8 && depth > 0:
		w.line("if (%s) {", w.expr(2))
		w.block(1+w.upTo(2, "then"), depth-1)
		if w.upTo(2, "else") == 0 {
			w.line("} else {")
			w.block(1, depth-1)
		}
		w.line("}")
	case c < 11 && depth > 0 && w.loops < 2:
		w.loop(depth)
	case c == 11 && depth > 0:
		w.choice(depth)
	case c == 12 && depth > 0:
		label := w.fresh("skip")
		w.line("if (%s) goto %s;", w.expr(1), label)
		w.line("%s = %s;", p.text, w.expr(1))
		w.line("%s:;", label)
	case c == 13 && !w.pure:
		w.line("%s",
			w.pick("pointer", "at = vector + "+w.index(4)+";", "at = &vector["+w.index(4)+"];",
				"to = "+w.pick("to", "&left", "&right", "whole.q", "&whole.p")+";",
				"*handle = "+w.expr(1)+" ? vector : vector + 2;", "whole.to = to;", "handle = &at;"))
	case c == 14 && !w.pure:
		w.line("%s",
			w.pick("copy", "left = right;", "whole.q[0] = *to;", "*to = left;", "whole.p = whole.q["+w.index(2)+"];",
				"whole.f = f2;", "whole.f = operations["+w.index(2)+"];",
				"memcpy(&right, to == &right ? &left : to, sizeof right);",
				"right = (struct point){.b = "+w.expr(1)+", .v = {1, [2] = 2}};", "memset(&left, 0, sizeof left);",
				"whole.u = (union same){.s = "+w.literal()+"};", "strcpy(text, \"xy\");"))
	case c == 15 && len(w.procedures) > 0 && w.loops == 0:
		w.line("%s%s(%s, %s, %s);", w.pick("returned", "", "left = ", "right = ", "struct point "+w.fresh("l")+" = "),
			w.pick("procedure", w.procedures...), w.pick("by", "left", "*to", "whole.q[1]"), w.expr(1),
			w.pick("out", "at", "&vector[2]", "&whole.u.u"))
	case c == 16 && !w.pure && w.loops == 0:
		w.list()
	case c == 17 && depth > 0 && w.loops == 0:
		w.retries(depth)
	case c == 19 && !w.pure:
		b := w.bits[w.upTo(len(w.bits), "bit-field")]
		w.line("%s", w.pick("bits", "view.f."+b.name+" = "+w.expr(1)+";", "some->"+b.name+" = "+w.expr(1)+";",
			"{ struct bits one = *some, two = {."+b.name+" = "+w.expr(1)+"}; "+p.text+" = "+b.read("one")+
				"; bits = one; some = "+w.pick("some", "&bits", "&around.in[1]")+"; *some = two; }",
			"bits = (struct bits){."+b.name+" = "+w.expr(1)+"};"))
	case c == 18: // what no member has a name for goes where the others go
		w.line("%s",
			w.pick("gap",
				"{ union gap one = {.whole = "+w.expr(1)+
					"}; struct gaps two = {1, {one, unchanged(one)}}, three = two; "+p.text+" = three.u["+
					w.index(2)+"].whole; }",
				"{ struct point one, two; memset(&one, "+w.expr(0)+
					", sizeof one); memcpy(&two, &one, sizeof two); "+p.text+
					" = ((unsigned char *)&two)["+w.expr(0)+" & 3]; }"))
	default:
		w.line("%s = %s;", p.text, w.expr(1))
	}
}

// loop writes a loop with a constant number of rounds.
func (w *computation) loop(depth int) {
	w.loops++
	i, n := w.fresh("i"), 1+w.upTo(4, "rounds")
	var end string
	switch w.upTo(3, "loop") {
	case 0:
		w.line("for (int %s = %d; %s; %s) {", i, w.upTo(2, "from"), fmt.Sprintf("%s < %d", i, n+1),
			w.pick("up", i+"++", "++"+i, i+" += 2"))
		end = "}"
	case 1:
		w.line("unsigned char %s = 0;\n%swhile (%s++ < %d) {", i, strings.Repeat("\t", w.indent), i, n)
		end = "}"
	default:
		w.line("long %s = %d;\n%sdo {", i, n, strings.Repeat("\t", w.indent))
		end = fmt.Sprintf("} while (--%s > 0);", i)
	}
	outer := len(w.scope)
	w.scope = append(w.scope, place{i, "const int"})
	w.block(1+w.upTo(2, "body"), depth-1)
	if w.upTo(2, "leave") == 0 {
		w.line("\tif (%s) %s;", w.expr(1), w.pick("way", "break", "continue"))
		w.line("\t%s = %s;", w.assignable().text, w.expr(1))
	}
	w.scope = w.scope[:outer]
	w.line("%s", end)
	w.loops--
}

// retries writes loops with jumps between them, some into the middle.
func (w *computation) retries(depth int) {
	w.loops++
	again, middle, i, jumps := w.fresh("again"), w.fresh("middle"), w.fresh("i"), w.fresh("jumps")
	inner := func() {
		w.line("\t{")
		w.block(1, depth-1)
		w.line("\t}")
	}
	w.line("int %s = 0, %s = 0;", i, jumps)
	if w.upTo(2, "enter") == 0 {
		w.line("if (%s) goto %s;", w.expr(1), middle)
	}
	w.line("%s:", again)
	inner()
	w.line("for (%s = 0; %s < %d; %s++) {", i, i, 1+w.upTo(3, "rounds"), i)
	inner()
	w.line("\tif (%s && %s++ < 2) goto %s;", w.expr(1), jumps, again)
	w.line("%s:", middle)
	inner()
	w.line("}")
	w.line("if (%s && %s++ < 3) goto %s;", w.expr(1), jumps, w.pick("to", again, middle))
	w.loops--
}

func (w *computation) choice(depth int) {
	w.line("switch (%s & 3) {", w.expr(1))
	for _, c := range []string{"case 0", "case red + 1", "default", "case 3"} {
		if w.upTo(4, "case") == 0 {
			continue
		}
		w.line("%s: {", c)
		w.block(1, depth-1)
		w.line("}")
		if w.upTo(3, "break") > 0 {
			w.line("\tbreak;")
		}
	}
	w.line("}")
}

// list writes code that makes a list on the heap, and walks it.
func (w *computation) list() {
	head, n := w.fresh("head"), w.fresh("n")
	w.line("struct list *%s = 0;", head)
	w.line("for (int i = 0; i < %d; i++) { struct list *%s = malloc(sizeof *%s); %s->value = %s; %s->next = %s; %s "+
		"= %s; }",
		1+w.upTo(3, "length"), n, n, n, w.expr(1), n, head, head, n)
	w.line("while (%s) { struct list *%s = %s->next; mix(%s->value); free(%s); %s = %s; }", head, n, head,
		head, head, head, n)
}

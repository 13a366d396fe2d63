package cat

import (
	"slices"

	"litmuscope/litmus"
)

// Parse reads one cat file. Its grammar is in grammar.txt.
func Parse(file, source string) (f *File, err error) {
	defer recoverError(&err)
	p := &parser{tokens: lex(file, source)}
	return p.file(), nil
}

func recoverError(err *error) {
	switch e := recover().(type) {
	case nil:
	case *litmus.Error:
		*err = e
	default:
		panic(e)
	}
}

type parser struct {
	tokens []token
	at     int
	depth  int
}

// keywords cannot be names. Those in unsupported belong to parts of the language
// that are not read here.
var (
	keywords    = []string{"let", "rec", "and", "acyclic", "irreflexive", "empty", "as", "show", "unshow", "include", "flag"}
	unsupported = []string{
		"in", "fun", "procedure", "call", "enum", "forall", "do", "end", "with", "from", "match", "try", "begin",
		"if", "then", "else", "instructions", "default", "undefined_unless", "assert", "scopes", "events",
	}
)

func (p *parser) tok() token { return p.tokens[p.at] }

func (p *parser) is(kind string) bool { return p.tok().kind == kind }

func (p *parser) isWord(w string) bool { return p.is(nameToken) && p.tok().text == w }

func (p *parser) accept(kind string) bool {
	if p.is(kind) {
		p.at++
		return true
	}
	return false
}

func (p *parser) acceptWord(w string) bool {
	if p.isWord(w) {
		p.at++
		return true
	}
	return false
}

func (p *parser) fail(want string) {
	t := p.tok()
	if t.kind == nameToken && slices.Contains(unsupported, t.text) {
		panic(litmus.Errorf(t.pos, "%q is a construct of cat that is not supported", t.text))
	}
	got := t.kind
	if t.text != "" {
		got = "\"" + t.text + "\""
	}
	panic(litmus.Errorf(t.pos, "got %s, want %s", got, want))
}

func (p *parser) expect(kind, want string) token {
	if !p.is(kind) {
		p.fail(want)
	}
	p.at++
	return p.tokens[p.at-1]
}

func (p *parser) name(what string) token {
	t := p.tok()
	if t.kind != nameToken || slices.Contains(keywords, t.text) || slices.Contains(unsupported, t.text) {
		p.fail(what)
	}
	p.at++
	return t
}

func (p *parser) file() *File {
	f := &File{}
	if p.is(textToken) {
		f.Title = p.tok().text
		p.at++
	} else if p.is(nameToken) && !slices.Contains(keywords, p.tok().text) && !slices.Contains(unsupported, p.tok().text) {
		f.Title = p.tok().text
		p.at++
	}
	for !p.is(endToken) {
		f.Decls = append(f.Decls, p.decl()...)
	}
	return f
}

func (p *parser) decl() []Decl {
	start := p.tok()
	switch {
	case p.acceptWord("let"):
		return []Decl{p.let()}
	case p.acceptWord("include"):
		return []Decl{Include{start.pos, p.expect(textToken, "a file name in quotes").text}}
	case p.acceptWord("show"), p.acceptWord("unshow"):
		return p.show(start)
	}
	c := Check{Pos: start.pos, Flag: p.acceptWord("flag")}
	c.Negated = p.accept("~")
	switch {
	case p.acceptWord("acyclic"):
		c.Kind = Acyclic
	case p.acceptWord("irreflexive"):
		c.Kind = Irreflexive
	case p.acceptWord("empty"):
		c.Kind = Empty
	default:
		p.fail("let, acyclic, irreflexive, empty, flag, show, unshow or include")
	}
	c.Expr = p.expr()
	if p.acceptWord("as") {
		c.Name = p.name("a name for the check").text
	}
	return []Decl{c}
}

func (p *parser) let() Decl {
	l := Let{Rec: p.acceptWord("rec")}
	for {
		t := p.name("a name to define")
		b := Binding{Pos: t.pos, Name: t.text}
		if p.accept("(") {
			for {
				b.Params = append(b.Params, p.name("a parameter").text)
				if !p.accept(",") {
					break
				}
			}
			p.expect(")", `")" after the parameters`)
		}
		p.expect("=", `"=" and the value of `+b.Name)
		b.Body = p.expr()
		l.Bindings = append(l.Bindings, b)
		if !p.acceptWord("and") {
			return l
		}
	}
}

func (p *parser) show(start token) []Decl {
	var out []Decl
	for {
		s := Show{Pos: p.tok().pos, Hide: start.text == "unshow", Expr: p.expr()}
		if n, ok := s.Expr.(Name); ok {
			s.Name = n.Name
		}
		if p.acceptWord("as") {
			s.Name = p.name("a name to show").text
		}
		if s.Name == "" {
			panic(litmus.Errorf(s.Pos, "want \"as NAME\" after an expression to show"))
		}
		out = append(out, s)
		if !p.accept(",") {
			return out
		}
	}
}

// maxDepth bounds the nesting of an expression.
const maxDepth = 500

func (p *parser) expr() Expr {
	if p.depth++; p.depth > maxDepth {
		p.fail("a simpler expression: this one nests too deeply")
	}
	defer func() { p.depth-- }()
	return p.binary(0)
}

// levels are the infix operators from the loosest to the tightest.
var levels = []struct {
	symbol string
	op     BinaryOp
}{{"|", Union}, {";", Seq}, {"\\", Diff}, {"&", Inter}, {"*", Cartesian}}

func (p *parser) binary(level int) Expr {
	if level == len(levels) {
		return p.unary()
	}
	x := p.binary(level + 1)
	for p.is(levels[level].symbol) {
		pos := p.tok().pos
		p.at++
		x = Binary{pos, levels[level].op, x, p.binary(level + 1)}
	}
	return x
}

func (p *parser) unary() Expr {
	if t := p.tok(); p.accept("~") {
		if p.depth++; p.depth > maxDepth {
			p.fail("a simpler expression: this one nests too deeply")
		}
		defer func() { p.depth-- }()
		return Unary{t.pos, Complement, p.unary()}
	}
	x := p.atom()
	for {
		t := p.tok()
		switch {
		case p.accept("+"), p.accept("^+"):
			x = Unary{t.pos, Plus, x}
		case p.accept("^*"):
			x = Unary{t.pos, Star, x}
		case p.is("*") && !p.operandFollows():
			p.at++
			x = Unary{t.pos, Star, x}
		case p.accept("?"):
			x = Unary{t.pos, Optional, x}
		case p.accept("^-1"):
			x = Unary{t.pos, Inverse, x}
		default:
			return x
		}
	}
}

// operandFollows tells S * T from r*, by the token behind the star.
func (p *parser) operandFollows() bool {
	t := p.tokens[p.at+1]
	switch t.kind {
	case nameToken:
		return !slices.Contains(keywords, t.text) && !slices.Contains(unsupported, t.text)
	case "(", "[", "{", "_", "0", "~":
		return true
	}
	return false
}

func (p *parser) atom() Expr {
	t := p.tok()
	switch {
	case p.accept("("):
		x := p.expr()
		p.expect(")", `")"`)
		return x
	case p.accept("["):
		x := p.expr()
		p.expect("]", `"]"`)
		return Unary{t.pos, Identity, x}
	case p.accept("{"):
		p.expect("}", `"}": sets of listed events are not supported`)
		return Nothing{t.pos}
	case p.accept("0"):
		return Nothing{t.pos}
	case p.accept("_"):
		return Name{t.pos, "_"}
	}
	p.name("an expression")
	if !p.is("(") {
		return Name{t.pos, t.text}
	}
	p.at++
	c := Call{Pos: t.pos, Func: t.text}
	for {
		c.Args = append(c.Args, p.expr())
		if !p.accept(",") {
			break
		}
	}
	p.expect(")", `"," or ")" after an argument`)
	return c
}

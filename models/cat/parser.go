package cat

import (
	"slices"
	"strconv"
	"strings"

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
	case undefined:
		*err = e.Error
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
	keywords = []string{
		"let", "rec", "and", "in", "acyclic", "irreflexive", "empty", "as", "show", "unshow", "include", "flag",
		"undefined_unless", "procedure", "call", "end", "with", "from", "enum", "instructions", "fun", "try", "match",
		"if", "then", "else", "begin", "assert",
	}
	unsupported = []string{"forall", "do", "when", "debug", "yield", "default", "subset"}
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
	f := &File{Title: p.title()}
	for !p.is(endToken) {
		f.Decls = append(f.Decls, p.decl()...)
	}
	return f
}

// title reads what stands before the first declaration: names, of an architecture, the
// model and its options, and a text, which is then the title.
func (p *parser) title() string {
	var words []string
	for title := ""; ; p.at++ {
		switch t := p.tok(); {
		case p.is(textToken):
			title = t.text
		case p.is(nameToken) && !slices.Contains(keywords, t.text) && !slices.Contains(unsupported, t.text):
			words = append(words, t.text)
		case title != "":
			return title
		default:
			return strings.Join(words, " ")
		}
	}
}

func (p *parser) decl() []Decl {
	start := p.tok()
	switch {
	case p.isWord("let"):
		l := p.let()
		p.acceptWord("in")
		return []Decl{l}
	case p.acceptWord("if"):
		return []Decl{p.choice()}
	case p.isWord("match"):
		panic(litmus.Errorf(start.pos, "a match between declarations is not supported: want it in an expression"))
	case p.acceptWord("include"):
		return []Decl{Include{start.pos, p.expect(textToken, "a file name in quotes").text}}
	case p.acceptWord("show"), p.acceptWord("unshow"):
		return p.show(start)
	case p.acceptWord("procedure"):
		return []Decl{p.procedure(start)}
	case p.acceptWord("call"):
		c := Invoke{Pos: start.pos, Procedure: p.name("a procedure").text, Args: members(p.atom())}
		c.Name = p.as()
		return []Decl{c}
	case p.acceptWord("with"):
		w := With{Pos: start.pos, Name: p.name("a name to bind").text}
		p.expectWord("from")
		w.From = p.expr()
		return []Decl{w}
	case p.acceptWord("enum"):
		return []Decl{p.enum(start)}
	case p.acceptWord("instructions"):
		p.instructions()
		return nil
	}
	c := Check{Pos: start.pos}
	switch {
	case p.acceptWord("flag"):
		c.Role = Flagged
	case p.acceptWord("undefined_unless"):
		c.Role = UndefinedUnless
	case p.acceptWord("assert"):
		c.Role = Asserted
	}
	c.Negated = p.accept("~")
	switch {
	case p.acceptWord("acyclic"):
		c.Kind = Acyclic
	case p.acceptWord("irreflexive"):
		c.Kind = Irreflexive
	case p.acceptWord("empty"):
		c.Kind = Empty
	default:
		p.fail("a declaration: let, acyclic, irreflexive, empty, flag, show, include, if, procedure, call, with or enum")
	}
	c.Expr = p.expr()
	c.Name = p.as()
	return []Decl{c}
}

// as reads the name that a check may be given.
func (p *parser) as() string {
	if p.acceptWord("as") {
		return p.name("a name for the check").text
	}
	return ""
}

func (p *parser) expectWord(w string) {
	if !p.acceptWord(w) {
		p.fail(strconv.Quote(w))
	}
}

// members are the arguments that an expression in parentheses stands for.
func members(e Expr) []Expr {
	if t, ok := e.(Tuple); ok {
		return t.Members
	}
	return []Expr{e}
}

func (p *parser) procedure(start token) Decl {
	d := Procedure{Pos: start.pos, Name: p.name("a name for the procedure").text, Params: p.params()}
	p.expect("=", `"=" and the declarations of `+d.Name)
	for !p.acceptWord("end") {
		if p.is(endToken) {
			p.fail(`"end" of procedure ` + d.Name)
		}
		d.Body = append(d.Body, p.decl()...)
	}
	return d
}

func (p *parser) enum(start token) Decl {
	e := Enum{Pos: start.pos, Name: p.name("a name for the tags").text}
	p.expect("=", `"=" and the tags of `+e.Name)
	p.accept("||")
	for {
		e.Tags = append(e.Tags, p.expect(tagToken, "a tag such as 'acquire").text)
		if !p.accept("||") {
			return e
		}
	}
}

// instructions passes a bell file's table of instructions and their tags. Which tags
// an instruction may carry is the dialect's to know.
func (p *parser) instructions() {
	p.name("an instruction")
	p.expect("[", `"["`)
	for depth := 1; depth > 0; p.at++ {
		switch {
		case p.is("["):
			depth++
		case p.is("]"):
			depth--
		case p.is(endToken):
			p.fail(`"]"`)
		}
	}
}

// choice reads the two sides of an if between declarations.
func (p *parser) choice() Decl {
	c := Choice{If: p.condition()}
	p.acceptWord("then")
	side := &c.Then
	for !p.acceptWord("end") {
		switch {
		case side == &c.Then && p.acceptWord("else"):
			side = &c.Else
		case p.is(endToken):
			p.fail(`"else" or "end" of an if`)
		default:
			*side = append(*side, p.decl()...)
		}
	}
	return c
}

// condition reads what an if asks. not binds tighter than &&, and that than ||.
func (p *parser) condition() Condition {
	return p.operands("||", func() Condition { return p.operands("&&", p.variant) })
}

func (p *parser) operands(op string, operand func() Condition) Condition {
	c := operand()
	for p.accept(op) {
		c = Condition{Op: op, Operands: []Condition{c, operand()}}
	}
	return c
}

func (p *parser) variant() Condition {
	if p.depth++; p.depth > maxDepth {
		p.fail("a simpler condition: this one nests too deeply")
	}
	defer func() { p.depth-- }()
	switch {
	case p.acceptWord("not"):
		return Condition{Op: "not", Operands: []Condition{p.variant()}}
	case p.accept("("):
		c := p.condition()
		p.expect(")", `")" or an operator`)
		return c
	}
	p.acceptWord("variant")
	return Condition{Variant: p.expect(textToken, "the name of a variant in quotes: other conditions are not supported").text}
}

// param reads a parameter; _ is one that is not used.
func (p *parser) param() string {
	if p.accept("_") {
		return "_"
	}
	return p.name("a parameter").text
}

// params reads a function's parameters: a name, or names in parentheses.
func (p *parser) params() []string {
	names := []string{}
	if !p.accept("(") {
		return append(names, p.param())
	}
	for !p.accept(")") {
		names = append(names, p.param())
		if !p.is(")") {
			p.expect(",", `"," or ")" after a parameter`)
		}
	}
	return names
}

func (p *parser) let() Let {
	p.expectWord("let")
	l := Let{Rec: p.acceptWord("rec")}
	for {
		b := Binding{Pos: p.tok().pos}
		if p.is("(") {
			b.Names = p.params()
		} else {
			b.Name = p.name("a name to define").text
			switch {
			case p.is(","): // a, b = … without parentheses
				b.Name, b.Names = "", []string{b.Name}
				for p.accept(",") {
					b.Names = append(b.Names, p.param())
				}
			case !p.is("="):
				b.Params = p.params()
			}
		}
		p.expect("=", `"=" and the value of `+b.Name)
		b.Body = p.tuple(p.expr())
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
	start := p.tok()
	switch {
	case p.isWord("let"):
		l := p.let()
		p.expectWord("in")
		return LetIn{l, p.expr()}
	case p.acceptWord("fun"):
		f := Fun{Pos: start.pos, Params: p.params()}
		p.expect("->", `"->" and the function's value`)
		f.Body = p.expr()
		return f
	case p.acceptWord("try"):
		x := p.expr()
		p.expectWord("with")
		return Try{x, p.expr()}
	case p.acceptWord("match"):
		return p.match(start)
	case p.acceptWord("if"):
		x := If{Cond: p.condition()}
		p.expectWord("then")
		x.Then = p.expr()
		p.expectWord("else")
		x.Else = p.expr()
		return x
	}
	return p.binary(0)
}

// tuple reads on behind the first member of a tuple without parentheses.
func (p *parser) tuple(first Expr) Expr {
	if !p.is(",") {
		return first
	}
	t := Tuple{position(first), []Expr{first}}
	for p.accept(",") {
		t.Members = append(t.Members, p.expr())
	}
	return t
}

func (p *parser) match(start token) Expr {
	m := Match{Pos: start.pos, X: p.expr()}
	p.expectWord("with")
	p.accept("||")
	for {
		c := Case{Tag: "_"}
		if !p.accept("_") {
			c.Tag = p.expect(tagToken, "a tag or _: matching on sets is not supported").text
		}
		p.expect("->", `"->" and the value of the case`)
		c.Body = p.expr()
		m.Cases = append(m.Cases, c)
		if !p.accept("||") {
			p.acceptWord("end")
			return m
		}
	}
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
	x := p.apply()
	for {
		t := p.tok()
		switch {
		case p.is("++"):
			panic(litmus.Errorf(t.pos, "\"++\" is a construct of cat that is not supported"))
		case p.accept("+"), p.accept("^+"):
			x = Unary{t.pos, Plus, x}
		case p.accept("^*"):
			x = Unary{t.pos, Star, x}
		case p.is("*") && !p.operandFollows():
			p.at++
			x = Unary{t.pos, Star, x}
		case p.accept("?"), p.accept("^?"):
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
	return t.kind == "~" || startsAtom(t)
}

// startsAtom tells whether an atom begins with the token.
func startsAtom(t token) bool {
	switch t.kind {
	case nameToken:
		return t.text == "begin" || !slices.Contains(keywords, t.text) && !slices.Contains(unsupported, t.text)
	case "(", "[", "{", "_", "0", tagToken:
		return true
	}
	return false
}

// apply reads a function and its arguments, or an atom by itself.
func (p *parser) apply() Expr {
	callable := p.is(nameToken) || p.is("(")
	x := p.atom()
	for callable && startsAtom(p.tok()) {
		t := p.tok()
		x = Call{t.pos, x, p.atom()}
	}
	return x
}

func (p *parser) atom() Expr {
	t := p.tok()
	switch {
	case p.accept("("):
		if p.accept(")") {
			return Tuple{Pos: t.pos}
		}
		x := p.expr()
		if p.accept(")") {
			return x
		}
		x = p.tuple(x)
		p.expect(")", `")" or an operator`)
		return x
	case p.accept("["):
		x := p.expr()
		p.expect("]", `"]"`)
		return Unary{t.pos, Identity, x}
	case p.acceptWord("begin"):
		x := p.tuple(p.expr())
		p.expectWord("end")
		return x
	case p.accept("{"):
		p.expect("}", `"}": sets of listed events are not supported`)
		return Nothing{t.pos}
	case p.accept("0"):
		return Nothing{t.pos}
	case p.accept("_"):
		return Name{t.pos, "_"}
	case p.accept(tagToken):
		return Tag{t.pos, t.text}
	}
	p.name("an expression")
	return Name{t.pos, t.text}
}

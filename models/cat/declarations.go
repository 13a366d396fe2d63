package cat

import (
	"io/fs"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// decl = let ['in' | 'when' check] | check | show | include | choice | procedure | call | with
//
//	| enum | instructions | forall | matchdecl .
func (p *parser) decl() []Decl {
	start := p.tok()
	switch {
	case p.isWord("let"):
		l := p.let()
		if l.Rec && p.acceptWord("when") {
			return []Decl{l, p.check(p.tok())}
		}
		p.acceptWord("in")
		return []Decl{l}
	case p.acceptWord("if"):
		return []Decl{p.choice()}
	case p.acceptWord("match"):
		return []Decl{p.matchDecl(start)}
	case p.acceptWord("forall"):
		return []Decl{p.forall(start)}
	case p.acceptWord("include"):
		return []Decl{p.include(start)}
	case p.acceptWord("show"), p.acceptWord("unshow"):
		return p.show(start)
	case p.acceptWord("procedure"):
		return []Decl{p.procedure(start)}
	case p.acceptWord("call"):
		return []Decl{p.invoke(start)}
	case p.acceptWord("with"):
		return []Decl{p.with(start)}
	case p.acceptWord("enum"):
		return []Decl{p.enum(start)}
	case p.acceptWord("instructions"):
		return []Decl{p.instructions(start)}
	}
	return []Decl{p.check(start)}
}

// block reads declarations up to one of the words that may end them.
//
//	{decl}
func (p *parser) block(what string, ends ...string) (out []Decl, end string) {
	defer p.nest("declaration")()
	p.blocks++
	defer func() { p.blocks-- }()
	for {
		for _, w := range ends {
			if p.acceptWord(w) || p.accept(w) {
				return out, w
			}
		}
		if p.is(endToken) {
			p.fail(what)
		}
		out = append(out, p.recovered()...)
	}
}

// include = 'include' string .
func (p *parser) include(start token) Decl {
	file := p.expect(textToken, "a file name in quotes")
	if !fs.ValidPath(file.text) || strings.ContainsAny(file.text, "\\:\x00") {
		panic(litmus.Errorf(file.pos, "got %q, want the name of a file in the model's folder or below", file.text))
	}
	return Include{start.pos, file.text}
}

// check = ['flag' | 'undefined_unless' | 'assert'] ['~'] ('acyclic' | 'irreflexive' | 'empty') expr ['as' NAME] .
func (p *parser) check(start token) Decl {
	first, c := p.at, Check{Pos: start.pos}
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
		const want = "a declaration: let, acyclic, irreflexive, empty, flag, show, include, if, procedure, call, " +
			"with or enum"
		if t := p.tok(); t.kind == nameToken && !slices.Contains(unsupported, t.text) {
			if near := litmus.DidYouMean(t.text, slices.Concat(declWords, bothWords)); near.Near != "" {
				panic(litmus.Errorf(t.pos, "got %q, want %s%s", t.text, want, near))
			}
		}
		p.fail(want)
	}
	c.Expr = p.expr()
	c.Name = p.as()
	c.Source = p.source(first)
	return c
}

// as reads the optional name of a check.
func (p *parser) as() string {
	if p.acceptWord("as") {
		return p.name("a name for the check").text
	}
	return ""
}

// show = ('show' | 'unshow') item {',' item} .
// item = expr ['as' NAME] .
func (p *parser) show(start token) []Decl {
	var out []Decl
	first := p.at - 1
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
		if _, named := s.Expr.(Name); !named { // a name's own definition is more helpful
			s.Source = p.source(first)
		}
		out = append(out, s)
		if !p.accept(",") {
			return out
		}
	}
}

// procedure = 'procedure' NAME params '=' {decl} 'end' .
func (p *parser) procedure(start token) Decl {
	d := Procedure{Pos: start.pos, Name: p.name("a name for the procedure").text, Params: p.params()}
	p.expect("=", `"=" and the declarations of `+d.Name)
	d.Body, _ = p.block(`"end" of procedure `+d.Name, "end")
	return d
}

// call = 'call' NAME atom ['as' NAME] .
func (p *parser) invoke(start token) Decl {
	first := p.at - 1
	c := Invoke{Pos: start.pos, Procedure: p.name("a procedure").text}
	c.Args = []Expr{p.atom()}
	if t, ok := c.Args[0].(Tuple); ok {
		c.Args = t.Members
	}
	c.Name = p.as()
	c.Source = p.source(first)
	return c
}

// with = 'with' NAME 'from' expr .
func (p *parser) with(start token) Decl {
	first := p.at - 1
	w := With{Pos: start.pos, Name: p.name("a name to bind").text}
	p.expectWord("from")
	w.From = p.expr()
	w.Source = p.source(first)
	return w
}

// enum = 'enum' NAME '=' ['||'] tag {'||' tag} .
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

// instructions = 'instructions' NAME '[' tuple ']' .
func (p *parser) instructions(start token) Decl {
	d := Instructions{Pos: start.pos, Kind: p.name("a kind of instruction").text}
	p.expect("[", `"[" and a set of tags`)
	d.Tags = p.tuple(p.expr())
	p.expect("]", `"]" or an operator`)
	return d
}

// forall = 'forall' NAME 'in' expr 'do' {decl} 'end' .
func (p *parser) forall(start token) Decl {
	d := Forall{Pos: start.pos, Name: p.name("a name to bind").text}
	p.expectWord("in")
	d.In = p.expr()
	p.expectWord("do")
	d.Body, _ = p.block(`"end" of a forall`, "end")
	return d
}

// matchdecl = 'match' expr 'with' ['||'] pattern '->' {decl} {'||' pattern '->' {decl}} 'end' .
func (p *parser) matchDecl(start token) Decl {
	d := MatchDecl{Match: Match{Pos: start.pos, X: p.expr()}}
	p.expectWord("with")
	p.accept("||")
	for {
		p.node()
		c := p.pattern()
		p.expect("->", `"->" and the declarations of the case`)
		decls, end := p.block(`"||" or "end" of a match`, "end", "||")
		d.Match.Cases, d.Decls = append(d.Match.Cases, c), append(d.Decls, decls)
		if end == "end" {
			return d
		}
	}
}

// choice = 'if' cond ['then'] {decl} ['else' {decl}] 'end' .
func (p *parser) choice() Decl {
	c := Choice{If: p.condition()}
	p.acceptWord("then")
	var end string
	if c.Then, end = p.block(`"else" or "end" of an if`, "end", "else"); end == "else" {
		c.Else, _ = p.block(`"end" of an if`, "end")
	}
	return c
}

// condition reads what an if asks. not binds tighter than &&, and that than ||.
//
//	cond = conj {'||' conj} .
//	conj = variant {'&&' variant} .
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

// variant = 'not' variant | '(' cond ')' | ['variant'] string
//
//	| expr ('=' | 'subset' | 'in') expr .
func (p *parser) variant() Condition {
	defer p.nest("condition")()
	p.node()
	switch {
	case p.acceptWord("not"):
		return Condition{Op: "not", Operands: []Condition{p.variant()}}
	case p.accept("("):
		c := p.condition()
		p.expect(")", `")" or an operator`)
		return c
	}
	named := p.isWord("variant") && p.tokens[p.at+1].kind == textToken
	if named {
		p.at++
	}
	if named || p.is(textToken) || !startsAtom(p.tok()) {
		return Condition{
			Variant: p.expect(textToken, "the name of a variant in quotes, or tags or sets of tags to compare").text,
		}
	}
	c := Condition{Pos: p.tok().pos, X: p.binary(0)}
	switch {
	case p.accept("="):
		c.Op = "="
	case p.acceptWord("subset"), p.acceptWord("in"):
		c.Op = p.tokens[p.at-1].text
	default:
		p.fail(`"=", "subset" or "in" and what to compare with`)
	}
	c.Y = p.binary(0)
	return c
}

// let     = 'let' ['rec'] binding {'and' binding} .
// binding = (NAME [params] | names) '=' tuple .
// names   = '(' [param {',' param}] ')' | NAME ',' param {',' param} .
func (p *parser) let() Let {
	first := p.at
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
		b.Source = p.source(first)
		l.Bindings = append(l.Bindings, b)
		first = p.at
		if !p.acceptWord("and") {
			return l
		}
	}
}

// params = param | '(' [param {',' param}] ')' .
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

// param reads a parameter; _ is one that is not used.
//
//	param = NAME | '_' .
func (p *parser) param() string {
	p.node()
	if p.accept("_") {
		return "_"
	}
	return p.name("a parameter").text
}

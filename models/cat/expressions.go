package cat

import (
	"slices"

	"litmuscope/litmus"
)

// expr = let 'in' expr | 'fun' params '->' expr | 'try' expr 'with' expr
//
//	| 'if' cond 'then' expr 'else' expr | match | union .
func (p *parser) expr() Expr {
	defer p.nest("expression")()
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

// tuple reads the rest of a tuple without parentheses, after its first member.
//
//	tuple = expr {',' expr} .
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

// match = 'match' expr 'with' ['||'] case {'||' case} ['end'] .
func (p *parser) match(start token) Expr {
	m := Match{Pos: start.pos, X: p.expr()}
	p.expectWord("with")
	p.accept("||")
	for {
		p.node()
		c := p.pattern()
		p.expect("->", `"->" and the value of the case`)
		c.Body = p.expr()
		m.Cases = append(m.Cases, c)
		if !p.accept("||") {
			p.acceptWord("end")
			return m
		}
	}
}

// case    = pattern '->' expr .
// pattern = tag | '_' | '{' '}' | param '++' param .
func (p *parser) pattern() Case {
	switch {
	case p.is(tagToken):
		p.at++
		return Case{Pattern: MatchTag, Tag: p.tokens[p.at-1].text}
	case p.accept("{"):
		p.expect("}", `"}": a set is matched by {} or by member ++ rest`)
		return Case{Pattern: MatchEmpty}
	case p.is("_") && p.tokens[p.at+1].kind != "++":
		p.at++
		return Case{Pattern: MatchAny}
	}
	if !p.is("_") && !p.isName() {
		p.fail("a tag, _, {} or member ++ rest")
	}
	c := Case{Pattern: MatchMember, Member: p.param()}
	p.expect("++", `"++" and a name for the rest of the set`)
	c.Rest = p.param()
	return c
}

// levels are the infix operators from the loosest to the tightest. All are left-associative except ++, whose right side
// is a set.
var levels = []struct {
	symbol string
	op     BinaryOp
}{{"|", Union}, {"++", Add}, {";", Seq}, {"\\", Diff}, {"&", Inter}, {"*", Cartesian}}

// union = add {'|' add} .
// add   = seq ['++' add] .
// seq   = diff {';' diff} .
// diff  = inter {'\' inter} .
// inter = cross {'&' cross} .
// cross = unary {'*' unary} .
func (p *parser) binary(level int) Expr {
	if level == len(levels) {
		return p.unary()
	}
	first := p.at
	x := p.binary(level + 1)
	operands := union{{first, p.at}}
	for p.is(levels[level].symbol) {
		pos, op := p.tok().pos, levels[level].op
		p.node()
		p.at++
		if op == Add {
			defer p.nest("expression")()
			return Binary{pos, op, x, p.binary(level)}
		}
		first = p.at
		x = Binary{pos, op, x, p.binary(level + 1)}
		operands = append(operands, [2]int{first, p.at})
	}
	if level == 0 && len(operands) > 1 {
		p.unions = append(p.unions, operands)
	}
	return x
}

// unary   = '~' unary | postfix .
// postfix = apply {'+' | '*' | '?' | '^+' | '^*' | '^?' | '^-1'} .
func (p *parser) unary() Expr {
	if t := p.tok(); p.accept("~") {
		defer p.nest("expression")()
		return Unary{t.pos, Complement, p.unary()}
	}
	x := p.apply()
	for ; ; p.node() {
		t := p.tok()
		switch {
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

// operandFollows distinguishes S * T from r* by the token after the star.
func (p *parser) operandFollows() bool {
	t := p.tokens[p.at+1]
	return t.kind == "~" || startsAtom(t)
}

// startsAtom reports whether an atom begins with the token.
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
//
//	apply = atom {atom} .
func (p *parser) apply() Expr {
	callable := p.is(nameToken) || p.is("(")
	x := p.atom()
	for callable && startsAtom(p.tok()) {
		t := p.tok()
		x = Call{t.pos, x, p.atom()}
	}
	return x
}

// atom = NAME | tag | '[' expr ']' | '(' [tuple] ')' | 'begin' tuple 'end'
//
//	| '{' [tuple] '}' | '_' | '0' .
func (p *parser) atom() Expr {
	p.node()
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
		if p.accept("}") {
			return Nothing{t.pos}
		}
		s := Members{Pos: t.pos, Of: []Expr{p.expr()}}
		for p.accept(",") {
			s.Of = append(s.Of, p.expr())
		}
		p.expect("}", `"}" or an operator`)
		return s
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

// position returns the place of an expression in the text.
func position(e Expr) litmus.Pos {
	switch e := e.(type) {
	case Name:
		return e.Pos
	case Call:
		return position(e.Func)
	case Tuple:
		return e.Pos
	case Fun:
		return e.Pos
	case Tag:
		return e.Pos
	case Match:
		return e.Pos
	case Members:
		return e.Pos
	case LetIn:
		return position(e.Body)
	case Try:
		return position(e.X)
	case If:
		return position(e.Then)
	case Unary:
		return e.Pos
	case Binary:
		return position(e.X)
	case Nothing:
		return e.Pos
	}
	return litmus.Pos{}
}

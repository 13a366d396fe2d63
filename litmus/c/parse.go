package c

import (
	"strings"

	"litmuscope/litmus"
)

// parser reads the statements of one thread. It panics with a *litmus.Error, which parseThread
// recovers.
type parser struct {
	toks  []token
	at    int
	depth int
	loops int // around the current statement
	// labels: calls of control barriers may have labels.
	labels bool
	bad    litmus.ErrorList
}

// maxDepth bounds how deeply statements and expressions nest.
const maxDepth = 200

// Parse reads the functions of a test. Its error is a [litmus.ErrorList]. For each thread it contains all missing
// semicolons and the first error of another kind, where parsing of the thread stops. In a test of OpenCL, the types of
// parameters are without their address spaces, which [Unit.Local] has.
func Parse(t *litmus.Test) (*Unit, error) {
	if t.Arch != "OPENCL" {
		return parse(t, false)
	}
	bare, spaces, errs := withoutSpaces(t)
	u, err := parse(bare, true)
	u.Local = map[string]bool{}
	for name, s := range spaces {
		u.Local[name] = s.region == tagLocal
	}
	return u, append(errs, litmus.Errors(err)...).Err()
}

// parse is Parse, also for tests of OpenCL, in which calls may have labels.
func parse(t *litmus.Test, labels bool) (*Unit, error) {
	u := &Unit{}
	var errs litmus.ErrorList
	for i := range t.Threads {
		th := &t.Threads[i]
		body, bad := parseThread(t.File, th, labels)
		errs = append(errs, bad...)
		u.Threads = append(u.Threads, Thread{ID: th.ID, Params: th.Params, Body: body})
	}
	return u, errs.Err()
}

// parseThread parses one thread and returns the errors, which a missing semicolon does not stop.
func parseThread(file string, th *litmus.Thread, labels bool) (body []Stmt, bad litmus.ErrorList) {
	p := &parser{labels: labels}
	defer func() {
		if e := recover(); e != nil {
			one, ok := e.(*litmus.Error)
			if !ok {
				panic(e)
			}
			p.bad = append(p.bad, one)
		}
		bad = p.bad
	}()
	end := th.Pos
	for i, cell := range th.Cells {
		for _, tok := range lexAll(cell) {
			tok.cell, tok.pos.File = i, file
			if tok.kind == badToken {
				panic(litmus.Errorf(tok.pos, "C: %q is not a C token", tok.text))
			}
			p.toks = append(p.toks, tok)
		}
		end = cell.At(len(cell.Text))
	}
	end.File = file
	p.toks = append(p.toks,
		token{kind: endToken, text: "the end of the function", pos: end, cell: max(len(th.Cells)-1, 0)})
	for p.tok().kind != endToken {
		body = append(body, p.statement()...)
	}
	return body, nil
}

func (p *parser) tok() token { return p.toks[p.at] }

func (p *parser) place() Place { return Place{p.tok().pos, p.tok().cell} }

func (p *parser) peek(ahead int) token { return p.toks[min(p.at+ahead, len(p.toks)-1)] }

// is reports whether the next token is a given sign or word.
func (p *parser) is(text string) bool { return p.tok().text == text && p.tok().kind != endToken }

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(text, why string) {
	switch {
	case p.accept(text):
	case text == ";" && p.at > 0: // report it where the last token ends, and go on
		pos := p.toks[p.at-1].pos
		pos.Col += len(p.toks[p.at-1].text)
		p.bad = append(p.bad, litmus.Errorf(pos, "C: got %s, want %q %s", p.got(), text, why).WithFix(pos, "", ";"))
	default:
		p.fail("C: got %s, want %q %s", p.got(), text, why)
	}
}

func (p *parser) got() string {
	if p.tok().kind == endToken {
		return p.tok().text
	}
	return `"` + litmus.Shorten(p.tok().text) + `"`
}

func (p *parser) fail(format string, args ...any) {
	panic(litmus.Errorf(p.tok().pos, format, args...))
}

func (p *parser) nest() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail("C: statements and expressions nest more than %d deep", maxDepth)
	}
	return func() { p.depth-- }
}

// Controls lists C's words for control flow.
var Controls = strings.Fields("if else while do for return break continue goto switch case default")

// refused lists the words that begin statements that tests cannot have, with advice.
var refused = map[string]string{
	"goto": "use if, while, do or for", "switch": "use if", "case": "use if", "default": "use if",
	"asm": "write the test in the architecture's dialect", "__asm__": "write the test in the architecture's dialect",
}

// statement reads one statement. A declaration of several names returns several statements.
func (p *parser) statement() []Stmt {
	defer p.nest()()
	at, t := p.place(), p.tok()
	if why, bad := refused[t.text]; bad && t.kind == wordToken && p.peek(1).text != "=" {
		p.fail("C: %s is not supported: %s", t.text, why)
	}
	if p.labels && t.kind == wordToken && p.peek(1).text == ":" {
		p.at += 2
		return p.labelled(t.text)
	}
	switch {
	case p.accept(";"):
		return nil
	case p.accept("{"):
		return []Stmt{&Block{at, p.blockRest()}}
	case t.text == "if" && p.peek(1).text == "(":
		p.at++
		s := &If{Place: at, Cond: p.condition("if")}
		s.Then = p.body()
		if p.accept("else") {
			s.Else = p.body()
		}
		return []Stmt{s}
	case t.text == "while" && p.peek(1).text == "(":
		p.at++
		s := &While{Place: at, Cond: p.condition("while")}
		s.Body = p.loopBody()
		return []Stmt{s}
	case t.text == "do" && (p.peek(1).text == "{" || p.peek(1).kind == wordToken):
		p.at++
		s := &While{Place: at, Post: true, Body: p.loopBody()}
		p.expect("while", "after the body of do")
		s.Cond = p.condition("while")
		p.expect(";", "after do … while (…)")
		return []Stmt{s}
	case t.text == "for" && p.peek(1).text == "(":
		p.at++
		return []Stmt{p.loopFor(at)}
	case (t.text == "break" || t.text == "continue") && p.peek(1).text == ";":
		if p.loops == 0 {
			p.fail("C: %s is outside a loop", t.text)
		}
		p.at += 2
		if t.text == "break" {
			return []Stmt{&Break{at}}
		}
		return []Stmt{&Continue{at}}
	case t.text == "return" && p.peek(1).text != "=":
		p.at++
		s := &Return{Place: at}
		if !p.is(";") {
			s.X = p.expr()
		}
		p.expect(";", "after return")
		return []Stmt{s}
	}
	if n := p.declares(); n > 0 {
		return p.declaration(n)
	}
	s := &Do{at, p.expr()}
	p.expect(";", "after an expression")
	return []Stmt{s}
}

// labelled reads the statement behind a label, which is a call of a barrier.
func (p *parser) labelled(label string) []Stmt {
	at := p.place()
	x := p.expr()
	call, ok := x.(*Call)
	if !ok {
		p.fail("C: only a call of a barrier has a label")
	}
	call.Label = label
	p.expect(";", "after an expression")
	return []Stmt{&Do{at, call}}
}

// blockRest reads up to the brace that closes the block.
func (p *parser) blockRest() (out []Stmt) {
	for !p.accept("}") {
		if p.tok().kind == endToken {
			p.fail(`C: got the end of the function, want "}"`)
		}
		out = append(out, p.statement()...)
	}
	return out
}

// body reads the statements that a condition controls.
func (p *parser) body() []Stmt {
	if p.accept("{") {
		return p.blockRest()
	}
	if n := p.declares(); n > 0 {
		p.fail("C: a declaration is not a statement here: put it in braces")
	}
	return p.statement()
}

func (p *parser) loopBody() []Stmt {
	p.loops++
	defer func() { p.loops-- }()
	return p.body()
}

func (p *parser) condition(of string) Expr {
	p.expect("(", "after "+of)
	x := p.expr()
	p.expect(")", "after the condition")
	return x
}

// loopFor reads the rest of a for loop, from its parenthesis on.
func (p *parser) loopFor(at Place) Stmt {
	p.expect("(", "after for")
	s := &For{Place: at}
	switch n := p.declares(); {
	case p.accept(";"):
	case n > 0:
		s.Init = p.declaration(n)
	default:
		s.Init = []Stmt{&Do{p.place(), p.expr()}}
		p.expect(";", "after the first part of for")
	}
	if !p.is(";") {
		s.Cond = p.expr()
	}
	p.expect(";", "after the condition of for")
	if !p.is(")") {
		s.Step = p.expr()
	}
	p.expect(")", "after the last part of for")
	s.Body = p.loopBody()
	return s
}

// declares returns the number of tokens of the type if a declaration comes next, and otherwise 0.
func (p *parser) declares() int {
	if t := p.tok(); t.kind != wordToken || !startsType(t.text) {
		return 0
	}
	_, n := readType(p.toks[p.at:])
	if n > 0 && p.peek(n).kind == wordToken {
		return n
	}
	return 0
}

// declaration reads a type of n tokens and the names that it declares.
func (p *parser) declaration(n int) (out []Stmt) {
	typ, _ := readType(p.toks[p.at : p.at+n])
	p.at += n
	base := typ
	base.stars = 0
	local := func(t Type) Type { // no other thread accesses it, so atomic makes no difference
		t.atomic, t.volatile = t.atomic && t.stars > 0, t.volatile && t.stars > 0
		return t
	}
	for first := true; ; first = false {
		d := &Declare{Place: p.place(), Type: base}
		if first {
			d.Type = typ
		} else {
			for p.accept("*") {
				d.Type.stars++
			}
		}
		d.Type = local(d.Type)
		if p.tok().kind != wordToken {
			p.fail("C: got %s, want a name to declare", p.got())
		}
		d.Name = p.tok().text
		p.at++
		if p.is("[") {
			p.fail("C: local arrays are not supported: declare the array in the init block and pass it as a parameter")
		}
		if p.accept("=") {
			if p.is("{") {
				p.fail("C: local structures and arrays are not supported: declare them in the init block")
			}
			d.Value = p.assignment()
		}
		out = append(out, d)
		if p.accept(";") {
			return out
		}
		if !p.is(",") {
			p.expect(";", "after a declaration")
			return out
		}
		p.at++
	}
}

// expr reads an expression. The comma operator is not supported.
func (p *parser) expr() Expr {
	x := p.assignment()
	if p.is(",") {
		p.fail("C: the comma operator is not supported: use two statements")
	}
	return x
}

// assignment = ternary [("=" | "+=" | …) assignment] .
func (p *parser) assignment() Expr {
	defer p.nest()()
	to := p.ternary()
	at, t := p.place(), p.tok()
	op, ok := assigning[t.text]
	if !ok || t.kind != signToken {
		return to
	}
	switch to.(type) {
	case *Name, *Unary, *Index, *Member:
	default:
		p.fail("C: cannot assign to the expression before %q", t.text)
	}
	if u, ok := to.(*Unary); ok && u.Op != "*" {
		p.fail("C: cannot assign to the expression before %q", t.text)
	}
	p.at++
	return &Assign{at, op, to, p.assignment()}
}

// assigning maps the assignment operators to the operators that they apply.
var assigning = map[string]string{
	"=": "", "+=": "+", "-=": "-", "*=": "*", "/=": "/", "%=": "%", "&=": "&", "|=": "|", "^=": "^",
	"<<=": "<<", ">>=": ">>",
}

func (p *parser) ternary() Expr {
	x := p.binary(0)
	at := p.place()
	if !p.accept("?") {
		return x
	}
	defer p.nest()()
	t := &Ternary{Place: at, If: x, Then: p.assignment()}
	p.expect(":", "of a conditional expression")
	t.Else = p.assignment()
	return t
}

// levels lists the binary operators by precedence, the loosest first.
var levels = [][]string{
	{"||"},
	{"&&"},
	{"|"},
	{"^"},
	{"&"},
	{"==", "!="},
	{"<", "<=", ">", ">="},
	{"<<", ">>"},
	{"+", "-"},
	{"*", "/", "%"},
}

func (p *parser) binary(level int) Expr {
	if level == len(levels) {
		return p.unary()
	}
	x := p.binary(level + 1)
	for {
		at, op := p.place(), ""
		for _, o := range levels[level] {
			if p.is(o) && p.tok().kind == signToken {
				op = o
			}
		}
		if op == "" {
			return x
		}
		p.at++
		x = &Binary{at, op, x, p.binary(level + 1)}
	}
}

// unary = ("-" | "+" | "!" | "~" | "*" | "&" | "++" | "--" | "(" type ")") unary | postfix .
func (p *parser) unary() Expr {
	defer p.nest()()
	at, t := p.place(), p.tok()
	if t.kind != signToken {
		return p.postfix()
	}
	switch t.text {
	case "-", "+", "!", "~", "*", "&", "++", "--":
		p.at++
		x := p.unary()
		if _, isName := x.(*Name); t.text == "&" && !isName {
			switch x := x.(type) {
			case *Unary:
				if x.Op == "*" { // &*p is p
					return x.X
				}
				p.fail("C: & needs a location or a local variable")
			case *Index, *Member:
			default:
				p.fail("C: & needs a location or a local variable")
			}
		}
		return &Unary{at, t.text, x}
	case "(":
		if _, n := readType(p.toks[p.at+1:]); n > 0 && p.peek(1+n).text == ")" {
			typ, _ := readType(p.toks[p.at+1 : p.at+1+n])
			p.at += n + 2
			return &Cast{at, typ, p.unary()}
		}
	}
	return p.postfix()
}

// postfix = primary { "[" expr "]" | "->" name | "." name | "++" | "--" } .
func (p *parser) postfix() Expr {
	x := p.primary()
	for {
		at := p.place()
		switch {
		case p.accept("["):
			i := p.expr()
			p.expect("]", "after an index")
			x = &Index{at, x, i}
		case p.accept("->"):
			x = p.member(at, x)
		case p.is("."):
			if u, ok := x.(*Unary); ok && u.Op == "*" { // (*p).f is p->f
				p.at++
				x = p.member(at, u.X)
				continue
			}
			p.fail("C: use -> to access a field: structures are in memory, and local variables contain their addresses")
		case p.is("++"), p.is("--"):
			x = &Postfix{at, p.tok().text, x}
			p.at++
		default:
			return x
		}
	}
}

func (p *parser) member(at Place, x Expr) Expr {
	if p.tok().kind != wordToken {
		p.fail("C: got %s, want the name of a field", p.got())
	}
	m := &Member{at, x, p.tok().text}
	p.at++
	return m
}

// primary = number | name [ "(" [ assignment { "," assignment } ] ")" ] | "(" expr ")" .
func (p *parser) primary() Expr {
	at, t := p.place(), p.tok()
	switch {
	case t.kind == numberToken:
		v, unsigned, ok := number(t.text)
		if !ok {
			p.fail("C: %q is not an integer constant of at most 64 bits", litmus.Shorten(t.text))
		}
		p.at++
		return &Number{at, v, unsigned}
	case t.kind == wordToken && p.peek(1).text == "(":
		p.at += 2
		c := &Call{Place: at, Func: t.text}
		for !p.accept(")") {
			c.Args = append(c.Args, p.assignment())
			if !p.is(")") {
				p.expect(",", "or \")\" after an argument")
			}
		}
		return c
	case t.kind == wordToken:
		p.at++
		return &Name{at, t.text}
	case p.accept("("):
		x := p.expr()
		p.expect(")", "after an expression")
		return x
	}
	p.fail("C: got %s, want an expression", p.got())
	panic("unreachable")
}

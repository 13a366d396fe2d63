package litmus

import "strings"

// maxDepth bounds the height of a proposition. A small multiple of it bounds its nesting as written, which includes
// redundant parentheses.
const maxDepth = 1000

// proposition reads a whole proposition.
func (p *parser) proposition() Prop {
	start := p.pos()
	prop := p.prop()
	if height(prop) > maxDepth {
		panic(Errorf(start, "the proposition nests more than %d deep", maxDepth))
	}
	return prop
}

// prop reads operands of \/. As in herd, => binds tighter than /\, which binds tighter than \/: a /\ b => c is a /\ (b
// => c).
func (p *parser) prop() Prop {
	p.enter("proposition")
	defer p.leave()
	args := []Prop{p.and()}
	for p.connective(`\/`) {
		args = append(args, p.and())
	}
	if len(args) == 1 {
		return args[0]
	}
	return Or{args}
}

func (p *parser) enter(what string) {
	if p.depth++; p.depth > 4*maxDepth {
		p.failf("the %s nests too deeply", what)
	}
}

func (p *parser) leave() { p.depth-- }

// foreign are connectives of other languages, with those of conditions.
var foreign = [][2]string{
	{"&&", `/\`}, {"&", `/\`}, {"and", `/\`}, {"||", `\/`}, {"|", `\/`}, {"or", `\/`}, {"->", "=>"}, {"==>", "=>"},
}

// connective accepts the symbol if it comes next. It rejects a connective of another language and names the right one;
// if the caller collects errors, it then continues as if the right one were there.
func (p *parser) connective(symbol string) bool {
	word := p.peekWord()
	for _, f := range foreign {
		if word != f[0] && (word != "" || !p.peek(f[0])) {
			continue
		}
		e := Errorf(p.pos(), "got %q, want %s in a condition", f[0], f[1]).WithFix(p.pos(), f[0], f[1])
		if !p.all || f[1] == "=>" || len(p.errs) >= maxItemErrors {
			panic(e)
		}
		if f[1] != symbol {
			return false // the caller's caller accepts it
		}
		p.errs = append(p.errs, e)
		p.accept(f[0])
		return true
	}
	return p.accept(symbol)
}

// passComparison skips the rest of a broken comparison, up to a connective or a parenthesis. It reports whether there
// is one.
func (p *parser) passComparison() bool {
	rest := p.text[p.at:]
	at := -1
	for _, end := range []string{`/\`, `\/`, "&&", "||", ")"} {
		if i := strings.Index(rest, end); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	if at < 0 || len(p.errs) >= maxItemErrors {
		return false
	}
	p.at += at
	return true
}

func (p *parser) and() Prop {
	args := []Prop{p.implication()}
	for p.connective(`/\`) {
		args = append(args, p.implication())
	}
	if len(args) == 1 {
		return args[0]
	}
	return And{args}
}

// implication reads a => b => c, which is a => (b => c).
func (p *parser) implication() Prop {
	left := p.not()
	if !p.accept("=>") {
		return left
	}
	p.enter("proposition")
	defer p.leave()
	return Implies{left, p.implication()}
}

// not reads a negation, a proposition in parentheses, a constant, or a comparison. A comparison has a place on its
// left, and a value, a place or the values of a whole array on its right.
func (p *parser) not() Prop {
	switch {
	case p.accept("~"), p.acceptWord("not"):
		p.enter("proposition")
		defer p.leave()
		return Not{p.not()}
	case p.accept("("):
		if p.inC && p.accept(")") { // an old form
			return Bool(true)
		}
		inner := p.prop()
		p.expect(")", "to close (")
		return inner
	case p.acceptWord("true"):
		return Bool(true)
	case p.acceptWord("false"):
		return Bool(false)
	}
	if constant, ok := p.numbers(); ok {
		return constant
	}
	if p.peek("!") {
		panic(Errorf(p.pos(), "got \"!\", want ~ or not in a condition").WithFix(p.pos(), "!", "~"))
	}
	if !p.all {
		return p.comparison()
	}
	var atom Prop = Bool(true)
	if !p.recovers(func() { atom = p.comparison() }) && !p.passComparison() {
		panic(p.takeLast())
	}
	return atom
}

// comparison reads an atom: a place, = or !=, and a value, a place or the values of a whole array.
func (p *parser) comparison() Prop {
	a := Atom{Left: p.place()}
	if a.Left.Fault.Asked {
		a.NotEqual = true
		return a
	}
	switch {
	case p.accept("!="), p.accept("<>"):
		a.NotEqual = true
	case p.accept("=="), p.accept("="):
	default:
		p.failf("got %s, want = or != after %s", p.next(), a.Left)
	}
	if r := p.rest(); startsRegister(r) || p.peek("[") {
		o := p.place()
		a.Other = &o
		return a
	}
	if p.peek("{") {
		return p.wholeArray(a)
	}
	a.Literal = p.literal()
	return a
}

// wholeArray reads x={1,2}: each element has its value.
func (p *parser) wholeArray(a Atom) Prop {
	if a.Left.IsRegister() && !(p.system() && isVectorShape(a.Left.Name)) || a.Left.Index >= 0 {
		p.failf("got \"{\", want one value: only a whole array can be compared with several")
	}
	p.accept("{")
	var all And
	for !p.accept("}") {
		p.room(len(all.Args))
		element := Atom{Left: a.Left}
		element.Left.Index = len(all.Args)
		element.Literal = p.literal()
		all.Args = append(all.Args, element)
		if !p.peek("}") {
			p.expect(",", "between array elements")
		}
	}
	if len(all.Args) == 0 {
		p.failf("want the values of the elements of %s between { and }", a.Left.Name)
	}
	for i, arg := range all.Args {
		element := arg.(Atom)
		element.Left.Whole = len(all.Args)
		all.Args[i] = element
	}
	if a.NotEqual {
		return Not{all}
	}
	return all
}

// startsRegister distinguishes "0:EAX" from "0".
func startsRegister(r string) bool {
	i := 0
	for i < len(r) && (isDigit(r[i]) || i == 0 && r[i] == 'P') {
		i++
	}
	return i > 0 && r[i-1] != 'P' && i < len(r) && r[i] == ':'
}

// isVectorShape reports whether a register is a vector with the number and the width of its elements, as V1.4S.
func isVectorShape(name string) bool {
	_, shape, ok := strings.Cut(name, ".")
	return ok && len(shape) > 1 && isDigit(shape[0]) && (name[0] == 'V' || name[0] == 'v')
}

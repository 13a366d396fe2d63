package cat

import (
	"slices"
	"strings"

	"litmuscope/litmus"
)

// Mark is a word, a symbol or a comment of a file's text, for highlighting.
type Mark struct {
	Span
	Kind MarkKind
	Text string // a string or a tag without its quotes
	// Name describes a name; nil for all else.
	Name *NameUse
}

// MarkKind is the kind of a mark.
type MarkKind int

// The kinds of marks.
const (
	MarkSymbol MarkKind = iota
	MarkComment
	MarkText // in quotes
	MarkKeyword
	MarkName
	MarkTagName // 'tag
	MarkNumber
)

// NameUse is an occurrence of a name: its definition or a use.
type NameUse struct {
	// Def is the index of the mark of the definition; its own for a definition. It is -1 if the file has no definition.
	Def  int
	Kind NameKind // of the definition; Free without one
	// Top: files that include this one can use the name.
	Top bool
	Doc string // the comment of a definition
}

// NameKind is the kind of thing that a name is bound to.
type NameKind int

// The kinds of names.
const (
	Free       NameKind = iota // not bound in the file
	Defined                    // a set, a relation, a member, a type of tags
	Function                   // with parameters
	Procedural                 // a procedure
	Parameter                  // of a function or procedure
	CheckName                  // a check
)

// Marks splits a file's text into marks, and finds for each name its definition in the file. In a text with errors,
// names whose definition is unknown are Free.
func Marks(file, source string) []Mark {
	if len(source) > MaxText {
		return nil
	}
	tokens, remarks, _ := lex(file, source)
	f, _ := Parse(file, source)
	b := &binder{at: map[litmus.Pos]int{}, tokens: tokens}
	for i, t := range tokens {
		b.at[t.pos] = i
		b.uses = append(b.uses, NameUse{Def: -1})
	}
	b.decls(f.Decls, nil, true)
	out := make([]Mark, 0, len(tokens)+len(remarks))
	index := make([]int, len(tokens)) // by token: its index among the marks
	end := 0
	// comments adds the comments before a place: remarks, and lines after // or #, which are not remarks.
	comments := func(to int) {
		for at := end; at < to; at++ {
			for len(remarks) > 0 && at == remarks[0].span.From {
				out = append(out, Mark{Span: remarks[0].span, Kind: MarkComment})
				at, remarks = remarks[0].span.To, remarks[1:]
			}
			if at < to && (source[at] == '#' || strings.HasPrefix(source[at:], "//")) {
				n := strings.IndexByte(source[at:to], '\n')
				if n < 0 {
					n = to - at
				}
				out = append(out, Mark{Span: Span{at, at + n}, Kind: MarkComment})
				at += n
			}
		}
	}
	for i, t := range tokens {
		if t.span.From < t.span.To && t.kind != unreadToken {
			comments(t.span.From)
			end = t.span.To
		}
		index[i] = len(out)
		m := Mark{Span: t.span, Text: t.text}
		switch {
		case t.kind == endToken || t.kind == unreadToken || t.span.From == t.span.To:
			continue
		case t.kind == textToken:
			m.Kind = MarkText
		case t.kind == tagToken:
			m.Kind = MarkTagName
		case t.kind == numberToken || t.kind == "0":
			m.Kind = MarkNumber
		case t.kind == nameToken && (slices.Contains(keywords, t.text) || slices.Contains(unsupported, t.text)):
			m.Kind = MarkKeyword
		case t.kind == nameToken:
			m.Kind, m.Name = MarkName, &b.uses[i]
		}
		out = append(out, m)
	}
	comments(len(source))
	for _, m := range out {
		if m.Name != nil && m.Name.Def >= 0 {
			m.Name.Def = index[m.Name.Def]
		}
	}
	return out
}

// IsName reports whether a text can be the name of a definition.
func IsName(text string) bool {
	tokens, remarks, errs := lex("", text)
	return len(errs) == 0 && len(remarks) == 0 && len(tokens) == 2 && tokens[0].kind == nameToken &&
		tokens[0].text == text &&
		!slices.Contains(keywords, text) && !slices.Contains(unsupported, text)
}

// binder resolves names. The syntax tree does not have the places of parameters and the like; they are found among the
// tokens after the word that precedes them.
type binder struct {
	tokens []token
	at     map[litmus.Pos]int // index of the token at a place
	uses   []NameUse          // by token
}

// names is the list of visible names, the last one bound first.
type names struct {
	name  string
	token int
	outer *names
}

func (n *names) find(name string) int {
	for ; n != nil; n = n.outer {
		if n.name == name {
			return n.token
		}
	}
	return -1
}

// define binds the name of a token.
func (b *binder) define(in *names, token int, kind NameKind, top bool, doc string) *names {
	b.uses[token] = NameUse{Def: token, Kind: kind, Top: top, Doc: doc}
	return &names{b.tokens[token].text, token, in}
}

// next returns the index of the first token from an index on that is the name, up to a symbol or the end; -1 if there
// is none.
func (b *binder) next(from int, name string) int {
	for i := from; i < len(b.tokens); i++ {
		if b.tokens[i].kind == nameToken && b.tokens[i].text == name {
			return i
		}
	}
	return -1
}

// params binds the parameters that follow a token.
func (b *binder) params(in *names, behind int, params []string) *names {
	for _, p := range params {
		if p == "_" {
			continue
		}
		if i := b.next(behind+1, p); i >= 0 {
			in, behind = b.define(in, i, Parameter, false, ""), i
		}
	}
	return in
}

func (b *binder) decls(decls []Decl, in *names, top bool) *names {
	for _, d := range decls {
		in = b.decl(d, in, top)
	}
	return in
}

// decl binds the names that a declaration defines, for the declarations after it.
func (b *binder) decl(d Decl, in *names, top bool) *names {
	switch d := d.(type) {
	case Let:
		return b.let(d, in, top)
	case Check:
		b.expr(d.Expr, in)
		b.axiom(d.Pos, d.Name)
	case Show:
		b.expr(d.Expr, in)
		if n, named := d.Expr.(Name); !named || n.Name != d.Name {
			b.axiom(d.Pos, d.Name)
		}
	case Procedure:
		if i, known := b.at[d.Pos]; known && b.next(i+1, d.Name) == i+1 {
			inner := b.params(in, i+1, d.Params)
			b.decls(d.Body, inner, false)
			return b.define(in, i+1, Procedural, top, "")
		}
	case Invoke:
		if i, known := b.at[d.Pos]; known {
			b.use(i+1, in)
		}
		for _, a := range d.Args {
			b.expr(a, in)
		}
	case With:
		b.expr(d.From, in)
		return b.bindAfter(d.Pos, d.Name, in, top)
	case Enum:
		return b.bindAfter(d.Pos, d.Name, in, top)
	case Instructions:
		b.expr(d.Tags, in)
	case Forall:
		b.expr(d.In, in)
		return b.decls(d.Body, b.bindAfter(d.Pos, d.Name, in, false), top)
	case MatchDecl:
		b.expr(d.Match.X, in)
		cursor := b.at[d.Match.Pos]
		for i, decls := range d.Decls {
			in = b.decls(decls, b.member(d.Match.Cases[i], &cursor, in), top)
		}
	case Choice:
		b.condition(d.If, in)
		return b.decls(d.Else, b.decls(d.Then, in, top), top)
	}
	return in
}

// bindAfter binds the name that follows the word at a place.
func (b *binder) bindAfter(pos litmus.Pos, name string, in *names, top bool) *names {
	if i, known := b.at[pos]; known && b.next(i+1, name) == i+1 {
		return b.define(in, i+1, Defined, top, "")
	}
	return in
}

// axiom marks the name of a check, or of a shown relation, after its as. No name in an expression refers to it.
func (b *binder) axiom(pos litmus.Pos, name string) {
	from, known := b.at[pos]
	if !known || name == "" {
		return
	}
	for i := from; i+1 < len(b.tokens); i++ {
		if b.tokens[i].text == "as" && b.tokens[i].kind == nameToken && b.tokens[i+1].text == name {
			b.uses[i+1] = NameUse{Def: i + 1, Kind: CheckName}
			return
		}
	}
}

// let binds the names of a let. In let rec, and for functions, bodies see the names themselves; else they see the names
// from before.
func (b *binder) let(d Let, in *names, top bool) *names {
	outer, known := in, in
	bind := func(g Binding) {
		i, found := b.at[g.Pos]
		if !found {
			return
		}
		kind := Defined
		if g.Params != nil {
			kind = Function
		}
		for _, name := range append(g.Names, g.Name) {
			if name == "" || name == "_" {
				continue
			}
			if i = b.next(i, name); i < 0 {
				return
			}
			known = b.define(known, i, kind, top, g.Source.Doc)
			i++
		}
	}
	body := func(g Binding, in *names) {
		if i, found := b.at[g.Pos]; found {
			b.expr(g.Body, b.params(in, i, g.Params))
		}
	}
	if d.Rec {
		for _, g := range d.Bindings {
			bind(g)
		}
		for _, g := range d.Bindings {
			body(g, known)
		}
		return known
	}
	for _, g := range d.Bindings {
		body(g, outer)
	}
	for _, g := range d.Bindings {
		bind(g)
	}
	return known
}

// use records the definition that the name of a token refers to.
func (b *binder) use(token int, in *names) {
	if token >= len(b.tokens) || b.tokens[token].kind != nameToken {
		return
	}
	if def := in.find(b.tokens[token].text); def >= 0 {
		b.uses[token] = NameUse{Def: def, Kind: b.uses[def].Kind, Top: b.uses[def].Top}
	}
}

// expr records the uses of names in an expression. Names that fun, let … in and match bind are visible only in their
// bodies.
func (b *binder) expr(e Expr, in *names) {
	switch e := e.(type) {
	case Name:
		if i, known := b.at[e.Pos]; known && b.tokens[i].text == e.Name {
			b.use(i, in)
		}
	case Call:
		b.expr(e.Func, in)
		b.expr(e.Arg, in)
	case Tuple:
		for _, m := range e.Members {
			b.expr(m, in)
		}
	case Fun:
		if i, known := b.at[e.Pos]; known {
			b.expr(e.Body, b.params(in, i, e.Params))
		}
	case LetIn:
		b.expr(e.Body, b.let(e.Let, in, false))
	case Try:
		b.expr(e.X, in)
		b.expr(e.Else, in)
	case If:
		b.condition(e.Cond, in)
		b.expr(e.Then, in)
		b.expr(e.Else, in)
	case Members:
		for _, m := range e.Of {
			b.expr(m, in)
		}
	case Match:
		b.expr(e.X, in)
		cursor := b.at[e.Pos]
		for _, c := range e.Cases {
			b.expr(c.Body, b.member(c, &cursor, in))
		}
	case Unary:
		b.expr(e.X, in)
	case Binary:
		b.expr(e.X, in)
		b.expr(e.Y, in)
	}
}

func (b *binder) condition(c Condition, in *names) {
	for _, o := range c.Operands {
		b.condition(o, in)
	}
	if c.X != nil {
		b.expr(c.X, in)
		b.expr(c.Y, in)
	}
}

// member binds the names that a case splits a set into. cursor moves past its pattern.
func (b *binder) member(c Case, cursor *int, in *names) *names {
	if c.Pattern != MatchMember {
		return in
	}
	for i := *cursor; i+3 < len(b.tokens); i++ {
		if b.tokens[i].text == c.Member && b.tokens[i+1].kind == "++" && b.tokens[i+2].text == c.Rest &&
			b.tokens[i+3].kind == "->" {
			*cursor = i + 3
			if c.Member != "_" {
				in = b.define(in, i, Parameter, false, "")
			}
			if c.Rest != "_" {
				in = b.define(in, i+2, Parameter, false, "")
			}
			break
		}
	}
	return in
}

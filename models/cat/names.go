package cat

import (
	"slices"
	"strings"

	"litmuscope/litmus"
)

// Mark is a word, a symbol or a comment of a file's text, for those who show it.
type Mark struct {
	Span
	Kind MarkKind
	Text string // of a text in quotes and of a tag, without these
	// Name says what a name is, and is nil for all else.
	Name *NameUse
}

// MarkKind tells marks apart.
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

// NameUse is a name where it stands: at its definition, or where that is meant.
type NameUse struct {
	// Def is the mark of the definition that is meant, by index: its own where it is one. It is -1
	// where the file has none.
	Def  int
	Kind NameKind // of the definition; Free where there is none
	// Top: those who include the file may mean it.
	Top bool
	Doc string // of a definition: its comment
}

// NameKind is what a name was given to.
type NameKind int

// The kinds of names.
const (
	Free       NameKind = iota // to nothing in the file
	Defined                    // a set, a relation, a member, a type of tags
	Function                   // with parameters
	Procedural                 // a procedure
	Parameter                  // of one of these
	CheckName                  // a check
)

// Marks takes a file's text apart, and says of each name which definition of the file is meant. Where the text is
// broken, names that cannot be told are Free.
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
	index := make([]int, len(tokens)) // of a token among the marks
	end := 0
	// comments adds those before a place: remarks, and lines behind // or #, which are none.
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

// IsName tells whether a text may be the name of a definition.
func IsName(text string) bool {
	tokens, remarks, errs := lex("", text)
	return len(errs) == 0 && len(remarks) == 0 && len(tokens) == 2 && tokens[0].kind == nameToken &&
		tokens[0].text == text &&
		!slices.Contains(keywords, text) && !slices.Contains(unsupported, text)
}

// binder finds what names mean. The syntax tree has no places of parameters and the like, which are found among the
// tokens behind the word that comes before them.
type binder struct {
	tokens []token
	at     map[litmus.Pos]int // where tokens are
	uses   []NameUse          // by token
}

// names in sight: a list, the last one bound first.
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

// define binds the name that a token is.
func (b *binder) define(in *names, token int, kind NameKind, top bool, doc string) *names {
	b.uses[token] = NameUse{Def: token, Kind: kind, Top: top, Doc: doc}
	return &names{b.tokens[token].text, token, in}
}

// next is the first token from one on that is a name of a text, up to a symbol or the end.
func (b *binder) next(from int, name string) int {
	for i := from; i < len(b.tokens); i++ {
		if b.tokens[i].kind == nameToken && b.tokens[i].text == name {
			return i
		}
	}
	return -1
}

// params binds the parameters behind a token.
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

// decl binds what a declaration defines, for those behind it.
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
		return b.behind(d.Pos, d.Name, in, top)
	case Enum:
		return b.behind(d.Pos, d.Name, in, top)
	case Instructions:
		b.expr(d.Tags, in)
	case Forall:
		b.expr(d.In, in)
		return b.decls(d.Body, b.behind(d.Pos, d.Name, in, false), top)
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

// behind binds the name that follows the word at a place.
func (b *binder) behind(pos litmus.Pos, name string, in *names, top bool) *names {
	if i, known := b.at[pos]; known && b.next(i+1, name) == i+1 {
		return b.define(in, i+1, Defined, top, "")
	}
	return in
}

// axiom makes out the name of a check, or of what is shown, behind its as: no name in an expression means it.
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

// use notes what the name means that a token is.
func (b *binder) use(token int, in *names) {
	if token >= len(b.tokens) || b.tokens[token].kind != nameToken {
		return
	}
	if def := in.find(b.tokens[token].text); def >= 0 {
		b.uses[token] = NameUse{Def: def, Kind: b.uses[def].Kind, Top: b.uses[def].Top}
	}
}

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

// member binds what a case takes a set apart to; the cursor goes on behind its pattern.
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

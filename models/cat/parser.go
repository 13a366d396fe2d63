package cat

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
)

// Parse parses one cat file. Its grammar is in grammar.txt; each production is also above the method that parses it.
// Errors are a [litmus.ErrorList]: after an error, parsing continues at the next declaration. The returned file has the
// declarations without errors.
func Parse(file, source string) (*File, error) {
	if len(source) > MaxText {
		return &File{Name: file, Broken: true}, tooLong(litmus.Pos{File: file, Line: 1, Col: 1})
	}
	tokens, remarks, errs := lex(file, source)
	p := &parser{tokens: tokens, remarks: remarks, errs: errs}
	f := &File{Name: file}
	p.safely(func() {
		f.Title = p.title()
		for !p.is(endToken) {
			if p.isWord("end") && len(p.errs) > 0 { // left over from a declaration with an error
				p.at++
				continue
			}
			f.Decls = append(f.Decls, p.recovered()...)
		}
	})
	f.Broken = len(p.errs) > 0
	f.unions = p.unions
	return f, p.errs.Sorted().Err()
}

// Bounds on a model's text: on a file, or on all files that are included together, in bytes; on the number of included
// files; and on names and strings, in bytes.
const (
	MaxText  = 1 << 20
	MaxFiles = 256
	maxName  = 256
)

func tooLong(pos litmus.Pos) litmus.ErrorList {
	return litmus.ErrorList{litmus.Errorf(pos, "the model is longer than %d KiB", MaxText>>10)}
}

// MaxErrors bounds how many errors of one kind are reported at once: errors of syntax, and errors of resolution.
const MaxErrors = 20

type parser struct {
	tokens  []token
	remarks []remark
	at      int
	depth   int // of nesting
	nodes   int // of the declaration's expressions, so far
	blocks  int // the procedures and ifs around the declaration
	errs    litmus.ErrorList
	unions  []union
}

// enough stops the parser after too many errors.
type enough struct{}

// unread stops the parsing of a declaration in which the lexer has found an error.
type unread struct{}

// safely runs f to its end, or until enough errors are reported.
func (p *parser) safely(f func()) {
	defer func() {
		if e := recover(); e != nil && e != (enough{}) {
			panic(e)
		}
	}()
	f()
}

// recovered parses a declaration, or skips one with errors.
func (p *parser) recovered() (out []Decl) {
	start, depth, blocks := p.at, p.depth, p.blocks
	p.nodes = 0
	defer func() {
		switch e := recover().(type) {
		case nil:
			return
		case unread:
		case *litmus.Error:
			if p.errs = append(p.errs, e); len(p.errs) >= MaxErrors {
				panic(enough{})
			}
		default:
			panic(e)
		}
		p.depth, p.blocks = depth, blocks
		out = []Decl{p.skip(start)}
	}()
	return p.decl()
}

// skip moves to the next possible beginning of a declaration: a declaration word that is the first on its line and, if
// the word also occurs in expressions, is indented no more than the broken declaration. It records the names that the
// skipped text would have defined.
func (p *parser) skip(start int) Decl {
	open := 0 // open begin and match, each of which may have an end
	first := p.tokens[start]
	failed := max(p.at, start+1)
	for p.at = start; !p.is(endToken); p.at++ {
		t := p.tok()
		inside := t.pos.Col > first.pos.Col
		if p.at >= failed && t.kind == nameToken && t.pos.Line > p.tokens[p.at-1].pos.Line &&
			(slices.Contains(declWords, t.text) || !inside && slices.Contains(bothWords, t.text) ||
				!inside && open == 0 && p.blocks > 0 && (t.text == "end" || t.text == "else")) {
			break
		}
		switch {
		case p.isWord("begin"), p.isWord("match"):
			open++
		case p.isWord("end"):
			open = max(0, open-1)
		}
	}
	var b Broken
	for i := start; i < p.at; i++ {
		if t := p.tokens[i+1]; slices.Contains(bindWords, p.tokens[i].text) && t.kind == nameToken {
			b.Names = append(b.Names, t.text)
		}
	}
	return b
}

// keywords cannot be names. Those in unsupported belong to parts of the language that this parser does not read.
var (
	keywords = []string{
		"let", "rec", "and", "in", "acyclic", "irreflexive", "empty", "as", "show", "unshow", "include", "flag",
		"undefined_unless", "procedure", "call", "end", "with", "from", "enum", "instructions", "fun", "try", "match",
		"if", "then", "else", "begin", "assert", "forall", "do", "when", "subset",
	}
	unsupported = []string{"debug", "yield", "default"}
	// declWords begin only declarations, bothWords also expressions. A name that is defined follows bindWords.
	declWords = []string{
		"acyclic", "irreflexive", "empty", "show", "unshow", "include", "flag", "undefined_unless",
		"assert", "procedure",
		"call", "enum", "instructions", "forall",
	}
	bothWords = []string{"let", "if", "with", "match"}
	bindWords = []string{"let", "rec", "and", "procedure", "enum", "with"}
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
	if t.kind == unreadToken {
		panic(unread{})
	}
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

func (p *parser) expectWord(w string) {
	if !p.acceptWord(w) {
		p.fail(strconv.Quote(w))
	}
}

func (p *parser) name(what string) token {
	t := p.tok()
	if !p.isName() {
		p.fail(what)
	}
	p.at++
	return t
}

func (p *parser) isName() bool {
	t := p.tok()
	return t.kind == nameToken && !slices.Contains(keywords, t.text) && !slices.Contains(unsupported, t.text)
}

// maxDepth bounds the nesting of declarations, expressions and conditions.
const maxDepth = 500

// nest records that a declaration, an expression or a condition is nested in another. The caller calls the returned
// function at its end.
func (p *parser) nest(what string) func() {
	if p.depth++; p.depth > maxDepth {
		p.fail("a simpler " + what + ": this one nests too deeply")
	}
	return func() { p.depth-- }
}

// node counts a part of an expression or a condition. The bound also limits nesting without parentheses, because a
// chain of operators is as deep as it is long.
func (p *parser) node() {
	if p.nodes++; p.nodes > maxSize {
		p.fail(fmt.Sprintf("a shorter declaration: this one has more than %d names and operators", maxSize))
	}
}

// titleWord rejects a word of a title that begins a line and is followed by others, as a misspelt declaration is. A
// title must not swallow a declaration.
func (p *parser) titleWord(t token) {
	begins := p.at == 0 || t.pos.Line > p.tokens[p.at-1].pos.Line
	behind := p.tokens[min(p.at+1, len(p.tokens)-1)]
	if !begins || behind.kind != nameToken || behind.pos.Line != t.pos.Line || t.text != strings.ToLower(t.text) {
		return
	}
	if near := litmus.DidYouMean(t.text, declWords); len(near.Near) >= len("empty") {
		// shorter words resemble words of titles
		p.errs = append(p.errs, litmus.Errorf(t.pos, "%s does not begin a declaration%s", t.text, near))
	}
}

// title reads what precedes the first declaration: the name of an architecture, the model's title and its options. A
// string is the title if there is one, else the words are.
//
//	title = {NAME | number | string} .
func (p *parser) title() string {
	var words []string
	for title := ""; ; p.at++ {
		switch t := p.tok(); {
		case p.is(textToken):
			title = t.text
		case p.is(numberToken), p.is("0"), p.isName():
			p.titleWord(t)
			words = append(words, t.text)
		case title != "":
			return title
		default:
			return strings.Join(words, " ")
		}
	}
}

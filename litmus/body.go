package litmus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// bodies reads threads one below another, as in C: P0(int *x) { … }.
func (p *parser) bodies() {
	for len(p.test.Threads) == 0 || !p.done() && !p.atCondition() && !p.peek("<<") {
		if !p.all {
			p.function()
		} else if !p.recovers(p.function) && !p.passFunction() {
			panic(p.takeLast())
		}
	}
}

// passFunction skips a broken thread, up to the next line that begins a thread or what follows the threads. It reports
// whether there is such a line.
func (p *parser) passFunction() bool {
	if len(p.errs) >= maxItemErrors || len(p.test.Threads) == 0 {
		return false
	}
	t := &p.test.Threads[len(p.test.Threads)-1]
	t.Cells = nil // half of a thread would cause further errors
	for {
		p.line()
		if p.at == len(p.text) {
			return false
		}
		p.at++
		_, thread := threadID(wordOf(p.text[p.at:]))
		if c := p.text[p.at:]; c != "" && !isBlank(c[0]) && (thread || p.atCondition()) {
			return true
		}
	}
}

// function reads one thread of a C test.
func (p *parser) function() {
	name := Cell{Pos: p.pos(), Text: p.peekWord()}
	if _, ok := threadID(name.Text); !ok {
		after := ""
		if len(p.test.Threads) > 0 {
			p.noCondition()
			after = " or the condition"
		}
		p.failf("got %s, want a thread such as P%d(int *x) { ... }%s", p.next(), len(p.test.Threads), after)
	}
	if len(p.test.Threads) == MaxThreads {
		p.failf("more than %d threads", MaxThreads)
	}
	if scopes[p.test.Arch] != nil || strings.HasPrefix(p.text[p.at+len(name.Text):], "@") {
		if open := strings.IndexByte(p.text[p.at:], '('); open > 0 {
			name.Text = trim(p.text[p.at : p.at+open])
		}
	}
	p.thread(name)
	p.at += len(name.Text)
	name.Text, _, _ = strings.Cut(name.Text, "@")
	p.params(name.Text)
	p.body(name)
}

// maxParams bounds the parameters of a thread.
const maxParams = 1024

// params reads a thread's parameters with their parentheses.
func (p *parser) params(thread string) {
	if !p.accept("(") {
		p.failf("got %s, want the parameters and the body of %s, as in %s(int *x) { ... }: tests in C do not write "+
			"threads in columns", p.next(), thread, thread)
	}
	t := &p.test.Threads[len(p.test.Threads)-1]
	if mark := p.at; p.acceptWord("void") && !p.peek(")") {
		p.at = mark
	}
	for !p.accept(")") {
		if len(t.Params) > 0 {
			p.expect(",", "between the parameters of "+thread)
		}
		if len(t.Params) == maxParams {
			p.failf("%s has more than %d parameters", thread, maxParams)
		}
		q := p.param()
		if slices.ContainsFunc(t.Params, func(other Param) bool { return other.Name == q.Name }) {
			panic(Errorf(q.Pos, "%s has the parameter %s twice", thread, q.Name))
		}
		t.Params = append(t.Params, q)
	}
}

// param reads a type and a name. An array parameter is a pointer.
func (p *parser) param() Param {
	p.skipBlanks()
	words := p.typeWords()
	last := len(words) - 1
	if last < 0 || words[0].Text == "*" || wordOf(words[last].Text) != words[last].Text {
		p.failf("got %s, want a parameter such as int *x", p.next())
	}
	q := Param{Pos: words[last].Pos, Name: words[last].Text}
	if last == 0 {
		panic(Errorf(q.Pos, "parameter %s has no type: want one such as int *%s", q.Name, q.Name))
	}
	var typ []string
	for _, w := range words[:last] {
		if slices.Contains(typ, "*") && !pointerWord[w.Text] {
			panic(Errorf(w.Pos, "got %q behind *, want one name, then , or )", w.Text))
		}
		typ = append(typ, w.Text)
	}
	for p.accept("[") {
		if !p.peek("]") {
			p.number("the length of an array, or ]")
		}
		p.expect("]", "after the length of an array")
		typ = append(typ, "*")
	}
	q.Type = strings.Join(typ, " ")
	return q
}

// pointerWord has the words that may come between a star and a name.
var pointerWord = map[string]bool{
	"*": true, "const": true, "volatile": true, "restrict": true, "__restrict": true,
	"_Atomic": true,
}

// typeWords reads words, _Atomic(int) as one of them, and stars: a type, and a name if one follows.
func (p *parser) typeWords() (words []Word) {
	for {
		pos, w := p.pos(), p.peekWord()
		switch {
		case w != "":
			p.at += len(w)
			if w == "_Atomic" {
				w += p.atomicOf()
			}
		case p.accept("*"):
			w = "*"
		default:
			return words
		}
		if words = append(words, Word{pos, w}); len(words) > maxType {
			panic(Errorf(pos, "the type has more than %d words and stars", maxType))
		}
	}
}

// atomicOf reads the rest of _Atomic(int).
func (p *parser) atomicOf() string {
	if !p.accept("(") {
		return ""
	}
	inner := []string{p.word("a type")}
	for !p.accept(")") {
		w := "*"
		if !p.accept(w) {
			w = p.word("* or ) after the type in _Atomic(...)")
		}
		if inner = append(inner, w); len(inner) > maxType {
			p.failf("the type has more than %d words and stars", maxType)
		}
	}
	return "(" + strings.Join(inner, " ") + ")"
}

// block is an open { or (.
type block struct {
	at   int
	open byte
	word string // the word before it: "do", "for"
}

// body reads a thread's statements with their braces, and splits them into cells.
func (p *parser) body(thread Cell) {
	p.expect("{", "to open the body of "+thread.Text)
	b := &bodyReader{parser: p, open: []block{{at: p.at - 1, open: '{'}}}
	for p.skipBlanks(); ; p.skipBlanks() {
		if p.at == len(p.text) {
			p.at = b.open[0].at
			p.failf("the body of %s is not closed: want }", thread.Text)
		}
		if len(b.open) == 1 && p.text[p.at] == '}' {
			p.at++
			return
		}
		c := Cell{Pos: p.pos()}
		start := p.at
		b.statement()
		c.Text = trim(p.text[start:p.at])
		c.bound()
		p.statement(len(p.test.Threads)-1, c)
	}
}

type bodyReader struct {
	*parser
	open []block // beginning with the body's own brace
}

// statement reads one cell.
func (b *bodyReader) statement() {
	for word, last := "", byte(0); ; {
		b.skipBlanks()
		if b.at == len(b.text) {
			top := b.open[len(b.open)-1]
			b.at = top.at
			b.failf("%s is not closed", bracket(top.open))
		}
		c := b.text[b.at]
		if isWordPart(c) {
			start := b.at
			for b.at < len(b.text) && isWordPart(b.text[b.at]) {
				b.at++
			}
			word, last = b.text[start:b.at], 'a'
			continue
		}
		switch top := b.open[len(b.open)-1]; {
		case c == '(' || c == '[':
			b.push(c, word)
		case c == ')' || c == ']':
			b.pop(c)
		case c == '{' && (top.open == '=' || top.open == '{' && last == '='):
			b.push('=', "")
		case c == '}' && top.open == '=':
			b.pop(c)
		case c == '{' && top.open == '{':
			b.push('{', word)
			b.at++
			return
		case c == '}' && top.open == '{' && last != 0:
			b.failf("got \"}\", want ; to end the statement before it")
		case c == '}':
			b.pop(c)
			if w := wordAfter(b.text[b.at+1:]); w != "else" && (w != "while" || top.word != "do") {
				b.at++
				return
			}
		case c == ';' && top.open == '{':
			b.at++
			return
		case c == '{' || c == ';' && (top.open != '(' || top.word != "for"):
			b.failf("got %q, but the %s is not closed", string(c), b.opened(top))
		}
		word, last = "", c
		b.at++
	}
}

func wordAfter(text string) string { return wordOf(text[countBlanks(text):]) }

func bracket(open byte) string {
	if open == '=' {
		open = '{'
	}
	return string(open)
}

// opened describes a bracket and its place.
func (b *bodyReader) opened(o block) string {
	pos := b.posAt(o.at)
	return fmt.Sprintf("%s of line %d, column %d", bracket(o.open), pos.Line, pos.Col)
}

func (b *bodyReader) push(open byte, word string) {
	if len(b.open) == maxDepth {
		b.failf("the statements nest more than %d deep", maxDepth)
	}
	b.open = append(b.open, block{b.at, open, word})
}

// pop closes the innermost bracket.
func (b *bodyReader) pop(c byte) {
	top := b.open[len(b.open)-1]
	if top.open == '{' && c != '}' {
		b.failf("got %q, which closes nothing", string(c))
	}
	if want := strings.IndexByte("({[=", top.open); c != ")}]}"[want] {
		b.failf("got %q, want %q to close the %s", string(c), ")}]}"[want:want+1], b.opened(top))
	}
	b.open = b.open[:len(b.open)-1]
}

// printBodies prints the threads one below another, a statement a line.
func printBodies(b *strings.Builder, test *Test) {
	for i := range test.Threads {
		t := &test.Threads[i]
		name, rest, _ := strings.Cut(t.Signature(), "(")
		b.WriteString("\n" + name + placeString(scopes[test.Arch], t.Place) + "(" + rest + " {\n")
		texts := make([]string, len(t.Cells))
		for i, c := range t.Cells {
			texts[i] = strings.Join(fields(c.Text), " ")
		}
		for i, level := range Nesting(texts) {
			b.WriteString(strings.Repeat("  ", 1+min(level, maxIndent)) + texts[i] + "\n")
		}
		b.WriteString("}\n")
	}
	b.WriteByte('\n')
}

// Nesting returns how many blocks contain each of a thread's statements.
func Nesting(statements []string) []int {
	levels := make([]int, len(statements))
	level := 0
	for i, text := range statements {
		if strings.HasPrefix(text, "}") {
			level = max(0, level-1)
		}
		levels[i] = level
		if strings.HasSuffix(text, "{") {
			level++
		}
	}
	return levels
}

// maxIndent bounds the indentation of deep nesting.
const maxIndent = 16

// Signature returns the thread's name with the parameters of its body.
func (t Thread) Signature() string {
	params := make([]string, len(t.Params))
	for i, q := range t.Params {
		params[i] = q.Type + " " + q.Name
		if strings.HasSuffix(q.Type, "*") {
			params[i] = q.Type + q.Name
		}
	}
	return "P" + strconv.Itoa(t.ID) + "(" + strings.Join(params, ", ") + ")"
}

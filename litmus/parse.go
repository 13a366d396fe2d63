package litmus

import (
	"slices"
	"strconv"
	"strings"
)

// Parse parses a test. Its grammar is in grammar.txt. The file name is used only in positions. Instructions remain
// text, which a dialect parses.
func Parse(file, source string) (t *Test, err error) {
	defer func() {
		if e := recover(); e != nil {
			bad, ok := e.(*Error)
			if !ok {
				panic(e)
			}
			t, err = nil, bad
		}
	}()
	if len(source) > MaxText {
		return nil, Errorf(Pos{File: file, Line: 1, Col: 1}, "the test is longer than %d KiB", MaxText>>10)
	}
	p := &parser{test: &Test{File: file, Source: source}}
	p.scan(file, source)
	p.read()
	return p.test, nil
}

// ParseAll is like Parse, but reports several errors: after an error in an init item, the name of a thread, a row of
// instructions, a thread's body, the list of locations or a comparison, it continues behind it. The test has what could
// be read; what has an error is left out, or true in a condition. The test is nil if too little could be read.
func ParseAll(file, source string) (t *Test, errs ErrorList) {
	if len(source) > MaxText {
		_, err := Parse(file, source)
		return nil, Errors(err)
	}
	p := &parser{test: &Test{File: file, Source: source}, all: true}
	if !p.recovers(func() { p.scan(file, source); p.read() }) {
		return nil, p.errs
	}
	return p.test, p.errs
}

// scan prepares the parser for a text.
func (p *parser) scan(file, source string) {
	p.scanner = newScanner(file, source)
	p.test.Source = unixLines(source)
}

func (p *parser) read() {
	p.header()
	p.init()
	p.meetings()
	if p.test.HasBodies() {
		p.bodies()
	} else {
		p.columns()
	}
	p.checkMeetings()
	if p.all {
		if !p.recovers(p.after) {
			p.test.Condition = Condition{Pos: p.pos(), Quantifier: Forall, Prop: Bool(true)}
		}
	} else {
		p.after()
	}
	slices.SortFunc(p.remarks, func(a, b Remark) int { return a.Pos.Compare(b.Pos) })
	p.test.Remarks = p.remarks
}

// recovers runs f to its end or to its first error, which it records. It reports whether f succeeded.
func (p *parser) recovers(f func()) (ok bool) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *Error:
			p.errs, ok = append(p.errs, e), false
		default:
			panic(e)
		}
	}()
	f()
	return true
}

// takeLast removes the last error and returns it, to stop the parser with it.
func (p *parser) takeLast() *Error {
	last := p.errs[len(p.errs)-1]
	p.errs = p.errs[:len(p.errs)-1]
	return last
}

// maxItemErrors bounds how many init items with errors are skipped.
const maxItemErrors = 20

// passItem skips to the end of a broken init item, and reports whether it has an end.
func (p *parser) passItem() bool {
	i := strings.IndexAny(p.text[p.at:], ";}")
	if i < 0 || len(p.errs) >= maxItemErrors {
		return false
	}
	p.at += i
	return true
}

// MaxText bounds a test, in bytes.
const MaxText = 1 << 20

type parser struct {
	*scanner
	test *Test
	rows int // of instructions, in the longest thread
	// column has, by column, the index of a thread or, for a handler, ^ its index.
	column []int
	depth  int // nesting of parentheses in a proposition or a value
	// values are the values of the init items so far.
	values map[string]Literal
	all    bool
	errs   ErrorList // the errors after which the parser continued
}

// line reads the rest of the line and returns it trimmed.
func (p *parser) line() string {
	i := strings.IndexByte(p.text[p.at:], '\n')
	if i < 0 {
		i = len(p.text) - p.at
	}
	line := p.text[p.at : p.at+i]
	p.at += i
	return trim(line)
}

// header reads the test up to its init block: architecture and name on the first line, then doc strings and Key=value
// lines. It ignores other lines.
func (p *parser) header() {
	if p.done() {
		p.failf("the test is empty: want a header such as \"X86 SB\"")
	}
	start, offset := p.pos(), p.at
	words := fields(p.line())
	if len(words) < 2 || wordOf(words[0]) != words[0] && !isArch(words[0]) {
		panic(
			Errorf(start, "want a header of architecture and name, such as \"X86 SB\", got %q",
				Shorten(strings.Join(words, " "))))
	}
	for i, w := range words[:2] {
		if len(w) > MaxName {
			start.Col += i * strings.Index(p.text[offset:], w)
			panic(Errorf(start, "the name %q has %d bytes: want at most %d", Shorten(w), len(w), MaxName))
		}
	}
	p.test.Arch, p.test.Name = ArchName(words[0]), words[1]
	if feature := unsupported[p.test.Arch]; feature != "" {
		panic(Errorf(start, "%s tests (%s) are not supported", p.test.Arch, feature))
	}
	for !p.peek("{") {
		if p.done() {
			p.failf("got end of file, want the init block: { ... }")
		}
		if p.accept(`"`) {
			p.docString()
			continue
		}
		// No tool uses other lines.
		if key, value, ok := strings.Cut(p.line(), "="); ok {
			p.test.Info = append(p.test.Info, Info{trim(key), trim(value)})
		}
	}
}

func (p *parser) docString() {
	end, closed := p.braces.docEnd(p.text, p.at)
	if end < 0 {
		p.at--
		p.failf("doc string is not closed: want \"")
	}
	if closed {
		p.test.Doc, p.at = p.text[p.at:end], end+1
		return
	}
	p.remarkf(p.at-1, "the doc string is not closed: it ends before the init block")
	p.test.Doc, p.at = trim(p.text[p.at:end]), end
}

// place reads a register of a thread, or a location.
func (p *parser) place() Place {
	o := Place{Pos: p.pos(), Thread: -1, Index: -1}
	r := p.rest()
	switch {
	case r != "" && isDigit(r[0]):
		start := p.pos()
		n := p.number("a thread number")
		if n >= MaxThreads {
			panic(Errorf(start, "thread number %d is too large: at most %d", n, MaxThreads-1))
		}
		o.Thread = int(n)
		p.expect(":", "between thread and register")
		o.Name = p.register()
	case p.accept("["):
		o.Name = p.oldEntry(p.word("a location"))
		o.Name = p.called(o.Pos, o.Name)
		p.index(&o)
		p.expect("]", "after a location")
	case p.peek("%"):
		o.Name = p.register()
	default:
		o.Name = p.word("a register such as 0:EAX, or a location")
		if id, ok := threadID(o.Name); ok && p.peek(":") {
			p.at++
			o.Thread, o.Name = id, p.register()
			return o
		}
		if p.system() && strings.EqualFold(o.Name, "fault") && p.peek("(") {
			p.fault(&o)
			return o
		}
		o.Name = p.oldEntry(o.Name)
		o.Name = p.called(o.Pos, o.Name)
		p.index(&o)
	}
	return o
}

func (p *parser) index(o *Place) {
	if p.accept("[") {
		start := p.pos()
		n := p.number("an array index or length")
		if n > maxArray {
			panic(Errorf(start, "index or length %d of %s: want at most %d", int64(n), o.Name, maxArray))
		}
		o.Index = int(n)
		p.expect("]", "after an index")
	}
}

func (p *parser) register() string {
	prefix := ""
	switch {
	case p.accept("%"):
		prefix = "%"
	case p.accept("$"): // also before a bare number
		prefix = "$"
		if r := p.rest(); r != "" && isDigit(r[0]) {
			return prefix + strconv.FormatUint(p.number("a register"), 10)
		}
	}
	return prefix + p.word("a register")
}

// MaxThreads bounds thread numbers, so that a typing error does not cause a huge allocation.
const MaxThreads = 1024

// threadID reads "P3".
func threadID(w string) (int, bool) {
	if len(w) < 2 || w[0] != 'P' {
		return 0, false
	}
	n, err := strconv.Atoi(w[1:])
	return n, err == nil && n >= 0 && n < MaxThreads
}

// refuseQualified reports that the feature behind a value of the form w:... is not supported.
func (p *parser) refuseQualified(pos Pos, w string) {
	if p.peek(`"`) {
		panic(Errorf(pos, "%s:\"...\": an instruction is not supported as a value", w))
	}
	panic(Errorf(pos, "%s:%s: memory tags are not supported in %s tests", w, p.word("a tag"), p.test.Arch))
}

// refuseCall reports that the feature behind a name w before parentheses is not supported. Locations have no
// parentheses.
func (p *parser) refuseCall(pos Pos, w string) {
	switch {
	case !p.peek("("):
	case strings.EqualFold(w, "fault"):
		panic(Errorf(pos, "%s(...): faults are not supported in %s tests", w, p.test.Arch))
	case w == "PTE" || w == "PA" || w == "TTD":
		panic(Errorf(pos, "%s(...): page tables are not supported in %s tests", w, p.test.Arch))
	case w == "tag" || w == "TAG":
		panic(Errorf(pos, "%s(...): memory tags are not supported in %s tests", w, p.test.Arch))
	case w == "instr":
		panic(Errorf(pos, "%s(...): an instruction is not supported as a value", w))
	default:
		panic(Errorf(pos, "%s(...) is not supported: want the name of a location or register", w))
	}
}

// atCondition reports whether the text after the threads comes next.
func (p *parser) atCondition() bool {
	switch p.peekWord() {
	case "exists", "forall", "locations", "filter", "final":
		return true
	case "scopes", "regions":
		return p.test.Arch == "LISA"
	}
	return p.peek("~")
}

// after reads the rest of the test: locations, filter and condition.
func (p *parser) after() {
	found := false
	for !p.done() {
		start := p.pos()
		switch {
		case p.acceptWord("locations"):
			p.locations()
		case p.acceptWord("filter"):
			p.test.Filter = p.proposition()
		case p.test.Arch == "LISA" && p.acceptWord("scopes"):
			p.scopeTrees(start)
		case p.test.Arch == "LISA" && p.acceptWord("regions"):
			p.regions()
		case p.accept("<<"):
			i := strings.Index(p.text[p.at:], ">>")
			if i < 0 {
				p.failf("<< is not closed: want >>")
			}
			p.at += i + 2
		case !found:
			p.test.Condition = Condition{Pos: start, Quantifier: p.quantifier(), Prop: p.proposition()}
			found = true
			p.accept(";")
			if p.acceptWord("with") {
				p.with()
			}
		default:
			p.failf("got %s after the condition, want the end of the test", p.next())
		}
	}
	if !found { // the test only asks for the list of states
		p.test.Condition = Condition{Pos: p.pos(), Quantifier: Forall, Prop: Bool(true)}
		if len(p.test.Locations) == 0 && !p.inC {
			p.remarkf(p.at, "the test has no condition: it is read as forall (true). Add exists and a proposition "+
				"to ask about an outcome")
			fix := Fix{Pos: p.pos(), Text: "exists (true)\n"}
			if fix.Pos.Col > 1 {
				fix.Text = "\n" + fix.Text
			}
			p.remarks[len(p.remarks)-1].Fix = fix
		}
	}
}

func (p *parser) quantifier() Quantifier {
	negated := p.accept("~")
	switch {
	case p.acceptWord("exists"):
		if negated {
			return NotExists
		}
		return Exists
	case negated:
		p.failf("got %s, want exists after ~", p.next())
	case p.acceptWord("forall"):
		return Forall
	case p.acceptWord("final"):
		return Exists
	}
	p.noCondition()
	p.failf("got %s, want exists, ~exists or forall", p.next())
	panic("unreachable")
}

// noCondition fails if the next text is meant to be a condition: a proposition without a quantifier, or after a
// misspelt one.
func (p *parser) noCondition() {
	const wanted = "got %s, want exists, ~exists or forall"
	if p.peek("(") {
		panic(Errorf(p.pos(), wanted, p.next()).WithFix(p.pos(), "", "exists "))
	}
	if guess := DidYouMean(p.peekWord(), []string{"exists", "forall", "locations", "filter"}); guess.Near != "" {
		panic(Errorf(p.pos(), wanted+"%s", p.next(), guess))
	}
}

// with skips the expectations for single models in old tests: "tso: ~exists;".
func (p *parser) with() {
	for {
		mark := p.at
		if w := p.peekWord(); w == "" {
			return
		} else {
			p.at += len(w)
		}
		if !p.accept(":") {
			p.at = mark
			return
		}
		p.quantifier()
		p.expect(";", "after an expectation")
	}
}

func (p *parser) locations() {
	p.expect("[", "to open the list of locations")
	for !p.accept("]") {
		if p.accept(";") || p.accept(",") {
			continue
		}
		if !p.all {
			p.test.Locations = append(p.test.Locations, p.place())
		} else if !p.recovers(func() { p.test.Locations = append(p.test.Locations, p.place()) }) {
			i := strings.IndexAny(p.text[p.at:], ";,]")
			if i < 0 || len(p.errs) >= maxItemErrors {
				panic(p.takeLast())
			}
			p.at += i
			continue
		}
		for w := p.peekWord(); w != "" || p.accept("*"); w = p.peekWord() { // an old form: "x int;"
			p.at += len(w)
		}
		if !p.peek("]") && !p.peek(";") && !p.peek(",") {
			p.failf("got %s, want ; or ] after %s in the list of locations", p.next(),
				p.test.Locations[len(p.test.Locations)-1])
		}
	}
}

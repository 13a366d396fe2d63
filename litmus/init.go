package litmus

import (
	"strconv"
	"strings"
)

// init reads the init block, including its braces. After an error in an item, it continues with the next one if the
// caller collects errors.
func (p *parser) init() {
	p.expect("{", "to open the init block")
	p.test.InitPos = p.posAt(p.at)
	p.values = map[string]Literal{}
	for !p.accept("}") {
		if p.accept(";") {
			continue
		}
		item := func() {
			i := p.initItem()
			p.test.Init = append(p.test.Init, i)
			if len(i.Values) == 1 && i.Count == 0 {
				p.values[i.Target.String()] = i.Values[0]
			}
			if !p.peek("}") {
				p.expect(";", "after an init item")
			}
		}
		if !p.all {
			item()
		} else if !p.recovers(item) && !p.passItem() {
			panic(p.takeLast())
		}
	}
	p.accept(";")
}

// initItem reads one item: an optional type, a register or location, and an optional value or list of values. The type
// may make it an array, whose length can come from the list.
func (p *parser) initItem() Init {
	if p.system() && p.declaresStack() {
		return p.shadowStack()
	}
	item := Init{Pos: p.pos()}
	if !p.namesAlias() {
		item.Type = p.typeName()
	}
	if p.inC && item.Type == "" && p.accept("*") && !p.peek("[") { // *x=0, with x for its address as in bodies
		item.Target = Place{Pos: p.pos(), Thread: -1, Name: p.word("a location"), Index: -1}
		p.index(&item.Target)
	} else {
		item.Target = p.place()
	}
	name := item.Target.Name
	if item.Target.Index >= 0 && item.Type != "" {
		item.Count, item.Target.Index = item.Target.Index, -1
		if item.Count == 0 {
			panic(Errorf(item.Pos, "array %s has no elements: want 1 to %d", name, maxArray))
		}
	}
	if p.alias(&item) {
		return item
	}
	if !p.accept("=") {
		if item.Type == "" && (!item.Target.IsRegister() && !p.system() || !p.peek(";") && !p.peek("}")) {
			p.failf("got %s, want = and the initial value of %s", p.next(), item.Target)
		}
	} else if p.accept("{") {
		p.elements(&item)
	} else if p.inC && p.peek("*") {
		item.Values = []Literal{p.initialOf()}
	} else {
		item.Values = []Literal{p.literal()}
	}
	if item.Count > maxArray {
		panic(Errorf(item.Pos, "array %s has %d elements: want 1 to %d", name, item.Count, maxArray))
	}
	return item
}

// maxArray bounds the length of an array.
const maxArray = 1024

// room rejects a value if n values of an array have been read and no more are allowed.
func (p *parser) room(n int) {
	if n == maxArray {
		p.failf("an array has more than %d values", maxArray)
	}
}

// elements reads the rest of "{1, 2}", the initial values of an array. They give the array its length unless it was
// declared with one.
func (p *parser) elements(item *Init) {
	for !p.accept("}") {
		p.room(len(item.Values))
		item.Values = append(item.Values, p.literal())
		if !p.peek("}") {
			p.expect(",", "between array elements")
		}
	}
	name := item.Target.Name
	switch {
	case item.Target.Index >= 0:
		panic(
			Errorf(item.Pos, "%s is one element of an array: want one value, or a type in front to declare the array",
				item.Target))
	case len(item.Values) == 0:
		panic(Errorf(item.Pos, "array %s has no values between { and }", name))
	case item.Count == 0:
		item.Count = len(item.Values)
	case len(item.Values) > item.Count:
		panic(Errorf(item.Pos, "%d values for the %d elements of %s", len(item.Values), item.Count, name))
	}
}

// maxType bounds the words and stars of a type.
const maxType = 16

// typeName reads a C type, if one comes next: words followed by another name, a thread number, or stars.
func (p *parser) typeName() string {
	start := p.at
	var words []string
	for {
		w := p.peekWord()
		if w == "" {
			break
		}
		mark := p.at
		p.at += len(w)
		if p.inC && w == "_Atomic" {
			w += p.atomicOf()
		}
		r := p.rest()
		if r == "" || !(isWordStart(r[0]) || isDigit(r[0]) || r[0] == '*' || r[0] == '%') {
			p.at = mark
			break
		}
		words = append(words, w)
		for len(words) <= maxType && p.accept("*") {
			words = append(words, "*")
		}
		if len(words) > maxType {
			p.failf("the type has more than %d words and stars", maxType)
		}
	}
	if len(words) == 0 {
		p.at = start
	}
	return strings.Join(words, " ")
}

// literal reads a number or a location's name.
func (p *parser) literal() Literal {
	l := Literal{Pos: p.pos()}
	if p.inC && p.peek("(") {
		return p.parenthesised()
	}
	taken := p.accept("&")
	if p.system() && !taken && p.systemLiteral(&l) {
		return l
	}
	if p.peek("(") {
		panic(Errorf(l.Pos, "an entry of a page table is not supported as a value"))
	}
	if w := p.peekWord(); w != "" {
		p.at += len(w)
		if p.inC {
			if bits, ok := p.initializer(w); ok {
				l.Bits = bits
				return l
			}
		}
		w = p.oldEntry(w)
		l.Name = p.called(l.Pos, w)
		if p.accept(":") {
			if _, thread := threadID(w); p.system() && !thread && w != "label" {
				l.Tag = p.word("a tag such as red")
				return l
			}
			return p.label(l, w)
		}
		if p.peek("[") {
			o := Place{Name: w}
			p.index(&o)
			l.Name += "[" + strconv.Itoa(o.Index) + "]"
		}
		if !taken {
			l.Bits = p.byteOffset(l.Name)
		}
		return l
	}
	l.Bits = p.number("a number or the name of a location")
	if p.accept(":") {
		return p.label(Literal{Pos: l.Pos}, "P"+strconv.FormatUint(l.Bits, 10))
	}
	return l
}

// label reads the text after the : of label:"P0:L0", or P0:L0 for short.
func (p *parser) label(l Literal, w string) Literal {
	thread := w
	quoted := w == "label" && p.accept(`"`)
	if quoted {
		thread = p.peekWord()
		if p.at += len(thread); thread == "" {
			thread = "P" + strconv.FormatUint(p.number("a thread such as P0"), 10)
		}
		p.expect(":", "between thread and label")
	}
	id, ok := threadID(thread)
	if !ok && quoted {
		panic(Errorf(l.Pos, "got thread %q, want one such as P0", Shorten(thread)))
	}
	if !ok {
		p.refuseQualified(l.Pos, w)
	}
	l.Thread, l.Label = id, true
	r := p.rest()
	n := labelLength(r)
	if n == 0 || n > MaxName {
		p.failf("got %s, want a label of P%d", p.next(), id)
	}
	l.Name = r[:n]
	p.at += n
	if quoted {
		p.expect(`"`, "after a label")
	}
	return l
}

// MaxBehind bounds the offset of a value from a location, in bytes, both in tests and in answers.
const MaxBehind = 1<<12 - 1

// byteOffset reads "+4" after the name of a location: an offset in bytes.
func (p *parser) byteOffset(name string) uint64 {
	if !p.accept("+") {
		return 0
	}
	if r := p.rest(); r == "" || !isDigit(r[0]) {
		p.failf("got %s, want the number of bytes after %s", p.next(), name)
	}
	start := p.pos()
	if p.inC && len(p.test.Threads) == 0 {
		p.remarkf(p.at, "this counts bytes after %s, as in outcomes, not elements", name)
	}
	n := p.number("a number of bytes")
	if n > MaxBehind {
		panic(Errorf(start, "%d bytes after %s: want at most %d", n, name, MaxBehind))
	}
	return n
}

// parenthesised reads a value of C in parentheses or after a cast. The cast must not change the value.
func (p *parser) parenthesised() Literal {
	p.enter("value")
	defer p.leave()
	start := p.pos()
	p.expect("(", "")
	mark := p.at
	var words []string
	for _, w := range p.typeWords() {
		words = append(words, w.Text)
	}
	if len(words) > 0 && p.accept(")") && startsValue(p.rest()) {
		l := p.literal()
		switch typ := strings.Join(words, " "); {
		case l.Name != "" || l.Bits <= 1 || strings.HasSuffix(typ, "*"):
		case int64(l.Bits) == int64(int32(l.Bits)) && (typ == "int" || typ == "long" || typ == "intptr_t"):
		default:
			panic(Errorf(start, "the cast of a number to %s is not supported: write the number that it gives", typ))
		}
		return l
	}
	p.at = mark
	l := p.literal()
	p.expect(")", "to close (")
	return l
}

func startsValue(r string) bool {
	return r != "" && (isWordPart(r[0]) || strings.IndexByte("&(-+", r[0]) >= 0)
}

// initializer reads words that stand for a number in C's init blocks: a macro named w, or a truth value.
func (p *parser) initializer(w string) (bits uint64, ok bool) {
	switch w {
	case "ATOMIC_INIT", "ATOMIC64_INIT", "ATOMIC_LONG_INIT", "ATOMIC_VAR_INIT":
		p.enter("value")
		defer p.leave()
		p.expect("(", "after "+w)
		l := p.literal()
		if l.Name != "" {
			panic(Errorf(l.Pos, "got %q, want a number in %s(...)", l.Name, w))
		}
		p.expect(")", "to close "+w)
		return l.Bits, true
	case "__SPIN_LOCK_UNLOCKED":
		p.expect("(", "after "+w)
		p.word("the lock's name")
		p.expect(")", "to close "+w)
		return 0, true
	case "SPIN_LOCK_UNLOCKED", "ATOMIC_FLAG_INIT", "false":
		return 0, true
	case "true":
		return 1, true
	}
	return 0, false
}

// initialOf reads *(&a) or *&a: the initial value of a, from an earlier item.
func (p *parser) initialOf() Literal {
	pos := p.pos()
	p.expect("*", "")
	open := p.accept("(")
	p.expect("&", "behind *: an initial value is read as *(&x)")
	o := p.place()
	if open {
		p.expect(")", "to close (")
	}
	l, ok := p.values[o.String()]
	if !ok {
		panic(Errorf(pos, "%s has no value in an earlier item: give it one there", o))
	}
	l.Pos = pos
	return l
}

package litmus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// What tests of a system's side have beside others: handlers of exceptions, faults in conditions, memory tags,
// instructions as values, and entries of page tables. Only tests of AArch64 have them.

// FaultPattern describes faults of a thread. An empty part means any.
type FaultPattern struct {
	Asked bool   // the place is a pattern of faults
	Label string // of the instruction: L0
	Loc   string // the location, perhaps with the tag of the address: x, x:red
	Kind  string // TagCheck, MMU:Translation
}

// String returns the pattern for faults of a thread as outcomes have it.
func (f FaultPattern) String(thread int) string {
	parts := []string{Thread{ID: thread}.Title()}
	if f.Label != "" {
		parts[0] += ":" + f.Label
	}
	for _, part := range []string{f.Loc, f.Kind} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return "Fault(" + strings.Join(parts, ",") + ")"
}

// FaultKinds are the kinds of faults that a pattern may name.
var FaultKinds = []string{
	"TagCheck", "MMU:Translation", "MMU:Permission", "MMU:AccessFlag", "UndefinedInstruction", "SupervisorCall",
	"GCS:PRET", "GCS:POPM", "GCS:SS1", "GCS:SS2",
}

// system reports whether the test may use the words of a system's side.
func (p *parser) system() bool { return p.test.Arch == "AArch64" }

// fault reads the rest of fault(P0:L0,x,TagCheck).
func (p *parser) fault(o *Place) {
	p.expect("(", "after "+o.Name)
	pos := p.pos()
	w := p.word("a thread such as P0")
	id, ok := threadID(w)
	if !ok {
		panic(Errorf(pos, "got thread %q, want one such as P0", Shorten(w)))
	}
	o.Thread, o.Name, o.Fault = id, "fault", FaultPattern{Asked: true}
	if p.accept(":") {
		o.Fault.Label = p.word("a label")
	}
	for p.accept(",") {
		pos := p.pos()
		part := p.faultPart()
		switch name, _, _ := strings.Cut(part, ":"); {
		case slices.Contains([]string{"MMU", "D-MMU", "I-MMU"}, name) || slices.Contains(FaultKinds, part):
			if o.Fault.Kind != "" {
				panic(Errorf(pos, "got %s, but the pattern has the kind %s already", part, o.Fault.Kind))
			}
			o.Fault.Kind = part
		case o.Fault.Loc == "" && o.Fault.Kind == "":
			o.Fault.Loc = part
		default:
			panic(Errorf(pos, "got %s, want the kind of a fault: one of %s", Shorten(part),
				strings.Join(FaultKinds, ", ")))
		}
	}
	p.expect(")", "after a fault")
}

// faultPart reads a location with its tag, or the kind of a fault.
func (p *parser) faultPart() string {
	pos := p.pos()
	part := p.oldEntry(p.word("a location or the kind of a fault"))
	part = p.called(pos, part)
	for p.accept("-") {
		part += "-" + p.word("the kind of a fault")
	}
	for p.accept(":") {
		part += ":" + p.word("a tag or the kind of a fault")
	}
	return part
}

// entryFunctions name what belongs to a location: its tag, the entry of its page, and the page's physical address.
var entryFunctions = []string{"tag", "PTE", "PA", "TTD"}

// IsSystemName reports whether a word before parentheses begins a name or a value of a system's side: PTE(x),
// pacda(x,0x0), SS(x,2).
func IsSystemName(word string) bool {
	return slices.Contains(entryFunctions, word) || slices.Contains(signingFunctions, word) || word == "SS" ||
		word == "SSCap"
}

// signingFunctions name signed pointers: pacda(x,0x0).
var signingFunctions = []string{"pacia", "pacib", "pacda", "pacdb"}

// called returns a name that begins with a word: the word, or one such as tag(x), PTE(x), PTE(P0:L0) or pacda(x,0x0).
// TTD(x) is another spelling of PTE(x).
func (p *parser) called(pos Pos, w string) string {
	inside := p.call(pos, w)
	if w == "TTD" && inside != "" {
		w = "PTE"
	}
	return w + inside
}

// call returns the rest of a name such as tag(x) or PTE(x), which is a location, or "". It rejects other names before
// parentheses.
func (p *parser) call(pos Pos, w string) string {
	if p.system() && p.peek("(") && slices.Contains(entryFunctions, w) {
		p.expect("(", "after "+w)
		inner := p.pos()
		name := p.called(inner, p.word("the name of a location"))
		if _, ok := threadID(name); ok && w != "tag" && p.accept(":") {
			name += ":" + p.word("a label")
		}
		p.expect(")", "after "+name)
		return "(" + name + ")"
	}
	if p.system() && p.peek("(") && slices.Contains(signingFunctions, w) {
		p.expect("(", "after "+w)
		name := p.word("the name of a location")
		p.expect(",", "before a modifier")
		modifier := p.number("a modifier")
		p.expect(")", "after a modifier")
		return fmt.Sprintf("(%s,%#x)", name, modifier)
	}
	p.refuseCall(pos, w)
	return ""
}

// oldEntry returns the name of an entry of a page table in place of its old spelling: PTE(x) for pte_x, PA(x) for
// phy_x.
func (p *parser) oldEntry(name string) string {
	if !p.system() {
		return name
	}
	for old, kind := range map[string]string{"pte_": "PTE", "phy_": "PA"} {
		if of, ok := strings.CutPrefix(name, old); ok && of != "" {
			return kind + "(" + of + ")"
		}
	}
	return name
}

// systemLiteral reads a tag alone (:red), an instruction (NOP, instr:"B .+8"), an entry of a page table or a result of
// an address translation (parel1_t:(f:1)), if one comes next.
func (p *parser) systemLiteral(l *Literal) bool {
	switch w := p.peekWord(); {
	case w == "SSCap" && p.isCall(w): // a token of a guarded control stack: a page, and what it says
		p.at += len(w)
		p.expect("(", "after "+w)
		l.Name = p.word("the name of a location")
		p.expect(",", "before the kind of a token")
		l.Bits = p.number("the kind of a token")
		p.expect(")", "after a token")
	case w == "parel1_t":
		p.at += len(w)
		p.expect(":", "after parel1_t")
		l.Name, l.Entry = w, p.entry()
	case w == "NOP":
		p.at += len(w)
		l.Code = w
	case w == "instr":
		p.at += len(w)
		p.expect(":", "after instr")
		p.expect(`"`, "before an instruction")
		end := strings.IndexAny(p.text[p.at:], "\"\n")
		if end < 0 || p.text[p.at+end] != '"' {
			panic(Errorf(l.Pos, "the instruction is not closed: want \""))
		}
		l.Code = strings.Join(fields(p.text[p.at:p.at+end]), " ")
		p.at += end + 1
	case w != "":
		return false
	case p.accept(":"):
		l.Tag = p.word("a tag such as red")
	case p.peek("("):
		l.Entry = p.entry()
	default:
		return false
	}
	return true
}

// entry reads an entry of a page table, such as (oa:PA(x), valid:0), and returns it without parentheses and blanks.
func (p *parser) entry() string {
	start := p.pos()
	p.expect("(", "before an entry of a page table")
	from := p.at
	for depth := 1; depth > 0; p.at++ {
		if p.at == len(p.text) || p.text[p.at] == ';' {
			panic(Errorf(start, "the entry of a page table is not closed: want )"))
		}
		switch p.text[p.at] {
		case '(':
			depth++
		case ')':
			depth--
		}
	}
	return strings.Join(fields(p.text[from:p.at-1]), "")
}

// handler begins the column of a handler of exceptions, such as P0.F.
func (p *parser) handler(name Cell, handled string) {
	id, ok := threadID(handled)
	if !ok || !p.system() {
		panic(Errorf(name.Pos, "%s is the fault handler of %s: fault handlers are not supported in %s tests",
			Shorten(name.Text), Shorten(handled), p.test.Arch))
	}
	for _, h := range p.test.Handlers {
		if h.ID == id {
			panic(Errorf(name.Pos, "handler %s appears twice", name.Text))
		}
	}
	p.column = append(p.column, ^len(p.test.Handlers))
	p.test.Handlers = append(p.test.Handlers, Thread{ID: id, Pos: name.Pos, Handler: true})
}

// checkHandlers rejects handlers of threads that the test does not have.
func (p *parser) checkHandlers() {
	for _, h := range p.test.Handlers {
		found := false
		for _, t := range p.test.Threads {
			found = found || t.ID == h.ID
		}
		if !found {
			panic(Errorf(h.Pos, "%s handles exceptions of P%d, but there is no thread P%d", h.Title(), h.ID, h.ID))
		}
	}
}

// columnThread returns the thread or the handler of a column; for tests with bodies, the thread with an index.
func (p *parser) columnThread(i int) *Thread {
	switch {
	case i >= len(p.column):
		return &p.test.Threads[i]
	case p.column[i] < 0:
		return &p.test.Handlers[^p.column[i]]
	}
	return &p.test.Threads[p.column[i]]
}

// Title returns the name of a thread or a handler: P0, P0.F.
func (t Thread) Title() string {
	name := "P" + strconv.Itoa(t.ID)
	if t.Handler {
		name += ".F"
	}
	return name
}

// SystemInfo returns the lines of a test's header that say what system it is for: its variant and its caches.
func (t *Test) SystemInfo() string {
	var out []string
	for _, i := range t.Info {
		if strings.EqualFold(i.Key, "variant") || strings.EqualFold(i.Key, "CacheType") {
			out = append(out, strings.ToLower(i.Key+"="+i.Value))
		}
	}
	return strings.Join(out, "\n")
}

// isCall reports whether a name, which comes next, stands before a parenthesis.
func (p *parser) isCall(name string) bool {
	return strings.HasPrefix(strings.TrimLeft(p.rest()[len(name):], " \t"), "(")
}

// declaresStack reports whether SS(x,2) comes next.
func (p *parser) declaresStack() bool {
	inside, _, closed := strings.Cut(p.rest(), ")")
	return closed && p.peekWord() == "SS" && p.isCall("SS") && strings.Contains(inside, ",")
}

// shadowStack reads SS(x,2), which declares a guarded control stack, with its values if = follows.
func (p *parser) shadowStack() Init {
	item := Init{Pos: p.pos(), Type: "uint64_t", Shadow: true}
	p.acceptWord("SS")
	p.expect("(", "after SS")
	item.Target = Place{Pos: p.pos(), Thread: -1, Name: p.word("a location"), Index: -1}
	p.expect(",", "before a length")
	start := p.pos()
	n := p.number("a length")
	if n == 0 || n > maxArray {
		panic(Errorf(start, "the stack %s has %d elements: want 1 to %d", item.Target.Name, n, maxArray))
	}
	item.Count = int(n)
	p.expect(")", "after a length")
	if p.accept("=") {
		if p.acceptWord("ssval_t") {
			p.expect(":", "after ssval_t")
		}
		p.expect("{", "before values")
		p.elements(&item)
	}
	return item
}

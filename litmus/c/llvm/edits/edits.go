package edits

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/orders"
	"litmuscope/litmus/c/llvm"
	"litmuscope/litmus/c/llvm/assembly"
)

// Text is a module with its sources, and the places of orders in both.
type Text struct {
	Places []orders.Place
	Left   []orders.Left

	name, module string
	sources      map[string]string
	sites        []site // by place
	rust         bool
	reaches      bool // the module declares the function that shows that a place is reached
}

// site is a place in the texts.
type site struct {
	file    string
	word    *word // the order in the source, or
	add     int   // the offset at which an order is added, and with what before it
	comma   string
	insert  int // the offset at which a fence is inserted; -1 for a place that is in the source
	failure bool
	instrs  []instr
}

// instr is an atomic instruction in the module: the range of its line, and those of its words for orders.
type instr struct {
	from          int
	words         [][2]int
	debug         string // its place, for an inserted instruction
	hasNoFailures bool   // of a compare-and-exchange whose failure order follows from the other one
}

// Options select places.
type Options struct {
	Only   []string // files and functions; none: all
	Fences bool     // also the fences that could be inserted
}

// ordered matches the end of an atomic instruction: its orders, alignment and metadata.
var ordered = regexp.MustCompile(
	`(?:^|[ ,])(monotonic|acquire|release|acq_rel|seq_cst)(?: (monotonic|acquire|release|acq_rel|seq_cst))?` +
		`(?:, align \d+)?((?:, !\w+ !\d+)*)\s*$`)

// irWords spells orders in LLVM IR, and irOrders reads them.
var (
	irWords = map[c.Order]string{
		c.Relaxed: "monotonic", c.Consume: "acquire", c.Acquire: "acquire", c.Release: "release", c.AcqRel: "acq_rel",
		c.SeqCst: "seq_cst",
	}
	irOrders = map[string]c.Order{
		"monotonic": c.Relaxed, "acquire": c.Acquire, "release": c.Release, "acq_rel": c.AcqRel, "seq_cst": c.SeqCst,
	}
)

// possible has the orders of each kind of instruction, the weakest first.
var possible = map[string][]c.Order{
	"load": {c.Relaxed, c.Acquire, c.SeqCst}, "store": {c.Relaxed, c.Release, c.SeqCst},
	"update": {c.Relaxed, c.Acquire, c.Release, c.AcqRel, c.SeqCst},
	"fence":  {c.Relaxed, c.Acquire, c.Release, c.AcqRel, c.SeqCst},
}

// kindOf returns the kind of an atomic instruction; "" for other instructions.
func kindOf(i *assembly.Instruction) string {
	switch {
	case i.Scope != "":
	case i.Op == "fence", (i.Op == "load" || i.Op == "store") && i.Order != "":
		return i.Op
	case i.Op == "atomicrmw", i.Op == "cmpxchg":
		return "update"
	}
	return ""
}

// group is all instructions of one call in the source.
type group struct {
	at       litmus.Pos
	function string
	kinds    []string
	orders   []string // "order failure"
	instrs   []instr
}

// Read finds the places of a module's text. sources are the program's own files, by the names that debug information
// has.
func Read(name, module string, sources map[string]string, o Options) (*Text, error) {
	m, err := assembly.Parse(name, module)
	if err != nil {
		return nil, err
	}
	t := &Text{name: name, module: module, sources: sources}
	lines := []int{0}
	for i := range module {
		if module[i] == '\n' {
			lines = append(lines, i+1)
		}
	}
	origins := llvm.NewOrigins(m, sources)
	byPlace := map[litmus.Pos]*group{}
	library := map[string]bool{}
	for _, f := range m.Functions {
		t.reaches = t.reaches || f.Name == reacher
		for _, b := range f.Blocks {
			for _, i := range b.Instructions {
				kind := kindOf(i)
				if kind == "" {
					continue
				}
				pos, function, ok := origins.Of(i)
				if !ok {
					library[f.Name] = true
					continue
				}
				g := byPlace[pos]
				if g == nil {
					g = &group{at: pos, function: function}
					byPlace[pos] = g
				}
				from := lines[i.Pos.Line-1]
				to := len(module)
				if i.Pos.Line < len(lines) {
					to = lines[i.Pos.Line]
				}
				at := instr{from: from}
				if found := ordered.FindStringSubmatchIndex(module[from:to]); found != nil {
					for w := 2; w <= 4 && found[w] >= 0; w += 2 {
						at.words = append(at.words, [2]int{from + found[w], from + found[w+1]})
					}
					at.debug = module[from+found[6] : from+found[7]]
				}
				g.kinds, g.orders = append(g.kinds, kind), append(g.orders, i.Order+" "+i.Failed)
				g.instrs = append(g.instrs, at)
			}
		}
	}
	var all []*group
	for _, g := range byPlace {
		all = append(all, g)
		t.rust = t.rust || path.Ext(g.at.File) == ".rs"
	}
	slices.SortFunc(all, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.at.File, b.at.File), cmp.Compare(a.at.Line, b.at.Line),
			cmp.Compare(a.at.Col, b.at.Col))
	})
	inserted := map[string]bool{}
	for _, g := range all {
		if len(o.Only) > 0 && !slices.Contains(o.Only, g.at.File) && !slices.Contains(o.Only, g.function) {
			continue
		}
		if why := t.place(g); why != "" {
			t.Left = append(t.Left, orders.Left{At: g.at, Operation: t.operation(g), Why: why})
		}
		if o.Fences {
			t.fence(g, inserted)
		}
	}
	return t, nil
}

// offset returns the offset of a place in its source; -1 if the source does not have it.
func (t *Text) offset(pos litmus.Pos) int {
	at := 0
	text := t.sources[pos.File]
	for range pos.Line - 1 {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return -1
		}
		at += n + 1
	}
	if at+pos.Col-1 >= len(text) {
		return -1
	}
	return at + pos.Col - 1
}

// operation returns the text of an access for readers.
func (t *Text) operation(g *group) string {
	if at := t.offset(g.at); at >= 0 {
		if c, ok := callAt(t.sources[g.at.File], at); ok {
			return c.name
		}
	}
	return g.kinds[0]
}

// place adds the places of a group, or says why the source does not have its order in one place.
func (t *Text) place(g *group) (why string) {
	kind := g.kinds[0]
	for n := range g.kinds {
		if g.kinds[n] != kind || g.orders[n] != g.orders[0] {
			return "the compiler made several kinds of accesses of it"
		}
		if len(g.instrs[n].words) == 0 {
			return "the module does not have it in one line"
		}
	}
	at := t.offset(g.at)
	if at < 0 {
		return "the source has no such line"
	}
	call, ok := callAt(t.sources[g.at.File], at)
	if !ok {
		if kind == "fence" {
			return "the source does not have the fence as a call there"
		}
		return "an operator of an atomic object, which is seq_cst, or a macro"
	}
	words := strings.Fields(g.orders[0])
	was := irOrders[words[0]]
	p := orders.Place{
		File: g.at.File, Line: g.at.Line, Column: g.at.Col, Function: g.function, Operation: call.name,
		Fence: kind == "fence", Does: []string{kind}, Was: was, Can: possible[kind],
	}
	s := site{file: g.at.File, insert: -1, instrs: g.instrs}
	n, known := arity(call.name)
	switch {
	case len(call.orders) > len(words):
		return "it has more orders than the access"
	case len(call.orders) == 0 && known && call.args == n && was == c.SeqCst && !t.rust:
		s.add, s.comma = call.shut, ", "
		if n == 0 {
			s.comma = ""
		}
		t.add(p, s)
	case len(call.orders) == 0:
		return "its order is not written at the call: it comes from a name, a macro or the library"
	case call.orders[0].order != was && !(call.orders[0].order == c.Consume && was == c.Acquire):
		return "the compiler changed its order to " + words[0]
	default:
		p.Was = call.orders[0].order
		s.word = &call.orders[0]
		t.add(p, s)
		if len(call.orders) == 2 {
			failed := p
			failed.Failure, failed.Was, failed.Can = true, call.orders[1].order, possible["load"]
			t.add(failed, site{
				file: s.file, insert: -1, instrs: g.instrs, word: &call.orders[1], failure: true,
			})
		}
	}
	if len(words) == 2 && len(call.orders) < 2 {
		last := &t.sites[len(t.sites)-1]
		last.instrs = slices.Clone(last.instrs)
		for n := range last.instrs {
			last.instrs[n].hasNoFailures = true
		}
	}
	return ""
}

func (t *Text) add(p orders.Place, s site) {
	t.Places, t.sites = append(t.Places, p), append(t.sites, s)
}

// fence adds the place of a fence before the statement of a group, unless there is one.
func (t *Text) fence(g *group, inserted map[string]bool) {
	at := t.offset(g.at)
	if at < 0 || g.kinds[0] == "fence" {
		return
	}
	text := t.sources[g.at.File]
	from, ok := statement(text, at)
	key := fmt.Sprint(g.at.File, " ", from)
	if !ok || inserted[key] {
		return
	}
	for _, i := range g.instrs {
		if i.debug == "" {
			return
		}
	}
	inserted[key] = true
	line := 1 + strings.Count(text[:from], "\n")
	t.add(orders.Place{
		File: g.at.File, Line: line, Column: 1 + from - (strings.LastIndexByte(text[:from], '\n') + 1),
		Function: g.function, Operation: "atomic_thread_fence", Fence: true, Does: []string{"fence"},
		Was: c.Relaxed, Can: possible["fence"],
	}, site{file: g.at.File, insert: from, instrs: g.instrs})
}

// IsNew reports whether a place is a fence that the source does not have.
func (t *Text) IsNew(place int) bool { return t.sites[place].insert >= 0 }

// Has reports whether a client has a place. The module is the only client.
func (t *Text) Has(_, _ int) bool { return true }

// Orders returns the orders of the places in the text.
func (t *Text) Orders() []c.Order {
	out := make([]c.Order, len(t.Places))
	for i, p := range t.Places {
		out[i] = p.Was
	}
	return out
}

// edit replaces a part of a text.
type edit struct {
	from, to int
	text     string
}

// With returns the module and the sources that change with some orders.
func (t *Text) With(is []c.Order) map[string]string { return t.with(is, -1) }

// reacher is the function that a module with Reaching calls.
const reacher = "reach_error"

// Reaching returns the texts with some orders, and the module with a failure where a place is reached.
func (t *Text) Reaching(place int, is []c.Order) map[string]string { return t.with(is, place) }

// with returns the texts that change with some orders and, unless reaching is negative, with a failure at that place.
// Edits are at offsets of the original texts, so that everything else stays as it is.
func (t *Text) with(is []c.Order, reaching int) map[string]string {
	all := map[string][]edit{}
	for n, s := range t.sites {
		if n == reaching {
			for _, i := range s.instrs {
				call := "  call void @" + reacher + "()" + i.debug + "\n"
				all[t.name] = append(all[t.name], edit{i.from, i.from, call})
			}
		}
		if is[n] == t.Places[n].Was {
			continue
		}
		all[s.file] = append(all[s.file], t.sourceEdit(n, is[n]))
		all[t.name] = append(all[t.name], t.moduleEdits(n, is)...)
	}
	out := map[string]string{}
	for name, edits := range all {
		text := t.sources[name]
		if name == t.name {
			text = t.module
		}
		slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
		var b strings.Builder
		at := 0
		for _, e := range edits {
			b.WriteString(text[at:e.from])
			b.WriteString(e.text)
			at = e.to
		}
		b.WriteString(text[at:])
		if name == t.name && reaching >= 0 && !t.reaches {
			b.WriteString("\ndeclare void @" + reacher + "()\n")
		}
		out[name] = b.String()
	}
	return out
}

// moduleEdits returns the edits of the module that give a place an order. LLVM IR has no relaxed fence: the edit
// removes the instruction.
func (t *Text) moduleEdits(place int, is []c.Order) (out []edit) {
	s, p, o := t.sites[place], t.Places[place], is[place]
	for _, i := range s.instrs {
		switch {
		case s.insert >= 0:
			out = append(out, edit{i.from, i.from, "  fence " + irWords[o] + i.debug + "\n"})
		case p.Fence && o == c.Relaxed:
			end := i.from + strings.IndexByte(t.module[i.from:]+"\n", '\n')
			out = append(out, edit{i.from, end, ""})
		case s.failure:
			out = append(out, edit{i.words[1][0], i.words[1][1], irWords[o]})
		default:
			out = append(out, edit{i.words[0][0], i.words[0][1], irWords[o]})
			if i.hasNoFailures {
				failed := map[c.Order]c.Order{c.AcqRel: c.Acquire, c.Release: c.Relaxed}
				f, ok := failed[o]
				if !ok {
					f = o
				}
				out = append(out, edit{i.words[1][0], i.words[1][1], irWords[f]})
			}
		}
	}
	return out
}

// sourceEdit returns the edit of the source that gives a place an order. It removes the statement of a fence that
// becomes relaxed.
func (t *Text) sourceEdit(place int, o c.Order) edit {
	s, p := t.sites[place], t.Places[place]
	text := t.sources[s.file]
	switch {
	case s.insert >= 0:
		start := strings.LastIndexByte(text[:s.insert], '\n') + 1
		indent := text[start:s.insert]
		behind := " "
		if strings.TrimSpace(indent) == "" {
			behind = "\n" + indent
		}
		return edit{s.insert, s.insert, t.FenceCall(o) + ";" + behind}
	case p.Fence && o == c.Relaxed:
		at := t.offset(p.At())
		if from, ok := statement(text, at); ok {
			if end := strings.IndexByte(text[s.word.to:], ';'); end >= 0 {
				to := s.word.to + end + 1
				start := strings.LastIndexByte(text[:from], '\n') + 1
				if strings.TrimSpace(text[start:from]) == "" && strings.HasPrefix(text[to:], "\n") {
					return edit{start, to + 1, ""}
				}
				return edit{from, to, ""}
			}
		}
		return edit{s.word.from, s.word.to, t.spell(s.word.before, o)}
	case s.word != nil:
		return edit{s.word.from, s.word.to, t.spell(s.word.before, o)}
	}
	return edit{s.add, s.add, s.comma + t.spell("std::memory_order_", o)}
}

// spell writes an order as the source does.
func (t *Text) spell(before string, o c.Order) string {
	switch {
	case t.rust:
		return before + rustWords[o]
	case before == "__ATOMIC_":
		return before + strings.ToUpper(orders.Word(o, false))
	}
	return before + orders.Word(o, false)
}

// FenceCall returns a fence as the source has it.
func (t *Text) FenceCall(o c.Order) string {
	if t.rust {
		return "std::sync::atomic::fence(std::sync::atomic::Ordering::" + rustWords[o] + ")"
	}
	return "std::atomic_thread_fence(std::memory_order_" + orders.Word(o, false) + ")"
}

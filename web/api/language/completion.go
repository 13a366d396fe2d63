package language

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/lower"
	"litmuscope/models/cat"
	"litmuscope/web/parts/completion"
)

// offer is what completion makes of a word that is begun.
type offer struct {
	label, detail, help string
	insert              string // "" for the label
	from, to            int    // of insert: what is put in for an example, to be typed over
	kind                int
	boost               int // what comes first has most
}

// completion offers what may stand at a place.
func (r *request) completion(p place) (any, error) {
	d, at, err := r.at(p)
	if err != nil {
		return nil, err
	}
	// In a comment or a text nobody wants any, but the name of a file.
	if t, ok := tokenAt(d.marks(), at); ok && t.from < at &&
		(at < t.to || !strings.HasSuffix(d.text[t.from:t.to], "\n")) {
		inside := t.kind == comment && at < t.to || t.kind == quoted && at < t.to && t.of.space != files
		if inside || t.kind == comment && strings.HasPrefix(d.text[t.from:t.to], "//") {
			return completionList{Items: []completionItem{}}, nil
		}
	}
	from := at
	var offers []offer
	switch d.tongue {
	case ofTests:
		from, offers = d.completeTest(at)
	case ofModels:
		from, offers = r.completeModel(d, at)
	case ofPrograms:
		from, offers = d.completeProgram(at)
	}
	return r.list(d, from, at, offers), nil
}

// maxOffers bounds a list; editors ask again as somebody types on.
const maxOffers = 1000

// list has the offers that what is typed begins.
func (r *request) list(d *document, from, at int, offers []offer) completionList {
	typed := strings.ToUpper(d.text[from:at])
	offers = slices.DeleteFunc(offers,
		func(o offer) bool { return !strings.HasPrefix(strings.ToUpper(o.label), typed) })
	slices.SortStableFunc(offers, func(a, b offer) int { return cmp.Compare(b.boost, a.boost) })
	out := completionList{Items: []completionItem{}}
	seen := map[string]bool{}
	for _, o := range offers {
		key := o.label + "\x00" + o.detail + "\x00" + o.insert
		if seen[key] {
			continue
		}
		seen[key] = true
		if len(out.Items) == maxOffers {
			out.IsIncomplete = true
			break
		}
		item := completionItem{
			Label: o.label, Kind: o.kind, Detail: o.detail, Documentation: o.help,
			SortText: fmt.Sprintf("%04d", len(out.Items)),
		}
		text := cmp.Or(o.insert, o.label)
		if r.snippets && o.from < o.to {
			item.InsertTextFormat = snippetFormat
			text = snippet(o.insert[:o.from]) + "${1:" + snippet(o.insert[o.from:o.to]) + "}" + snippet(o.insert[o.to:])
		}
		item.TextEdit = &textEdit{d.span(from, at), text}
		out.Items = append(out.Items, item)
	}
	return out
}

var snippetSigns = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`)

func snippet(text string) string { return snippetSigns.Replace(text) }

// ending is the part of a text before a place that a pattern matches.
func ending(text string, at int, re *regexp.Regexp) (from int, found string) {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	found = re.FindString(text[start:at])
	return at - len(found), found
}

var (
	endsInRegister = litmus.Pattern(`\b\d+:[$%]?\w*$`)
	endsInFrame    = litmus.Pattern(`(?:~?[A-Za-z_]\w*|~)$`)
	endsInEntry    = litmus.Pattern(`=\s*\((?:\s*\w+:[^,()]*(?:\([^()]*\))?\s*,)*\s*(\w*)$`)
	endsInOperand  = litmus.Pattern(`[%$]?[A-Za-z_.][\w.]*$`)
	endsInWord     = litmus.Pattern(`[A-Za-z_]\w*$`)
	endsInName     = litmus.Pattern(`[A-Za-z_](?:[\w.-]*)$`)
	endsInTag      = litmus.Pattern(`'[\w.-]*$`)
	endsInFile     = litmus.Pattern(`\binclude\s+"[\w./-]*$`)
	labelsBefore   = litmus.Pattern(`^\s*(?:[\w.$]+\s*:\s*)*`)
	firstWord      = litmus.Pattern(`(?i)^(?:lock\s+)?[\w.]+`)
	inBrackets     = litmus.Pattern(`<.*>`)
	aBeginning     = litmus.Pattern(`(?i)^(?:lock\s+)?(?:[A-Za-z_.][\w.]*)?$`)
)

// inTest is what is known of a test around a place.
type inTest struct {
	*testScanner
	text string
}

func (d *document) completeTest(at int) (int, []offer) {
	s := &testScanner{vocabulary: vocabularyFor(d.text)}
	s.read(d.text)
	t := &inTest{s, d.text}
	switch {
	case at <= s.open:
		return at, nil
	case at <= s.closed:
		return t.inFrame(at, true)
	case at < s.end || s.end == len(s.plain):
		if s.isC() {
			if thread := t.bodyAt(at); thread >= 0 {
				return t.inBody(at, thread)
			}
			return t.inFrame(at, false)
		}
		return t.inColumns(at)
	}
	return t.inFrame(at, false)
}

// named are the names of a space that the test has, of a thread where the space is one of threads.
func (t *inTest) named(in space, thread int) []string {
	var out []string
	for _, u := range t.tokens {
		name := t.text[u.from:u.to]
		if u.of.space == in && (in == locations || u.of.thread == thread) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// used are the registers of a thread, or its locals, as outcomes show them.
func (t *inTest) used(thread int) []string {
	if t.isC() {
		return t.named(locals, thread)
	}
	var out []string
	for _, name := range t.named(registers, thread) {
		name = strings.TrimLeft(name, "%")
		for _, n := range slices.Concat(t.Registers, t.Aliases) {
			if strings.EqualFold(n, name) {
				name = n
			}
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// threads are the numbers of the test's.
func (t *inTest) threads() []int {
	out := slices.Clone(t.ids)
	for _, u := range t.tokens {
		if in := u.of.space; (in == registers || in == locals) && !slices.Contains(out, u.of.thread) {
			out = append(out, u.of.thread)
		}
	}
	slices.Sort(out)
	return out
}

// inFrame completes the init block, and what is behind the threads.
func (t *inTest) inFrame(at int, initial bool) (int, []offer) {
	if from, found := ending(t.text, at, endsInRegister()); found != "" {
		number, _, _ := strings.Cut(found, ":")
		thread, err := strconv.Atoi(number)
		if err != nil {
			return at, nil
		}
		names := t.used(thread)
		if initial {
			names = append(names, t.Registers...)
		}
		var out []offer
		for i, name := range names {
			out = append(out, offer{label: name, detail: "of P" + number, kind: itemVariable, boost: -i})
		}
		return from + len(number) + 1, out
	}
	if from, ok := t.insideEntry(at); ok {
		return from, t.frameWords(func(w lower.FrameWord) bool { return w.Inside })
	}
	from, typed := ending(t.text, at, endsInFrame())
	out := t.frameWords(func(w lower.FrameWord) bool { return initial && w.Initial || !initial && w.Final })
	for _, name := range t.named(locations, 0) {
		if name != typed {
			out = append(out, offer{label: name, detail: "location", kind: itemProperty, boost: 20})
		}
	}
	for _, thread := range t.threads() {
		for _, name := range t.used(thread) {
			out = append(out,
				offer{
					label: fmt.Sprintf("%d:%s", thread, name), detail: "register",
					help: fmt.Sprintf("of P%d", thread), kind: itemVariable, boost: 10,
				})
		}
	}
	if !initial {
		out = append(out, t.keywords()...)
	}
	return from, out
}

// insideEntry reports whether a place is in the parentheses of an entry of a page table, and where the name of a field
// that is begun there starts.
func (t *inTest) insideEntry(at int) (from int, ok bool) {
	start := strings.LastIndexAny(t.text[:at], "\n;") + 1
	m := endsInEntry().FindStringSubmatch(t.text[start:at])
	if m == nil || len(t.vocabulary.frame) == 0 {
		return 0, false
	}
	return at - len(m[1]), true
}

// frameWords offers words of the init block or the condition, with a location and a thread of the test.
func (t *inTest) frameWords(of func(lower.FrameWord) bool) (out []offer) {
	x, thread := "x", "P0"
	if known := t.plainLocations(); len(known) > 0 && !slices.Contains(known, x) {
		x = known[0]
	}
	if ids := t.threads(); len(ids) > 0 {
		thread = fmt.Sprint("P", ids[len(ids)-1])
	}
	for _, w := range t.vocabulary.frame {
		if of(w) {
			text := strings.NewReplacer("(x)", "("+x+")", ",x)", ","+x+")", "P0", thread).Replace(w.Text)
			out = append(out, offer{label: text, help: w.Help, kind: itemConstant, boost: -30})
		}
	}
	return out
}

// plainLocations are the locations of the test, without the words of its frame.
func (t *inTest) plainLocations() []string {
	words := map[string]bool{}
	for _, w := range t.vocabulary.frame {
		for _, word := range aName().FindAllString(w.Text, -1) {
			words[word] = word != "x"
		}
	}
	return slices.DeleteFunc(t.named(locations, 0), func(name string) bool { return words[name] })
}

// operandWords offers the words by which forms of an instruction differ: what is invalidated, or what a barrier is
// for.
func (t *inTest) operandWords(mnemonic string) (out []offer) {
	for _, in := range t.by[mnemonic] {
		word, _, _ := strings.Cut(in.Operands, ",")
		if aWordOperand().MatchString(word) {
			if _, register := t.vocabulary.register(word); !register {
				out = append(out, offer{label: word, detail: in.Operands, help: in.Help, kind: itemConstant, boost: 60})
			}
		}
	}
	return out
}

func (t *inTest) keywords() []offer {
	var out []offer
	for _, k := range t.Keywords {
		out = append(out, offer{label: k.Name, help: k.Help, kind: itemKeyword, boost: -20})
	}
	return out
}

// inColumns completes a cell: the instruction that it begins with, or an operand.
func (t *inTest) inColumns(at int) (int, []offer) {
	before := t.plain[t.closed+1 : at]
	row := strings.LastIndexByte(before, ';') + 1
	cell := max(row, strings.LastIndexByte(before, '|')+1)
	column := strings.Count(before[row:], "|")
	thread := column
	if column < len(t.ids) {
		thread = t.ids[column]
	}
	bare := before[cell:]
	bare = bare[len(labelsBefore().FindString(bare)):]
	if aBeginning().MatchString(bare) && !(bare != "" && threadName().MatchString(bare)) {
		var out []offer
		for i, in := range t.Instructions {
			out = append(out, t.instruction(in, i, bare))
		}
		if column == 0 {
			out = append(out, t.keywords()...)
		}
		return at - len(bare), out
	}
	from, typed := ending(t.text, at, endsInOperand())
	if from < t.closed+1+cell {
		from, typed = at, ""
	}
	mnemonic := strings.ToUpper(firstWord().FindString(bare))
	jumps := -50
	if t.jumps[mnemonic] {
		jumps = 50
	}
	var out []offer
	if !strings.ContainsAny(bare, ",") {
		out = t.operandWords(mnemonic)
	}
	for _, name := range t.named(labels, thread) {
		if name != typed {
			out = append(out,
				offer{
					label: name, detail: "label", help: fmt.Sprintf("of P%d", thread), kind: itemConstant,
					boost: jumps,
				})
		}
	}
	own := strings.TrimPrefix(typed, t.Sigil)
	cased := func(name string) string {
		if own != "" && own == strings.ToLower(own) {
			name = strings.ToLower(name)
		}
		return t.Sigil + name
	}
	used := t.used(thread)
	for _, name := range used {
		out = append(out,
			offer{label: cased(name), detail: "register", help: "used in this thread", kind: itemVariable, boost: 20})
	}
	for _, name := range t.Registers {
		if !slices.Contains(used, name) {
			out = append(out, offer{label: cased(name), detail: "register", kind: itemVariable})
		}
	}
	for _, name := range t.named(locations, 0) {
		if name != typed {
			out = append(out,
				offer{label: name, detail: "location", help: "of the test", kind: itemProperty, boost: 30})
		}
	}
	return from, out
}

var (
	anExample = litmus.Pattern(`([\[(])x([\])])`)
	aRegister = litmus.Pattern(`[A-Z]+\d*`)
	// an operand that is no register, label or location of an example
	aWordOperand = litmus.Pattern(`^[A-Z][A-Z0-9]+$`)
	aName        = litmus.Pattern(`[A-Za-z_]\w*`)
	aParameter   = litmus.Pattern(`\b(?:[pmls]|flag)\b`)
)

// instruction offers one with operands to begin with, in the case of what is typed.
func (t *inTest) instruction(in completion.Instruction, i int, typed string) offer {
	name, operands := in.Name, in.Operands
	if known := t.named(locations, 0); len(known) > 0 && !slices.Contains(known, "x") { // which examples speak of
		operands = anExample().ReplaceAllString(operands, "${1}"+known[0]+"${2}")
	}
	if typed != "" && typed == strings.ToLower(typed) {
		name = strings.ToLower(name)
		operands = aRegister().ReplaceAllStringFunc(operands, strings.ToLower)
	}
	o := offer{label: name, detail: operands, help: in.Help, insert: name, kind: itemFunction, boost: max(-99, 40-i/4)}
	if operands != "" {
		o.insert = name + " " + operands
		o.from, o.to = len(name)+1, len(o.insert)
	}
	return o
}

// bodyAt is the number of the thread in whose body a place is, or -1.
func (t *inTest) bodyAt(at int) int {
	last := -1
	for _, u := range t.tokens {
		if u.from >= at {
			break
		}
		if u.part == code && u.kind == heading && u.column < len(t.ids) && u.column >= 0 {
			last = t.ids[u.column]
			open := strings.IndexByte(t.plain[u.to:], '{')
			if open < 0 || at <= u.to+open || at > closing(t.plain, u.to+open) {
				last = -1
			}
		}
	}
	return last
}

// inBody completes a word in a thread in C: what may be called, locals and parameters.
func (t *inTest) inBody(at, thread int) (int, []offer) {
	from, typed := ending(t.text, at, endsInWord())
	var params []string
	column := slices.Index(t.ids, thread)
	for _, u := range t.tokens {
		if name := t.text[u.from:u.to]; u.of.space == locations && u.part == code && u.column == column &&
			!slices.Contains(params, name) {
			params = append(params, name)
		}
	}
	var out []offer
	for _, name := range t.named(locals, thread) {
		if name != typed {
			out = append(out,
				offer{label: name, detail: "local", help: "of this thread", kind: itemVariable, boost: 60})
		}
	}
	for _, name := range params {
		out = append(out,
			offer{label: name, detail: "location", help: "of this thread's parameters", kind: itemProperty, boost: 50})
	}
	for i, in := range t.Instructions {
		operands := in.Operands
		if len(params) > 0 {
			operands = aParameter().ReplaceAllString(operands, params[0])
		}
		out = append(out, called(in.Name, operands, in.Help, max(-99, 40-i/4)))
	}
	return from, out
}

// called offers what can be called, and what stands between its brackets to be typed over.
func called(name, operands, help string, boost int) offer {
	o := offer{label: name, detail: operands, help: help, insert: name + operands, kind: itemFunction, boost: boost}
	if open := strings.IndexByte(operands, '('); open >= 0 && !strings.Contains(operands, "()") {
		o.from, o.to = len(name)+open+1, len(name)+strings.LastIndexByte(operands, ')')
	}
	return o
}

// completeModel completes a name in a model, or that of a file to include.
func (r *request) completeModel(d *document, at int) (int, []offer) {
	known := modelVocabulary()
	var out []offer
	if _, found := ending(d.text, at, endsInFile()); found != "" {
		for _, f := range known.Files {
			out = append(out, offer{label: f.Name, detail: "file", help: f.Help, kind: itemFile})
		}
		for _, m := range r.view.models(d) {
			out = append(out, offer{label: m.name, detail: "file", help: "in the folder of this " +
				"file", kind: itemFile, boost: 10})
		}
		return at - len(found) + strings.IndexByte(found, '"') + 1, out
	}
	if from, typed := ending(d.text, at, endsInTag()); typed != "" {
		for _, in := range r.reached(d) {
			for _, t := range in.marks() {
				if word := in.text[t.from:t.to]; t.of.space == tags && t.defines && (in != d || t.to != at) {
					out = append(out,
						offer{label: word, detail: "tag", help: "of events in " + t.of.name, kind: itemConstant})
				}
			}
		}
		return from, out
	}
	from, typed := ending(d.text, at, endsInName())
	add := func(w cat.Word, kind string, boost int) {
		if w.Name == typed && boost == 20 {
			return // what is being typed
		}
		out = slices.DeleteFunc(out, func(o offer) bool { return o.label == w.Name })
		item := itemVariable
		switch w.Kind {
		case "keyword":
			item = itemKeyword
		case "function", "procedure":
			item = itemFunction
		}
		out = append(out, offer{label: w.Name, detail: kind, help: w.Help, kind: item, boost: boost})
	}
	for _, w := range known.Words {
		boost := 0
		if w.Kind == "keyword" {
			boost = 5
		}
		add(w, w.Kind, boost)
	}
	for _, name := range includedBy(d.text) {
		if text, err := r.view.read(d, name); err == nil {
			for _, w := range defines(name, text) {
				add(w, name, 10)
			}
			continue
		}
		for _, f := range known.Files {
			if f.Name == name {
				for _, w := range f.Defines {
					add(w, name, 10)
				}
			}
		}
	}
	for _, in := range r.reached(d) {
		for _, t := range in.marks() {
			if t.of.space == tags && t.defines {
				add(cat.Word{Name: t.of.name, Kind: "set", Help: "of the events with the tag " + in.text[t.from:t.to]},
					in.name(), 10)
			}
		}
	}
	for _, w := range defines(d.name(), d.text) {
		add(w, "here", 20)
	}
	return from, out
}

// defines lists what a file defines, as far as it can be read.
func defines(name, text string) []cat.Word {
	d := newDocument(name, 0, ofModels, text, false)
	var out []cat.Word
	for _, m := range cat.Marks(name, text) {
		if m.Name == nil || !m.Name.Top || m.From != m.To-len(m.Text) {
			continue
		}
		for _, def := range []cat.NameKind{cat.Defined, cat.Function, cat.Procedural} {
			if m.Name.Kind != def {
				continue
			}
			kind := map[cat.NameKind]string{
				cat.Defined: "relation", cat.Function: "function",
				cat.Procedural: "procedure",
			}[def]
			help := cat.Sentence(m.Name.Doc)
			out = append(out,
				cat.Word{
					Name: m.Text, Kind: kind,
					Help: cmp.Or(help, strings.TrimSpace(d.line(d.position(m.From).Line))),
				})
		}
	}
	return out
}

// completeProgram completes what a program may call, and its own names.
func (d *document) completeProgram(at int) (int, []offer) {
	from, typed := ending(d.text, at, endsInWord())
	known := programVocabulary()
	calls := map[string]bool{}
	var out []offer
	for i, c := range known.Calls {
		boost := 40 - i/4
		if header := inBrackets().FindString(c.Help); header != "" && !strings.Contains(d.text, header) {
			boost = -10 - i/4 // its header is not there
		}
		calls[c.Name] = true
		out = append(out, called(c.Name, c.Operands, c.Help, max(-99, boost)))
	}
	own := map[string]bool{typed: true}
	for _, t := range d.marks() {
		if name := d.text[t.from:t.to]; t.of.space == programNames && !calls[name] && !own[name] {
			own[name] = true
			out = append(out, offer{label: name, help: "of this program", kind: itemVariable, boost: 60})
		}
	}
	for _, name := range slices.Concat(known.Controls, known.Types, known.Modifiers) {
		if !calls[name] {
			out = append(out, offer{label: name, kind: itemKeyword, boost: -50})
		}
	}
	return from, out
}

package orders

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
)

// Place is a point where a text gives or implies an order.
type Place struct {
	File         string
	Line, Column int
	Function     string // the enclosing function, or ""
	Operation    string // the called function or macro
	Fence        bool
	// Does lists what it orders: load, store, update or fence. There are several if the order is passed on to several.
	Does []string
	// Failure: it is the order of a failed compare-exchange.
	Failure bool
	Was     c.Order
	// Can are the possible orders, the weakest first.
	Can []c.Order

	site, slot int
}

// At returns the position of the place.
func (p Place) At() litmus.Pos { return litmus.Pos{File: p.File, Line: p.Line, Col: p.Column} }

// Left is something that orders memory but is not a place.
type Left struct {
	At        litmus.Pos
	Operation string
	Why       string
}

// Options select places.
type Options struct {
	// Only are the files and functions in which to find places.
	Only []string
	// Each makes each use of a macro that consists of one call a place, instead of the macro.
	Each bool
}

// site is a call, by tokens of its file: its name, and its brackets.
//
// A site is not tied to one client. If several include it, they must agree on its orders, or the site has no place.
type site struct {
	file             *file
	name, open, shut int
	args             [][2]int
	form             form
	macro            *whole  // macro that it is a use of, or nil
	passer           *passer // called passer, or nil
	holder           *holder // defined variable, or nil
	places           []int   // places of its slots, in order
	read             bool    // some client includes it
	why              string  // reason why it is not a place
}

// order returns the token of the argument that gives a slot's order, without parentheses.
func (s *site) order(sl slot) int {
	arg := s.args[sl.arg]
	i := arg[0]
	for i+1 < arg[1] && s.file.tokens[i].text == "(" {
		i++
	}
	return i
}

// called returns the name of the called function or macro.
func (s *site) called() string { return s.file.tokens[s.name].text }

func (s *site) at() litmus.Pos {
	line, column := s.file.position(s.file.tokens[s.name].from)
	return litmus.Pos{File: s.file.name, Line: line, Col: column}
}

// Text is some files, with the places where they give orders.
//
// It is made in two steps, because the text before the preprocessor does not say which order a place has. Read first
// finds sites: calls of functions that order memory, in the tokens of the files, with the slots that each has for
// orders. Then present.go puts a mark before each site and each of its orders, and lets every client preprocess the
// marked text. A site whose mark a client's tokens contain is included by it, and the word after an order's mark is the
// order, also if it comes from a macro. Sites with a known order become places; others that order memory are listed in
// Left, with the reason.
//
// An order may be written at another point than the call: as a macro that is the whole call (macro.go), in the call of
// a function that passes its parameter on, or in the definition of a constant (passed.go). The place is where the text
// has to change.
type Text struct {
	Places []Place
	Left   []Left
	files  map[string]*file
	sites  []*site
	named  map[string][]*macro // by name
	each   bool
	// Functions and macros that pass orders on, and variables that contain them, by name.
	passers map[string]*passer
	holders map[string]*holder
	passed  []passed
	refused map[string]string // reasons why variables are not holders
	has     [][]bool          // by client and place
	wanted  func(f *file, token int) bool
	// declarations have objects that can be _Atomic, with places behind those of the sites.
	declarations []*declaration
}

// Client returns the tokens of a program after preprocessing, with changed texts of some of its files.
type Client func(changed map[string]string) ([]string, error)

// Read finds the places in some files, given by name, that the clients include.
func Read(texts map[string]string, clients []Client, o Options) (*Text, error) {
	t := &Text{
		files: map[string]*file{}, named: map[string][]*macro{}, each: o.Each, passers: map[string]*passer{},
		holders: map[string]*holder{}, refused: map[string]string{},
	}
	defined, functions := map[string]bool{}, map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f := newFile(name, texts[name])
		t.files[name] = f
		for _, m := range f.macros {
			t.named[m.name] = append(t.named[m.name], m)
			defined[m.name] = true
		}
		for _, fn := range f.functions {
			defined[fn.name], functions[fn.name] = true, true
		}
		for _, name := range f.declared {
			defined[name] = true
		}
	}
	wanted := func(*file, int) bool { return false }
	for _, only := range o.Only {
		before := wanted
		named := func(f *file) bool { return path.Clean(f.name) == path.Clean(only) }
		if slices.ContainsFunc(slices.Collect(maps.Values(t.files)), named) {
			wanted = func(f *file, i int) bool { return named(f) || before(f, i) }
			continue
		}
		if !functions[only] {
			if strings.ContainsAny(only, "./") {
				return nil, fmt.Errorf("no client contains a file %s", only)
			}
			return nil, fmt.Errorf("no client defines a function %s", only)
		}
		wanted = func(g *file, i int) bool {
			fn := g.in(i)
			return fn != nil && fn.name == only || before(g, i)
		}
	}
	t.wanted = wanted
	if o.Each {
		t.wholes(defined)
	}
	t.passing(defined)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f := t.files[name]
		for i := range f.tokens {
			if f.tokens[i].kind == word && wanted(f, i) {
				t.look(f, i, defined)
			}
		}
	}
	t.reportUnselected()
	return t, t.readClients(clients)
}

// Leave records that something else orders memory at a position, if places are searched there.
func (t *Text) Leave(at litmus.Pos, why string) {
	for _, f := range t.files {
		if path.Clean(f.name) != path.Clean(at.File) || at.Line > len(f.lines) || at.Line < 1 {
			continue
		}
		from := f.lines[at.Line-1] + at.Col - 1
		i, _ := slices.BinarySearchFunc(f.tokens, from, func(tok token, at int) int { return tok.to - 1 - at })
		l := Left{litmus.Pos{File: f.name, Line: at.Line, Col: at.Col}, "", why}
		if i < len(f.tokens) && t.wanted(f, i) {
			l.Operation = f.tokens[i].text
			if !slices.Contains(t.Left, l) {
				t.Left = append(t.Left, l)
				t.sort()
			}
		}
	}
}

// sort sorts Left by position.
func (t *Text) sort() {
	slices.SortFunc(t.Left, func(a, b Left) int {
		return cmp.Or(cmp.Compare(a.At.File, b.At.File), a.At.Line-b.At.Line, a.At.Col-b.At.Col)
	})
}

// look checks whether a word is the name of a call that gives or implies an order.
//
// A name that the program itself defines is no function of C or GCC. It is a site only if it passes an order on, or if
// its name ends in one, or if it is a macro that consists of one call.
func (t *Text) look(f *file, i int, defined map[string]bool) {
	name := f.tokens[i].text
	s := &site{file: f, name: i}
	left := func(why string) { t.Left = append(t.Left, Left{s.at(), name, why}) }
	body := f.body(i)
	if f.tokens[i].line >= 0 && body == nil || body != nil && body.whole != nil {
		return // a defined name, or a name in a condition; a macro whose uses are the places
	}
	if h := t.holders[name]; h != nil && h.file == f && h.name == i {
		s.holder, s.open, s.shut = h, -1, h.order
		s.args, s.form = [][2]int{{h.order, h.order + 1}}, form{slots: []slot{h.slot}}
		t.sites = append(t.sites, s)
		return
	}
	if p := t.passers[name]; p != nil {
		s.passer = p
		s.form = form{slots: p.slots, takes: len(p.params)}
	} else if w := t.wholeOf(f, name); w != nil {
		if w.file == nil {
			left("its definitions differ: choose one by treating the definitions as places instead of each use")
			return
		}
		s.macro = w
		s.form = w.form
	} else {
		form, why, ok := formOf(name)
		if defined[name] { // by the program
			form, ok = suffixed(name, defined)
			why = ""
		}
		if !ok {
			if why != "" && i+1 < len(f.tokens) && f.tokens[i+1].text == "(" {
				left(why)
			}
			return
		}
		s.form = form
	}
	end := len(f.tokens)
	if body != nil {
		end = body.to
	}
	s.open = i + 1
	if s.open >= end || f.tokens[s.open].text != "(" {
		if s.macro != nil && !s.macro.call {
			s.open, s.shut = -1, i
		} else {
			return // it is not a call
		}
	} else {
		if s.shut = closing(f.tokens, s.open, end); s.shut < 0 {
			return
		}
		if slices.ContainsFunc(f.tokens[s.open:s.shut], func(t token) bool { return t.line >= 0 }) && body == nil {
			left("a preprocessor directive is between its arguments")
			return
		}
		s.args = split(f.tokens, s.open, s.shut)
	}
	if fn := f.in(i); fn != nil && fn.from == i || fn == nil && body == nil {
		return // it is a definition or a declaration
	}
	if s.form.takes >= 0 && len(s.args) != s.form.takes {
		left(fmt.Sprintf("it has %d arguments, want %d", len(s.args), s.form.takes))
		return
	}
	s.form.slots = slices.Clone(s.form.slots)
	if s.passer != nil {
		s.passer.called = true
	}
	if t.removePassed(s) {
		t.sites = append(t.sites, s)
	}
}

// placeSites makes places of the sites whose orders are known.
func (t *Text) placeSites() {
	sites := t.sites
	t.sites = nil
	for _, s := range sites {
		if s.why != "" {
			t.Left = append(t.Left, Left{s.at(), s.called(), s.why})
			continue
		}
		if !s.read {
			continue // no client includes it
		}
		fn := s.file.in(s.name)
		for k, sl := range s.form.slots {
			p := Place{
				File: s.file.name, Operation: s.called(), Fence: s.fences(sl), Does: sl.does(),
				Failure: sl.failure && s.direct(), Was: sl.was, site: len(t.sites), slot: k,
			}
			from := s.name
			if sl.arg >= 0 {
				from = s.order(sl)
			}
			p.Line, p.Column = s.file.position(s.file.tokens[from].from)
			if fn != nil {
				p.Function = fn.name
			}
			p.Can = slices.Clone(sl.can)
			if !slices.Contains(p.Can, p.Was) {
				p.Can = append(p.Can, p.Was)
			}
			slices.Sort(p.Can)
			s.places = append(s.places, len(t.Places))
			t.Places = append(t.Places, p)
		}
		t.sites = append(t.sites, s)
	}
	t.sort()
}

// direct reports whether the text gives the order of a call here, and not an order that is passed on.
func (s *site) direct() bool { return s.passer == nil && s.holder == nil }

// fences reports whether it is a fence, which can be removed.
func (s *site) fences(sl slot) bool { return sl.role == fence && s.direct() }

// constant returns the order that a constant's name, or its number, denotes.
func constant(text string) (c.Order, bool) {
	if o, ok := c.Orders[text]; ok {
		return o, true
	}
	if rest, ok := strings.CutPrefix(text, "__ATOMIC_"); ok {
		o, ok := c.Orders["memory_order_"+strings.ToLower(rest)]
		return o, ok
	}
	n, err := strconv.Atoi(text)
	return c.Order(n), err == nil && n >= 0 && c.Order(n) <= c.SeqCst
}

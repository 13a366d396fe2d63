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

// Place is where a text says, or implies, an order.
type Place struct {
	File         string
	Line, Column int
	Function     string // that it stands in; "" where it stands in none
	Operation    string // as it is called there
	Fence        bool
	// Does is what it orders: load, store, update or fence; more than one, where it is handed on to several.
	Does []string
	// Failure: the order is that of a compare-and-exchange that fails.
	Failure bool
	Was     c.Order
	// Can are the orders that it may have, the weakest first.
	Can []c.Order

	site, slot int
}

// At is where it stands: file:line:column.
func (p Place) At() litmus.Pos { return litmus.Pos{File: p.File, Line: p.Line, Col: p.Column} }

// Left is something that orders memory, and is no place.
type Left struct {
	At        litmus.Pos
	Operation string
	Why       string
}

// Options say which places are wanted.
type Options struct {
	// Only are the files and the functions that places are looked for in.
	Only []string
	// Each takes each use of a macro that is one call for a place of its own, not the macro.
	Each bool
}

// site is a call, by numbers of tokens of its file: its name, and its brackets.
type site struct {
	file             *file
	name, open, shut int
	args             [][2]int
	form             form
	macro            *whole  // whose use it is, unless nil
	passer           *passer // that is called, unless nil
	holder           *holder // that is defined, unless nil
	places           []int   // of its slots, in order
	read             bool    // some client has it
	why              string  // it is no place
}

// order is the token of the argument that says a slot's order, which may be in brackets.
func (s *site) order(sl slot) int {
	arg := s.args[sl.arg]
	i := arg[0]
	for i+1 < arg[1] && s.file.tokens[i].text == "(" {
		i++
	}
	return i
}

// called is the name that it is called by.
func (s *site) called() string { return s.file.tokens[s.name].text }

func (s *site) at() litmus.Pos {
	line, column := s.file.position(s.file.tokens[s.name].from)
	return litmus.Pos{File: s.file.name, Line: line, Col: column}
}

// Text is what some files say of orders.
type Text struct {
	Places []Place
	Left   []Left
	files  map[string]*file
	sites  []*site
	named  map[string][]*macro // by name
	each   bool
	// What hands orders on, and has them, by name; and who gets them.
	passers map[string]*passer
	holders map[string]*holder
	passed  []passed
	refused map[string]string // variables that are no holders, and why
	has     [][]bool          // by client and place
	wanted  func(f *file, token int) bool
}

// Client gives what the preprocessor makes of a program, token by token, with other texts of some of its files.
type Client func(changed map[string]string) ([]string, error)

// Read finds the places in the files of some clients, by name.
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
	t.unsaid()
	return t, t.ask(clients)
}

// Leave notes that something else orders memory at a place, if that is where places are looked for.
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

// sort has what is left in the order of the text.
func (t *Text) sort() {
	slices.SortFunc(t.Left, func(a, b Left) int {
		return cmp.Or(cmp.Compare(a.At.File, b.At.File), a.At.Line-b.At.Line, a.At.Col-b.At.Col)
	})
}

// look finds out whether a word is the name of a call that says or implies an order.
func (t *Text) look(f *file, i int, defined map[string]bool) {
	name := f.tokens[i].text
	s := &site{file: f, name: i}
	left := func(why string) { t.Left = append(t.Left, Left{s.at(), name, why}) }
	body := f.body(i)
	if f.tokens[i].line >= 0 && body == nil || body != nil && body.whole != nil {
		return // a name that is defined, or in a condition; a macro whose uses are the places
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
			return // it is not called
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
		return // it is defined here, or declared
	}
	if s.form.takes >= 0 && len(s.args) != s.form.takes {
		left(fmt.Sprintf("it has %d arguments, want %d", len(s.args), s.form.takes))
		return
	}
	s.form.slots = slices.Clone(s.form.slots)
	if s.passer != nil {
		s.passer.called = true
	}
	if t.hand(s) {
		t.sites = append(t.sites, s)
	}
}

// settle makes places of the sites, now that it is known what they say.
func (t *Text) settle() {
	sites := t.sites
	t.sites = nil
	for _, s := range sites {
		if s.why != "" {
			t.Left = append(t.Left, Left{s.at(), s.called(), s.why})
			continue
		}
		if !s.read {
			continue // no client has it
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

// direct tells whether the text orders a call there, and not what the order is handed on to.
func (s *site) direct() bool { return s.passer == nil && s.holder == nil }

// fences tells whether it is a fence, which may go.
func (s *site) fences(sl slot) bool { return sl.role == fence && s.direct() }

// constant is the order of a constant's name, or its number.
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

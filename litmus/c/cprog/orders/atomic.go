package orders

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
)

// Making an object _Atomic changes its declarations alone: operators on it are seq_cst then. A declaration may declare
// several objects, of which some stay plain, so that it may have to be split:
//
//	int data, flag;    becomes    int data; _Atomic int flag;
//
// Of a pointer it is the declarator that says it: struct node *_Atomic head.

// declaration is one of a file, with objects that could be _Atomic.
type declaration struct {
	file        *file
	specifiers  [2]int // the tokens that all declarators share, from one to behind the last
	declarators []*declarator
}

// declarator is one of a declaration.
type declarator struct {
	name    int // its token
	comma   int // the token before, of all but the first
	pointer bool
	place   int // whether it can be _Atomic; -1 for none
}

// Atomics is the operation of a place that is an object which can become _Atomic: its orders are relaxed, for a plain
// object, and seq_cst.
const Atomics = "object"

// AddAtomic adds a place for an object with these declarations, behind all others. It has the order relaxed as long as
// the object is plain, and else seq_cst. If it cannot edit a declaration, it adds none, and says why.
func (t *Text) AddAtomic(name string, at []litmus.Pos) (why string) {
	var found []*declarator
	var all []*declaration
	for _, pos := range at {
		f := t.files[pos.File]
		if f == nil || pos.Line < 1 || pos.Line > len(f.lines) {
			return "its declaration is in none of the program's files"
		}
		from := f.lines[pos.Line-1] + pos.Col - 1
		i := slices.IndexFunc(f.tokens, func(tok token) bool { return tok.from == from })
		if i < 0 || f.tokens[i].text != name || f.tokens[i].line >= 0 {
			return "a macro declares it"
		}
		if !t.wanted(f, i) {
			return f.name + " is not searched"
		}
		d := t.declarationOf(f, i)
		if d == nil {
			return "its declaration is not a simple one"
		}
		k := slices.IndexFunc(d.declarators, func(one *declarator) bool { return one.name == i })
		if k < 0 {
			return "its declaration is not a simple one"
		}
		found, all = append(found, d.declarators[k]), append(all, d)
	}
	if len(found) == 0 {
		return "it has no declaration"
	}
	p := Place{
		File: at[0].File, Line: at[0].Line, Column: at[0].Col, Operation: name, Does: []string{Atomics}, Was: c.Relaxed,
		Can: []c.Order{c.Relaxed, c.SeqCst}, site: -1,
	}
	for i, d := range found {
		d.place = len(t.Places)
		if !slices.Contains(t.declarations, all[i]) {
			t.declarations = append(t.declarations, all[i])
		}
	}
	t.Places = append(t.Places, p)
	for n := range t.has {
		t.has[n] = append(t.has[n], true)
	}
	return ""
}

// IsAtomic reports whether the place is an object that can become _Atomic.
func (p Place) IsAtomic() bool { return slices.Contains(p.Does, Atomics) }

// declarationOf is the declaration that contains the name at token i; nil if it is not a simple one.
func (t *Text) declarationOf(f *file, i int) *declaration {
	for _, d := range t.declarations {
		if d.file == f && d.specifiers[0] <= i && i <= d.declarators[len(d.declarators)-1].name {
			return d
		}
	}
	all := f.tokens
	start, end := f.declarationStart(i), f.declarationEnd(i)
	if start < 0 || end < 0 {
		return nil
	}
	d := &declaration{file: f}
	from := start
	for n, part := range parts(all, start, end) {
		one := declaratorOf(all, max(from, part[0]), part[1])
		if one == nil {
			return nil
		}
		first := one.name
		for k := part[0]; k < one.name; k++ {
			if all[k].text == "*" {
				one.pointer, first = true, min(first, k)
			}
		}
		if n == 0 {
			d.specifiers = [2]int{start, first}
			if first == start {
				return nil
			}
		} else {
			one.comma = part[0] - 1
		}
		d.declarators = append(d.declarators, one)
	}
	for k := d.specifiers[0]; k < d.specifiers[1]; k++ {
		if all[k].kind != word {
			return nil
		}
	}
	return d
}

// declaratorOf finds the name among tokens: the last word before an array's size, a value or the end.
func declaratorOf(all []token, from, to int) *declarator {
	name := -1
	for i := from; i < to && !slices.Contains([]string{"[", "=", ":"}, all[i].text); i++ {
		if all[i].kind == word {
			name = i
		} else if all[i].text != "*" {
			return nil
		}
	}
	if name < 0 {
		return nil
	}
	return &declarator{name: name, place: -1}
}

// parts are what commas outside of brackets separate, from one token to behind the last.
func parts(all []token, from, to int) (out [][2]int) {
	depth, at := 0, from
	for i := from; i < to; i++ {
		switch all[i].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ",":
			if depth == 0 {
				out = append(out, [2]int{at, i})
				at = i + 1
			}
		}
	}
	return append(out, [2]int{at, to})
}

// declarationStart is the first token of the declaration that contains a name; -1 if it is not recognisable.
func (f *file) declarationStart(i int) int {
	all := f.tokens
	for i--; i >= 0; i-- {
		switch {
		case all[i].line >= 0, all[i].text == ";", all[i].text == "{":
			return i + 1
		case all[i].text == "(":
			return -1
		case all[i].text == ")" || all[i].text == "]" || all[i].text == "}":
			shut := i
			for depth := 0; i >= 0; i-- {
				if strings.Contains(")]}", all[i].text) {
					depth++
				} else if strings.Contains("([{", all[i].text) {
					depth--
				}
				if depth == 0 {
					break
				}
			}
			if i < 0 {
				return -1
			}
			if all[shut].text == "}" && (i == 0 || all[i-1].text != "=") {
				return shut + 1 // the end of something else
			}
		}
	}
	return 0
}

// declarationEnd is the token that ends it; -1 for none, or where a line of the preprocessor comes first.
func (f *file) declarationEnd(i int) int {
	depth := 0
	for ; i < len(f.tokens); i++ {
		switch t := f.tokens[i]; {
		case t.line >= 0:
			return -1
		case t.text == "(" || t.text == "[" || t.text == "{":
			depth++
		case t.text == ")" || t.text == "]" || t.text == "}":
			depth--
		case t.text == ";" && depth == 0:
			return i
		}
	}
	return -1
}

// before are the words of a declaration that come before _Atomic.
var before = []string{
	"static", "extern", "const", "volatile", "_Thread_local", "__thread", "thread_local", "register",
}

// atomicEdits are the edits of a file that declare objects according to the orders.
func (t *Text) atomicEdits(f *file, orders []c.Order) (out []edit) {
	for _, d := range t.declarations {
		if d.file != f {
			continue
		}
		all := f.tokens
		kind := d.specifiers[0]
		for kind+1 < d.specifiers[1] && slices.Contains(before, all[kind].text) {
			kind++
		}
		specifiers := func(atomic bool) string {
			from, to := all[d.specifiers[0]].from, all[d.specifiers[1]-1].to
			if !atomic {
				return f.text[from:to]
			}
			return f.text[from:all[kind].from] + "_Atomic " + f.text[all[kind].from:to]
		}
		now := false
		for n, one := range d.declarators {
			atomic := one.place >= 0 && one.place < len(orders) && orders[one.place] == c.SeqCst
			if atomic && one.pointer {
				out = append(out, edit{from: all[one.name].from, to: all[one.name].from, text: "_Atomic "})
				atomic = false
			}
			switch {
			case n == 0 && atomic:
				out = append(out, edit{from: all[kind].from, to: all[kind].from, text: "_Atomic "})
			case n > 0 && atomic != now:
				comma := all[one.comma]
				out = append(out, edit{from: comma.from, to: comma.to, text: "; " + specifiers(atomic)})
			}
			now = atomic
		}
	}
	return out
}

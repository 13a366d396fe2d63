package orders

import "strings"

// file is a file of the program, split into tokens.
type file struct {
	name, text string
	tokens     []token
	macros     []*macro
	functions  []*function
	declared   []string // declared functions
	lines      []int    // offsets of lines
}

// macro is a macro definition.
type macro struct {
	file     *file
	name     string
	call     bool // it is function-like
	params   []string
	from, to int // range of its body, in tokens
	whole    *whole
	orders   []int // if it consists of one call: the tokens that give its orders
}

// function is a definition of a function.
type function struct {
	name     string
	params   []string
	from, to int // range from its name to the end of its body, in tokens
}

func newFile(name, text string) *file {
	f := &file{name: name, text: text, tokens: tokens(text), lines: []int{0}}
	for i := range text {
		if text[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	f.defines()
	f.defined()
	return f
}

// defines finds the macros.
func (f *file) defines() {
	all := f.tokens
	for i := 0; i+2 < len(all); i++ {
		if all[i].line != i || all[i+1].text != "define" || all[i+2].line != i || all[i+2].kind != word {
			continue
		}
		m := &macro{file: f, name: all[i+2].text, from: i + 3}
		end := i + 3
		for end < len(all) && all[end].line == i {
			end++
		}
		m.to = end
		if m.from < end && all[m.from].text == "(" && all[m.from].from == all[i+2].to {
			shut := closing(all, m.from, end)
			if shut < 0 {
				continue
			}
			m.call = true
			for _, a := range split(all, m.from, shut) {
				if a[1] > a[0] {
					m.params = append(m.params, all[a[1]-1].text)
				}
			}
			m.from = shut + 1
		}
		f.macros = append(f.macros, m)
	}
}

// defined finds the functions: outside brackets, a name followed by brackets and a block.
//
// It does not parse C. A definition is recognised by its brackets. In a function that it misses, calls are still
// places, but they have no enclosing function, and parameters pass no orders on.
func (f *file) defined() {
	all := f.tokens
	name, open := -1, -1
	for i := 0; i < len(all); i++ {
		if all[i].line >= 0 {
			continue
		}
		switch t := all[i]; {
		case t.text == "(" || t.text == "[":
			shut := closing(all, i, len(all))
			if shut < 0 {
				return
			}
			if t.text == "(" && name != -2 && i > 0 && all[i-1].kind == word &&
				!strings.HasPrefix(all[i-1].text, "__attribute") && all[i-1].text != "_Alignas" {
				name, open = i-1, i
			}
			i = shut
		case t.text == "=":
			name = -2 // the braces contain a value
		case t.text == ";":
			if name >= 0 {
				f.declared = append(f.declared, all[name].text)
			}
			name = -1
		case t.text == "{":
			if i > 1 && all[i-1].kind == literal && all[i-2].text == "extern" {
				name = -1
				continue // its braces are skipped
			}
			shut := closing(all, i, len(all))
			if shut < 0 {
				return
			}
			if name >= 0 {
				fn := &function{name: all[name].text, from: name, to: shut + 1}
				for _, a := range split(all, open, closing(all, open, len(all))) {
					if a[1] > a[0] {
						fn.params = append(fn.params, all[a[1]-1].text)
					}
				}
				f.functions = append(f.functions, fn)
				name = -1
			}
			i = shut
		}
	}
}

// in returns the function that contains a token, or nil.
func (f *file) in(i int) *function {
	for _, fn := range f.functions {
		if fn.from <= i && i < fn.to {
			return fn
		}
	}
	return nil
}

// body returns the macro whose body contains a token, or nil.
func (f *file) body(i int) *macro {
	for _, m := range f.macros {
		if m.from <= i && i < m.to {
			return m
		}
	}
	return nil
}

// position returns the line and the column of a byte, from 1.
func (f *file) position(at int) (line, column int) {
	for line = len(f.lines); f.lines[line-1] > at; line-- {
	}
	return line, at - f.lines[line-1] + 1
}

package orders

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Fenced is a text with a sequentially consistent fence wherever one could be put that orders something: before each
// statement of the functions that have an atomic access or a fence, and at their ends; on a line of its own each, which
// are given by number. Nothing is put where it would be part of another statement, such as behind if (…) without
// braces, or where that cannot be told because a line of the preprocessor comes between. Functions that are not wanted
// stay as they are.
func Fenced(text string, wanted func(function string) bool) (fenced string, lines []int) {
	f := newFile("", text)
	call := "__atomic_thread_fence(__ATOMIC_SEQ_CST);"
	if includesAtomics().MatchString(text) { // in a preprocessed text, it is a function of the library's
		call = "atomic_thread_fence(memory_order_seq_cst);"
	}
	defined := map[string]bool{}
	for _, fn := range f.functions {
		defined[fn.name] = true
	}
	macros, fences := map[string]bool{}, map[string]bool{} // that have an access in them, or begin with a fence
	orders := func(i int) bool {
		form, _, ok := formOf(f.tokens[i].text)
		return f.tokens[i].kind == word && (ok && len(form.slots) > 0 && !defined[f.tokens[i].text] ||
			macros[f.tokens[i].text])
	}
	isFence := func(i int) bool {
		form, _, ok := formOf(f.tokens[i].text)
		return orders(i) && (ok && form.slots[0].role == fence || fences[f.tokens[i].text])
	}
	for range f.macros { // one may use another
		for _, m := range f.macros {
			for i := m.from; i < m.to; i++ {
				macros[m.name] = macros[m.name] || orders(i)
			}
			fences[m.name] = m.from < m.to && isFence(m.from)
		}
	}
	var starts []int // of lines
	for _, fn := range f.functions {
		has := false
		for i := fn.from + 1; i < fn.to && wanted(fn.name); i++ {
			has = has || orders(i)
		}
		if has {
			for _, i := range f.gaps(fn) {
				// Beside a fence it is that one which can be stronger.
				if !isFence(i) && !isFence(f.statement(i-1)) {
					starts = append(starts, strings.LastIndexByte(f.text[:f.tokens[i].from], '\n')+1)
				}
			}
		}
	}
	slices.Sort(starts)
	var b strings.Builder
	at := 0
	for n, start := range starts {
		line, _ := f.position(start)
		lines = append(lines, line+n)
		b.WriteString(text[at:start])
		rest := text[start:]
		b.WriteString(rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))])
		if strings.HasPrefix(strings.TrimLeft(rest, " \t"), "}") {
			b.WriteString("\t")
		}
		b.WriteString(call + "\n")
		at = start
	}
	b.WriteString(text[at:])
	return b.String(), lines
}

var includesAtomics = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*["<]stdatomic\.h[">]`)
})

// Has tells whether a text has something that orders memory.
func Has(text string) bool {
	f := newFile("", text)
	return slices.ContainsFunc(f.tokens, func(t token) bool {
		form, _, ok := formOf(t.text)
		return t.kind == word && ok && len(form.slots) > 0
	})
}

// statement is where the one begins that a token ends.
func (f *file) statement(i int) int {
	for i--; i > 0 && !slices.Contains([]string{";", "{", "}"}, f.tokens[i].text); i-- {
	}
	return i + 1
}

// gaps are the tokens of a function that begin a line, and a statement in front of which another can stand. What
// declares something and does nothing is none: it has the gap behind it.
func (f *file) gaps(fn *function) (out []int) {
	all := f.tokens
	depth := 0
	var blocks []int // the tokens that open those that are open
	for i := fn.from + 1; i < fn.to; i++ {
		t := all[i]
		if t.line >= 0 {
			continue
		}
		switch t.text {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		}
		start := strings.LastIndexByte(f.text[:t.from], '\n') + 1
		first := strings.TrimSpace(f.text[start:t.from]) == ""
		before := all[i-1]
		ends := t.text != "else" &&
			(before.text == ";" || before.text == "{" || before.text == "}" && t.text != "while") &&
			(t.text != "while" || all[f.statement(i-1)].text != "do")
		outer := len(blocks) > 0 && !slices.ContainsFunc(blocks, func(open int) bool {
			return all[open-1].text == "=" || all[open-1].kind == word && all[open-1].text != "else" &&
				all[open-1].text != "do"
		})
		if first && depth == 0 && before.line < 0 && ends && outer && f.takesFence(i, len(blocks)) {
			out = append(out, i)
		}
		switch t.text {
		case "{":
			blocks = append(blocks, i)
		case "}":
			blocks = blocks[:len(blocks)-1]
		}
	}
	return out
}

// takesFence tells whether a fence in front of a statement can order something that one elsewhere cannot.
func (f *file) takesFence(i, depth int) bool {
	all := f.tokens
	if all[i].text == "}" { // at the function's end, unless it is never come to
		return depth == 1 && all[i-1].text == ";" && all[f.statement(i-1)].text != "return"
	}
	if slices.Contains([]string{"case", "default", "}", "struct", "union", "enum", "typedef", "static"}, all[i].text) &&
		!f.does(i) || all[i].kind != word && all[i].text != "*" && all[i].text != "+" && all[i].text != "-" &&
		all[i].text != "(" {
		return false
	}
	return all[i+1].text != ":" && f.does(i)
}

// does tells whether a statement does anything: one without a value, a call or a branch declares something, or is
// empty.
func (f *file) does(i int) bool {
	if slices.Contains([]string{"return", "break", "continue", "goto", "do"}, f.tokens[i].text) {
		return true
	}
	for ; i < len(f.tokens) && f.tokens[i].text != ";" && f.tokens[i].text != "{"; i++ {
		if t := f.tokens[i].text; t == "=" || t == "(" || t == "+" || t == "-" {
			return true
		}
	}
	return false
}

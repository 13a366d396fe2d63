package orders

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Fenced returns a text with a sequentially consistent fence wherever one can have an effect: before each statement of
// the functions with an atomic access or a fence, and at their ends. Each fence is on a line of its own; lines has
// their numbers. There is no fence where it would become a part of another statement, such as after if (…) without
// braces, or where a preprocessor directive makes that uncertain. Only the wanted functions change.
func Fenced(text string, wanted func(function string) bool) (fenced string, lines []int) {
	f := newFile("", text)
	call := "__atomic_thread_fence(__ATOMIC_SEQ_CST);"
	if includesAtomics().MatchString(text) { // in a preprocessed text, the fence function is already declared
		call = "atomic_thread_fence(memory_order_seq_cst);"
	}
	defined := map[string]bool{}
	for _, fn := range f.functions {
		defined[fn.name] = true
	}
	macros, fences := map[string]bool{}, map[string]bool{} // macros that contain an access, or begin with a fence
	orders := func(i int) bool {
		form, _, ok := formOf(f.tokens[i].text)
		return f.tokens[i].kind == word && (ok && len(form.slots) > 0 && !defined[f.tokens[i].text] ||
			macros[f.tokens[i].text])
	}
	isFence := func(i int) bool {
		form, _, ok := formOf(f.tokens[i].text)
		return orders(i) && (ok && form.slots[0].role == fence || fences[f.tokens[i].text])
	}
	for range f.macros { // macros may use other macros
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
				// Next to a fence, no other one is needed: that fence can be strengthened.
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

// Has reports whether a text contains something that orders memory.
func Has(text string) bool {
	f := newFile("", text)
	return slices.ContainsFunc(f.tokens, func(t token) bool {
		form, _, ok := formOf(t.text)
		return t.kind == word && ok && len(form.slots) > 0
	})
}

// statement returns the first token of the statement that ends with token i.
func (f *file) statement(i int) int {
	for i--; i > 0 && !slices.Contains([]string{";", "{", "}"}, f.tokens[i].text); i-- {
	}
	return i + 1
}

// gaps returns the tokens of a function that begin both a line and a statement before which a fence can be inserted.
// Declarations without effect are excluded.
//
// A line of its own keeps the text in order for people and keeps line numbers simple, so only statements that begin a
// line count. A statement that belongs to an if or a loop without braces has none before it.
func (f *file) gaps(fn *function) (out []int) {
	all := f.tokens
	depth := 0
	var blocks []int // opening tokens of the current blocks
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

// takesFence reports whether a fence before a statement can have an effect that no other fence has.
func (f *file) takesFence(i, depth int) bool {
	all := f.tokens
	if all[i].text == "}" { // at the function's end, unless it is unreachable
		return depth == 1 && all[i-1].text == ";" && all[f.statement(i-1)].text != "return"
	}
	if slices.Contains([]string{"case", "default", "}", "struct", "union", "enum", "typedef", "static"}, all[i].text) &&
		!f.does(i) || all[i].kind != word && all[i].text != "*" && all[i].text != "+" && all[i].text != "-" &&
		all[i].text != "(" {
		return false
	}
	return all[i+1].text != ":" && f.does(i)
}

// does reports whether a statement has an effect: a statement without a value, a call or a branch is a declaration or
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

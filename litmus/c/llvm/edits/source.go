package edits

import (
	"regexp"
	"strings"

	"litmuscope/litmus/c"
)

// call is a call in a source that gives an order.
type call struct {
	name   string // without the namespace
	orders []word // the orders that its arguments name
	args   int    // the number of arguments
	shut   int    // the offset of the closing bracket
}

// word is an order in a source.
type word struct {
	from, to int
	before   string // what precedes the order's own word, such as std::memory_order_
	order    c.Order
}

// named has the orders by their words in C++ and in Rust.
var named = map[string]c.Order{
	"relaxed": c.Relaxed, "consume": c.Consume, "acquire": c.Acquire, "release": c.Release, "acq_rel": c.AcqRel,
	"seq_cst": c.SeqCst,
	"Relaxed": c.Relaxed, "Acquire": c.Acquire, "Release": c.Release, "AcqRel": c.AcqRel, "SeqCst": c.SeqCst,
}

// rustWords spells orders in Rust.
var rustWords = map[c.Order]string{
	c.Relaxed: "Relaxed", c.Acquire: "Acquire", c.Release: "Release", c.AcqRel: "AcqRel", c.SeqCst: "SeqCst",
}

// orderWord matches an argument that names an order, in C++ or in Rust.
var orderWord = regexp.MustCompile(`^((?:::)?(?:std::)?memory_order(?:_|::)|__ATOMIC_|(?:\w+::)*Ordering::|)(\w+)$`)

// callAt reads the call whose name is at an offset of a text; ok is false for an operator, and for a macro with another
// form.
func callAt(text string, at int) (out call, ok bool) {
	end := at
	for end < len(text) && (isName(text[end]) || text[end] == ':') {
		end++
	}
	if end == at {
		return out, false
	}
	out.name = text[at:end]
	if i := strings.LastIndexByte(out.name, ':'); i >= 0 {
		out.name = out.name[i+1:]
	}
	for end < len(text) && strings.IndexByte(" \t\n", text[end]) >= 0 {
		end++
	}
	if end < len(text) && text[end] == '<' { // arguments of a template
		if end = closing(text, end, '<', '>'); end < 0 {
			return out, false
		}
		end++
	}
	if end >= len(text) || text[end] != '(' {
		return out, false
	}
	from := end + 1
	argument := func(to int) {
		a := strings.TrimSpace(text[from:to])
		if a == "" {
			return
		}
		out.args++
		if m := orderWord.FindStringSubmatch(a); m != nil {
			o, known := named[m[2]]
			if !known && m[1] == "__ATOMIC_" {
				o, known = named[strings.ToLower(m[2])]
			}
			if known && (m[1] != "" || rustWords[o] == m[2]) {
				start := from + strings.Index(text[from:to], a)
				out.orders = append(out.orders, word{start, start + len(a), m[1], o})
			}
		}
	}
	depth := 0
	for i := from; i < len(text); i = next(text, i) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				argument(i)
				out.shut = i
				return out, text[i] == ')'
			}
			depth--
		case ',':
			if depth == 0 {
				argument(i)
				from = i + 1
			}
		}
	}
	return out, false
}

// next returns the offset of the next character that is code: behind a comment, or a string.
func next(text string, i int) int {
	switch {
	case strings.HasPrefix(text[i:], "//"):
		if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
			return i + n + 1
		}
		return len(text)
	case strings.HasPrefix(text[i:], "/*"):
		if n := strings.Index(text[i+2:], "*/"); n >= 0 {
			return i + 2 + n + 2
		}
		return len(text)
	case text[i] == '"':
		for i++; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
			if text[i] == '\\' {
				i++
			}
		}
	}
	return i + 1
}

// closing returns the offset of the bracket that closes the one at an offset; -1 if there is none on the line.
func closing(text string, at int, open, shut byte) int {
	depth := 0
	for i := at; i < len(text) && text[i] != '\n' && text[i] != ';'; i++ {
		switch text[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func isName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// arity is the number of arguments of an operation without an order, which is then seq_cst.
func arity(name string) (n int, ok bool) {
	switch {
	case name == "load", name == "test_and_set", name == "clear", name == "test":
		return 0, true
	case name == "store", name == "exchange", strings.HasPrefix(name, "fetch_"):
		return 1, true
	case strings.HasPrefix(name, "compare_exchange_"):
		return 2, true
	}
	return 0, false
}

// unsuitable matches the beginnings of statements before which no statement can be inserted, or before which it would
// run at other times than the access.
var unsuitable = regexp.MustCompile(`^(?:while|for|else|case|default|loop|do|match)\b|^[|.,?:)\]}&=+*/-]|^\w+ *:[^:]`)

// statement returns the offset of the statement that an offset is in, if another statement can be inserted before it.
func statement(text string, at int) (from int, ok bool) {
	// Code before the offset, without comments and strings: their characters could look like code.
	var inside []byte // the brackets around the offset
	from = 0
	for i := 0; i < at; {
		step := next(text, i)
		switch text[i] {
		case '(', '[', '{':
			inside = append(inside, text[i])
		case ')', ']', '}':
			inside = inside[:max(0, len(inside)-1)]
		}
		switch text[i] {
		case ';', '{', '}':
			if len(inside) == 0 || inside[len(inside)-1] == '{' {
				from = i + 1
			}
		}
		if strings.HasPrefix(text[i:], "//") || strings.HasPrefix(text[i:], "/*") {
			if strings.TrimSpace(text[from:i]) == "" {
				from = step
			}
		}
		if text[i] == '#' && strings.TrimSpace(text[strings.LastIndexByte(text[:i], '\n')+1:i]) == "" {
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 { // a directive
				step = i + n + 1
				from = step
			}
		}
		i = step
	}
	for from < at && strings.IndexByte(" \t\n", text[from]) >= 0 {
		from++
	}
	head := text[from:at]
	open := strings.Count(head, "(") - strings.Count(head, ")")
	if unsuitable.MatchString(head) || open > 1 || open == 1 && !strings.HasPrefix(head, "if") &&
		!strings.Contains(head, "assert") {
		return from, false
	}
	return from, true
}

package orders

import (
	"fmt"
	"slices"
	"strings"
)

// whole is a macro that consists of exactly one call with its orders, or of a use of such a macro.
//
// By default, a call in the body of a macro is a place, and changing it changes all uses. With Options.Each, a macro
// such as
//
//	#define LOAD(x) atomic_load_explicit(x, memory_order_acquire)
//
// is expanded at each use instead, so that each use has its own order. That is possible only if the body is one call
// and nothing else: the use is then replaced by the call with the arguments of the use. parts is that call, in pieces.
type whole struct {
	*macro
	form        form
	parts       []part
	givesOrders bool // its text gives its orders
	deep        int  // nesting depth of such macros
}

// part is a part of a use's expansion: a text, an argument, or an order.
type part struct {
	text      string
	arg, slot int // -1 for none
}

// wholes finds the macros that consist of one call.
//
// A macro may consist of a use of another one, so this repeats until nothing more is found.
func (t *Text) wholes(defined map[string]bool) {
	for more := true; more; {
		more = false
		for _, all := range t.named {
			for _, m := range all {
				if m.whole == nil && t.make(m, defined) {
					more = true
				}
			}
		}
	}
}

// make reports whether a macro consists of one call, and records the expansion of its uses.
func (t *Text) make(m *macro, defined map[string]bool) bool {
	all := m.file.tokens
	if m.to-m.from < 3 || all[m.from].kind != word || all[m.from+1].text != "(" ||
		closing(all, m.from+1, m.to) != m.to-1 {
		return false
	}
	for i := m.from; i < m.to; i++ {
		if all[i].text == "#" || all[i].text == "__VA_ARGS__" {
			return false
		}
	}
	name, args := all[m.from].text, split(all, m.from+1, m.to-1)
	w := &whole{macro: m, deep: 1}
	if inner := t.wholeOf(m.file, name); inner != nil {
		if inner.file == nil || len(args) != len(inner.params) {
			return false
		}
		w.form, w.givesOrders, w.deep = inner.form, inner.givesOrders, inner.deep+1
		for _, p := range inner.parts {
			if p.arg < 0 {
				w.parts = append(w.parts, p)
			} else {
				w.parts = append(w.parts, m.pieces(args[p.arg][0], args[p.arg][1], nil)...)
			}
		}
		w.form.takes = len(m.params)
		m.whole = w
		return true
	}
	if defined[name] {
		return false
	}
	f, _, ok := formOf(name)
	if !ok || f.takes >= 0 && len(args) != f.takes {
		return false
	}
	w.form = form{takes: len(m.params)}
	orders := map[int]int{} // slot by argument
	for k, sl := range f.slots {
		if sl.arg >= 0 {
			a := args[sl.arg]
			if a[1]-a[0] != 1 || slices.Contains(m.params, all[a[0]].text) {
				return false // its uses give the order
			}
			orders[a[0]] = k
			m.orders = append(m.orders, a[0])
			sl.arg = -1
			w.givesOrders = true
		}
		w.form.slots = append(w.form.slots, sl)
	}
	if f.explicit == "" {
		w.parts = m.pieces(m.from, m.to, orders)
	} else {
		w.parts = append(w.parts, part{f.explicit, -1, -1})
		w.parts = append(w.parts, m.pieces(m.from+1, m.to-1, nil)...)
		first := len(args) == 0
		add := func(text string, slot int) {
			if !first {
				w.parts = append(w.parts, part{", ", -1, -1})
			}
			first = false
			w.parts = append(w.parts, part{text, -1, slot})
		}
		if f.before != "" {
			add(f.before, -1)
		}
		for k := range f.slots {
			add("", k)
		}
		w.parts = append(w.parts, part{")", -1, -1})
	}
	m.whole = w
	return true
}

// pieces returns some tokens of a macro's body as parts: its parameters as arguments, and the tokens in orders as
// slots.
func (m *macro) pieces(from, to int, orders map[int]int) (out []part) {
	for i := from; i < to; i++ {
		tok := m.file.tokens[i]
		p := part{tok.text, -1, -1}
		if k, is := orders[i]; is {
			p.slot = k
		} else if k := slices.Index(m.params, tok.text); k >= 0 {
			p.arg = k
		}
		if i > from && tok.from > m.file.tokens[i-1].to {
			out = append(out, part{" ", -1, -1})
		}
		out = append(out, p)
	}
	return out
}

// wholeOf returns the macro with a name that consists of one call, or nil. If there are different ones, the result has
// no file.
func (t *Text) wholeOf(f *file, name string) *whole {
	if !t.each {
		return nil
	}
	var found *whole
	own := slices.ContainsFunc(t.named[name], func(m *macro) bool { return m.file == f && m.whole != nil })
	for _, m := range t.named[name] {
		switch {
		case m.whole == nil || own && m.file != f:
		case found == nil:
			found = m.whole
		case found.macro != nil && found.spelled() != m.whole.spelled():
			return &whole{macro: &macro{}}
		}
	}
	return found
}

func (w *whole) spelled() string {
	var b strings.Builder
	for _, p := range w.parts {
		fmt.Fprint(&b, p.text, p.arg, p.slot)
	}
	return b.String()
}

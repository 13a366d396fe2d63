package orders

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"litmuscope/litmus/c"
)

// Orders returns the orders of the places in the text.
func (t *Text) Orders() []c.Order {
	out := make([]c.Order, len(t.Places))
	for i, p := range t.Places {
		out[i] = p.Was
	}
	return out
}

// With returns the files that change with some orders. Line numbers do not change, but neat removes lines that
// contained only a fence.
func (t *Text) With(orders []c.Order, neat bool) map[string]string {
	return t.written(func(s *site) []edit { return t.edits(s, orders, neat) },
		func(f *file) []edit { return t.atomicEdits(f, orders) })
}

// Reached begins the text of the failure by which [Text.Reaching] shows that a place is reached.
const Reached = "__VERIFIER_error()"

// Reaching returns the files that change with some orders, and with a failure where a place is reached, or a variable
// that is a place is used. The order of the place itself does not change.
func (t *Text) Reaching(place int, orders []c.Order) map[string]string {
	at := t.sites[t.Places[place].site]
	calls := []*site{at}
	if at.holder != nil {
		calls = at.holder.uses
	}
	return t.written(func(s *site) []edit {
		if s == at {
			return nil
		}
		return t.edits(s, orders, false)
	}, func(f *file) (out []edit) {
		for _, s := range calls {
			if s.file == f {
				name, shut := f.tokens[s.name], f.tokens[s.shut]
				out = append(out, edit{from: name.from, to: name.from, text: "(" + Reached + ", "},
					edit{from: shut.to, to: shut.to, text: ")"})
			}
		}
		return out
	})
}

// edit replaces a part of a text. If inside is set, it renders the edits in that part itself.
type edit struct {
	from, to int
	text     string
	inside   func(render func(from, to int) string) string
}

// written returns the files that change by edits of their sites, and of the files themselves.
//
// Edits are made on bytes of the original text, so that comments, layout and everything else stay as they are.
func (t *Text) written(of func(*site) []edit, also ...func(*file) []edit) map[string]string {
	edits := map[*file][]edit{}
	for _, s := range t.sites {
		edits[s.file] = append(edits[s.file], of(s)...)
	}
	for _, f := range t.files {
		for _, more := range also {
			edits[f] = append(edits[f], more(f)...)
		}
	}
	out := map[string]string{}
	for f, all := range edits {
		if len(all) > 0 {
			slices.SortStableFunc(all, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
			out[f.name] = render(f.text, all, 0, len(f.text))
		}
	}
	return out
}

// render returns a part of a text with the edits in it, which are in order. Edits inside an edit are its own
// responsibility.
func render(text string, all []edit, from, to int) string {
	var b strings.Builder
	at := from
	for _, e := range all {
		if e.from < at || e.to > to {
			continue
		}
		b.WriteString(text[at:e.from])
		if e.inside == nil {
			b.WriteString(e.text)
		} else {
			b.WriteString(e.inside(func(from, to int) string { return render(text, all, from, to) }))
		}
		at = e.to
	}
	b.WriteString(text[at:to])
	return b.String()
}

// edits returns the edits that give a site some orders.
func (t *Text) edits(s *site, orders []c.Order, neat bool) []edit {
	tokens := s.file.tokens
	wanted := make([]c.Order, len(s.places))
	same := true
	for k, p := range s.places {
		wanted[k] = orders[p]
		same = same && wanted[k] == s.form.slots[k].was
	}
	if same {
		return nil
	}
	name := tokens[s.name]
	switch {
	case s.fences(s.form.slots[0]) && wanted[0] == c.Relaxed:
		return []edit{s.removal(neat)}
	case s.macro != nil:
		return []edit{{from: name.from, to: tokens[s.shut].to, inside: func(render func(from, to int) string) string {
			var b strings.Builder
			for _, p := range s.macro.parts {
				switch {
				case p.slot >= 0:
					b.WriteString(t.spelled(s, p.text, s.form.slots[p.slot].was, wanted[p.slot]))
				case p.arg >= 0:
					a := s.args[p.arg]
					b.WriteString(render(tokens[a[0]].from, tokens[a[1]-1].to))
				default:
					b.WriteString(p.text)
				}
			}
			return b.String()
		}}}
	case s.form.named != nil:
		return []edit{{from: name.from, to: name.to, text: s.form.named[wanted[0]]}}
	case s.form.explicit != "":
		text, comma := "", ", "
		if len(s.args) == 0 {
			comma = ""
		}
		if s.form.before != "" {
			text, comma = comma+s.form.before, ", "
		}
		for k, sl := range s.form.slots {
			text += comma + t.spelled(s, "", sl.was, wanted[k])
			comma = ", "
		}
		end := tokens[s.shut].from
		return []edit{{from: name.from, to: name.to, text: s.form.explicit}, {from: end, to: end, text: text}}
	}
	var out []edit
	for k, sl := range s.form.slots {
		if wanted[k] != sl.was {
			arg := tokens[s.order(sl)]
			text := t.spelled(s, arg.text, sl.was, wanted[k])
			if sl.gnu && arg.kind == number {
				text = "__ATOMIC_" + strings.ToUpper(Word(wanted[k], false))
			}
			out = append(out, edit{from: arg.from, to: arg.to, text: text})
		}
	}
	return out
}

// spelled returns how to write an order in place of another one: with the names of the file, if the old one was a name
// of the program.
func (t *Text) spelled(s *site, before string, was, is c.Order) string {
	if was == is && before != "" {
		return before
	}
	_, known := constant(before)
	if strings.HasPrefix(before, "memory_order_") {
		return is.String()
	}
	if gnus := strings.HasPrefix(before, "__ATOMIC_"); gnus || (known || before == "") &&
		strings.HasPrefix(cmp.Or(s.form.explicit, s.called()), "__atomic") {
		return "__ATOMIC_" + strings.ToUpper(Word(is, false))
	}
	if !known && before != "" {
		for _, name := range slices.Sorted(maps.Keys(t.named)) {
			all := t.named[name]
			if m := all[0]; len(all) == 1 && m.file == s.file && !m.call && m.to == m.from+1 {
				if o, known := constant(m.file.tokens[m.from].text); known && o == is {
					return name
				}
			}
		}
	}
	return is.String()
}

// removal removes a fence: with its statement, if it follows another one; otherwise it leaves an empty value.
func (s *site) removal(neat bool) edit {
	f := s.file
	e := edit{from: f.tokens[s.name].from, to: f.tokens[s.shut].to, text: "(void)0"}
	if f.tokens[s.name].line >= 0 || s.name == 0 || s.shut+1 >= len(f.tokens) || f.tokens[s.shut+1].text != ";" ||
		f.tokens[s.shut+1].line >= 0 {
		return e
	}
	before := f.tokens[s.name-1]
	if before.line >= 0 || before.text != ";" && before.text != "{" && before.text != "}" {
		return e
	}
	e.text, e.to = "", f.tokens[s.shut+1].to
	start := strings.LastIndexByte(f.text[:e.from], '\n') + 1
	end := e.to + len(f.text[e.to:])
	if i := strings.IndexByte(f.text[e.to:], '\n'); i >= 0 {
		end = e.to + i + 1
	}
	if strings.TrimSpace(f.text[start:e.from]) != "" || strings.TrimSpace(f.text[e.to:end]) != "" {
		return e
	}
	e.from = start
	if neat {
		e.to = end
	}
	return e
}

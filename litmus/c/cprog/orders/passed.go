package orders

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/c"
)

// Orders that are passed on. In the body of void set(int v, memory_order o) { atomic_store_explicit(&x, v, o); }, the
// call of atomic_store_explicit gives no order of its own. The places are the calls of set, and their possible orders
// are those of a store. A parameter qualifies if each of its uses in the body is an order of a call, so that changing
// it changes nothing else. If it is the order of several calls, it can have only the orders that all of them can have
// (joined).
//
// Passers can call passers, so the set of them is a least fixed point: a round finds the parameters that are handed to
// functions already found, and rounds repeat until no function gets a new slot. A name with several definitions is no
// passer, because it is unknown which one a call means.

// passer is a function or a macro of the program that passes orders on to the functions it calls, so that its calls
// give the orders.
type passer struct {
	file   *file
	params []string
	from   int // its body, by numbers of tokens
	to     int
	slots  []slot
	called bool // a site calls it
}

// holder is a variable that always contains one order, which its definition gives.
type holder struct {
	file        *file
	name, order int // tokens
	slot        slot
	uses        []*site
}

// passed is an order that comes from elsewhere.
type passed struct {
	site   *site
	by     *passer
	holder *holder
	name   string
}

// passing finds the functions and macros that pass orders on, and then the variables that contain one.
func (t *Text) passing(defined map[string]bool) {
	bodies := map[string][]*passer{}
	for _, f := range t.files {
		for _, fn := range f.functions {
			open := fn.from + 1
			if shut := closing(f.tokens, open, fn.to); shut > 0 {
				bodies[fn.name] = append(bodies[fn.name],
					&passer{file: f, params: fn.params, from: shut + 1, to: fn.to})
			}
		}
		for _, m := range f.macros {
			if m.call && m.whole == nil {
				bodies[m.name] = append(bodies[m.name], &passer{file: f, params: m.params, from: m.from, to: m.to})
			}
		}
	}
	for more := true; more; { // a passer may call another one
		more = false
		for name, all := range bodies {
			if len(all) > 1 || len(t.named[name]) > 1 {
				continue // it is unknown which one is called
			}
			p := all[0]
			var slots []slot
			for i, param := range p.params {
				if sl, ok := t.passedSlot(p.file, param, p.from, p.to, defined); ok {
					sl.arg = i
					slots = append(slots, sl)
				}
			}
			if len(slots) > len(p.slots) {
				p.slots, more = slots, true
				t.passers[name] = p
			}
		}
	}
	t.holding(defined)
}

// holding finds the variables: const ones that are initialised with an order and used only as orders of calls.
func (t *Text) holding(defined map[string]bool) {
	declared := map[string]int{}
	found := map[string]*holder{}
	for _, f := range t.files {
		all := f.tokens
		for i := 1; i+3 < len(all); i++ {
			before := all[i-1].text
			if all[i].kind != word || all[i-1].kind != word && before != "*" || before == "return" ||
				before == "case" || before == "goto" || before == "else" || before == "do" {
				continue
			}
			name := all[i].text
			declared[name]++
			if all[i].line < 0 && before != "*" && all[i+1].text == "=" && all[i+3].text == ";" &&
				all[i+2].kind != literal {
				if !f.isConst(i) {
					t.refused[name] = "a variable that may change: declare it const"
					continue
				}
				found[name] = &holder{file: f, name: i, order: i + 2}
			}
		}
	}
	for name, h := range found {
		if declared[name] > 1 || defined[name] {
			t.refused[name] = "which is declared several times, so one may hide the other"
			continue
		}
		ok := true
		h.slot = slot{arg: 0}
		for _, f := range t.files {
			for i, tok := range f.tokens {
				if tok.text != name || f == h.file && i == h.name || f.member(i) {
					continue
				}
				sl, is := t.slotAt(f, i, 0, len(f.tokens), defined)
				ok = ok && is
				h.slot = joined(h.slot, sl)
			}
		}
		if ok && len(h.slot.can) > 0 {
			t.holders[name] = h
		} else {
			t.refused[name] = "which is used for more than the order of calls"
		}
	}
}

// isConst reports whether the declaration that contains a name is const.
func (f *file) isConst(i int) bool {
	for i--; i >= 0 && f.tokens[i].line < 0 &&
		!slices.Contains([]string{";", "{", "}", ",", "(", ")"}, f.tokens[i].text); i-- {
		if f.tokens[i].text == "const" {
			return true
		}
	}
	return false
}

// member reports whether a token is the name of a member, after a dot or an arrow.
func (f *file) member(i int) bool {
	return i > 0 && (f.tokens[i-1].text == "." || i > 1 && f.tokens[i-1].text == ">" && f.tokens[i-2].text == "-")
}

// passedSlot returns the slot for which a name is the order wherever it occurs in a range of tokens. ok is false if it
// has another use there, or none.
func (t *Text) passedSlot(f *file, name string, from, to int, defined map[string]bool) (all slot, ok bool) {
	for i := from; i < to; i++ {
		if f.tokens[i].text != name || f.tokens[i].kind != word || f.member(i) {
			continue
		}
		sl, is := t.slotAt(f, i, from, to, defined)
		if !is {
			return slot{}, false
		}
		all = joined(all, sl)
	}
	return all, len(all.can) > 0
}

// joined returns the slot for two uses with one order: it can have the orders that both can have.
func joined(a, b slot) slot {
	if a.can == nil {
		b.arg = a.arg
		return b
	}
	a.also = append(append(slices.Clip(a.also), b.role), b.also...)
	a.gnu = a.gnu || b.gnu
	a.can = slices.DeleteFunc(slices.Clone(a.can), func(o c.Order) bool { return !slices.Contains(b.can, o) })
	return a
}

// slotAt returns the slot that a token fills alone, as an argument of a call in a range of tokens.
func (t *Text) slotAt(f *file, i, from, to int, defined map[string]bool) (slot, bool) {
	all := f.tokens
	if i+1 >= to || i <= from || all[i+1].text != "," && all[i+1].text != ")" || all[i-1].text != "," &&
		all[i-1].text != "(" {
		return slot{}, false
	}
	depth, arg, open := 0, 0, i-1
	for ; open >= from; open-- {
		switch all[open].text {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			depth--
		case ",":
			if depth == 0 {
				arg++
			}
		}
		if depth < 0 {
			break
		}
	}
	if open <= from || all[open].text != "(" || all[open-1].kind != word {
		return slot{}, false
	}
	name := all[open-1].text
	var slots []slot
	if p := t.passers[name]; p != nil {
		slots = p.slots
	} else if form, _, ok := formOf(name); ok && !defined[name] {
		slots = form.slots
	}
	k := slices.IndexFunc(slots, func(sl slot) bool { return sl.arg == arg })
	if k < 0 {
		return slot{}, false
	}
	sl := slots[k]
	sl.gnu = sl.gnu || strings.HasPrefix(name, "__atomic")
	return sl, true
}

// comesFrom returns the source of an order if an argument gives it only by a name.
func (t *Text) comesFrom(s *site, sl slot) (passed, bool) {
	arg := s.args[sl.arg]
	name := s.file.tokens[arg[0]].text
	if arg[1]-arg[0] != 1 {
		return passed{}, false
	}
	if h := t.holders[name]; h != nil {
		return passed{s, nil, h, name}, true
	}
	for _, p := range t.passers {
		if p.file == s.file && p.from <= s.name && s.name < p.to {
			if i := slices.Index(p.params, name); i >= 0 &&
				slices.ContainsFunc(p.slots, func(sl slot) bool { return sl.arg == i }) {
				return passed{s, p, nil, name}, true
			}
		}
	}
	return passed{}, false
}

// removePassed removes from a site the slots whose orders are written elsewhere, and reports whether others remain.
func (t *Text) removePassed(s *site) bool {
	s.form.slots = slices.DeleteFunc(s.form.slots, func(sl slot) bool {
		if sl.arg < 0 {
			return false
		}
		from, is := t.comesFrom(s, sl)
		if is {
			t.passed = append(t.passed, from)
			if from.holder != nil {
				from.holder.uses = append(from.holder.uses, s)
			}
		}
		return is
	})
	return len(s.form.slots) > 0
}

// reportUnselected reports the sites whose orders come from outside the selected places.
func (t *Text) reportUnselected() {
	for _, p := range t.passed {
		why := ""
		switch {
		case p.holder != nil && !t.wanted(p.holder.file, p.holder.name):
			line, _ := p.holder.file.position(p.holder.file.tokens[p.holder.name].from)
			why = fmt.Sprintf("its order is %s, which is written in %s:%d: add that to --only", p.name,
				p.holder.file.name, line)
		case p.by != nil && !p.by.called:
			why = fmt.Sprintf(
				"its order is %s, which is written in calls outside --only: add them",
				p.name)
		default:
			continue
		}
		l := Left{p.site.at(), p.site.called(), why}
		if !slices.Contains(t.Left, l) {
			t.Left = append(t.Left, l)
		}
	}
}

// unknown returns the reason why a name is not an order.
func (t *Text) unknown(s *site, name string) string {
	if fn := s.file.in(s.name); fn != nil && slices.Contains(fn.params, name) {
		return fmt.Sprintf("its order is %s, a parameter that %s uses for more than the order of its calls", name,
			fn.name)
	}
	switch why := t.refused[name]; {
	case why != "":
		return fmt.Sprintf("its order is %s, %s", name, why)
	default:
		return fmt.Sprintf("its order is %s, which is not an order here", name)
	}
}

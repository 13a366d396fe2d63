package orders

import (
	"fmt"
	"slices"
	"strings"
)

// Marks in the texts that the preprocessor gets: of sites, of macros that consist of one call, and of orders.
//
// Marks are identifiers, which the preprocessor passes through unless they are arguments of # or ##. A macro that
// consists of one call gets a mark at the beginning of its body, so that a use can be told from a definition that is
// empty in some client.
const (
	siteMark  = "__litmuscope_site_"
	macroMark = "__litmuscope_macro"
	orderMark = "__litmuscope_order_"
)

// readClients preprocesses each client to find which places it includes, and which orders they have: macros can give
// orders, and can have several definitions.
func (t *Text) readClients(clients []Client) error {
	marked := t.marked()
	has := make([]map[*site]bool, len(clients))
	for n, client := range clients {
		words, err := client(marked)
		if err != nil {
			return err
		}
		has[n] = map[*site]bool{}
		for at, w := range words {
			if !strings.HasPrefix(w, siteMark) {
				continue
			}
			var k int
			if _, err := fmt.Sscanf(w[len(siteMark):], "%d", &k); err != nil || k >= len(t.sites) {
				continue
			}
			s := t.sites[k]
			if s.macro != nil && !s.macro.isExpansionIn(words[at+1:]) {
				continue // its expansion is empty there
			}
			has[n][s] = true
			t.recordOrders(s, words[at:], k)
		}
	}
	t.placeSites()
	t.has = make([][]bool, len(clients))
	for n := range clients {
		for _, p := range t.Places {
			t.has[n] = append(t.has[n], has[n][t.sites[p.site]])
		}
	}
	return nil
}

// isExpansionIn reports whether words are the expansion of a use of the macro.
func (w *whole) isExpansionIn(words []string) bool {
	for range w.deep {
		if len(words) == 0 || words[0] != macroMark {
			return false
		}
		words = words[1:]
	}
	return true
}

// Has reports whether a client includes a place.
func (t *Text) Has(client, place int) bool { return t.has[client][place] }

// marked returns the files with marks.
func (t *Text) marked() map[string]string {
	mark := func(f *file, token int, text string) edit {
		at := f.tokens[token].from
		return edit{from: at, to: at, text: text + " "}
	}
	return t.written(func(s *site) []edit {
		k := slices.Index(t.sites, s)
		out := []edit{mark(s.file, s.name, fmt.Sprint(siteMark, k))}
		for slot, sl := range s.form.slots {
			if sl.arg >= 0 {
				out = append(out, mark(s.file, s.order(sl), fmt.Sprint(orderMark, k, "_", slot)))
			}
		}
		return out
	}, func(f *file) (out []edit) {
		for _, m := range f.macros {
			if m.whole == nil {
				continue
			}
			out = append(out, mark(f, m.from, macroMark))
			for slot, token := range m.orders {
				out = append(out, mark(f, token, fmt.Sprint(orderMark, "m_", slot)))
			}
		}
		return out
	})
}

// recordOrders records the orders that the words after a site's mark give.
func (t *Text) recordOrders(s *site, words []string, k int) {
	for slot := range s.form.slots {
		sl := &s.form.slots[slot]
		var mark string
		switch {
		case sl.arg >= 0:
			mark = fmt.Sprint(orderMark, k, "_", slot)
		case s.macro != nil && s.macro.givesOrders:
			mark = fmt.Sprint(orderMark, "m_", slot)
		default:
			continue
		}
		at := slices.Index(words, mark)
		if at < 0 || at+2 >= len(words) {
			s.why = "its order is unknown"
			continue
		}
		o, known := constant(words[at+1])
		switch {
		case !known || words[at+2] != "," && words[at+2] != ")" && (s.holder == nil || words[at+2] != ";"):
			s.why = t.unknown(s, words[at+1])
		case s.read && sl.was != o:
			s.why = "its order is not the same at every use"
		}
		sl.was = o
	}
	s.read = true
}

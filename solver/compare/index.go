package compare

import (
	"cmp"
	"slices"
)

// index finds rows of side B by the model and the engine that they say. A row without one, or whose side has a single
// one by request, matches any.
type index struct {
	models, engines *counterpart
	by              map[[2]string]*rowList
}

// anything means every model, or every engine, in an index.
const anything = "\x00"

// indexed is a row in its side's order; again reports whether it pairs with several rows.
type indexed struct {
	*record
	at    int
	again bool
}

// rowList are rows in order. Those before from are not free, and do not pair again.
type rowList struct {
	rows []indexed
	from int
	free []indexed // those that were free at the last look
}

// newIndex puts each row under what it says, and under anything in either place, for rows of A that go with all.
func newIndex(bs []*record, models, engines *counterpart) *index {
	x := &index{models, engines, map[[2]string]*rowList{}}
	for at, b := range bs {
		row := indexed{b, at, models.any(1, b) || engines.any(1, b)}
		model, engine := models.class(1, b), engines.class(1, b)
		for _, key := range [][2]string{{"m" + model, "e" + engine}, {"m" + model, ""}, {"", "e" + engine}, {"", ""}} {
			l := x.by[key]
			if l == nil {
				l = &rowList{}
				x.by[key] = l
			}
			l.rows, l.free = append(l.rows, row), append(l.free, row)
		}
	}
	return x
}

// class is the key of a row of side i in the index.
func (k *counterpart) class(i int, r *record) string {
	if k.any(i, r) {
		return anything
	}
	return k.of(r)
}

// lists are those that together have the rows of B that may go with a row of A, each in one.
func (x *index) lists(a *record) (out []*rowList) {
	under := func(k *counterpart, mark string) []string {
		if k.any(0, a) || !k.shared && k.single {
			return []string{""} // all
		}
		return []string{mark + k.of(a), mark + anything}
	}
	for _, model := range under(x.models, "m") {
		for _, engine := range under(x.engines, "e") {
			if l := x.by[[2]string{model, engine}]; l != nil {
				out = append(out, l)
			}
		}
	}
	return out
}

// first is the first row in lists that may pair: it is free, or pairs again.
func first(lists []*rowList) (out *indexed) {
	for _, l := range lists {
		for l.from < len(l.rows) && l.rows[l.from].pairs > 0 && !l.rows[l.from].again {
			l.from++
		}
		if l.from < len(l.rows) && (out == nil || l.rows[l.from].at < out.at) {
			out = &l.rows[l.from]
		}
	}
	return out
}

// freeOf are the rows in lists that are free, in order. The caller pairs them.
func freeOf(lists []*rowList) (out []*record) {
	var free []indexed
	for _, l := range lists {
		for _, row := range l.free {
			if row.pairs == 0 {
				free = append(free, row)
			}
		}
		l.free = nil
	}
	slices.SortFunc(free, func(x, y indexed) int { return cmp.Compare(x.at, y.at) })
	for _, row := range free {
		out = append(out, row.record)
	}
	return out
}

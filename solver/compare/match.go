package compare

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// finish finds counterparts among the rows that wait, now that all are known, and reports those without one.
func (c *comparison) finish() error {
	var left [2][]*record
	for i := range c.sides {
		for _, r := range c.sides[i].waiting {
			for ; r != nil; r = r.next {
				left[i] = append(left[i], r)
			}
		}
		c.sides[i].waiting = nil
		slices.SortFunc(left[i], func(x, y *record) int { return cmp.Compare(x.at, y.at) })
	}
	for _, p := range c.match(left) {
		if err := c.compare(0, p.a, p.b); err != nil {
			return err
		}
	}
	for i, kinds := range [][2]Kind{{MissingB, ModelB}, {MissingA, ModelA}} {
		for _, r := range left[i] {
			if r.pairs > 0 {
				continue
			}
			p := pair{a: r}
			if i == 1 {
				p = pair{b: r}
			}
			kind := kinds[0]
			if c.sides[1-i].tests.hasLike(c.sides[i].tests, r) {
				kind = kinds[1]
			}
			c.totals.Alone[i] += r.rows
			if err := c.report(p.difference(kind)); err != nil {
				return err
			}
		}
	}
	return nil
}

// name is the test's; if it did not parse that far, its file's.
func (r *record) name() string {
	if r.Test != "" {
		return r.Test
	}
	return strings.TrimSuffix(path.Base(r.Path), ".litmus")
}

// match pairs rows of the two sides, in the order of A. Rows belong together if they have the same test, model and
// engine. Models have to be the same if the sides have any in common. It compares a row without a model with each of
// the other side's models. If each side has one model of its own, it compares these two. The same holds for engines.
func (c *comparison) match(left [2][]*record) (out []pair) {
	// A row that broke before its name has that of the other side's same file.
	named := map[string]string{}
	for _, rows := range left {
		for _, r := range rows {
			if r.Path != "" && r.Test != "" {
				named[r.Path] = r.Test
			}
		}
	}
	type group struct {
		name    string
		pairing int
	}
	var tests [2]map[group][]*record
	for i, rows := range left {
		tests[i] = map[group][]*record{}
		for _, r := range rows {
			name := r.name()
			if r.Test == "" && named[r.Path] != "" {
				name = named[r.Path]
			}
			of := group{name, r.pairing}
			tests[i][of] = append(tests[i][of], r)
		}
	}
	for of, as := range tests[0] {
		bs := tests[1][of]
		for _, group := range sameFile(as, bs) {
			out = append(out, c.sameModel(group[0], group[1])...)
		}
	}
	slices.SortFunc(out,
		func(p, q pair) int { return cmp.Or(cmp.Compare(p.a.at, q.a.at), cmp.Compare(p.b.at, q.b.at)) })
	return out
}

// sameFile divides rows of one name by the test that they are of. If each side has one test of the name, there is
// nothing to divide. Where one has several, those go together whose paths are the same, else have the most elements in
// common, counted from the file, else that ask the same, else that come in the same order.
func sameFile(as, bs []*record) (out [][2][]*record) {
	files := [2][][]*record{byFile(as), byFile(bs)}
	if len(files[0]) <= 1 && len(files[1]) <= 1 {
		return [][2][]*record{{as, bs}}
	}
	likeness := []func(*record) string{func(r *record) string { return r.Path }}
	for n := maxElements; n > 0; n-- {
		likeness = append(likeness, func(r *record) string { return lastElements(r.Path, n) })
	}
	likeness = append(likeness,
		func(r *record) string { return asked(r.Condition) },
		func(*record) string { return "any" })
	for _, key := range likeness {
		left := map[string][]int{} // indices of files of A
		for i, rows := range files[0] {
			if k := key(rows[0]); k != "" {
				left[k] = append(left[k], i)
			}
		}
		for j, rows := range files[1] {
			k := key(rows[0])
			if len(left[k]) == 0 {
				continue
			}
			i := left[k][0]
			left[k] = left[k][1:]
			out = append(out, [2][]*record{files[0][i], rows})
			files[0][i], files[1][j] = nil, nil
		}
		for i := range files {
			files[i] = slices.DeleteFunc(files[i], func(rows []*record) bool { return rows == nil })
		}
	}
	return out
}

// maxElements is how many elements of paths byFile compares.
const maxElements = 8

// byFile divides rows of one side by file. Without a path, a second row under the same model belongs to another test.
func byFile(rows []*record) (out [][]*record) {
	index := map[string]int{}
	again := map[[2]string]int{}
	for _, r := range rows {
		key := r.Path
		if key == "" {
			variant := [2]string{r.Model, r.Engine}
			key = fmt.Sprintf("\x00%d", again[variant])
			again[variant]++
		}
		i, ok := index[key]
		if !ok {
			i, index[key] = len(out), len(out)
			out = append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
}

// lastElements are the last n elements of a path, "" where it has not so many.
func lastElements(path string, n int) string {
	at := len(path)
	for range n {
		if at <= 0 {
			return ""
		}
		at = strings.LastIndexByte(path[:at], '/')
	}
	return path[at+1:]
}

// sameModel pairs rows of one test by model and engine: first those that have both in common, then those that do not
// say otherwise. A row pairs with one of the other side; one that says no model, or no engine, with all that are free.
// An index finds rows of B, so that it takes little time, however many there are.
func (c *comparison) sameModel(as, bs []*record) (out []pair) {
	models := counterpart{
		named: [2]bool{c.sides[0].chosen(), c.sides[1].chosen()},
		of:    func(r *record) string { return r.Model },
	}
	models.know(c.sides[0].models, c.sides[1].models, as, bs)
	engines := counterpart{
		named: [2]bool{c.sides[0].Engine != "", c.sides[1].Engine != ""},
		of:    func(r *record) string { return r.Engine },
	}
	engines.know(c.sides[0].engines, c.sides[1].engines, as, bs)

	free := func(r *record) bool { return r.pairs == 0 }
	mark := func(a, b *record) {
		// c.compare counts them again; what matters is that it is not 0 meanwhile.
		a.pairs, b.pairs = a.pairs+1, b.pairs+1
		out = append(out, pair{a, b})
	}
	same := map[[2]string][]*record{}
	for _, b := range bs {
		key := [2]string{b.Model, b.Engine}
		same[key] = append(same[key], b)
	}
	for _, a := range as {
		key := [2]string{a.Model, a.Engine}
		for rest := same[key]; len(rest) > 0 && free(a); rest = same[key] {
			if same[key] = rest[1:]; free(rest[0]) {
				mark(a, rest[0])
			}
		}
	}
	found := newIndex(bs, &models, &engines)
	for _, a := range as {
		many := models.any(0, a) || engines.any(0, a)
		lists := found.lists(a)
		if free(a) {
			if b := first(lists); b != nil {
				mark(a, b.record)
			}
		}
		if many {
			for _, b := range freeOf(lists) {
				mark(a, b)
			}
		}
	}
	return out
}

// counterpart reports whether the models and engines of two rows permit them to be counterparts.
type counterpart struct {
	of     func(*record) string
	named  [2]bool // a side with a single one by request
	shared bool    // the sides have some in common
	single bool    // each side's rows of the test have one alone
}

func (k *counterpart) know(a, b map[string]bool, as, bs []*record) {
	for name := range a {
		k.shared = k.shared || b[name]
	}
	one := func(rows []*record) bool {
		return !slices.ContainsFunc(rows, func(r *record) bool { return k.of(r) != k.of(rows[0]) })
	}
	k.single = one(as) && one(bs)
}

// any: the row of side i goes with whatever the other side has.
func (k *counterpart) any(i int, r *record) bool { return k.named[i] || k.of(r) == "" }

func (k *counterpart) agree(a, b *record) bool {
	return k.of(a) == k.of(b) || k.any(0, a) || k.any(1, b) || !k.shared && k.single
}

package elaborate

import "slices"

// registers are what is known of a thread's registers at a place of its code. There are many, and where ways part and
// meet most are the same on all, so that they are kept in pages, which are shared until they differ.
type registers struct {
	pages []*page // nil for one that nothing has been put into
	own   *owner  // of the pages that may be written to
}

const pageSize = 32

type page struct {
	own    *owner
	values [pageSize]*value
}

type owner struct{ _ byte }

// shared is the same, for another place.
func (g *registers) shared() registers {
	g.own = nil
	return registers{pages: slices.Clone(g.pages)}
}

func (g *registers) page(i int) *page {
	if i < len(g.pages) {
		return g.pages[i]
	}
	return nil
}

// at is what has been put into a register, or nil.
func (g *registers) at(r int) *value {
	if p := g.page(r / pageSize); p != nil {
		return p.values[r%pageSize]
	}
	return nil
}

// set puts a value into a register, or drops what is there.
func (g *registers) set(r int, v *value) {
	if g.at(r) == v {
		return
	}
	i := r / pageSize
	if i >= len(g.pages) {
		g.pages = append(g.pages, make([]*page, i+1-len(g.pages))...)
	}
	if g.own == nil {
		g.own = new(owner)
	}
	switch p := g.pages[i]; {
	case p == nil:
		g.pages[i] = &page{own: g.own}
	case p.own != g.own:
		g.pages[i] = &page{own: g.own, values: p.values}
	}
	g.pages[i].values[r%pageSize] = v
}

// differing gives the registers, in order, that may not have the same in all of some states.
func differing(states []*registers) func(yield func(r int) bool) {
	pages := 0
	for _, g := range states {
		pages = max(pages, len(g.pages))
	}
	return func(yield func(int) bool) {
		for i := range pages {
			one := states[0].page(i)
			if !slices.ContainsFunc(states, func(g *registers) bool { return g.page(i) != one }) {
				continue
			}
			for r := i * pageSize; r < (i+1)*pageSize; r++ {
				if !yield(r) {
					return
				}
			}
		}
	}
}

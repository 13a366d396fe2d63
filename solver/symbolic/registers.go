package symbolic

// registers are a thread's on a path, with the reads that each depends on, in pages that paths share until one of them sets
// something there: where paths part and meet, most registers are as they were.
type registers[V any] struct {
	pages []*page[V]
	n     int
	own   *owner // that of the pages that may be changed; nil for none
}

const pageSize = 32

type page[V any] struct {
	own    *owner
	values [pageSize]V
	deps   [pageSize][]Source[V]
}

// owner has a field so that each is somewhere else.
type owner struct{ _ byte }

func newRegisters[V any](n int) registers[V] {
	g := registers[V]{pages: make([]*page[V], (n+pageSize-1)/pageSize), n: n, own: new(owner)}
	for i := range g.pages {
		g.pages[i] = &page[V]{own: g.own}
	}
	return g
}

func (g *registers[V]) value(r int) V { return g.pages[r/pageSize].values[r%pageSize] }

func (g *registers[V]) deps(r int) []Source[V] { return g.pages[r/pageSize].deps[r%pageSize] }

func (g *registers[V]) set(r int, v V, deps []Source[V]) {
	p := g.pages[r/pageSize]
	if g.own == nil {
		g.own = new(owner)
	}
	if p.own != g.own {
		changed := *p
		changed.own = g.own
		p = &changed
		g.pages[r/pageSize] = p
	}
	p.values[r%pageSize], p.deps[r%pageSize] = v, deps
}

// shared is a copy; from then on, neither changes what the other has.
func (g *registers[V]) shared() registers[V] {
	g.own = nil
	return registers[V]{pages: append([]*page[V](nil), g.pages...), n: g.n}
}

package layout

// Mending. After two passes a few words still lie on other edges: those that came late found every
// slot taken, or an edge had no better way at the time. Now that all is in place, each such word is
// looked at by itself: it looks for a slot among many more, then the edges that strike it through
// are routed anew, with many more candidates and at a price that makes them go far around, and at
// last its own edge. This goes on for as long as it helps, for a few rounds.
const (
	mendRounds = 4
	stern      = 400. // for a word to lie on an edge, and for an edge to run through one
)

func (r *router) mend(layer []int) {
	r.mending, r.label, r.struck = true, stern, stern
	defer func() { r.mending = false }()
	in := make([]bool, len(r.d.Edges))
	for _, i := range layer {
		in[i] = true
	}
	most := len(layer) + 1
	for range mendRounds {
		left := 0
		for _, i := range layer {
			if !r.faulty(i) {
				continue
			}
			if left++; r.spent(utmost) {
				return
			}
			r.mendOne(i, in)
		}
		if left == 0 || left >= most {
			return
		}
		most = left
	}
}

// mendOne looks after the label of edge i; only edges that are in may move.
func (r *router) mendOne(i int, in []bool) {
	e := &r.d.Edges[i]
	e.Label, _ = r.slot(i, e.samples, infinite)
	strikers := r.strikers(i)
	for _, k := range strikers {
		if in[k] && !r.neighbours(&r.d.Edges[k]) {
			r.again(k)
		}
	}
	if r.faulty(i) && !r.neighbours(e) {
		r.again(i)
	}
}

// again routes an edge anew, from all that there is to try.
func (r *router) again(i int) {
	if !r.sought[i] {
		r.sought[i], r.known[i] = true, nil
	}
	r.unplace(i)
	r.route(i)
}

// faulty tells whether the label of edge i lies on anything, or its curve on another's label.
func (r *router) faulty(i int) bool {
	e := &r.d.Edges[i]
	return len(r.strikers(i)) > 0 || r.costSlot(i, r.claim(e), e.samples, 0, infinite) >= labelHeader
}

// strikers are the edges that run through the label of edge i.
func (r *router) strikers(i int) []int {
	var out []int
	r.crowd.Under(r.claim(&r.d.Edges[i]), i, func(edge int) { out = append(out, edge) })
	return out
}

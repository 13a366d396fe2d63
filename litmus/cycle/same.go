package cycle

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// IsOf reports whether a test is equivalent to the test that Generate makes of the cycle, so that it may have the
// cycle's name. Both must have the same runs: threads and locations correspond one to one, and so do the values of each
// location; each thread can run in the same ways, with the same accesses, fences, atomic pairs and dependencies, with
// the same tags; and both ask for the same runs. Models see no more of a test, so the two have the same verdict under
// every model. The names of threads, locations and registers, the values that distinguish writes, and the spelling of
// instructions do not matter.
//
// For a test with loops, or with too many runs, IsOf returns false.
func (c Cycle) IsOf(t *litmus.Test) bool {
	source, err := Generate(t.Arch, c, "")
	if err != nil {
		return false
	}
	made, err := dialect.Parse("generated", source)
	if err != nil {
		panic("BUG: a generated test is refused: " + err.Error())
	}
	p, err := dialect.Lower(t)
	return err == nil && same(p, made)
}

// match is a one-to-one correspondence between the threads, locations and values of two programs.
//
// The search assigns threads one after another. A pair of threads is compared by their first walks only, in which each
// read returns the first value of its location; that decides which locations and values correspond. When all threads
// are assigned, all walks are compared as texts (key) in which the correspondence is substituted. So the search has few
// steps, although the programs may have many runs. Of a test with faults, a walk without them is compared (typical).
type match struct {
	p, q    *ir.Program
	of, to  [][]walk
	threads []int // of p → of q, -1 if unknown
	locs    map[int]int
	back    map[int]int // from locations of q
	values  map[locValue]uint64
	taken   map[locValue]bool // values of q
	left    int               // remaining combinations to examine
}

// same reports whether two programs without loops have the same runs, and ask for the same ones.
func same(p, q *ir.Program) bool {
	if len(p.Threads) != len(q.Threads) {
		return false
	}
	of, whole, err := walks(p)
	if err != nil || !whole {
		return false
	}
	to, whole, err := walks(q)
	if err != nil || !whole {
		return false
	}
	m := &match{
		p: p, q: q, of: of, to: to, locs: map[int]int{}, back: map[int]int{}, values: map[locValue]uint64{},
		taken: map[locValue]bool{}, left: maxTried,
	}
	for range p.Threads {
		m.threads = append(m.threads, -1)
	}
	return m.thread(0)
}

// thread looks for a counterpart of thread t of p, and of those after it.
func (m *match) thread(t int) bool {
	if t == len(m.of) {
		return m.matches()
	}
	for u := range m.to {
		if m.left--; m.left < 0 || slices.Contains(m.threads, u) || len(m.of[t]) != len(m.to[u]) {
			continue
		}
		undo := m.saved()
		if m.placed(t, u) && (len(m.of[t]) == 0 || m.align(m.typical(m.of[t]), m.typical(m.to[u]))) {
			m.threads[t] = u
			if m.thread(t + 1) {
				return true
			}
			m.threads[t] = -1
		}
		undo()
	}
	return false
}

// placed reports whether thread t of p is to the threads before it as u is to their counterparts: they share the same
// scopes, and synchronize outside of the test in the same way.
func (m *match) placed(t, u int) bool {
	if len(m.p.Scopes) != len(m.q.Scopes) {
		return false
	}
	for before, v := range m.threads[:t+1] {
		if before == t {
			v = u
		}
		for _, s := range m.p.Scopes {
			if m.p.Share(s.Name, t, before) != m.q.Share(s.Name, u, v) {
				return false
			}
		}
		if m.p.Meets(t, before) != m.q.Meets(u, v) || m.p.Meets(before, t) != m.q.Meets(v, u) {
			return false
		}
	}
	return true
}

// saved returns a function that undoes what is learnt from now on.
func (m *match) saved() func() {
	locs, back := maps.Clone(m.locs), maps.Clone(m.back)
	values, taken := maps.Clone(m.values), maps.Clone(m.taken)
	return func() { m.locs, m.back, m.values, m.taken = locs, back, values, taken }
}

// typical returns the walk that stands for a thread: the first, or in a test of a system's side, the first of those
// with the most accesses. There, a fault may end the first one early.
func (m *match) typical(walks []walk) *walk {
	best := &walks[0]
	for i := range walks {
		if m.p.System && len(walks[i].points) > len(best.points) {
			best = &walks[i]
		}
	}
	return best
}

// align learns which locations and values correspond if two walks do. The walks are the first of their threads, in
// which every read returns its location's first value.
func (m *match) align(w, v *walk) bool {
	if len(w.points) != len(v.points) || len(w.actions) != len(v.actions) {
		return false
	}
	for i, a := range w.actions { // a fence may name a structure that is never accessed
		if b := v.actions[i]; a.Kind == ir.ActFence &&
			(b.Kind != a.Kind || a.Loc < 0 != (b.Loc < 0) || a.Loc >= 0 && !m.location(a.Loc, b.Loc)) {
			return false
		}
	}
	for i := range w.points {
		a, b := &w.points[i], &v.points[i]
		if a.write != b.write || len(a.values) != len(b.values) {
			return false
		}
		for n, h := range a.values {
			if k := b.values[n]; !m.location(h.loc, k.loc) || !m.value(h, k.value) {
				return false
			}
			if !m.page(a, h.value, b.values[n].value) {
				return false
			}
		}
	}
	return true
}

func (m *match) location(a, b int) bool {
	known, ok := m.locs[a]
	other, taken := m.back[b]
	if ok || taken {
		return ok && taken && known == b && other == a
	}
	m.locs[a], m.back[b] = b, a
	of, to := owner(m.p, a), owner(m.q, b)
	if of < 0 != (to < 0) || of >= 0 && !m.location(of, to) {
		return false
	}
	return m.value(locValue{a, m.p.Locs[a].Init}, m.q.Locs[b].Init)
}

// page learns the locations that two entries of page tables map to. Perhaps no first walk accesses them.
func (m *match) page(pt *point, of, to uint64) bool {
	sys := systemCycles()
	if memory, _ := sys.Kind(pt.tags); memory != lower.OfEntry {
		return true
	}
	at := func(p *ir.Program, entry uint64) int {
		return slices.IndexFunc(p.Locs, func(l ir.Location) bool { return l.Address == sys.Output(entry) })
	}
	a, b := at(m.p, of), at(m.q, to)
	return a < 0 && b < 0 || a >= 0 && b >= 0 && m.location(a, b)
}

// owner returns the location that a tag or an entry of a page table belongs to, -1 for other locations. A walk with a
// fault may read an entry and not that location.
func owner(p *ir.Program, loc int) int {
	_, inner, ok := strings.Cut(p.Locs[loc].Name, "(")
	if !ok {
		return -1
	}
	return slices.IndexFunc(p.Locs, func(l ir.Location) bool {
		return strings.TrimSuffix(l.Name, "[0]") == strings.TrimSuffix(inner, ")")
	})
}

func (m *match) value(a locValue, b uint64) bool {
	at := locValue{m.locs[a.loc], b}
	if known, ok := m.values[a]; ok || m.taken[at] {
		return ok && known == b
	}
	m.values[a], m.taken[at] = b, true
	return true
}

// matches reports whether the walks of each thread correspond, and both programs ask for the same combinations.
func (m *match) matches() bool {
	pairs := make([][][2]*walk, len(m.of))
	for t, u := range m.threads {
		keys := map[string]*walk{}
		for i := range m.to[u] {
			v := &m.to[u][i]
			keys[v.key(func(loc int) int { return loc }, func(h locValue) uint64 { return h.value })] = v
		}
		if len(keys) != len(m.of[t]) {
			return false
		}
		for i := range m.of[t] {
			w := &m.of[t][i]
			key := w.key(m.counterpart, m.valueOf)
			v, ok := keys[key]
			if !ok {
				return false
			}
			delete(keys, key)
			pairs[t] = append(pairs[t], [2]*walk{w, v})
		}
	}
	a := asked{
		match: m, pairs: pairs, p: ask(m.p), q: ask(m.q), of: make([]*walk, len(pairs)),
		to: make([]*walk, len(pairs)),
	}
	return a.same(0)
}

// counterpart returns the location of q for one of p, -1 if there is none.
func (m *match) counterpart(loc int) int {
	if to, ok := m.locs[loc]; ok {
		return to
	}
	return -1
}

// valueOf returns the counterpart of a value at a location of p. A value in no first walk is its own counterpart,
// unless another value has it.
func (m *match) valueOf(h locValue) uint64 {
	m.value(h, h.value)
	if v, ok := m.values[h]; ok {
		return v
	}
	return ^uint64(0) // of no location
}

// key returns all that a model sees of a walk, as text. Dependencies are numbers of earlier reads.
func (w *walk) key(loc func(int) int, value func(locValue) uint64) string {
	var b strings.Builder
	for _, a := range w.actions {
		at, v := a.Loc, a.Value
		switch a.Kind {
		case ir.ActLoad, ir.ActStore, ir.ActRMW, ir.ActStoreCond:
			for _, h := range a.byLocation {
				fmt.Fprint(&b, loc(h.loc), "=", value(h), " ")
			}
			at, v = 0, 0
		case ir.ActFence:
			if at >= 0 {
				at = loc(at)
			}
		case ir.ActChoose:
			at = 0
		default:
			at, v = 0, 0
		}
		tags := slices.Clone(a.Tags)
		slices.Sort(tags)
		fmt.Fprintln(&b, a.Kind, at, v, slices.Compact(tags), a.Deps.Addr, a.Deps.Data, a.Deps.Ctrl, a.Reserved)
	}
	return b.String()
}

// asked visits the combinations of corresponding walks, with the final values of locations: all that conditions name.
type asked struct {
	*match
	pairs  [][][2]*walk
	p, q   *question
	of, to []*walk
}

// same reports whether both conditions agree on every combination from thread t on. It tries every written value as a
// final value, which includes all possible ones.
func (a *asked) same(t int) bool {
	if !a.p.mayHold(a.of, nil) && !a.q.mayHold(a.to, nil) {
		return true
	}
	if t < len(a.pairs) {
		for _, pair := range a.pairs[t] {
			if a.left--; a.left < 0 {
				return false
			}
			a.of[t], a.to[a.threads[t]] = pair[0], pair[1]
			if !a.same(t + 1) {
				return false
			}
		}
		a.of[t], a.to[a.threads[t]] = nil, nil
		return true
	}
	of, to := make([]uint64, len(a.match.p.Locs)), make([]uint64, len(a.match.q.Locs))
	last := make([][][2]uint64, len(of)) // by location of p: its possible final values, with their counterparts
	for loc, l := range a.match.p.Locs {
		of[loc] = l.Init
	}
	for loc, l := range a.match.q.Locs {
		to[loc] = l.Init
	}
	for t := range a.of {
		for i := range a.of[t].points {
			if p := &a.of[t].points[i]; p.write {
				for n, h := range p.values {
					last[h.loc] = append(last[h.loc], [2]uint64{h.value, a.to[a.threads[t]].points[i].values[n].value})
				}
			}
		}
	}
	var final func(loc int) bool
	final = func(loc int) bool {
		if loc == len(last) {
			a.left--
			return a.left >= 0 && a.p.mayHold(a.of, of) == a.q.mayHold(a.to, to)
		}
		if len(last[loc]) == 0 {
			return final(loc + 1)
		}
		for _, v := range last[loc] {
			of[loc], to[a.locs[loc]] = v[0], v[1]
			if !final(loc + 1) {
				return false
			}
		}
		return true
	}
	return final(0)
}

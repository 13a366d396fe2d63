package cycle

import (
	"cmp"
	"slices"
	"strings"
)

// Canonical returns the rotation that names and families use: two cycles are equal if and only if their canonical forms
// are. Rotation is the only symmetry of cycles.
//
// Among the rotations that begin a thread, it is the least in the order of the field's names: first by the accesses at
// which threads are entered and left, W before WW before RR before RW before WR before R; then by the number of edges
// before one first leaves a thread; then edge by edge, what orders the most first: fences, dependencies, communications
// within the thread, and program order last.
//
// All rotations are compared, which takes quadratic time in the number of edges; cycles are short.
func (c Cycle) Canonical() Cycle {
	var least Cycle
	var shape []int
	mate := c.mates()
	begins := func(i int) bool {
		before := (i + len(c) - 1) % len(c)
		return c[before].Turn == Across && c.depth(mate, before) == 0
	}
	anywhere := true
	for i := range c {
		anywhere = anywhere && !begins(i)
	}
	for i := range c {
		if !anywhere && !begins(i) {
			continue
		}
		r := slices.Concat(c[i:], c[:i])
		s := r.ranks()
		if least == nil ||
			cmp.Or(slices.Compare(s, shape), cmp.Compare(r.firstLeg(), least.firstLeg()), compareEdges(r, least)) < 0 {
			least, shape = r, s
		}
	}
	return least
}

// ranks returns for each thread the rank of the accesses at which it is entered and left.
func (c Cycle) ranks() []int {
	var ranks []int
	for _, d := range strings.Fields(dirs(c.threads())) {
		ranks = append(ranks, slices.Index([]string{"W", "WW", "RR", "RW", "WR", "R"}, d))
	}
	return ranks
}

// firstLeg counts the edges up to the first that leads to another thread.
func (c Cycle) firstLeg() int {
	return slices.IndexFunc(c, Edge.External) + 1
}

func compareEdges(a, b Cycle) int {
	return slices.CompareFunc(a, b, func(d, e Edge) int {
		return cmp.Or(
			cmp.Compare(d.rank(), e.rank()),
			cmp.Compare(nameRank(d.Name), nameRank(e.Name)),
			strings.Compare(d.Name, e.Name),
			cmp.Compare(d.Turn, e.Turn),
			compareTrue(d.Same, e.Same),
			compareAccess(d, e),
			strings.Compare(d.Within, e.Within),
		)
	})
}

// compareTrue sorts true before false.
func compareTrue(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// compareAccess orders edges by their ends: writes first, plain accesses first.
func compareAccess(d, e Edge) int {
	return cmp.Or(
		compareTrue(d.From.Write, e.From.Write), compareTrue(d.To.Write, e.To.Write),
		cmp.Compare(markRank(d.From.Mark), markRank(e.From.Mark)),
		cmp.Compare(markRank(d.To.Mark), markRank(e.To.Mark)),
		strings.Compare(d.From.Mark, e.From.Mark), strings.Compare(d.To.Mark, e.To.Mark),
		comparePart(d.From.Part, e.From.Part), comparePart(d.To.Part, e.To.Part),
	)
}

// comparePart sorts smaller parts first.
func comparePart(p, q Part) int {
	return cmp.Or(cmp.Compare(p.Bytes, q.Bytes), cmp.Compare(p.At, q.At))
}

func (e Edge) rank() int {
	if e.Com() && e.Turn != Inside {
		return int(e.Kind)
	}
	ranks := [...]int{Rmw: 10, Fence: 11, Dp: 12, Rf: 13, Fr: 14, Co: 15, Hat: 16, Detour: 17, Po: 18}
	return ranks[e.Kind]
}

// order has the names of fences, dependencies and marks in the order that names use, dialect by dialect.
var order = strings.Fields(`
	MFence SFence LFence
	Sync LwSync ISync Eieio
	DMB.LD DMB DMB.ST DMB.SY DSB.LD DSB DSB.ST DSB.SY ISB
	Fence.i Fence.tso Fence.r.r Fence.r.w Fence.r.rw Fence.w.r Fence.w.w Fence.w.rw Fence.rw.r Fence.rw.w Fence.rw.rw
	FenceSync-rcu FenceMb FenceWmb FenceRmb FenceBefore-atomic FenceAfter-atomic Rscs
	FenceSc FenceAR FenceRel FenceAcq
	Fence.sc.sys Fence.sc.gpu Fence.sc.cta Fence.acq_rel.sys Fence.acq_rel.gpu Fence.acq_rel.cta
	Addr Data CtrlIsync Ctrl CtrlIsb CtrlFenceI
	Rmw LxSx Amo.Swp Amo.Cas Amo.LdAdd Amo.StAdd Exch Fetch.Add Xchg`)

// nameRank returns a name's position in order. Unknown names come last, alphabetically.
func nameRank(name string) int {
	if at := slices.Index(order, name); at >= 0 || name == "" {
		return at
	}
	return len(order)
}

func markRank(mark string) int {
	return slices.Index(
		[]string{
			"", "X", "Rl", "Q", "L", "Aq", "A", "AR", "Acq", "Rel", "Sc", "Rlx", "Con", "Acquire", "Mb", "Deref",
			"Once", "Assign", "Release",
		}, mark)
}

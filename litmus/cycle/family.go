package cycle

import (
	"context"
	"fmt"
)

// Family makes the critical cycles over a list of relaxations, each an edge or a composite
// of several in a row, that have from least to most accesses. It yields each once, whatever
// access it is begun at, in its canonical form: the shorter ones first, then in the order of
// the list, which makes the order the same every time. It ends with ctx, or with the error that yield gives.
//
// A cycle is critical, as Shasha and Snir have it, and Alglave, Maranget and Tautschnig
// for weak memory (2014), if no step in it can be left out:
//
//   - A thread goes from one location to another once, by one relaxation in program order
//     (Po, Fence, Dp, Detour), and else stays where it is: it communicates with itself (Rfi,
//     Fri, Wsi), or makes a read-modify-write.
//   - Communications that follow each other are not one together: as Fre;Wse is Fre, they are
//     Wse;Rf or Fre;Rf, within a thread or between threads.
//   - Threads go to locations that no other part of the cycle is at. So an access has at most
//     two others of its location, one of them or both of other threads.
//
// A relaxation that stays at its location (PosRR) makes coherence shapes, CoRR and its
// like, where one thread alone has more than one access.
//
// A composite stays as written: [Rfi,PodRR], [PodRW,PodWR], [Rfe,SyncdRW] and [FrLeave,RfBack] are steps like any
// other, and after [PodWW,Rfi] may come Fre. Communications without a mark match the accesses beside them.
func Family(ctx context.Context, relaxations [][]Edge, least, most int, yield func(Cycle) error) error {
	if least < 2 || most < least {
		return fmt.Errorf("cycles of %d to %d accesses: want 2 or more, and a minimum up to the maximum", least, most)
	}
	f := &family{ctx: ctx, list: relaxations, yield: yield, seen: make(map[string]bool)}
	for f.size = least; f.size <= most; f.size++ {
		clear(f.seen)
		if err := f.extend(); err != nil {
			return err
		}
	}
	return nil
}

// family is the search over the sequences of relaxations of one size.
//
// The search is depth-first and needs no memory but its path, except for seen. Prefixes that cannot become critical are
// cut as soon as two relaxations do not follow each other; critical and Check are asked about whole rows. The number of
// rows is exponential in the size, with the length of the list as its base.
type family struct {
	ctx   context.Context
	list  [][]Edge
	yield func(Cycle) error
	size  int
	row   []int // relaxations, by index
	edges []step
	tried int
	// seen has the yielded cycles: a composite may equal a sequence of edges.
	seen map[string]bool
}

// step is an edge, with the position in the row of the relaxation that it belongs to.
type step struct {
	Edge
	of int
}

// extend appends each relaxation that may follow to the row, and recurses, up to the size of the family. Since every
// cycle is also found from the least of its relaxations, the first relaxation of a row is its least.
func (f *family) extend() error {
	if f.tried++; f.tried%1024 == 0 {
		if err := f.ctx.Err(); err != nil {
			return err
		}
	}
	if len(f.edges) == f.size {
		return f.close()
	}
	for i, r := range f.list {
		// The cycle is also found from the least of its relaxations.
		if len(f.edges)+len(r) > f.size || len(f.row) > 0 && i < f.row[0] {
			continue
		}
		length := len(f.edges)
		if length > 0 && !follows(f.list[f.row[len(f.row)-1]], r) {
			continue
		}
		for _, e := range r {
			f.edges = append(f.edges, step{e, len(f.row)})
		}
		f.row = append(f.row, i)
		if err := f.extend(); err != nil {
			return err
		}
		f.edges, f.row = f.edges[:length], f.row[:len(f.row)-1]
	}
	return nil
}

// close yields the row if it is a new cycle.
func (f *family) close() error {
	if !follows(f.list[f.row[len(f.row)-1]], f.list[f.row[0]]) || !f.critical() {
		return nil
	}
	c := make(Cycle, len(f.edges))
	for i, s := range f.edges {
		c[i] = s.Edge
	}
	c.adopt()
	if c.Check() != nil {
		return nil
	}
	c = c.Canonical()
	text := c.String()
	if f.seen[text] {
		return nil
	}
	f.seen[text] = true
	return f.yield(c)
}

// follows reports whether a relaxation may come after another: the two meet, and are not one step together.
func follows(before, after []Edge) bool {
	last, next := before[len(before)-1], after[0]
	switch {
	case last.To.Write != next.From.Write:
		return false
	case last.inOrder() || next.inOrder():
		return !last.inOrder() || !next.inOrder()
	case !last.External() && len(before) > 1, !next.External() && len(after) > 1:
		return true // the composite asks for it, as in [PodWW,Rfi]
	case last.Com() && next.Com():
		return (last.Kind == Fr || last.Kind == Co) && next.Kind == Rf
	}
	return true
}

// inOrder reports whether an edge says no more about its accesses than program order and what preserves it.
func (e Edge) inOrder() bool {
	return e.Kind == Po || e.Kind == Dp || e.Kind == Fence || e.Kind == Detour
}

// critical reports whether each thread contributes at most one relaxation in program order that goes to another
// location. If all accesses are on one location, only one thread may make more than one access.
func (f *family) critical() bool {
	// edges to another location; relaxations that are PosRR and the like; threads with an edge inside
	moves, alone, busy := 0, 0, 0
	for i, s := range f.edges {
		before := f.edges[(i+len(f.edges)-1)%len(f.edges)]
		if !s.Same {
			moves++
		}
		if !s.External() && before.External() {
			busy++
		}
		if !s.inOrder() {
			continue
		}
		if s.Same && len(f.list[f.row[s.of]]) == 1 {
			alone++
		}
		// The rest of the thread must have no step of another relaxation.
		for n := 1; n < len(f.edges); n++ {
			next := f.edges[(i+n)%len(f.edges)]
			if before := f.edges[(i+n-1)%len(f.edges)]; before.External() {
				break
			}
			if next.inOrder() && next.of != s.of {
				return false
			}
		}
	}
	if moves == 0 {
		return busy == 1
	}
	return alone == 0
}

// adopt gives each communication without marks the marks of the accesses of its neighbours. In a cycle with marks of C,
// an access with communications on both sides becomes relaxed: a plain one would be a race. So it does on GPUs, with
// the widest scope of the marks.
func (c Cycle) adopt() {
	relaxed, reach := "", 0
	for _, e := range c {
		for _, v := range vocabularies() {
			if v.relaxed() == "" {
				continue
			}
			for _, m := range v.Marks {
				if m.Mark == e.From.Mark || m.Mark == e.To.Mark {
					if relaxed == "" || m.Reach > reach {
						relaxed, reach = v.relaxedAt(m.Reach), m.Reach
					}
				}
			}
		}
	}
	for i := range c {
		before, after := c[(i+len(c)-1)%len(c)], c[(i+1)%len(c)]
		if !c[i].Com() || c[i].From.Mark != "" || c[i].To.Mark != "" {
			continue
		}
		if c[i].From.Write == before.To.Write {
			c[i].From.Mark = before.To.Mark
		}
		if c[i].To.Write == after.From.Write {
			c[i].To.Mark = after.From.Mark
		}
	}
	for i := range c {
		if before := &c[(i+len(c)-1)%len(c)]; before.External() && c[i].External() && before.To == c[i].From &&
			c[i].From.Mark == "" {
			before.To.Mark, c[i].From.Mark = relaxed, relaxed
		}
	}
}

// Names makes the names of a family's tests unique.
type Names map[string]int

// Of returns the cycle's name. If the convention gives a later cycle the same name (po-po may pass a read or a write),
// a number of three digits follows, from 001 on.
func (n Names) Of(c Cycle) string {
	name := c.Name()
	count := n[name]
	n[name]++
	if count == 0 {
		return name
	}
	return fmt.Sprintf("%s%03d", name, count)
}

// Standard returns the default list of relaxations for a family of the dialect, as text.
func Standard(arch string) string {
	if v := find(arch); v != nil {
		return v.Standard
	}
	return ""
}

// AllRelaxations returns [Standard] and the relaxations that distinguish models otherwise: coherence, atomic
// instructions, reads of a thread's own writes.
func AllRelaxations(arch string) string {
	if v := find(arch); v != nil {
		return v.Standard + " " + v.Finer
	}
	return ""
}

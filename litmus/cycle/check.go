package cycle

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/lower"
)

// problem is an error in a cycle, at an edge; at is negative for an error in the whole cycle.
type problem struct {
	at   int
	text string
}

// Check returns the reason why no test has the cycle, or nil if there is a test.
func (c Cycle) Check() error {
	for _, p := range c.problems() {
		return errors.New(p.text)
	}
	return nil
}

// problems lists the errors in the cycle: where edges do not meet or, if all do, the first reason why they cannot be a
// cycle together.
//
// The order of the checks matters for messages: the check names an edge that does not fit its neighbour before anything
// that follows from it. The last check lays the cycle out and asks whether the values would identify their writes; it
// needs a cycle that has passed the others.
func (c Cycle) problems() []problem {
	if len(c) < 2 {
		return []problem{{-1, "a cycle has two edges or more, as in PodWR Fre PodWR Fre"}}
	}
	var out []problem
	for i, e := range c {
		if before := c[(i+len(c)-1)%len(c)]; before.To != e.From {
			out = append(out,
				problem{
					i,
					fmt.Sprintf("%s ends in %s, %s begins at %s", before, describe(before.To, e.From), e,
						describe(e.From, before.To)),
				})
		}
	}
	if out != nil {
		return out
	}
	if p := c.misplaced(); p != nil {
		return []problem{*p}
	}
	for i, e := range c {
		if p := e.Misfit(); p != "" {
			return []problem{{i, p}}
		}
	}
	for i, e := range c {
		if before := c[(i+len(c)-1)%len(c)]; marked()[e.From.Mark].Atomic && e.Kind != Rmw && before.Kind != Rmw {
			return []problem{
				{i, fmt.Sprintf("%s begins at %s: only an atomic update is one, and there is none here", e,
					describe(e.From, Access{}))},
			}
		}
	}
	if p := c.turning(); p != nil {
		return []problem{*p}
	}
	changes, last := 0, 0
	for i, e := range c {
		if !e.Same {
			changes, last = changes+1, i
		}
	}
	if changes == 1 {
		return []problem{{last, fmt.Sprintf("only %s goes to another location, and no edge returns: a cycle has at "+
			"least two edges with a d, or none", c[last])}}
	}
	if changes == 0 && !slices.ContainsFunc(c, func(e Edge) bool { return e.Com() && e.Kind != Hat }) {
		return []problem{
			{-1, "Hat alone orders no accesses of a location: a cycle on one location needs an Rf, an Fr or a Ws"},
		}
	}
	if p := planned("", c).problem(); p != nil {
		return []problem{*p}
	}
	return nil
}

// Misfit returns an error if half of an atomic instruction, or of a pair, has a mark that it cannot have: it is not
// exclusive, it is not a weak acquire, and it is not an acquire if the instruction returns nothing. In C and on GPUs,
// the marks of both halves must be those of a memory order that the operation can have.
func (e Edge) Misfit() string { return e.misfit(atomics()[e.Name].Orders) }

// misfit is Misfit for an atomic operation that can have these orders.
func (e Edge) misfit(orders []lower.Order) string {
	if e.Kind != Rmw {
		return ""
	}
	if _, ok := orderOf(e, orders); !ok && orders != nil {
		var can []string
		for _, o := range orders {
			can = append(can, e.Name+o.Read+o.Write)
		}
		return fmt.Sprintf("%s: this atomic operation needs marks for its memory order: want one of %s", e,
			strings.Join(can, ", "))
	}
	for _, end := range []Access{e.From, e.To} {
		if marked()[end.Mark].Alone || end.Mark != "" && !end.Write && unseen(e.Name) && orders == nil {
			return fmt.Sprintf("%s: %s cannot mark the %s of an atomic instruction like this", e, end.Mark,
				access[Access{Write: end.Write}])
		}
	}
	return ""
}

// describe names an access, with enough words to distinguish it from another.
func describe(a, other Access) string {
	switch {
	case a.Part != other.Part && a.Mark == other.Mark:
		return "a " + access[Access{Write: a.Write}] + " of " + cmp.Or(a.Part.String(), "a whole location")
	case a.Mark == other.Mark:
		return "a " + access[Access{Write: a.Write}]
	case a.Mark == "":
		return "a plain " + access[Access{Write: a.Write}]
	}
	return "a " + access[Access{Write: a.Write}] + " marked " + a.Mark
}

// turning returns an error in how the cycle moves between threads.
func (c Cycle) turning() *problem {
	mate := c.mates()
	var across, inside []int // edges that lead from thread to thread, and those within one
	for i, e := range c {
		switch {
		case e.Turn == Leave && mate[i] < 0:
			return &problem{i, fmt.Sprintf("%s leaves its thread, but no Back after it returns", e)}
		case e.Turn == Back && mate[i] < 0:
			return &problem{i, fmt.Sprintf("%s returns to a thread, but no Leave before it left one", e)}
		case e.Turn == Across:
			across = append(across, i)
		case e.Turn == Inside:
			inside = append(inside, i)
		}
	}
	across = slices.DeleteFunc(across, func(i int) bool { return c.depth(mate, i) > 0 })
	switch {
	case len(across) == 0:
		return &problem{-1, "no edge leads to another thread: a cycle has at least two that do, such as Rfe, Fre or " +
			"Wse"}
	// On a single location, one thread can violate the order by itself.
	case len(across) == 1 && slices.ContainsFunc(c, func(e Edge) bool { return !e.Same }):
		return &problem{
			across[0],
			fmt.Sprintf("only %s leads to another thread: a cycle has at least two such edges", c[across[0]]),
		}
	case len(inside) == 0:
		return &problem{-1, "no edge stays within a thread: want one such as PodWR or DpAddrdR"}
	}
	return nil
}

// mates returns for each Leave its Back and for each Back its Leave, and -1 for other edges.
//
// Leaves and Backs are brackets in a circle. Two rounds are enough: the first opens every Leave, and a Back before its
// Leave is met in the second.
func (c Cycle) mates() []int {
	mate := make([]int, len(c))
	for i := range mate {
		mate[i] = -1
	}
	var open []int
	for n := range 2 * len(c) {
		i := n % len(c)
		switch {
		case mate[i] >= 0:
		case c[i].Turn == Leave && n < len(c):
			open = append(open, i)
		case c[i].Turn == Back && len(open) > 0:
			last := open[len(open)-1]
			mate[i], mate[last], open = last, i, open[:len(open)-1]
		}
	}
	return mate
}

// depth counts the Leaves that are open at an edge.
func (c Cycle) depth(mate []int, at int) int {
	depth := 0
	for n := 1; n < len(c); n++ {
		i := (at + n) % len(c)
		// A Back after the edge opened before it if its Leave comes later.
		if c[i].Turn == Back && (mate[i]-at+len(c))%len(c) > n {
			depth++
		}
	}
	return depth
}

// start returns the edge to start from: the first edge of a thread that no Leave leads to. It is the cycle's first edge
// if possible, else the next one after it.
func (c Cycle) start() int {
	mate := c.mates()
	for i := range c {
		before := (i + len(c) - 1) % len(c)
		if c[before].Turn == Across && c.depth(mate, before) == 0 {
			return i
		}
	}
	return 0
}

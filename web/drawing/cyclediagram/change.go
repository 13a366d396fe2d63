package cyclediagram

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
)

// words are a dialect's edges and marks.
type words struct {
	cycle.Words
	arch string
	has  map[cycle.Edge]bool
}

// vocabularies are those of all dialects, made once.
var vocabularies = sync.OnceValue(func() map[string]words {
	all := map[string]words{}
	for _, arch := range cycle.Archs() {
		w, _ := cycle.Vocabulary(arch)
		all[arch] = words{w, arch, map[cycle.Edge]bool{}}
		for _, e := range w.Entries {
			all[arch].has[e.Edge] = true
		}
	}
	return all
})

func wordsOf(arch string) words { return vocabularies()[arch] }

// knows tells whether the dialect has an edge, but for its marks.
func (w words) knows(e cycle.Edge) bool { return w.has[bare(e)] }

// marked gives an access of the kind the mark that another has, or none where it cannot
// have that.
func (w words) marked(a cycle.Access, mark string) cycle.Access {
	for _, m := range w.Marks {
		if m.Mark == mark && (a.Write && m.Writes || !a.Write && m.Reads) {
			a.Mark = mark
			return a
		}
	}
	a.Mark = ""
	return a
}

// bent is an edge of the same sort between other accesses; false where there is none.
func (w words) bent(e cycle.Edge, from, to cycle.Access) (cycle.Edge, bool) {
	e.From, e.To = from, to
	if e.Kind <= cycle.Hat {
		switch {
		case from.Write && to.Write:
			e.Kind = cycle.Co
		case from.Write:
			e.Kind = cycle.Rf
		case to.Write:
			e.Kind = cycle.Fr
		default:
			e.Kind = cycle.Hat
		}
	}
	return e, w.knows(e)
}

// replaced puts an edge in the place of edge i. It takes the marks of those beside it.
// Where it does not meet them, they are bent to it if that can be, and instead says so.
func (w words) replaced(c cycle.Cycle, i int, e cycle.Edge) (out cycle.Cycle, instead []string, err error) {
	n := len(c)
	before, after := (i+n-1)%n, (i+1)%n
	e.From, e.To = w.like(e.From, c[i].From), w.like(e.To, c[i].To)
	out = slices.Clone(c)
	out[i] = e
	bend := func(at int, from, to cycle.Access) {
		if out[at].From == from && out[at].To == to {
			return
		}
		bent, ok := w.bent(out[at], from, to)
		if !ok {
			return
		}
		if out[at].From.Write != from.Write || out[at].To.Write != to.Write {
			instead = append(instead, fmt.Sprintf("%s for %s", bent, out[at]))
		}
		out[at] = bent
	}
	if before == after { // a round of two
		bend(before, e.To, e.From)
	} else {
		bend(before, out[before].From, e.From)
		bend(after, e.To, out[after].To)
	}
	if e.External() {
		for n, agreed := range out.Agreed(i) {
			if agreed != out[n] {
				instead = append(instead, fmt.Sprintf("%s for %s", agreed, out[n]))
			}
			out[n] = agreed
		}
	}
	return out, instead, w.check(out)
}

// like is an access with the mark, where it can have that, and the part of another.
func (w words) like(a, other cycle.Access) cycle.Access {
	a.Part = other.Part
	return w.marked(a, other.Mark)
}

// check tells why there is no such cycle in the dialect, nil if there is.
func (w words) check(c cycle.Cycle) error {
	err := c.Check()
	if err == nil && c.Sized() { // of a size that some instruction has not
		if _, unread := cycle.ParseCycle(w.arch, c.String()); unread != nil {
			return errors.New(litmus.Errors(unread)[0].Msg)
		}
	}
	return err
}

// joined makes a cycle of what is left and put in its place between edges i and j of c.
func (w words) joined(c cycle.Cycle, i, j int, middle ...cycle.Edge) (cycle.Cycle, error) {
	out := cycle.Cycle(slices.Concat(c[:i], middle, c[j:])).Settled(w.arch)
	if len(out) > MaxEdges {
		return nil, fmt.Errorf("a cycle has at most %d edges", MaxEdges)
	}
	return out, w.check(out)
}

// without takes edge i out: by itself if what is beside it meets, or with the edge behind
// it or the one before. gone are the edges that it takes; the error is that of the edge by
// itself.
func without(c cycle.Cycle, i int) (out cycle.Cycle, gone cycle.Cycle, err error) {
	n := len(c)
	for at, set := range [][]int{{i}, {i, (i + 1) % n}, {(i + n - 1) % n, i}} {
		out, gone = nil, nil
		for j, e := range c {
			if slices.Contains(set, j) {
				gone = append(gone, e)
			} else {
				out = append(out, e)
			}
		}
		problem := out.Check()
		if problem == nil {
			return out, gone, nil
		}
		if at == 0 {
			err = problem
		}
	}
	return nil, nil, err
}

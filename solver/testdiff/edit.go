package testdiff

import (
	"context"
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
)

// Edit describes the changes of a test.
type Edit struct {
	Threads   []Thread `json:"threads,omitempty"`
	Condition bool     `json:"condition"`       // it asks something else
	Shows     string   `json:"shows,omitempty"` // an outcome on which they differ
	// Quantifier is the one that the condition begins with, where that is another one now.
	Quantifier string `json:"quantifier,omitempty"`
	// Never and Always: the new condition's proposition holds of none, or of all, of the outcomes that values of the
	// test can make.
	Never  bool     `json:"never,omitempty"`
	Always bool     `json:"always,omitempty"`
	Other  []string `json:"other,omitempty"` // of no thread in particular
}

// Thread describes the changes of a thread.
type Thread struct {
	Name         string `json:"name"`
	Fences       int    `json:"fences"`       // statements with fences that are new
	Dependencies int    `json:"dependencies"` // accesses that depend on more reads than before
	Annotations  int    `json:"annotations"`  // accesses with other orders than before
	// Unsettled: it has loops, and the comparison covers only a bounded number of rounds.
	Unsettled bool     `json:"unsettled,omitempty"`
	Other     []string `json:"other,omitempty"`
}

// Faults are all changes that are neither of what there is a number nor of the condition.
func (e *Edit) Faults() []string {
	out := slices.Clone(e.Other)
	for _, t := range e.Threads {
		out = append(out, t.Other...)
	}
	return out
}

// Fences, Dependencies and Annotations are those of all threads.
func (e *Edit) Fences() int { return e.sum(func(t Thread) int { return t.Fences }) }

// Dependencies are those of all threads.
func (e *Edit) Dependencies() int { return e.sum(func(t Thread) int { return t.Dependencies }) }

// Annotations are those of all threads.
func (e *Edit) Annotations() int { return e.sum(func(t Thread) int { return t.Annotations }) }

func (e *Edit) sum(of func(Thread) int) (n int) {
	for _, t := range e.Threads {
		n += of(t)
	}
	return n
}

// Adds reports whether all changes make accesses depend on more than before, or, with fences, put a fence between
// accesses. It answers false for what takes long to find out, in tests with a system side.
func Adds(before, after *ir.Program, fences bool) bool {
	e, err := of(context.Background(), before, after, before.System)
	if err != nil || len(e.Faults()) > 0 || e.Condition || e.Annotations() > 0 {
		return false
	}
	return e.Dependencies() > 0 || fences && e.Fences() > 0
}

// Of holds a program against another one. Its error says what it cannot compare, and where that is.
func Of(ctx context.Context, before, after *ir.Program) (*Edit, error) {
	return of(ctx, before, after, false)
}

// of is Of; brief is for a question that is one of many, about a system side.
func of(ctx context.Context, before, after *ir.Program, brief bool) (*Edit, error) {
	e := &Edit{}
	if now := after.Condition.Quantifier; now != before.Condition.Quantifier {
		e.Quantifier = now.String()
	}
	switch {
	case before.Arch != after.Arch:
		e.other("The test is now written for %s; it was written for %s.", after.Arch, before.Arch)
		return e, nil
	case len(before.Threads) != len(after.Threads):
		e.other("The test now has %s; it had %d.", count(len(after.Threads), "thread"), len(before.Threads))
		return e, nil
	}
	for t := range before.Threads {
		e.Threads = append(e.Threads, Thread{Name: name(before, t)})
		if name(before, t) != name(after, t) {
			e.other("%s is now called %s.", name(before, t), name(after, t))
		}
	}
	e.places(before, after)
	e.locations(before, after)
	if len(e.Other) > 0 {
		return e, nil
	}
	c := newComparison(ctx, before, addressed(after, before))
	c.brief = brief
	return e, c.compare(e)
}

// places reports threads that share other scopes than before, and those that synchronise outside of the test.
func (e *Edit) places(before, after *ir.Program) {
	if !slices.EqualFunc(before.Scopes, after.Scopes, func(s, t ir.Shared) bool { return s.Name == t.Name }) {
		e.other("The threads are in other kinds of scopes.")
		return
	}
	for level, s := range before.Scopes {
		now := after.Scopes[level].Of
		for b := range s.Of {
			for a := range b {
				switch was, is := s.Of[a] == s.Of[b], now[a] == now[b]; {
				case is && !was:
					e.other("%s and %s are now in one %s.", name(before, a), name(before, b), s.Name)
				case was && !is:
					e.other("%s and %s are no longer in one %s.", name(before, a), name(before, b), s.Name)
				}
			}
		}
	}
	if !slices.Equal(before.Meetings, after.Meetings) {
		e.other("Other threads synchronize outside of the test.")
	}
}

func name(p *ir.Program, t int) string { return fmt.Sprintf("P%d", p.Threads[t].ID) }

func (e *Edit) other(format string, args ...any) {
	e.Other = append(e.Other, fmt.Sprintf(format, args...))
}

func (t *Thread) other(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(t.Other, text) {
		t.Other = append(t.Other, text)
	}
}

// cell tells locations apart.
type cell struct {
	name   string
	offset int
}

// locations holds what memory is, and begins with.
func (e *Edit) locations(before, after *ir.Program) {
	was := map[cell]ir.Location{}
	for _, l := range before.Locs {
		was[cell{l.Name, l.Offset}] = l
	}
	for _, l := range after.Locs {
		at := cell{l.Name, l.Offset}
		old, ok := was[at]
		delete(was, at)
		first, now := value(before, old, old.Init), value(after, l, l.Init)
		switch {
		case !ok && l.Offset > 0:
			e.other("%s is now accessed in other pieces.", l.Name)
		case !ok:
			e.other("There is a new location, %s.", l.Name)
		case l.Bits != old.Bits || l.Signed != old.Signed:
			e.other("%s now has another type.", l.Name)
		case l.Any != old.Any || !l.Any && now != first:
			e.other("%s now starts as %s; it started as %s.", l.Name, now, first)
		}
	}
	for _, l := range before.Locs {
		if _, gone := was[cell{l.Name, l.Offset}]; gone && l.Offset == 0 {
			e.other("The location %s was removed.", l.Name)
		} else if gone {
			e.other("%s is now accessed in other pieces.", l.Name)
		}
	}
}

// value is a number, or the name of the location that it is the address of.
func value(p *ir.Program, l ir.Location, v uint64) string {
	if i, ok := p.LocationAt(v); ok {
		return "&" + p.Locs[i].Name
	}
	if l.Signed {
		v = ir.SignExtend(v, l.Bits)
	}
	return fmt.Sprint(int64(v))
}

// addressed is p with its locations where those of the same names are in another program.
func addressed(p, as *ir.Program) *ir.Program {
	at := map[cell]uint64{}
	for _, l := range as.Locs {
		at[cell{l.Name, l.Offset}] = l.Address
	}
	moved := map[uint64]uint64{}
	out := *p
	out.Locs = slices.Clone(p.Locs)
	for i, l := range p.Locs {
		out.Locs[i].Address = at[cell{l.Name, l.Offset}]
		if out.Locs[i].Address != l.Address {
			moved[l.Address] = out.Locs[i].Address
		}
	}
	if len(moved) == 0 {
		return p
	}
	there := func(v uint64) uint64 {
		if to, ok := moved[v]; ok {
			return to
		}
		return v
	}
	for i, l := range out.Locs {
		out.Locs[i].Init = there(l.Init)
	}
	out.Threads = slices.Clone(p.Threads)
	for t, th := range p.Threads {
		out.Threads[t].Regs = slices.Clone(th.Regs)
		for r, reg := range th.Regs {
			out.Threads[t].Regs[r].Init = there(reg.Init)
		}
	}
	return &out
}

func count(n int, what string) string {
	if n == 1 {
		return "one " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

package classic

import (
	"cmp"
	"slices"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
)

// Sized is a classic test with how large it is.
type Sized struct {
	catalogue.Entry
	Accesses, Threads int // accesses as they are written, whatever loops make of them
}

var sized = sync.OnceValue(func() map[string][]Sized {
	out := map[string][]Sized{}
	for _, e := range catalogue.All() {
		tongue := dialect.Tongue(e.Source)
		out[tongue] = append(out[tongue], sizeOf(e))
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b Sized) int {
			return cmp.Or(cmp.Compare(a.Accesses, b.Accesses), cmp.Compare(a.Threads, b.Threads))
		})
	}
	return out
})

// InTongue are the classic tests of a dialect, the kernel's C by its own name, the smallest first.
func InTongue(tongue string) []Sized { return sized()[tongue] }

func sizeOf(e catalogue.Entry) Sized {
	t, err := litmus.Parse(e.Name, e.Source)
	if err != nil {
		panic("BUG: classic test: " + err.Error())
	}
	p, err := dialect.Lower(t)
	if err != nil {
		panic("BUG: classic test: " + err.Error())
	}
	out := Sized{Entry: e, Threads: len(p.Threads)}
	for _, thread := range p.Threads {
		for _, step := range thread.Code {
			switch step.Op.(type) {
			case ir.Load, ir.Store, ir.StoreCond:
				out.Accesses++
			case ir.RMW:
				out.Accesses += 2
			}
		}
	}
	return out
}

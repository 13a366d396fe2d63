package wasm

import "litmuscope/litmus/ir"

// Step is an access or a fence of a perpetual thread, for simulations.
type Step struct {
	Fence         bool
	Loc           int
	Load          int    // of a load: its number in the row; else -1
	Period, Store uint32 // of a store: in iteration n it writes Period*n+Store
}

// PerpetualSteps returns the accesses and fences of the threads of a test that has a perpetual form.
func PerpetualSteps(p *ir.Program) [][]Step {
	unrolled, _ := ir.Unroll(p, Rounds, ir.Waits{})
	r, err := perpetualOf(unrolled)
	if err != nil {
		panic(err)
	}
	out := make([][]Step, len(p.Threads))
	for t := range unrolled.Threads {
		for i, s := range unrolled.Threads[t].Code {
			a := r.at[t][i]
			switch s.Op.(type) {
			case ir.Fence:
				out[t] = append(out[t], Step{Fence: true})
			case ir.Load:
				out[t] = append(out[t], Step{Loc: a.loc, Load: a.number})
			case ir.Store:
				out[t] = append(out[t], Step{
					Loc: a.loc, Load: -1, Period: uint32(len(r.stores[a.loc])), Store: uint32(a.number),
				})
			}
		}
	}
	return out
}

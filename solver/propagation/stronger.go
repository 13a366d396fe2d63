package propagation

import (
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
)

// stronger is the remark about a program of which the machine may forbid what the model allows: a thread reads a
// location and writes it later (see the tests of differences). It is nil for other programs, and under models whose
// axioms ask for that order.
func stronger(m *models.Model, p *ir.Program) *solver.Remark {
	if machines[m.Name].inPlace {
		return nil
	}
	for t := range p.Threads {
		th := &p.Threads[t]
		reads := map[int]bool{}
		for _, step := range th.Code {
			switch op := step.Op.(type) {
			case ir.Load:
				if !op.Reserve { // a store-conditional is for the location of its read
					reads[locationOf(p, th, op.Addr)] = true
				}
			case ir.Store:
				loc := locationOf(p, th, op.Addr)
				if len(reads) == 0 || loc >= 0 && !reads[loc] && !reads[unknownLocation] {
					continue
				}
				at := th.Source[step.Source].Pos
				return &solver.Remark{
					File: at.File, Line: at.Line, Column: at.Col,
					Message: fmt.Sprintf("the machine writes only after the earlier reads of the location have their "+
						"values, which %s does not demand: it may forbid what the model allows",
						models.Label(m.Name)),
				}
			}
		}
	}
	return nil
}

// unknownLocation is the location of an address that is computed or read.
const unknownLocation = -1

// locationOf is the location of an address that no instruction of the thread changes, or unknownLocation.
func locationOf(p *ir.Program, th *ir.Thread, addr ir.Expr) int {
	fixed := true
	ir.Registers(addr, func(r int) {
		for _, step := range th.Code {
			if set, _ := ir.Effect(step.Op); set == r {
				fixed = false
			}
		}
	})
	if !fixed {
		return unknownLocation
	}
	regs := make([]uint64, len(th.Regs))
	for i, r := range th.Regs {
		regs[i] = r.Init
	}
	if loc, ok := p.LocationAt(p.Eval(addr, regs, 0)); ok {
		return loc
	}
	return unknownLocation
}

package propagation

import (
	"context"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/operational"
)

// rules say in which points the machines differ.
type rules struct {
	// inPlace: accesses of a thread to one location commit in program order.
	inPlace bool
	// strongWrites: a barrier that keeps writes in order waits until it has reached all threads.
	strongWrites bool
}

// machines are the rules by model.
var machines = map[string]rules{
	"power": {inPlace: true},
	"arm":   {strongWrites: true},
}

// Models are the models that have a machine with propagation.
func Models() []string { return []string{"arm", "power"} }

// Has reports whether a model has such a machine. It goes by the model's name alone, like machine.For.
func Has(m *models.Model) bool { return slices.Contains(Models(), m.Name) }

// Answer answers a query for an engine of a name, about a model of [Models]. See [operational.Answer].
func Answer(ctx context.Context, q solver.Query, engine string) (*solver.Result, error) {
	r, err := operational.Answer(ctx, q, engine, "state", Explore)
	if err != nil {
		return nil, err
	}
	if remark := stronger(q.Model, q.Program); remark != nil {
		r.Remarks = append(r.Remarks, *remark)
	}
	return r, nil
}

// Explore finds all outcomes of a program on the machine of a model. It is an [operational.Search].
func Explore(
	ctx context.Context, p *ir.Program, m *models.Model, limits operational.Limits,
) (operational.Found, error) {
	if err := Takes(m, p); err != nil {
		return operational.Found{}, err
	}
	s := newSearch(ctx, p, m)
	s.limits = limits
	st, err := s.start()
	if err != nil {
		return s.Found, err
	}
	return s.explore(st)
}

// Takes returns an error that names what the machine of a model does not support in a program, or nil.
func Takes(m *models.Model, p *ir.Program) error {
	at := litmus.Pos{File: p.File}
	if !Has(m) {
		return litmus.Errorf(at, "engine machine: %s has no machine with propagation", m.Name)
	}
	lacks, where := lacking(m, p)
	if lacks == "" {
		return nil
	}
	if where != nil {
		at = *where
	}
	return litmus.Errorf(at, "engine machine: the machine of %s does not support %s: choose another engine", m.Name,
		lacks)
}

// Lacks names what the machine of a model does not support in a program; "" for nothing.
func Lacks(m *models.Model, p *ir.Program) string {
	lacks, _ := lacking(m, p)
	return lacks
}

// lacking is Lacks, with the place of the instruction, unless nil.
func lacking(m *models.Model, p *ir.Program) (string, *litmus.Pos) {
	switch {
	case p.Split:
		return "mixed-size accesses", nil
	case slices.ContainsFunc(p.Locs, func(l ir.Location) bool { return l.Any }):
		return "arbitrary initial values", nil
	}
	for _, th := range p.Threads {
		for _, step := range th.Code {
			if lacks := lackingOp(step.Op, machines[m.Name]); lacks != "" {
				return lacks, &th.Source[step.Source].Pos
			}
		}
	}
	return "", nil
}

// lackingOp names what a machine does not support in an operation; "" for nothing.
func lackingOp(op ir.Op, r rules) string {
	var tags ir.Tags
	switch op := op.(type) {
	case ir.RMW:
		return "atomic instructions other than pairs of a reserving load and a conditional store"
	case ir.Spawn, ir.Join, ir.Atomic, ir.Assert:
		return "threads that start threads, wait for them, assert or have atomic sections"
	case ir.Fence:
		if op.Addr != nil {
			return "fences of a location"
		}
		b := newBarrier(op.Tags, r)
		if !b.exact(op.Tags) || r.strongWrites && b.readsBefore && b.writesBefore && !b.strong {
			return "a fence that orders some accesses but not others in this way"
		}
	case ir.Load:
		tags = op.Tags
	case ir.Store:
		tags = op.Tags
	case ir.StoreCond:
		tags = op.Tags
	}
	for _, tag := range []ir.Tag{ir.TagAcquire, ir.TagRelease, ir.TagFull} {
		if tags.Has(tag) {
			return "accesses that acquire or release"
		}
	}
	return ""
}

// barrier is what a fence orders.
type barrier struct {
	// The kinds of accesses before and after it that it orders.
	readsBefore, writesBefore, readsAfter, writesAfter bool
	// strong: what comes after it waits until it has reached all threads.
	strong bool
	// branch: it orders reads that earlier branches depend on before what comes after it.
	branch bool
}

// newBarrier reads the tags of a fence.
func newBarrier(t ir.Tags, r rules) barrier {
	rr, rw, wr, ww := t.Has(ir.TagRR), t.Has(ir.TagRW), t.Has(ir.TagWR), t.Has(ir.TagWW)
	return barrier{
		readsBefore: rr || rw, writesBefore: wr || ww, readsAfter: rr || wr, writesAfter: rw || ww,
		strong: wr || ww && !rr && r.strongWrites, branch: t.Has(ir.TagBranch),
	}
}

// exact reports whether a barrier says no more than the tags: apart from writes before reads, which take a strong one.
func (b barrier) exact(t ir.Tags) bool {
	return b.readsBefore && b.readsAfter == t.Has(ir.TagRR) && b.readsBefore && b.writesAfter == t.Has(ir.TagRW) ||
		!b.readsBefore && !t.Has(ir.TagRR) && !t.Has(ir.TagRW)
}

// storage reports whether the storage subsystem propagates it.
func (b barrier) storage() bool { return b.readsAfter || b.writesAfter }

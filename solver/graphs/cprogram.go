package graphs

import (
	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/run"
	"litmuscope/litmus/ir"
)

// cprogram is a C program as it is explored: one that is run as it is.
type cprogram struct {
	*run.Program
	most int  // threads that there is room for
	ends bool // whether loops end is asked
}

// presentInC tells which tags the events of a C program may have that has some itself.
func presentInC(tags, fences map[ir.Tag]bool, sections bool) presence {
	added := func(t ir.Tag) bool {
		return spawnTags().Has(t) || joinTags().Has(t) || sections && sectionTags().Has(t)
	}
	return presence{func(t ir.Tag) bool { return tags[t] || added(t) }, func(t ir.Tag) bool { return fences[t] || added(t) }}
}

func (p *cprogram) thread(t int) runner { return &interpreter{p, p.Thread(t), run.Action{}} }

func (p *cprogram) begins(g *graph, loc int32) (uint64, bool) {
	return p.Begins(int(loc), g.threads[0].run.(*interpreter).t.Image())
}

func (p *cprogram) stop(g *graph, t int) stop {
	i := g.threads[t].run.(*interpreter)
	return stop{i.act.Kind, -1, i.act.Property, i.act.Text, false, i.t.Spurious()}
}

func (p *cprogram) location(loc int32) *ir.Location { return &ir.Location{Life: p.Scalars[loc].Life} }

func (p *cprogram) read(g *graph, id int32) (string, litmus.Pos) {
	e := &g.events[id]
	return p.Scalars[e.loc].Name, p.Lines[e.step].Pos
}

// interpreter is a thread of a C program.
type interpreter struct {
	p   *cprogram
	t   *run.Thread
	act run.Action
}

func (i *interpreter) copy() runner {
	return &interpreter{i.p, i.t.Copy(), i.act}
}

func (i *interpreter) next() (step, error) {
	a, err := i.t.Next()
	if err != nil {
		return step{}, err
	}
	if a.Kind == ir.ActSpawn && a.Other >= i.p.most {
		return step{}, run.Anew // with room for it
	}
	switch a.Kind {
	case ir.ActSpawn:
		a.Tags = spawnTags()
	case ir.ActJoin:
		a.Tags = joinTags()
	case ir.ActEnter, ir.ActLeave:
		a.Tags = sectionTags()
	}
	i.act = a
	return step{kind: a.Kind, at: int32(a.Line), loc: int32(a.Scalar), pieces: a.Pieces, other: int32(a.Other), value: a.Value, tags: a.Tags, since: int32(a.Since), reserved: -1, free: a.Kind == ir.ActChoose && !a.Weak, locks: a.Locks, unlocks: a.Unlocks}, nil
}

func (i *interpreter) tags(v uint64) (first, second ir.Tags) { return i.t.Tags(v) }
func (i *interpreter) read(v uint64) (uint64, bool)          { return i.t.Read(v) }
func (i *interpreter) conditional(bool)                      { panic("BUG: C has no store-conditional") }
func (i *interpreter) choose(yes bool)                       { i.t.Choose(yes) }
func (i *interpreter) spawn(other int) any                   { return i.t.Spawn(other) }
func (i *interpreter) begin(with any)                        { i.t.Begin(with.(*run.Call)) }
func (i *interpreter) pass(result uint64)                    { i.t.Pass(result) }
func (i *interpreter) result() uint64                        { return i.t.Result() }

func (i *interpreter) deps() *deps {
	if !i.p.Follows {
		return nil
	}
	addr, data, ctrl := i.t.Depends()
	return &deps{addr, data, ctrl}
}

func (i *interpreter) carried() *deps {
	if !i.p.Follows {
		return nil
	}
	return &deps{ctrl: i.t.Control()}
}

// mixed notes that a lock is left by a thread that does not hold it.
func (p *cprogram) mixed(loc int32) error { return p.Mixes(int(loc)) }

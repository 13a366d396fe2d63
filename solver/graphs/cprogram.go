package graphs

import (
	"litmuscope/litmus/cprog/run"
	"litmuscope/litmus/ir"
)

// cprogram is a C program as it is explored: one that is run as it is.
type cprogram struct {
	*run.Program
	most int  // threads that there is room for
	ends bool // whether loops end is asked
}

func (p *cprogram) thread(t int) runner { return &interpreter{p, p.Thread(t), run.Action{}} }

func (p *cprogram) begins(g *graph, loc int32) (uint64, bool) {
	return p.Begins(int(loc), g.threads[0].run.(*interpreter).t.Image())
}

func (p *cprogram) stop(g *graph, t int) stop {
	i := g.threads[t].run.(*interpreter)
	return stop{i.act.Kind, -1, i.act.Property, i.act.Text, false, i.t.Spurious()}
}

// interpreter is a thread of a C program.
type interpreter struct {
	p   *cprogram
	t   *run.Thread
	act run.Action
}

func (i *interpreter) copy() runner {
	t := &run.Thread{}
	t.Set(i.t)
	return &interpreter{i.p, t, i.act}
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
		a.Tags = spawnTags
	case ir.ActJoin:
		a.Tags = joinTags
	}
	i.act = a
	return step{kind: a.Kind, at: int32(a.Line), loc: int32(a.Scalar), other: int32(a.Other), value: a.Value, tags: a.Tags, reserved: -1}, nil
}

func (i *interpreter) tags(v uint64) (first, second ir.Tags) { return i.t.Tags(v) }
func (i *interpreter) read(v uint64) (uint64, bool)          { return i.t.Read(v) }
func (i *interpreter) conditional(bool)                      { panic("BUG: C has no store-conditional") }
func (i *interpreter) choose(yes bool)                       { i.t.Choose(yes) }
func (i *interpreter) spawn(other int) any                   { return i.t.Spawn(other) }
func (i *interpreter) begin(with any)                        { i.t.Begin(with.(*run.Call)) }
func (i *interpreter) pass(result uint64)                    { i.t.Pass(result) }
func (i *interpreter) result() uint64                        { return i.t.Result() }
func (i *interpreter) deps() *deps                           { return nil }
func (i *interpreter) carried() *deps                        { return nil }

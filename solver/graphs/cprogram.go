package graphs

import (
	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/run"
	"litmuscope/litmus/ir"
	"litmuscope/solver/graphs/consistency"
	"litmuscope/solver/graphs/graph"
)

// cprogram is a C program that the exploration runs as it is, without unrolling it first.
type cprogram struct {
	*run.Program
	most int  // number of threads that the graph has room for
	ends bool // the question includes termination
}

// presentInC returns the tags that the events of a C program may have: its own, and those of spawns, joins and
// sections.
func presentInC(tags, fences map[ir.Tag]bool, sections bool) consistency.Presence {
	added := func(t ir.Tag) bool {
		return spawnTags().Has(t) || joinTags().Has(t) || sections && sectionTags().Has(t)
	}
	return consistency.Presence{
		Tag:   func(t ir.Tag) bool { return tags[t] || added(t) },
		Fence: func(t ir.Tag) bool { return fences[t] || added(t) },
	}
}

// NewRunner starts thread t's interpreter at the thread's first step.
func (p *cprogram) NewRunner(t int) graph.Runner { return &interpreter{p, p.Thread(t), run.Action{}} }

// InitialValue is a location's value before all writes, and whether it has one: memory may have no initial value. It
// depends on thread 0's image of memory.
func (p *cprogram) InitialValue(g *graph.Graph, loc int32) (uint64, bool) {
	return p.Begins(int(loc), g.Threads[0].Run.(*interpreter).t.Image())
}

// stop implements traced by the interpreter's last action.
func (p *cprogram) stop(g *graph.Graph, t int) stop {
	i := g.Threads[t].Run.(*interpreter)
	return stop{i.act.Kind, -1, i.act.Property, i.act.Text, false, i.t.Spurious()}
}

func (p *cprogram) location(loc int32) *ir.Location { return &ir.Location{Life: p.Scalars[loc].Life} }

func (p *cprogram) read(g *graph.Graph, id int32) (string, litmus.Pos) {
	e := &g.Events[id]
	return p.Scalars[e.Loc].Name, p.Lines[e.Step].Pos
}

// interpreter is a thread of a C program.
type interpreter struct {
	p   *cprogram
	t   *run.Thread
	act run.Action
}

// Copy implements graph.Runner.
func (i *interpreter) Copy() graph.Runner {
	return &interpreter{i.p, i.t.Copy(), i.act}
}

// Next implements graph.Runner: it runs the thread up to its next visible action.
func (i *interpreter) Next() (graph.Step, error) {
	a, err := i.t.Next()
	if err != nil {
		return graph.Step{}, err
	}
	if a.Kind == ir.ActSpawn && a.Other >= i.p.most {
		return graph.Step{}, run.Anew // start again with room for more threads
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
	return graph.Step{
		Kind: a.Kind, At: int32(a.Line), Loc: int32(a.Scalar), Pieces: a.Pieces, Other: int32(a.Other),
		Value: a.Value, Tags: a.Tags, Since: int32(a.Since), Reserved: -1, Free: a.Kind == ir.ActChoose && !a.Weak,
		Locks: a.Locks, Unlocks: a.Unlocks,
	}, nil
}

// Tags implements graph.Runner.
func (i *interpreter) Tags(v uint64) (first, second ir.Tags) { return i.t.Tags(v) }

// Read implements graph.Runner.
func (i *interpreter) Read(v uint64) (uint64, bool) { return i.t.Read(v) }

// Conditional panics: C has no store-conditional.
func (i *interpreter) Conditional(bool) { panic("BUG: C has no store-conditional") }

// Choose implements graph.Runner.
func (i *interpreter) Choose(yes bool) { i.t.Choose(yes) }

// Spawn implements graph.Runner.
func (i *interpreter) Spawn(other int) any { return i.t.Spawn(other) }

// Begin implements graph.Runner; with is a *run.Call.
func (i *interpreter) Begin(with any) { i.t.Begin(with.(*run.Call)) }

// Pass implements graph.Runner.
func (i *interpreter) Pass(result uint64) { i.t.Pass(result) }

// Result implements graph.Runner.
func (i *interpreter) Result() uint64 { return i.t.Result() }

// Deps implements graph.Runner; nil if the program tracks no dependencies.
func (i *interpreter) Deps() *graph.Deps {
	if !i.p.Follows {
		return nil
	}
	addr, data, ctrl := i.t.Depends()
	return &graph.Deps{Addr: addr, Data: data, Ctrl: ctrl}
}

// Carried implements graph.Runner; nil if the program tracks no dependencies.
func (i *interpreter) Carried() *graph.Deps {
	if !i.p.Follows {
		return nil
	}
	return &graph.Deps{Ctrl: i.t.Control()}
}

// mixed records that a thread releases a lock that it does not hold.
func (p *cprogram) mixed(loc int32) error { return p.Mixes(int(loc)) }

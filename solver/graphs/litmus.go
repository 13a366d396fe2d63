package graphs

import (
	"math"
	"slices"
	"sync"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver/graphs/consistency"
	"litmuscope/solver/graphs/graph"
)

// test is a litmus test as a program to explore. Its threads are cursors over the loop-free intermediate program.
type test struct {
	*ir.Program
	track bool // dependencies matter, or there are events that carry them
	ahead bool // threads run ahead of their reads
}

func newTest(p *ir.Program, f *consistency.Formula) *test {
	return &test{p, f.Deps || present(p)(ir.TagPick), f.Ahead}
}

// tagsOf returns the tags of the events of an operation; second are those of an update's write.
func tagsOf(op ir.Op) (first, second ir.Tags) {
	switch op := op.(type) {
	case ir.Load:
		return op.Tags, nil
	case ir.Store:
		return op.Tags, nil
	case ir.StoreCond:
		return op.Tags, nil
	case ir.RMW:
		return op.Tags, op.WriteTags
	case ir.Fence:
		return op.Tags, nil
	case ir.Pick:
		return ir.Tags{ir.TagPick}, nil
	}
	switch op.(type) {
	case ir.Spawn:
		return spawnTags(), nil
	case ir.Join:
		return joinTags(), nil
	}
	return nil, nil
}

// Tags of spawns, joins, and the ends of atomic sections.
var (
	spawnTags   = sync.OnceValue(func() ir.Tags { return models.BarrierTags(ir.Spawn{}) })
	joinTags    = sync.OnceValue(func() ir.Tags { return models.BarrierTags(ir.Join{}) })
	sectionTags = sync.OnceValue(func() ir.Tags { return models.BarrierTags(ir.Atomic{}) })
)

// present returns the tags that events of a program may have.
func present(p *ir.Program) func(ir.Tag) bool { return presentIn(p, func(ir.Op) bool { return true }) }

// presentIn returns the tags of events of some operations.
func presentIn(p *ir.Program, of func(ir.Op) bool) func(ir.Tag) bool {
	has := map[ir.Tag]bool{}
	for _, th := range p.Threads {
		for _, s := range th.Code {
			if !of(s.Op) {
				continue
			}
			first, second := tagsOf(s.Op)
			for _, t := range slices.Concat(first, second) {
				has[t] = true
			}
		}
	}
	return func(t ir.Tag) bool { return has[t] }
}

// isFence reports whether the event of an operation is no access.
func isFence(op ir.Op) bool {
	switch op.(type) {
	case ir.Load, ir.Store, ir.StoreCond, ir.RMW:
		return false
	}
	return true
}

// InitialValue is a location's value before all writes, and whether the test gives it one.
func (p *test) InitialValue(_ *graph.Graph, loc int32) (uint64, bool) {
	return p.Locs[loc].Init, !p.Locs[loc].Any
}

// NewRunner starts thread t's cursor at the thread's first step.
func (p *test) NewRunner(t int) graph.Runner {
	c := &cursor{p: p, number: t, c: *ir.NewCursor(p.Program, t, p.track)}
	if p.ahead {
		c.c.Ahead()
	}
	return c
}

// cursor is a thread of a test.
type cursor struct {
	p      *test
	number int
	c      ir.Cursor
	act    ir.Action
	places int32 // number of events so far
	// from has, by number of a source of dependencies, its first position in the thread and its number of events.
	from   [][2]int32
	pieces int32   // of the current access
	data   ir.Deps // of an update's write
}

// Copy implements graph.Runner.
func (c *cursor) Copy() graph.Runner {
	out := &cursor{
		p: c.p, number: c.number, act: c.act, places: c.places, pieces: c.pieces, data: c.data,
		from: slices.Clone(c.from),
	}
	out.c.Set(&c.c)
	return out
}

// Next returns the thread's next visible step. An access narrower or wider than its location is split into the
// location's pieces, one event each.
func (c *cursor) Next() (graph.Step, error) {
	a, err := c.c.Next()
	if err != nil {
		return graph.Step{}, err
	}
	c.act, c.pieces = a, 1
	s := graph.Step{
		Kind: a.Kind, At: int32(a.Step), Loc: int32(a.Loc), Other: int32(a.Other), Value: a.Value,
		Since: math.MaxInt32, Reserved: -1,
	}
	s.Wants, s.Guesses = c.placesOf(a.Wants), a.Guesses
	switch a.Kind {
	case ir.ActEnd, ir.ActUnwound, ir.ActUnspawned, ir.ActBlocked, ir.ActFailed, ir.ActWants, ir.ActRefuted:
		return s, nil
	case ir.ActLoad, ir.ActStore, ir.ActRMW, ir.ActStoreCond:
		if c.p.Locs[a.Loc].Bits != a.Bits {
			s.Pieces, _ = c.p.Pieces(a.Loc, a.Bits)
			c.pieces = int32(len(s.Pieces))
		}
	}
	switch a.Kind {
	case ir.ActChoose:
		op, _ := c.p.Threads[c.number].Code[a.Step].Op.(ir.Choose)
		s.Free = op.Free || !op.Weak
	case ir.ActStoreCond:
		if a.Reserved >= 0 {
			s.Reserved = c.from[a.Reserved][0]
		}
	}
	s.Tags, _ = c.Tags(0)
	return s, nil
}

// Tags implements graph.Runner. The value does not matter: a test has the same tags for every value.
func (c *cursor) Tags(uint64) (first, second ir.Tags) {
	return tagsOf(c.p.Threads[c.number].Code[c.act.Step].Op)
}

// Read implements graph.Runner: the read gives v, and a read-modify-write may write.
func (c *cursor) Read(v uint64) (written uint64, writes bool) {
	c.passes()
	written, writes = c.c.Read(v)
	if writes {
		c.places += c.pieces
		c.data = c.c.WriteDeps(c.act.Deps)
	}
	return written, writes
}

// Writes implements graph.Runner for threads that run ahead of their reads.
func (c *cursor) Writes(v uint64, known bool) (writes, decided bool) { return c.c.Writes(v, known) }

// Far implements explore's interface for a read whose value may be unknown; waits are the events whose values it needs.
func (c *cursor) Far(v uint64, known, writes bool) (written uint64, waits []int32) {
	c.passes()
	written, wants := c.c.ReadAhead(v, known, writes)
	if writes {
		c.places += c.pieces
		c.data = c.c.WriteDeps(c.act.Deps)
	}
	return written, c.placesOf(wants)
}

// Take implements graph.Runner: it continues with guessed values.
func (c *cursor) Take(guesses []ir.Guess) { c.c.Take(guesses) }

// Conditional implements graph.Runner: a store-conditional succeeds or fails.
func (c *cursor) Conditional(succeeds bool) {
	if c.passes(); !succeeds {
		c.places += 1 - c.pieces
		c.from[len(c.from)-1][1] = 0
	}
	c.c.Conditional(succeeds)
}

// passes records the events of a step that dependencies may start from.
func (c *cursor) passes() {
	c.from = append(c.from, [2]int32{c.places, c.pieces})
	c.places += c.pieces
}

// Choose implements graph.Runner.
func (c *cursor) Choose(yes bool) {
	c.places++
	c.c.Choose(yes)
}

// Spawn implements graph.Runner: it returns the arguments of the new thread.
func (c *cursor) Spawn(int) any {
	args := c.c.Arguments()
	c.places++
	c.c.Pass()
	return args
}

// Begin implements graph.Runner; args are those that Spawn returned.
func (c *cursor) Begin(args any) { c.c.Start(args.([]uint64)) }

// Pass implements graph.Runner.
func (c *cursor) Pass(uint64) {
	if c.act.Kind == ir.ActPick {
		c.passes()
	} else {
		c.places += c.pieces
	}
	c.c.Pass()
}

// Result is 0: a test's threads return nothing.
func (c *cursor) Result() uint64 { return 0 }

// Deps implements graph.Runner: the events that the next step depends on.
func (c *cursor) Deps() *graph.Deps { return c.placed(c.act.Deps) }

// Carried implements graph.Runner: the events that the next step's data depends on.
func (c *cursor) Carried() *graph.Deps { return c.placed(c.data) }

// placed returns dependencies as positions in the thread.
func (c *cursor) placed(d ir.Deps) *graph.Deps {
	if !c.p.track || len(d.Addr)+len(d.Data)+len(d.Ctrl) == 0 {
		return nil
	}
	return &graph.Deps{Addr: c.placesOf(d.Addr), Data: c.placesOf(d.Data), Ctrl: c.placesOf(d.Ctrl)}
}

// placesOf returns the events of the thread, by place, for numbers of the interpreter's reads. A read of several pieces
// has several events, one after another.
func (c *cursor) placesOf(numbers []int) (out []int32) {
	for _, n := range numbers {
		for i := range c.from[n][1] {
			out = append(out, c.from[n][0]+i)
		}
	}
	return out
}

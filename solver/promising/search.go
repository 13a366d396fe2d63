package promising

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/replay"
	"litmuscope/solver/operational"
)

// maxMessages bounds the messages of a memory: a thread's promises are the bits of a number.
const maxMessages = 63

// search explores a program.
type search struct {
	rules
	ctx     context.Context
	program *ir.Program
	limits  operational.Limits
	starts  []*thread
	first   int // the messages up to this one are in the states of starts
	visited map[string]bool
	bytes   int
	ticks   int
	operational.Found
}

// errLong ends a search with too many writes.
var errLong = fmt.Errorf("engine machine: an execution has more than %d writes: choose another engine", maxMessages)

// Takes returns an error that names what the machine of a model does not support in a program, or nil.
func Takes(m *models.Model, p *ir.Program) error {
	at := litmus.Pos{File: p.File}
	if _, known := machines[m.Name]; !known {
		return litmus.Errorf(at, "engine machine: %s has no promising machine", m.Name)
	}
	if lacks := Lacks(p); lacks != "" {
		return litmus.Errorf(at, "engine machine: the machine of %s does not support %s: choose another engine", m.Name,
			lacks)
	}
	return nil
}

// Lacks names what promising machines do not support in a program; "" for nothing.
func Lacks(p *ir.Program) string {
	switch {
	case p.Split:
		return "mixed-size accesses"
	case slices.ContainsFunc(p.Locs, func(l ir.Location) bool { return l.Any }):
		return "arbitrary initial values"
	}
	return ""
}

// explore visits the memories from one on.
func (s *search) explore(memory []message) (operational.Found, error) {
	err := s.visit(memory)
	if errors.Is(err, operational.ErrFull) {
		s.Full, err = true, nil
	}
	return s.Found, err
}

// newSearch returns a search from the initial state.
func newSearch(ctx context.Context, p *ir.Program, m *models.Model) *search {
	s := &search{
		rules: machines[m.Name], ctx: ctx, program: p, visited: map[string]bool{},
	}
	for t := range p.Threads {
		s.starts = append(s.starts, &thread{
			cur: *ir.NewCursor(p, t, true), coh: make([]view, len(p.Locs)), forward: make([]forward, len(p.Locs)),
		})
	}
	return s
}

// tick looks at the context now and then.
func (s *search) tick() error {
	if s.ticks++; s.ticks%1024 == 0 {
		return s.ctx.Err()
	}
	return nil
}

// visit runs each thread in a memory, and goes on with each promise that a thread can make next.
func (s *search) visit(memory []message) error {
	key := encode(memory)
	if s.visited[key] {
		return nil
	}
	s.visited[key] = true
	s.States++
	if s.bytes += len(key) + 48; s.limits.Bytes > 0 && s.bytes > s.limits.Bytes {
		return operational.ErrFull
	}
	runs := make([]*run, len(s.starts))
	for t := range runs {
		r, err := s.alone(t, memory)
		if err != nil {
			return err
		}
		// The thread that has promised last could do so: it still must be able to fulfil all of its promises.
		if len(memory) > s.first && memory[len(memory)-1].thread == t && !r.certified {
			return nil
		}
		runs[t] = r
	}
	if err := s.complete(memory, runs); err != nil {
		return err
	}
	for _, r := range runs {
		for _, m := range r.candidates {
			if err := s.visit(append(slices.Clip(memory), m)); err != nil {
				return err
			}
		}
	}
	return nil
}

// encode returns a memory as the key of a map.
func encode(memory []message) string {
	var key []byte
	for _, m := range memory {
		key = binary.AppendUvarint(key, uint64(m.thread))
		key = binary.AppendUvarint(key, uint64(m.loc))
		key = binary.AppendUvarint(key, m.value)
	}
	return string(key)
}

// alone runs a thread by itself in a memory.
func (s *search) alone(t int, memory []message) (*run, error) {
	th := s.starts[t].clone()
	for i, m := range memory[s.first:] {
		if m.thread == t {
			th.open |= 1 << (s.first + i + 1)
		}
	}
	r := s.run(t, memory)
	return r, r.execute(th)
}

// run returns a run of thread t in a memory, before its first action.
func (s *search) run(t int, memory []message) *run {
	return &run{search: s, index: t, base: memory, memory: slices.Clone(memory), ends: map[string]end{}}
}

// complete records the outcomes of a memory in which every thread can end without further writes.
func (s *search) complete(memory []message, runs []*run) error {
	chosen := make([]end, len(runs))
	var choose func(t int) error
	choose = func(t int) error {
		if t < len(runs) {
			for _, e := range runs[t].ends {
				chosen[t] = e
				if err := choose(t + 1); err != nil {
					return err
				}
			}
			return nil
		}
		return s.record(memory, chosen)
	}
	return choose(0)
}

// record notes an outcome.
func (s *search) record(memory []message, ends []end) error {
	if slices.ContainsFunc(ends, func(e end) bool { return e.cuts }) {
		s.Cut = true
		return nil
	}
	p := s.program
	final := make(ir.State, len(p.Observed))
	for i, o := range p.Observed {
		if o.Thread >= 0 {
			final[i] = ends[o.Thread].th.cur.Regs[o.Index] & ir.Mask(o.Bits)
			continue
		}
		final[i] = p.Locs[o.Index].Init & ir.Mask(p.Locs[o.Index].Bits)
		for _, m := range memory {
			if m.loc == o.Index {
				final[i] = m.value
			}
		}
	}
	return s.Add(p, final, nil, func() (*models.Execution, error) { return s.execution(memory, ends) })
}

// execution is that of a complete run. Reads take their values from the writes of their messages, and co is the order
// of the messages.
func (s *search) execution(memory []message, ends []end) (*models.Execution, error) {
	inputs := make([][]uint64, len(ends))
	for t, e := range ends {
		inputs[t] = e.th.inputs
	}
	x, err := replay.Replay(s.program, inputs)
	if err != nil {
		return nil, fmt.Errorf("BUG: a run is not an execution: %w", err)
	}
	writes := make([]int, len(memory)+1) // by message
	next := make([]int, len(ends))
	message := func(thread int) int {
		for did := ends[thread].th.did; ; {
			next[thread]++
			if d := did[next[thread]-1]; d.kind != fences {
				return d.message
			}
		}
	}
	froms := map[int]int{}
	for _, e := range x.Events[len(s.program.Locs):] {
		switch {
		case e.Tags.Has(ir.TagPick):
		case e.Kind == models.Read:
			froms[e.ID] = message(e.Thread)
		case e.Kind == models.Write:
			writes[message(e.Thread)] = e.ID
		}
	}
	for read, t := range froms {
		x.RF[read] = writes[t]
		if t == 0 {
			x.RF[read] = x.Events[read].Loc
		}
	}
	for loc := range s.program.Locs {
		x.CO[loc] = []int{loc}
	}
	for i, m := range memory {
		x.CO[m.loc] = append(x.CO[m.loc], writes[i+1])
	}
	return x, x.WellFormed()
}

package sequential

import (
	"maps"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// prefix is the encoding of a program with properties: whether some assertion fails is a question about runs that may
// stop anywhere. Threads do not get to what is behind an assumption or an assertion that does not hold, and need not
// get to the end of their code.
//
// An atomic section is one turn's, or a part of one, and an assumption in it is one of
// whoever begins it: else the thread stays before it.
type prefix struct {
	*program
	weak     bool           // stores may wait
	memory   bool           // reads of what nobody has written are failures
	sections [][]bool       // by thread and step: it is in an atomic section
	anything []sat.Vec      // by location that begins with anything: what that is
	spawns   [][]*statement // by thread: what starts it
	ends     []sat.Lit      // by thread: it comes to its end, if it gets so far
	solo     []bool         // by step of the first thread: no other runs

	failures  []checkpoint
	undefined []checkpoint // undefined behaviour, after which nothing is known of a run
	required  []checkpoint // must not be
	bounds    []checkpoint // the unwinding bound
}

// checkpoint is a place behind some label of a thread where lit is something to know of.
type checkpoint struct {
	thread, after int
	lit           sat.Lit
	what          *solver.Failure
}

func newPrefixOf(weak, memory bool) *prefix { return &prefix{weak: weak, memory: memory} }

// begin analyses a program before its walk.
func (x *prefix) begin(p *program) error {
	x.program = p
	n := len(p.Threads)
	x.anything, x.spawns = make([]sat.Vec, len(p.Locs)), make([][]*statement, n)
	x.ends, x.sections, x.solo = make([]sat.Lit, n), make([][]bool, n), solo(p.Program)
	for l := range p.Locs {
		if p.Locs[l].Any {
			for range p.Locs[l].Bits {
				x.anything[l] = append(x.anything[l], p.circuit.Var())
			}
		}
	}
	for t := range p.Threads {
		var err error
		if x.sections[t], err = sections(&p.Threads[t]); err != nil {
			return err
		}
	}
	return nil
}

// sections tells by step whether it is in an atomic section, which has to be so on every way to it.
func sections(th *ir.Thread) ([]bool, error) {
	const outside, within = 1, 2
	at := make([]int, len(th.Code)+1) // the ways to a step
	at[0] = outside
	out := make([]bool, len(th.Code)+1)
	for pc, s := range th.Code {
		if at[pc] == outside|within {
			return nil, litmus.Errorf(th.Source[s.Source].Pos, "an atomic section has begun here on only some paths, "+
				"which the sequential engines do not support")
		}
		next := at[pc]
		out[pc] = next == within
		switch op := s.Op.(type) {
		case ir.Atomic:
			next = within
			if op.End {
				next = outside
			}
			out[pc] = true
		case ir.Branch:
			at[op.Target] |= next
			if op.Cond == nil {
				continue
			}
		case ir.Unwound:
			continue
		}
		at[pc+1] |= next
	}
	return out, nil
}

// solo tells of the first thread's steps which it takes while no other runs: before it
// starts any, or after all that may be running have ended. A join is a step taken before.
func solo(p *ir.Program) []bool {
	starts := make([]map[int]bool, len(p.Threads)) // by thread: itself, and those that it may start
	for t := len(p.Threads) - 1; t >= 0; t-- {
		starts[t] = map[int]bool{t: true}
		for _, s := range p.Threads[t].Code {
			if op, ok := s.Op.(ir.Spawn); ok && op.Thread > t {
				maps.Copy(starts[t], starts[op.Thread])
			}
		}
	}
	code := p.Threads[0].Code
	running := make([]map[int]bool, len(code)+1) // by step that there is a way to: who may be
	running[0] = map[int]bool{}
	for t := range p.Threads {
		if t > 0 && !p.Threads[t].Spawned {
			running[0][t] = true
		}
	}
	out := make([]bool, len(code)+1)
	for pc, s := range code {
		if running[pc] == nil {
			continue
		}
		out[pc] = len(running[pc]) == 0
		next := maps.Clone(running[pc])
		to := func(pc int) {
			if running[pc] == nil {
				running[pc] = map[int]bool{}
			}
			maps.Copy(running[pc], next)
		}
		switch op := s.Op.(type) {
		case ir.Spawn:
			maps.Copy(next, starts[op.Thread])
		case ir.Join:
			delete(next, op.Thread)
		case ir.Branch:
			to(op.Target)
			if op.Cond == nil {
				continue
			}
		case ir.Unwound:
			continue
		}
		to(pc + 1)
	}
	return out
}

func (x *prefix) alone(s symbolic.Site) bool { return s.Thread == 0 && x.solo[s.Step] }

func (x *prefix) inside(s symbolic.Site) bool { return x.sections[s.Thread][s.Step] }

// initial is the payload of a location before any write.
func (x *prefix) initial(loc int) sat.Vec {
	l := &x.Locs[loc]
	out := sat.ConstVec(l.Init, l.Bits)
	if l.Any {
		out = append(sat.Vec(nil), x.anything[loc]...)
	}
	tag := uint64(0)
	if x.memory && !l.Any {
		tag = 1 << (x.tagBits - 1)
	}
	return append(out, sat.ConstVec(tag, x.tagBits)...)
}

func (x *prefix) checkpoint(s symbolic.Site, lit sat.Lit, what *solver.Failure) checkpoint {
	return checkpoint{s.Thread, x.labelled[s.Thread] - 1, lit, what}
}

func (x *prefix) assume(s symbolic.Site, guard, cond sat.Lit) (on sat.Vec) {
	if x.inside(s) {
		x.required = append(x.required, x.checkpoint(s, x.circuit.And(guard, cond.Not()), nil))
		return sat.Vec{sat.True}
	}
	return sat.Vec{cond}
}

func (x *prefix) asserted(s symbolic.Site, op ir.Assert, guard, cond sat.Lit) (on sat.Vec) {
	what := solver.FailureAt(x.Program, s.Thread, s.Step, op.Property, op.Text)
	list := &x.failures
	if op.Property == ir.Undefined {
		list = &x.undefined
	}
	*list = append(*list, x.checkpoint(s, x.circuit.And(guard, cond.Not()), what))
	return sat.Vec{cond}
}

func (x *prefix) unwound(s symbolic.Site, op ir.Unwound, guard sat.Lit) {
	if !op.Spin {
		x.bounds = append(x.bounds, x.checkpoint(s, guard, nil))
	}
}

func (x *prefix) end(t int, guard sat.Lit) { x.ends[t] = guard }

// unset adds the reads of what nobody has written to the failures.
func (x *prefix) unset() {
	for _, statements := range x.threads {
		for _, s := range statements {
			if s.read == nil || s.direct || s.try {
				continue
			}
			for i, l := range s.locs {
				if x.Locs[l].Any {
					unset := x.circuit.And(s.guard, s.at[i], s.read[len(s.read)-1].Not())
					what := solver.FailureAt(x.Program, s.Thread, s.Step, ir.Memory,
						x.Locs[l].Name+" is read before it is written")
					x.failures = append(x.failures, checkpoint{s.Thread, s.label, unset, what})
				}
			}
		}
	}
}

// move ties loads of what no other thread writes to the statement before: whoever else has a
// turn in between, they return the same.
func (x *prefix) move() {
	writers := make([]map[int]bool, len(x.Locs))
	for l := range writers {
		writers[l] = map[int]bool{}
	}
	for t, statements := range x.threads {
		for _, s := range statements {
			for _, l := range s.locs {
				if s.writesMemory() {
					writers[l][t] = true
				}
			}
		}
	}
	for t, statements := range x.threads {
		for _, s := range statements {
			foreign := slices.ContainsFunc(s.locs, func(l int) bool {
				return len(writers[l]) > 1 || len(writers[l]) == 1 && !writers[l][t]
			})
			if s.kind == load && s.label > 0 && !foreign && s.access == (access{}) {
				s.tied = true
			}
		}
	}
}

// begun is true once a thread has started, at the current point of the schedule.
func (s *schedule) begun(t int) sat.Lit {
	if s.prefix == nil || !s.Threads[t].Spawned {
		return sat.True
	}
	var some []sat.Lit
	for _, by := range s.prefix.spawns[t] {
		some = append(some, s.And(by.guard, s.reached(by.Thread, by.after)))
	}
	return s.Or(some...)
}

// reached is true once a thread has got past a label; at -1, once it has started.
func (s *schedule) reached(t, label int) sat.Lit {
	if label < 0 {
		return s.begun(t)
	}
	return s.past[t][label]
}

// ended is true once a thread has come to its end.
func (s *schedule) ended(t int) sat.Lit {
	return s.And(s.prefix.ends[t], s.reached(t, len(s.past[t])-1))
}

// some is true where a run comes by one of some checkpoints, so that lit holds there.
func (s *schedule) some(of []checkpoint) sat.Lit {
	var out []sat.Lit
	for _, c := range of {
		out = append(out, s.at(c))
	}
	return s.Or(out...)
}

func (s *schedule) at(c checkpoint) sat.Lit {
	return s.And(c.lit, s.reached(c.thread, c.after))
}

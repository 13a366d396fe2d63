package sequential

import (
	"context"
	"errors"
	"fmt"
	"time"

	"litmuscope/litmus/ir"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/machine"
	"litmuscope/solver/outcomes"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// Engine implements solver.Engine: sequentialization over one memory.
type Engine struct {
	name   string
	model  machine.Kind
	bounds []bound // in the order of minimisation
	idle   bool    // a turn may do nothing but move writes
	early  bool    // stores wait where nobody sees them
	memory func(p *program, b bounds) memory
}

// Engines are the sequential engines. Each answers for one model.
var Engines = []Engine{
	{
		name: "lazy-cseq", model: machine.SC, bounds: []bound{roundBound},
		memory: func(p *program, _ bounds) memory { return newPlain(p) },
	},
	{
		name: "tso-sma", model: machine.TSO, bounds: []bound{roundBound, bufferBound}, early: true,
		memory: func(p *program, b bounds) memory { return newBuffers(p, false, b[bufferBound]) },
	},
	{
		name: "pso-sma", model: machine.PSO, bounds: []bound{roundBound, bufferBound}, early: true,
		memory: func(p *program, b bounds) memory { return newBuffers(p, true, b[bufferBound]) },
	},
	{
		name: "etso", model: machine.TSO, bounds: []bound{roundBound, stampBound, nodeBound}, early: true,
		memory: func(p *program, b bounds) memory { return newLists(p, false, b[stampBound], b[nodeBound]) },
	},
	{
		name: "epso", model: machine.PSO, bounds: []bound{roundBound, stampBound, nodeBound}, early: true,
		memory: func(p *program, b bounds) memory { return newLists(p, true, b[stampBound], b[nodeBound]) },
	},
	{
		name: "k-round", model: machine.TSO, bounds: []bound{lastBound, roundBound}, idle: true,
		memory: func(p *program, b bounds) memory { return newViews(p, false, b[lastBound]) },
	},
	{
		name: "k-store-age", model: machine.TSO, bounds: []bound{ageBound, roundBound}, idle: true,
		memory: func(p *program, b bounds) memory { return newViews(p, true, b[ageBound]) },
	},
}

// Name implements solver.Engine.
func (e Engine) Name() string { return e.name }

// Version implements solver.Engine.
func (Engine) Version() int { return 8 }

// Models implements solver.Engine: there is one.
func (e Engine) Models() []string { return []string{e.model.String()} }

func (e Engine) pso() bool { return e.model == machine.PSO }

// visible reports whether a statement matters to others, so that turns may end before it.
func (e Engine) visible(s *statement) bool {
	if s.kind == fence {
		return e.model != machine.SC && s.fence.writeRead || e.pso() && s.fence.writeWrite
	}
	// No other thread sees the start of a thread, and nothing waits under SC.
	return e.model != machine.SC || s.kind != spawn
}

// Explore implements solver.Engine. It fails on any model but the engine's own.
func (e Engine) Explore(ctx context.Context, q solver.Query) (*solver.Result, error) {
	if q.Model.Name != e.model.String() || !q.Model.HasMachine() {
		return nil, fmt.Errorf("the engine %s supports %s, not %s", e.name, e.model, q.Model.Name)
	}
	x := &exploration{Search: outcomes.New(q, e.name), engine: e, checker: evaluation.NewChecker(q.Model)}
	x.Record = x.record
	return x.Run(ctx, x.run)
}

// exploration answers one query.
type exploration struct {
	*outcomes.Search
	engine   Engine
	unrolled *ir.Program
	// structure is the known part of that.
	structure *symbolic.Structure
	schedule  *schedule
	checker   *evaluation.Checker
}

// run answers the query: first with few rounds, where most outcomes that exist show (shallow), then within the bounds
// in use. If these are as large as the engine's estimate of enough, the answer is complete.
func (x *exploration) run() error {
	began := time.Now()
	x.unrolled, _ = ir.Unroll(x.Program, x.Options.Unroll, ir.Waits{Reads: true, Locks: true})
	x.structure = observe(x.unrolled)
	p, err := newProgram(x.structure, x.engine.visible)
	if err != nil {
		return err
	}
	use, enough := x.engine.chooseBounds(p, x.Options)
	shown, err := x.shallow(p, use, enough)
	if err != nil {
		return err
	}
	if x.Options.States > 0 || x.Some != solver.Yes || x.SomeNot != solver.Yes {
		x.limit(use, enough)
		if err := x.lay(p, use, x.engine.early && use == enough); err != nil {
			return err
		}
		x.Result.Stats.Encode = outcomes.Since(began) - x.Result.Stats.Solve
		if err := x.reach(); err != nil {
			return err
		}
		if err := x.Decide(); err != nil {
			return err
		}
	}
	if x.Options.States > 0 {
		if err := x.States(); err != nil {
			return err
		}
	}
	if x.Options.Least && x.Some == solver.Yes {
		return x.least(shown)
	}
	return nil
}

// small is the number of statements, over all rounds, up to which the engine does not try lower bounds first.
const small = 64

// shallow looks for outcomes that satisfy the proposition and that violate it within bounds much smaller than needed,
// because most outcomes exist there. It returns the bounds in which the proposition can be true, or else the bounds to
// use.
func (x *exploration) shallow(p *program, use, enough bounds) (shown bounds, err error) {
	if use[roundBound]*p.count <= small {
		return use, nil
	}
	for depth := 2; depth <= 3; depth++ {
		try := use
		for _, b := range x.engine.bounds {
			try[b] = min(use[b], boundTable[b].least+depth-1)
		}
		if try == use {
			break
		}
		p, err := newProgram(x.structure, x.engine.visible)
		if err != nil {
			return use, err
		}
		x.limit(try, enough)
		if err := x.lay(p, try, false); err != nil {
			return use, err
		}
		p.exclude()
		if err := x.Decide(); err != nil || x.Some == solver.Yes {
			return try, err
		}
	}
	return use, nil
}

// exclude rules out executions in which an access leaves the locations or a thread reaches the unwinding bound.
func (p *program) exclude() {
	p.circuit.Assert(p.wild.Not())
	p.circuit.Assert(p.bound.Not())
}

// limit notes the bounds in the result.
func (x *exploration) limit(use, enough bounds) {
	x.Result.Bounds, x.Bounded, x.Unbind = nil, false, ""
	for _, b := range x.engine.bounds {
		x.Result.Bounds = append(x.Result.Bounds,
			solver.Bound{Name: boundTable[b].name, Value: use[b], Enough: enough[b]})
	}
	if tight := x.engine.tight(use, enough); tight != "" {
		x.Bounded = true
		x.Unbind = "not found within the bounds: " + tight
	}
}

// lay builds the formula.
func (x *exploration) lay(p *program, b bounds, early bool) (err error) {
	x.schedule, err = newSchedule(p, x.engine.memory(p, b), b[roundBound], x.engine.idle, early, x.Cancelled)
	if err != nil {
		return err
	}
	x.Formula(p.circuit, x.unrolled, x.schedule.value)
	x.Result.Stats.Constraints = x.schedule.sizes
	return nil
}

// value is what an observable has in the end.
func (s *schedule) value(o ir.Observable) sat.Vec {
	if o.Thread >= 0 {
		return s.regs[o.Thread][o.Index][:o.Bits]
	}
	return s.memory.final(o.Index)[:o.Bits]
}

// reach finds out whether an access may leave the locations, which is an error, and whether a thread may reach the
// unwinding bound; from then on, neither happens.
func (x *exploration) reach() error {
	p := x.schedule.program
	if p.wild != sat.False {
		if m, err := x.Possible(p.wild); err != nil {
			return err
		} else if m != nil {
			return p.wildAccess(m)
		}
	}
	if p.bound != sat.False {
		m, err := x.Possible(p.bound)
		if err != nil {
			return err
		}
		if m != nil {
			x.Bounded = true
			if x.Unbind != "" {
				x.Unbind += "; and "
			}
			x.Unbind += fmt.Sprintf("the unroll bound of %d was reached: raise --unroll", x.Options.Unroll)
		}
	}
	p.exclude()
	return nil
}

// wildAccess names an access that leaves the locations in a model.
func (p *program) wildAccess(m *sat.Assignment) error {
	for _, statements := range p.threads {
		for _, s := range statements {
			hit := !m.True(s.guard) || len(s.at) == 0 && p.structure.WildErrors[s.Site] == nil
			for _, at := range s.at {
				hit = hit || m.True(at)
			}
			if !hit {
				return p.structure.WildAccess(s.Site)
			}
		}
	}
	return errors.New("BUG: a wild access without a statement")
}

// record takes a schedule off a model, replays it, has the execution judged, and files
// its state.
func (x *exploration) record(m *sat.Assignment) error {
	began := time.Now()
	defer func() { x.Result.Stats.Check += outcomes.Since(began) }()
	run, err := x.schedule.witness(m, x.engine.model, x.Options.Witnesses).replay()
	if err != nil {
		return err
	}
	if err := run.Execution.WellFormed(); err != nil {
		return fmt.Errorf("BUG: ill-formed witness: %w", err)
	}
	if bad := x.checker.Check(run.Execution); len(bad) > 0 {
		return fmt.Errorf("BUG: the formula allows an execution that the model forbids: %v", bad[0])
	}
	f, err := x.File(m, run.Final)
	if f != nil && x.Options.Witnesses {
		f.Graph, f.Trace = display.Graph(run.Execution, x.Model), run.Trace
	}
	return err
}

// least lowers the bounds one after the other as far as the proposition can still be true within them. Then no bound
// can go lower while the others stay.
func (x *exploration) least(shown bounds) error {
	x.AfterOutcomes = "looking for minimal bounds"
	began, solving := time.Now(), x.Result.Stats.Solve
	defer func() { x.Result.Stats.Encode += outcomes.Since(began) - (x.Result.Stats.Solve - solving) }()
	for i, b := range x.engine.bounds {
		for v := boundTable[b].least; v < shown[b]; v++ {
			try := shown
			try[b] = v
			found, err := x.within(try)
			if err != nil {
				return err
			}
			if found {
				shown = try
			}
		}
		least := shown[b]
		x.Result.Bounds[i].Least = &least
	}
	return nil
}

// within reports whether the proposition can hold within bounds.
func (x *exploration) within(b bounds) (bool, error) {
	p, err := newProgram(x.structure, x.engine.visible)
	if err != nil {
		return false, err
	}
	try := &exploration{Search: x.SideSearch(x.Query), engine: x.engine, unrolled: x.unrolled, structure: x.structure}
	sizes := x.Result.Stats.Constraints
	err = try.lay(p, b, false)
	x.Result.Stats.Constraints = sizes
	if err != nil {
		return false, err
	}
	p.exclude()
	m, err := try.Possible(try.Prop())
	return m != nil, err
}

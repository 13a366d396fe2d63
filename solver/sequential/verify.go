package sequential

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

var _ solver.Verifier = Engine{}

// Verify implements solver.Verifier. Bounds that the question leaves open grow from the least to those that lose no
// run, until the search finds a failure; to minimise, those of rounds, which then are the least. The engine does not
// look for data races and termination, nor does it count executions.
func (e Engine) Verify(ctx context.Context, q solver.Query, want solver.Verify) (*solver.Verification, error) {
	if q.Model.Name != e.model.String() || !q.Model.HasMachine() {
		return nil, fmt.Errorf("the engine %s supports %s, not %s", e.name, e.model, q.Model.Name)
	}
	v := &verifier{
		Search: outcomes.New(q, e.name), engine: e, want: want, out: solver.NewVerification(q, e),
	}
	v.out.Bounds = map[string]int{}
	r, err := v.Run(ctx, v.run)
	if err != nil {
		return nil, err
	}
	v.out.Cut = r.Cut
	if v.out.Stats, v.out.MS = r.Stats, r.MS; v.out.Verdict == solver.Safe {
		v.reportNoFailure(r)
	}
	return v.out, nil
}

// verifier checks one program with properties.
type verifier struct {
	*outcomes.Search
	engine Engine
	want   solver.Verify
	out    *solver.Verification
	within string // the bounds within which nothing fails; "" for none so far

	structure *symbolic.Structure // set once it is known
}

// attempt is the formula for the runs within some bounds.
type attempt struct {
	*schedule
	bounds bounds
	fails  sat.Lit
}

// reportNoFailure sets the verdict after a search that found no failure.
func (v *verifier) reportNoFailure(r *solver.Result) {
	out := v.out
	switch {
	case r.Status == solver.Unknown: // a limit
		out.Reason = r.Reason
		if v.within != "" {
			out.Reason += "; no failure within " + v.within
		}
	case solver.AsksLives(v.Program, v.Model, v.want.Properties):
		out.Reason = fmt.Sprintf("%s does not check whether accesses happen within their memory's "+
			"lifetime: use another engine", v.engine.name)
	case v.want.Has(ir.DataRace), v.want.Has(ir.Termination):
		out.Reason = fmt.Sprintf("%s checks assertions, but neither data races nor loops that wait "+
			"forever: use another engine", v.engine.name)
	default:
		return
	}
	out.Status, out.Verdict, out.Complete = solver.Unknown, solver.Undecided, false
}

// lay builds the formula for some bounds.
func (v *verifier) lay(b bounds, early bool) (*attempt, error) {
	p, err := v.program()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	s, err := newSchedule(p, v.engine.memory(p, b), b[roundBound], v.engine.idle, early, v.Cancelled)
	if err != nil {
		return nil, err
	}
	a := &attempt{schedule: s, bounds: b, fails: s.some(p.prefix.failures)}
	v.Formula(p.circuit, &ir.Program{}, nil)
	v.Result.Stats.Constraints = s.sizes
	v.Result.Stats.Encode += outcomes.Since(began)
	return a, nil
}

func (v *verifier) program() (*program, error) {
	x := newPrefixOf(v.engine.model != machine.SC, v.want.Has(ir.Memory))
	if v.structure == nil {
		v.structure = observe(v.Program)
	}
	p, err := newPrefix(v.structure, v.engine.visible, x)
	switch {
	case err != nil:
		return nil, err
	case p.wild != sat.False:
		return nil,
			errors.New("an access may be outside of all locations: the sequential engines only check programs " +
				"whose accesses name their locations")
	}
	if x.memory {
		x.unset()
	}
	return p, nil
}

// run looks for a failure with growing bounds (grown) until it finds one or reaches the bounds in use. The verdict is
// complete if those are enough and no loop exceeds its bound.
func (v *verifier) run() error {
	p, err := v.program()
	if err != nil {
		return err
	}
	use, enough := v.engine.chooseBounds(p, v.Options)
	for depth := 1; ; depth++ {
		try := v.grown(p, use, depth)
		v.note(try)
		a, err := v.lay(try, v.engine.early && try == enough)
		if err != nil {
			return err
		}
		m, err := v.Possible(a.fails)
		switch {
		case err != nil:
			return err
		case m != nil:
			return v.unsafe(a, m)
		case try != use:
		case use != enough:
			v.short(use, enough, len(a.prefix.bounds) > 0)
			return v.undefined(a)
		default:
			reached, err := v.Possible(a.some(a.prefix.bounds))
			v.out.Complete = err == nil && reached == nil
			return errors.Join(err, v.undefined(a))
		}
		v.within = v.boundsText()
	}
}

// undefined looks, if nothing fails, for undefined behaviour.
func (v *verifier) undefined(a *attempt) error {
	m, err := v.Possible(a.some(a.prefix.undefined))
	if err != nil || m == nil {
		return err
	}
	_, v.out.Undefined, err = v.witness(a, m)
	return err
}

// short names the bounds that are less than enough, and that of loops if it cuts some.
func (v *verifier) short(use, enough bounds, cut bool) {
	for _, i := range v.engine.bounds {
		if use[i] < enough[i] {
			v.out.Short = append(v.out.Short, boundTable[i].name)
		}
	}
	if cut {
		v.out.Short = append(v.out.Short, "unroll")
	}
}

// grown is how far the bounds have got that are to become use: small formulas are laid out
// once, and those of large ones grow that nobody has asked for.
func (v *verifier) grown(p *program, use bounds, depth int) bounds {
	if use[roundBound]*p.count <= small && !v.want.Minimise {
		return use
	}
	try := use
	for _, b := range v.engine.bounds {
		_, asked := boundTable[b].asked(v.Options)
		if v.want.Minimise && b != roundBound || asked && !v.want.Minimise { // of which rounds are the least
			continue
		}
		try[b] = min(use[b], boundTable[b].least+grow(depth))
	}
	return try
}

// grow is the increment to the least value of a bound: one at first, and half as much again later.
func grow(depth int) int {
	n := 0
	for range depth - 1 {
		n += 1 + n/3
	}
	return n
}

// note puts bounds into the answer.
func (v *verifier) note(b bounds) {
	for _, i := range v.engine.bounds {
		v.out.Bounds[boundTable[i].name] = b[i]
	}
}

func (v *verifier) boundsText() string {
	var out []string
	for _, b := range v.engine.bounds {
		name := boundTable[b].name
		out = append(out, solver.Bound{Name: name}.Amount(v.out.Bounds[name]))
	}
	return strings.Join(out, ", ")
}

// unsafe takes the failing run off a model, or one of fewer turns.
func (v *verifier) unsafe(a *attempt, m *sat.Assignment) error {
	v.out.Verdict, v.out.Complete = solver.Unsafe, true
	run, failure, err := v.witness(a, m)
	if err != nil {
		return err
	}
	v.file(run, failure)
	if !v.want.Minimise {
		return nil
	}
	var active []sat.Lit
	for _, round := range a.active {
		active = append(active, round...)
	}
	for {
		turns := 0
		for _, l := range active {
			if m.True(l) {
				turns++
			}
		}
		fewer := a.Less(a.sum(active), sat.ConstVec(uint64(turns), 32))
		if m, err = v.Possible(a.And(a.fails, fewer)); err != nil || m == nil {
			return err
		}
		if run, failure, err = v.witness(a, m); err != nil {
			return err
		}
		v.file(run, failure)
	}
}

// sum counts those of some literals that are true.
func (s *schedule) sum(of []sat.Lit) sat.Vec {
	out := sat.ConstVec(0, 32)
	for _, l := range of {
		out = s.Add(out, sat.ConstVec(0, 32), l)
	}
	return out
}

func (v *verifier) file(run *machine.Run, failure *solver.Failure) {
	v.out.Failure = failure
	if v.Options.Witnesses {
		failure.Trace, failure.Graph = run.Trace, display.Graph(run.Execution, v.Model)
	}
}

// witness replays the run of a model and has its execution judged.
func (v *verifier) witness(a *attempt, m *sat.Assignment) (*machine.Run, *solver.Failure, error) {
	began := time.Now()
	defer func() { v.Result.Stats.Check += outcomes.Since(began) }()
	run, err := a.stopped(m, v.engine.model, v.Options.Witnesses).replayPrefix()
	if err != nil {
		return nil, nil, err
	}
	if err := run.Execution.WellFormed(); err != nil {
		return nil, nil, fmt.Errorf("BUG: ill-formed witness: %w", err)
	}
	if bad := evaluation.NewChecker(v.Model).Check(run.Execution); len(bad) > 0 {
		return nil, nil, fmt.Errorf("BUG: the formula allows an execution that the model forbids: %v", bad[0])
	}
	if run.Failed != nil {
		return run, run.Failed, nil
	}
	for _, c := range a.prefix.failures {
		if c.what.Property == ir.Memory && m.True(a.at(c)) {
			return run, c.what, nil
		}
	}
	return nil, nil, errors.New("BUG: the run of a failure does not fail")
}

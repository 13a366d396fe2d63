package testdiff

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// thread is a thread on its way along a path.
type thread struct {
	p       *ir.Program
	t       int
	pc      int
	regs    []sat.Vec
	deps    [][]int // of each register, the reads that it comes from, by number
	ctrl    []int
	scopes  [][]int
	behind  sat.Vec // what the Take that comes next gives
	reads   int
	chosen  int
	jumps   int       // backward
	half    sat.Vec   // what the update at pc has read, once it has
	paired  int       // the number of the last exclusive load; -1 for none
	at      [2]int    // its location and bits
	fences  []fenceAt // since the last access
	halfway bool
}

// fenceAt is a fence that a thread has passed.
type fenceAt struct {
	what   string
	ctrl   []int
	source int
}

// kind is what a thread comes to.
type kind int

const (
	ends    kind = iota
	stops        // where an assumption does not hold
	fails        // an assertion
	unwinds      // where the bound cuts a loop
	leaves       // memory: its address is that of no location
	loads
	stores
	updates  // reads, to write in the same step
	replaces // … and writes
	keeps    // … or does not
	storesIf // nobody else has meanwhile
)

// event is what a thread comes to next.
type event struct {
	kind        kind
	loc, bits   int
	value, next sat.Vec
	tags        string
	deps        [3][]int // by address, data and control
	source      int
	how         string // what else there is to tell apart
	pair        int
}

func newThread(p *ir.Program, t int) *thread {
	th := &thread{p: p, t: t, paired: -1}
	for _, r := range p.Threads[t].Regs {
		th.regs = append(th.regs, sat.ConstVec(r.Init, r.Bits))
	}
	th.deps = make([][]int, len(th.regs))
	return th
}

func (th *thread) clone() *thread {
	out := *th
	out.regs, out.deps = slices.Clone(th.regs), slices.Clone(th.deps)
	out.scopes, out.fences = slices.Clone(th.scopes), slices.Clone(th.fences)
	return &out
}

// fork is the panic value for a step whose direction depends on a literal.
type fork struct{ on sat.Lit }

// Error is that of a bug: run handles every fork.
func (fork) Error() string { return "BUG: a fork that no path takes" }

// step is the operation that the thread is at.
func (th *thread) step() ir.Step { return th.p.Threads[th.t].Code[th.pc] }

func (th *thread) fault(format string, args ...any) error {
	code := th.p.Threads[th.t]
	pos := litmus.Pos{}
	if th.pc < len(code.Code) {
		pos = code.Source[code.Code[th.pc].Source].Pos
	}
	return litmus.Errorf(pos, "P%d "+format, append([]any{code.ID}, args...)...)
}

// come runs the thread to the next event, on a path. It changes nothing where it gives a fork.
func (c *comparison) come(th *thread, path []sat.Lit) (*event, error) {
	code := th.p.Threads[th.t].Code
	for n := 0; ; n++ {
		switch {
		case th.pc >= len(code):
			return &event{kind: ends, source: -1}, nil
		case n > maxSteps:
			return nil, th.fault("takes more than %d steps without a memory access", maxSteps)
		}
		s := th.step()
		e := &event{source: s.Source}
		_, used := ir.Effect(s.Op)
		if _, update := s.Op.(ir.RMW); !update {
			for _, x := range used {
				if err := c.decideSelections(th, path, x, nil); err != nil {
					return nil, err
				}
			}
		}
		switch op := s.Op.(type) {
		case ir.Assign:
			th.deps[op.Dst], th.regs[op.Dst] = c.sources(th, path, op.Value, nil), c.eval(th, op.Value, nil)
		case ir.Pick:
			th.deps[op.Dst] = union(c.sources(th, path, op.Value, nil), th.ctrl)
			th.regs[op.Dst] = c.eval(th, op.Value, nil)
		case ir.Choose:
			th.deps[op.Dst], th.regs[op.Dst] = nil, c.choice(th.t, th.chosen)
			th.chosen++
		case ir.Take:
			th.deps[op.Dst], th.regs[op.Dst] = []int{th.reads - 1}, th.behind
		case ir.Fence:
			f := fenceAt{what: tags(op.Tags), ctrl: th.ctrl, source: s.Source}
			if op.Addr != nil {
				loc, err := c.locate(th, path, op.Addr)
				if err != nil {
					return nil, err
				}
				f.what += fmt.Sprint(" ", loc)
			}
			th.fences = append(th.fences, f)
		case ir.Scope:
			for len(th.scopes) <= op.Slot {
				th.scopes = append(th.scopes, nil)
			}
			if op.End {
				th.ctrl = th.scopes[op.Slot]
			} else {
				th.scopes[op.Slot] = th.ctrl
			}
		case ir.Branch:
			goes := true
			if op.Cond != nil {
				var err error
				if goes, err = c.decide(path, c.eval(th, op.Cond, nil)[0]); err != nil {
					return nil, err
				}
				th.ctrl = union(th.ctrl, c.sources(th, path, op.Cond, nil))
			}
			if goes {
				if op.Target <= th.pc {
					th.jumps++
				}
				th.pc = op.Target
				if th.jumps > c.jumps {
					return &event{kind: unwinds, source: s.Source}, nil
				}
				continue
			}
		case ir.Assume, ir.Assert:
			holds, err := c.decide(path, c.eval(th, used[0], nil)[0])
			if err != nil {
				return nil, err
			}
			if !holds {
				e.kind = stops
				if _, assert := op.(ir.Assert); assert {
					e.kind = fails
				}
				return e, nil
			}
		case ir.Unwound:
			e.kind = unwinds
			return e, nil
		case ir.Load, ir.Store, ir.StoreCond:
			return e, c.access(th, path, s.Op, e)
		case ir.RMW:
			return e, c.update(th, path, op, e)
		default:
			return nil,
				th.fault("starts or joins threads, or has atomic sections of several steps: it cannot " +
					"be compared")
		}
		th.pc++
	}
}

// access describes an access, which the thread stays at.
func (c *comparison) access(th *thread, path []sat.Lit, op ir.Op, e *event) (err error) {
	addr, bits := ir.Access(op)
	if e.loc, err = c.locate(th, path, addr); err != nil {
		return err
	}
	e.bits, e.deps = bits, [3][]int{c.sources(th, path, addr, nil), nil, th.ctrl}
	if e.loc < 0 {
		e.kind = leaves
		return nil
	}
	data := func(value, next ir.Expr) {
		e.value, e.deps[1] = c.eval(th, value, nil), c.sources(th, path, value, nil)
		if next != nil {
			e.next, e.deps[1] = c.eval(th, next, nil), union(e.deps[1], c.sources(th, path, next, nil))
		}
	}
	switch op := op.(type) {
	case ir.Load:
		e.kind, e.tags, e.how = loads, tags(op.Tags), fmt.Sprint(op.Reserve, op.Apart)
	case ir.Store:
		e.kind, e.tags = stores, tags(op.Tags)
		data(op.Value, op.Next)
	case ir.StoreCond:
		e.kind, e.tags, e.pair, e.how = storesIf, tags(op.Tags), -1, fmt.Sprint(op.Depend)
		if th.paired >= 0 && th.at == [2]int{e.loc, e.bits} {
			e.pair = th.paired
		}
		data(op.Value, op.Next)
	}
	return nil
}

// update describes either half of an update.
func (c *comparison) update(th *thread, path []sat.Lit, op ir.RMW, e *event) (err error) {
	if err = c.decideSelections(th, path, op.Addr, nil); err != nil {
		return err
	}
	if e.loc, err = c.locate(th, path, op.Addr); err != nil {
		return err
	}
	e.bits, e.deps = op.Bits, [3][]int{c.sources(th, path, op.Addr, nil), nil, th.ctrl}
	switch {
	case e.loc < 0:
		e.kind = leaves
		return nil
	case !th.halfway:
		e.kind, e.tags = updates, tags(op.Tags)
		return nil
	}
	var depends []int
	if op.If != nil {
		if err := c.decideSelections(th, path, op.If, &th.half); err != nil {
			return err
		}
		goes, err := c.decide(path, c.eval(th, op.If, &th.half)[0])
		if err != nil {
			return err
		}
		if !goes {
			e.kind = keeps
			return nil
		}
		depends = c.sources(th, path, op.If, nil)
	}
	if err := c.decideSelections(th, path, op.New, &th.half); err != nil {
		return err
	}
	e.kind, e.tags, e.value = replaces, tags(op.WriteTags), c.eval(th, op.New, &th.half)
	var carried []int
	if op.Carry {
		carried = []int{th.reads}
	}
	e.deps[1] = union(depends, c.sources(th, path, op.New, carried))
	return nil
}

// pass takes the thread past the event that it is at. read is the value that it reads, and whether a conditional store
// succeeds.
func (th *thread) pass(e *event, read, behind sat.Vec, c *comparison) {
	th.fences = nil
	deliver := func(dst int) {
		th.regs[dst], th.deps[dst] = read, []int{th.reads}
		th.reads++
	}
	switch op := th.step().Op.(type) {
	case ir.Load:
		if op.Reserve {
			th.paired, th.at = th.reads, [2]int{e.loc, e.bits}
		}
		deliver(op.Dst)
		if behind != nil {
			th.behind = behind
			th.reads++
		}
	case ir.RMW:
		if e.kind == updates {
			th.half, th.halfway = read, true
			return
		}
		read, th.half, th.halfway = th.half, nil, false
		deliver(op.Dst)
	case ir.StoreCond:
		bits := len(th.regs[op.Status])
		th.regs[op.Status] = c.circuit.IteVec(read[0], sat.ConstVec(op.Ok, bits), sat.ConstVec(op.Fail, bits))
		th.deps[op.Status], th.paired = nil, -1
		if op.Depend {
			th.deps[op.Status] = []int{th.reads}
		}
		th.reads++
	}
	th.pc++
}

func (c *comparison) eval(th *thread, e ir.Expr, old *sat.Vec) sat.Vec {
	return symbolic.Eval[sat.Vec](th.p, symbolic.Circuits{Circuit: c.circuit},
		func(r int) sat.Vec { return th.regs[r] }, e, old)
}

// decideSelections decides the condition of each selection in e on this path.
func (c *comparison) decideSelections(th *thread, path []sat.Lit, e ir.Expr, old *sat.Vec) (err error) {
	ir.WalkExpr(e, func(e ir.Expr) bool {
		if s, ok := e.(ir.Select); ok && err == nil {
			_, err = c.decide(path, c.eval(th, s.If, old)[0])
		}
		return true
	})
	return err
}

// sources are the reads that e, whose value is final, depends on; carried are those of what the update around it has
// read.
func (c *comparison) sources(th *thread, path []sat.Lit, e ir.Expr, carried []int) (out []int) {
	ir.Sources(e, func(e ir.Expr) {
		switch e := e.(type) {
		case ir.Reg:
			out = union(out, th.deps[e.Index])
		case ir.Old:
			out = union(out, carried)
		case ir.Select:
			chosen := e.Else
			if goes, err := c.decide(path, c.eval(th, e.If, &th.half)[0]); err == nil && goes {
				chosen = e.Then
			}
			out = union(out, c.sources(th, path, chosen, carried))
			if e.Open {
				out = union(out, c.sources(th, path, e.If, carried))
			}
		}
	})
	return out
}

// locate finds the location of an address; -1 if it has none.
func (c *comparison) locate(th *thread, path []sat.Lit, addr ir.Expr) (int, error) {
	at := c.eval(th, addr, nil)
	if v, ok := at.Constant(); ok {
		for i, l := range th.p.Locs {
			if l.Address&ir.Mask(len(at)) == v {
				return c.place(th.p, i), nil
			}
		}
		return -1, nil
	}
	for i, l := range th.p.Locs {
		is, err := c.decide(path, c.circuit.EqualVec(at, sat.ConstVec(l.Address, len(at))))
		if err != nil {
			return 0, err
		}
		if is {
			return c.place(th.p, i), nil
		}
	}
	return -1, nil
}

// place is the location of the program before that is one of p.
func (c *comparison) place(p *ir.Program, loc int) int {
	l := p.Locs[loc]
	return slices.IndexFunc(c.before.Locs, func(o ir.Location) bool { return o.Name == l.Name && o.Offset == l.Offset })
}

func tags(list ir.Tags) string {
	names := make([]string, len(list))
	for i, t := range list {
		names[i] = string(t)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// union merges two sorted sets.
func union(a, b []int) []int {
	if len(b) == 0 {
		return a
	}
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

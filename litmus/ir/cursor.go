package ir

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// ActionKind is the kind of a thread's next action.
type ActionKind int

// The observable actions of a thread.
const (
	ActEnd   ActionKind = iota // the thread is done
	ActLoad                    // wants the value at Loc
	ActStore                   // writes Value to Loc
	ActRMW                     // wants the value at Loc; Cursor.Read then says what it writes
	ActFence
	ActUnwound   // has reached the unwinding bound
	ActStoreCond // writes Value to Loc if Cursor.Conditional says that it succeeds
	ActPick      // an event of a Pick; only if the Cursor tracks dependencies
	ActChoose    // a free choice, made with Cursor.Choose
	ActBlocked   // an assumption is false: this is not an execution
	ActSpawn     // starts thread Other, with Cursor.Arguments
	ActJoin      // waits for thread Other to end
	ActEnter     // begins an atomic section
	ActLeave     // ends it
	ActFailed    // an assertion is false
	ActUnspawned // has not been started yet; see Cursor.Start
	ActRefuted   // a guess is wrong; only if the Cursor runs ahead
	ActWants     // needs the values of some reads; only if the Cursor runs ahead
)

// Action is the next visible step of a thread.
type Action struct {
	Kind  ActionKind
	Step  int // index into Thread.Code
	Loc   int // index into Program.Locs, for memory accesses and fences of a location; else -1
	Other int // index into Program.Threads, for ActSpawn and ActJoin
	Bits  int // width of an access, which continues in the next locations if Loc is narrower
	Value uint64
	// Next is the second half of a value of 128 bits; Value is the first.
	Next uint64
	Tags Tags
	Deps Deps
	// Wants, if the Cursor runs ahead, are the reads whose values it needs to continue, or on which Value depends.
	// Guesses, in the first case, are the possible values of what it needs.
	Wants   []int
	Guesses []uint64
	// Reserved, for ActStoreCond, is the number of the exclusive load that it forms a pair with if it succeeds; it is
	// -1 if there is none, so that it cannot succeed.
	Reserved int
}

// Deps are the earlier reads, store-conditionals and picks of the thread on which an action depends through registers.
// They are numbered from 0 in the order of delivery. They are only set if the Cursor tracks dependencies. For the
// write of an RMW, see Cursor.WriteDeps.
type Deps struct {
	Addr, Data, Ctrl []int
}

// Cursor is a running thread: its program counter and registers. It executes local steps itself and stops at each
// observable action:
//
//	for {
//		a, err := c.Next()
//		switch a.Kind {
//		case ActLoad: c.Read(v)          // v: what memory returned; of 128 bits, c.ReadBoth
//		case ActRMW:  w, ok := c.Read(v) // w: what to write, if ok
//		case ActStoreCond: c.Conditional(succeeds)
//		case ActChoose: c.Choose(either)
//		case ActSpawn: other.Start(c.Arguments()); c.Pass()
//		case ActStore, ActFence, ActPick, ActJoin, ActEnter, ActLeave: c.Pass()
//		case ActEnd, ActUnwound, ActBlocked, ActFailed, ActUnspawned: return
//		}
//	}
type Cursor struct {
	Program *Program
	Thread  *Thread
	PC      int // -1 before a thread is spawned
	Regs    []uint64

	// Reserved is the location of the last exclusive load; it is -1 if a StoreCond has
	// followed or there was none. ReservedBits is its width.
	Reserved, ReservedBits int

	// Assumes: the thread contains an Assume.
	Assumes bool

	track    bool
	deps     []origins // by register
	written  origins   // of the write that Read has returned
	ctrl     []int     // the reads that earlier branches depend on
	scopes   [][]int   // by slot: ctrl at the beginning of the scope
	wants    [][]int   // if the cursor runs ahead: by register, the unknown reads its value depends on
	guesses  []Guess
	behind   uint64 // second half of the last read of 128 bits
	reads    int    // number of delivered reads, including store-conditionals and picks
	reserver int    // number of the last exclusive load
}

// NewCursor starts thread t of p. With track, actions have dependencies.
func NewCursor(p *Program, t int, track bool) *Cursor {
	th := &p.Threads[t]
	c := &Cursor{Program: p, Thread: th, Regs: make([]uint64, len(th.Regs)), Reserved: -1, track: track}
	for i, r := range th.Regs {
		c.Regs[i] = r.Init & Mask(r.Bits)
	}
	if th.Spawned {
		c.PC = -1
	}
	c.Assumes = slices.ContainsFunc(th.Code, func(s Step) bool {
		_, ok := s.Op.(Assume)
		return ok
	})
	if track {
		c.deps = make([]origins, len(th.Regs))
	}
	return c
}

// Set makes c a copy of another cursor of the thread and reuses its memory.
func (c *Cursor) Set(from *Cursor) {
	regs, deps, scopes, wants := c.Regs, c.deps, c.scopes, c.wants
	*c = *from
	c.wants = append(wants[:0], from.wants...)
	c.Regs = append(regs[:0], from.Regs...)
	c.deps = append(deps[:0], from.deps...)
	c.scopes = append(scopes[:0], from.scopes...)
}

// localSteps is the maximum number of steps of a thread without an observable action.
const localSteps = 100_000

// Next runs to the next observable action and returns it without performing it. It fails on an access to an address
// that is not a location, and on an endless loop without observable actions.
func (c *Cursor) Next() (Action, error) {
	if c.PC < 0 {
		return Action{Kind: ActUnspawned, Step: -1, Loc: -1}, nil
	}
	for n := 0; ; n++ {
		if c.PC >= len(c.Thread.Code) {
			return Action{Kind: ActEnd, Step: c.PC}, nil
		}
		if n > localSteps {
			return Action{}, litmus.Errorf(c.pos(), "thread P%d loops forever without a memory access", c.Thread.ID)
		}
		switch op := c.Thread.Code[c.PC].Op.(type) {
		case Assign:
			c.setDeps(op.Dst, c.sources(op.Value))
			c.setWants(op.Dst, c.waits(op.Value, 0, nil))
			c.Regs[op.Dst] = c.eval(op.Value)
			c.PC++
		case Take:
			c.setDeps(op.Dst, origins{value: []int{c.reads - 1}})
			c.setWants(op.Dst, nil)
			c.Regs[op.Dst] = c.behind
			c.PC++
		case Pick:
			if c.track {
				from := c.sources(op.Value)
				return Action{
					Kind: ActPick, Step: c.PC, Loc: -1, Tags: Tags{TagPick},
					Deps: Deps{Data: from.value, Ctrl: union(c.ctrl, from.choice)},
				}, nil
			}
			c.Pass()
		case Choose:
			return Action{Kind: ActChoose, Step: c.PC, Loc: -1}, nil
		case Branch:
			goes := uint64(1)
			if op.Cond != nil {
				var stop *Action
				if goes, stop = c.decide(op.Cond, truths); stop != nil {
					return *stop, nil
				}
			}
			if goes == 1 {
				c.PC = c.branch(op, op.Target)
			} else {
				c.PC = c.branch(op, c.PC+1)
			}
		case Scope:
			if c.track {
				c.scope(op)
			}
			c.PC++
		case Assume:
			holds, stop := c.decide(op.Cond, func() []uint64 { return []uint64{1} })
			if stop != nil {
				return *stop, nil
			}
			if holds != 1 {
				return Action{Kind: ActBlocked, Step: c.PC, Loc: -1}, nil
			}
			c.PC++
		case Assert:
			holds, stop := c.decide(op.Cond, truths)
			if stop != nil {
				return *stop, nil
			}
			if holds != 1 {
				return Action{Kind: ActFailed, Step: c.PC, Loc: -1}, nil
			}
			c.PC++
		case Spawn:
			var wants []int
			for _, a := range op.Args {
				wants = union(wants, c.waits(a.Value, 0, nil))
			}
			if wants != nil {
				return Action{Kind: ActWants, Step: c.PC, Loc: -1, Wants: wants}, nil
			}
			return c.barrier(ActSpawn, op.Thread, spawnTags), nil
		case Join:
			return c.barrier(ActJoin, op.Thread, joinTags), nil
		case Atomic:
			if op.End {
				return c.barrier(ActLeave, 0, sectionTags), nil
			}
			return c.barrier(ActEnter, 0, sectionTags), nil
		case Load:
			return c.access(ActLoad, op.Addr, op.Bits, op.Tags, op.At)
		case Store:
			_, bits := Access(op)
			a, err := c.access(ActStore, op.Addr, bits, op.Tags, op.At)
			c.stores(&a, op.Value, op.Next)
			if a.Kind == ActStore {
				a.Wants = c.waits(op.Value, 0, nil)
			}
			return a, err
		case RMW:
			return c.access(ActRMW, op.Addr, op.Bits, op.Tags, op.At)
		case StoreCond:
			_, bits := Access(op)
			a, err := c.access(ActStoreCond, op.Addr, bits, op.Tags, op.At)
			c.stores(&a, op.Value, op.Next)
			if a.Kind != ActStoreCond {
				return a, err
			}
			a.Wants = c.waits(op.Value, 0, nil)
			a.Reserved = -1
			if c.Reserved == a.Loc && (c.ReservedBits == a.Bits || !c.Program.Split) {
				a.Reserved = c.reserver
			}
			return a, err
		case Fence:
			if op.Addr != nil {
				return c.access(ActFence, op.Addr, 0, op.Tags, nil)
			}
			return Action{Kind: ActFence, Step: c.PC, Loc: -1, Tags: op.Tags, Deps: Deps{Ctrl: c.ctrl}}, nil
		case Lost:
			if c.waits(op.To, 0, nil) == nil {
				return Action{}, c.Program.LostError(c.Thread, c.PC, c.Program.FormatValue(c.eval(op.To),
					op.To.Width(), false))
			}
			c.PC++ // the value is delivered later
		case Unwound:
			return Action{Kind: ActUnwound, Step: c.PC}, nil
		default:
			panic(fmt.Sprintf("BUG: unknown operation %T", op))
		}
	}
}

// stores sets the value that an action writes, and its second half if next is not nil.
func (c *Cursor) stores(a *Action, value, next Expr) {
	from := c.sources(value)
	a.Value = c.eval(value)
	if next != nil {
		a.Next = c.eval(next)
		from = from.join(c.sources(next))
	}
	a.Deps.Data, a.Deps.Ctrl = from.value, union(a.Deps.Ctrl, from.choice)
}

// Read delivers the value of the load or RMW at the cursor and moves past it. For an RMW it returns the value to write,
// and whether it writes.
func (c *Cursor) Read(v uint64) (write uint64, writes bool) {
	if op, ok := c.Thread.Code[c.PC].Op.(RMW); ok {
		writes = op.If == nil || c.Program.Eval(op.If, c.Regs, v) == 1
	}
	write, _ = c.deliver(v, nil, writes)
	return write, writes
}

// WriteDeps returns the dependencies of the write that Read has returned; d are those of the update's action.
func (c *Cursor) WriteDeps(d Deps) Deps {
	d.Data, d.Ctrl = c.written.value, union(d.Ctrl, c.written.choice)
	return d
}

// ReadBoth delivers the value of a load of 128 bits, the lower half first. The halves count as two reads.
func (c *Cursor) ReadBoth(v [2]uint64) {
	c.Read(v[0])
	c.behind = v[1]
	c.reads++
}

// deliver is Read for a value that may depend on unknown reads; writes says whether an update writes. The value to
// write may be unknown, too.
func (c *Cursor) deliver(v uint64, unknown []int, writes bool) (write uint64, waits []int) {
	var dst int
	switch op := c.Thread.Code[c.PC].Op.(type) {
	case Load:
		dst = op.Dst
		if op.Reserve {
			addr, _ := c.decide(op.Addr, nil)
			c.Reserved, _ = c.Program.LocationAt(addr)
			c.ReservedBits = op.Bits
			c.reserver = c.reads
		}
	case RMW:
		dst = op.Dst
		if writes {
			write, waits = c.Program.Eval(op.New, c.Regs, v), c.waits(op.New, v, unknown)
			var carried []int
			if op.Carry {
				carried = []int{c.reads}
			}
			c.written = c.sourcesOf(op.New, v, carried, unknown).join(c.sourcesOf(op.If, v, nil, unknown))
		}
	default:
		panic("BUG: Read where there is no read")
	}
	c.Regs[dst] = v
	c.setDeps(dst, origins{value: []int{c.reads}})
	c.setWants(dst, unknown)
	c.reads++
	c.PC++
	return write, waits
}

// Conditional says whether the store-conditional at the cursor succeeds, and moves past it.
func (c *Cursor) Conditional(succeeds bool) {
	op := c.Thread.Code[c.PC].Op.(StoreCond)
	c.Regs[op.Status] = op.Fail
	c.setDeps(op.Status, origins{})
	c.setWants(op.Status, nil)
	if succeeds {
		c.Regs[op.Status] = op.Ok
		if op.Depend {
			c.setDeps(op.Status, origins{value: []int{c.reads}})
		}
	}
	c.Reserved = -1
	c.reads++
	c.PC++
}

// Arguments returns the initial registers of the thread that is spawned at the cursor.
func (c *Cursor) Arguments() []uint64 {
	op := c.Thread.Code[c.PC].Op.(Spawn)
	th := &c.Program.Threads[op.Thread]
	out := make([]uint64, len(th.Regs))
	for i, r := range th.Regs {
		out[i] = r.Init & Mask(r.Bits)
	}
	for _, a := range op.Args {
		out[a.Reg] = c.eval(a.Value)
	}
	return out
}

// Start starts a spawned thread with its initial registers.
func (c *Cursor) Start(regs []uint64) {
	copy(c.Regs, regs)
	c.PC = 0
}

// Pass moves past the store, fence, pick, spawn, join, or begin or end of an atomic section at the cursor.
func (c *Cursor) Pass() {
	if op, ok := c.Thread.Code[c.PC].Op.(Pick); ok {
		c.setWants(op.Dst, c.waits(op.Value, 0, nil))
		c.Regs[op.Dst] = c.eval(op.Value)
		c.setDeps(op.Dst, origins{})
		if c.track {
			c.deps[op.Dst].value = []int{c.reads}
		}
		c.reads++
	}
	c.PC++
}

// Choose makes the choice at the cursor and moves past it.
func (c *Cursor) Choose(yes bool) {
	dst := c.Thread.Code[c.PC].Op.(Choose).Dst
	c.Regs[dst] = 0
	if yes {
		c.Regs[dst] = 1
	}
	c.setDeps(dst, origins{})
	c.setWants(dst, nil)
	c.PC++
}

func (c *Cursor) barrier(kind ActionKind, other int, tags Tags) Action {
	return Action{Kind: kind, Step: c.PC, Loc: -1, Other: other, Tags: tags, Deps: Deps{Ctrl: c.ctrl}}
}

// access describes a memory access; bits is 0 for a fence of a location.
func (c *Cursor) access(kind ActionKind, addr Expr, bits int, tags Tags, at Locs) (Action, error) {
	a, stop := c.decide(addr, func() []uint64 { return c.Program.addresses(at, bits) })
	if stop != nil {
		return *stop, nil
	}
	loc, ok := c.Program.locationAmong(at, a)
	if !ok {
		return Action{}, c.Program.NoLocation(c.pos(), c.Thread, a)
	}
	if have := c.Program.Locs[loc].Bits; have != bits && bits > 0 {
		if c.Program.Misaligned(loc, bits) {
			return Action{}, litmus.Errorf(c.pos(), "P%d accesses %d bits at %s: misaligned accesses are not supported",
				c.Thread.ID, bits, c.Program.Locs[loc].Name)
		}
		if _, ok := c.Program.Pieces(loc, bits); !ok {
			return Action{}, litmus.Errorf(c.pos(), "P%d accesses %d bits of %s, which has %d", c.Thread.ID, bits,
				c.Program.Locs[loc].Name, have)
		}
	}
	from := c.sources(addr)
	c.ctrl = union(c.ctrl, from.choice)
	return Action{
		Kind: kind, Step: c.PC, Loc: loc, Bits: bits, Tags: tags,
		Deps: Deps{Addr: from.value, Ctrl: c.ctrl},
	}, nil
}

func (c *Cursor) eval(e Expr) uint64 { return c.Program.Eval(e, c.Regs, 0) }

func (c *Cursor) branch(op Branch, target int) int {
	if c.track && op.Cond != nil {
		from := c.sources(op.Cond)
		c.ctrl = union(union(c.ctrl, from.value), from.choice)
	}
	return target
}

// scope records the control dependencies at the beginning of a scope, or restores them at its end.
func (c *Cursor) scope(op Scope) {
	for len(c.scopes) <= op.Slot {
		c.scopes = append(c.scopes, nil)
	}
	if op.End {
		c.ctrl = c.scopes[op.Slot]
	} else {
		c.scopes[op.Slot] = c.ctrl
	}
}

// origins are the reads that a value depends on: those that it is computed from, and those that decide an open Select
// in it.
type origins struct{ value, choice []int }

func (o origins) join(other origins) origins {
	return origins{value: union(o.value, other.value), choice: union(o.choice, other.choice)}
}

func (c *Cursor) setDeps(reg int, from origins) {
	if c.track {
		c.deps[reg] = from
	}
}

func (c *Cursor) sources(e Expr) origins { return c.sourcesOf(e, 0, nil, nil) }

// sourcesOf returns the reads on which e depends. old is the value that the RMW around e has read; it depends on the
// reads in carried, and the reads in unknown must be known for it. If it is unknown which branch of a Select is taken,
// neither is included.
func (c *Cursor) sourcesOf(e Expr, old uint64, carried, unknown []int) (out origins) {
	if !c.track || e == nil {
		return out
	}
	Sources(e, func(e Expr) {
		switch e := e.(type) {
		case Reg:
			out = out.join(c.deps[e.Index])
		case Old:
			out.value = union(out.value, carried)
		case Select:
			if e.Open {
				decides := c.sourcesOf(e.If, old, carried, unknown)
				out.choice = union(out.choice, union(decides.value, decides.choice))
			}
			if c.waits(e.If, old, unknown) != nil {
				return
			}
			chosen := e.Else
			if c.Program.Eval(e.If, c.Regs, old) == 1 {
				chosen = e.Then
			}
			out = out.join(c.sourcesOf(chosen, old, carried, unknown))
		}
	})
	return out
}

// LostError is the error for an execution that reaches [Lost], at a step of a thread. known is the value of its To, ""
// if that is not known.
func (p *Program) LostError(t *Thread, step int, known string) error {
	pos := t.Source[t.Code[step].Source].Pos
	if why := t.Code[step].Op.(Lost).Why; why != "" {
		return litmus.Errorf(pos, "P%d %s", t.ID, strings.Replace(why, "%s", cmp.Or(known, "an unknown value"), 1))
	}
	return litmus.Errorf(pos, "P%d jumps to %s, which is not the address of a label of the thread", t.ID,
		cmp.Or(known, "an unknown address"))
}

func (c *Cursor) pos() litmus.Pos {
	if c.PC < len(c.Thread.Code) {
		return c.Thread.Source[c.Thread.Code[c.PC].Source].Pos
	}
	return litmus.Pos{}
}

// union merges two sorted sets without changing them.
func union(a, b []int) []int {
	if len(b) == 0 {
		return a
	}
	if len(a) == 0 {
		return b
	}
	out := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case a[0] > b[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

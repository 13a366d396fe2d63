package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"litmuscope/litmus/c"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
)

// Mapping is a mapping for programs that are not compiled to text: it gives the events of the instructions for each
// operation, as models see them. The instructions are those that Compile writes, lowered by their dialect.
type Mapping struct {
	Architecture
	*mapping
	chosen  map[string]string // by group, the variant's name
	effects map[string]Effect
	asked   map[question]bool
}

// question is a kind of operation with an order: "load", "store", "fence" or "rmw".
type question struct {
	operation string
	order     order
}

// Effect describes the instructions for an operation.
type Effect struct {
	Before, After []Adjacent
	Read, Write   ir.Tags // of the accesses
	// Carry: the written value depends on the read value, if it is computed from it.
	Carry bool
	// Picks: the value that a compare-exchange reads decides, through choices, what it writes, and
	// its result may be the expected value.
	Picks bool
	// Pair is set for a pair of a load-reserved and a store-conditional.
	Pair *Pair
}

// Adjacent is an instruction before or after an access: a barrier, or a branch on the read value.
type Adjacent struct {
	Fence  ir.Tags
	Branch bool
}

// Pair is a load-reserved and a store-conditional.
type Pair struct {
	Commit ir.StoreCond // its tags, and the use of its status
	// Operands: its success depends on its operands.
	Operands bool
	// Bound: the written value depends on the read value, although it is not computed from it.
	Bound bool
}

// Target returns the mapping for a name such as arm, or arm:dmb+leading.
func Target(name string) (*Mapping, error) {
	name, variant, _ := strings.Cut(name, ":")
	a, err := Find(name)
	if err != nil {
		return nil, err
	}
	if a.Scoped {
		return nil, fmt.Errorf("cannot compile whole programs to %s: they do not say in which scopes their threads "+
			"are; compile a litmus test", a.Names[0])
	}
	chosen, err := a.choose(variant)
	if err != nil {
		return nil, err
	}
	return &Mapping{a, a.with(chosen), chosen, map[string]Effect{}, map[question]bool{}}, nil
}

// Load returns the effect of a load with an order.
func (m *Mapping) Load(o c.Order) Effect {
	return m.access("load", m.load, o, func(t *thread, l line) {
		t.to.load(t, 2, memory{at: 1}, 32, false, l.mark)
	})
}

// Store returns the effect of a store with an order.
func (m *Mapping) Store(o c.Order) Effect {
	e := m.access("store", m.store, o, func(t *thread, l line) {
		t.to.store(t, in(2), memory{at: 1}, 32, l.mark)
	})
	if e.Read != nil { // the program ignores the result
		e.Read, e.Write = nil, ir.Tags{ir.TagRelease, ir.TagRCsc, ir.TagAcquire}
	}
	return e
}

// Fence returns the instructions for a fence with an order.
func (m *Mapping) Fence(o c.Order) []Adjacent {
	if o == relaxed {
		return nil
	}
	return m.access("fence", m.fence, o, nil).Before
}

// Exchange returns the effect of a read-modify-write whose written value does not depend on the old one.
func (m *Mapping) Exchange(o c.Order) Effect { return m.update("=", o) }

// Fetch returns the effect of a read-modify-write that computes with the old value.
func (m *Mapping) Fetch(o c.Order) Effect { return m.update("+", o) }

// CompareExchange returns the effect of a compare-exchange, given the orders for success and failure.
func (m *Mapping) CompareExchange(success, failure c.Order) Effect {
	return m.update("==", success.Join(failure))
}

// Strong reports whether a compare-exchange is one instruction, which never fails spuriously.
func (m *Mapping) Strong() bool {
	t := &thread{compiler: &compiler{m: m.mapping, arch: m.Arch}, to: m.to, next: 6}
	return t.to.swap(t, 4, in(2), in(3), memory{at: 1}, 32, "")
}

func (m *Mapping) update(op string, o order) Effect {
	e := m.access("rmw", m.rmw, o, func(t *thread, l line) {
		switch {
		case op == "==" && t.to.swap(t, 4, in(2), in(3), memory{at: 1}, 32, l.joined()):
		case op != "==" && t.to.atomic(t, op, 4, in(2), memory{at: 1}, 32, l.joined()):
		default:
			failed := t.label()
			t.mark(failed)
			t.to.reserve(t, 4, memory{at: 1}, 32, l.mark)
			t.to.commit(t, in(2), memory{at: 1}, 32, l.second, failed)
		}
	}, op)
	if e.Pair != nil {
		pair := *e.Pair
		pair.Bound = op == "=" && m.bound
		e.Pair = &pair
	}
	return e
}

// access returns the effect of an operation with the instructions around it. write emits the access, and the dialect
// reads the instructions back. After an operation with its own branch, there is no other branch.
func (m *Mapping) access(operation string, table rows, o order, write func(*thread, line), more ...string) Effect {
	if o == c.Consume {
		o = acquire
	}
	m.asked[question{operation, o}] = true
	key := fmt.Sprint(operation, o, more)
	if e, ok := m.effects[key]; ok {
		return e
	}
	l := table.line(o)
	var e Effect
	if write != nil {
		t := &thread{compiler: &compiler{m: m.mapping, arch: m.Arch}, to: m.to, next: 6}
		write(t, l)
		e = m.read(t.lines)
	}
	after := l.after
	if operation != "store" {
		after = m.afterRead(l, o)
	}
	e.Before, e.After = m.around(l.before, false), m.around(after, slices.Contains(more, "==") && e.Pair != nil)
	m.effects[key] = e
	return e
}

// around reads the instructions of a row.
func (m *Mapping) around(words []string, branches bool) (out []Adjacent) {
	for _, w := range words {
		switch {
		case w == "branch" || w == "branch!" && !branches:
			out = append(out, Adjacent{Branch: true})
		case w != "branch!":
			tags, ok := dialect.Barrier(w, m.Arch)
			if !ok {
				panic("BUG: " + w + " is no barrier")
			}
			out = append(out, Adjacent{Fence: tags})
		}
	}
	return out
}

// read finds the accesses among instructions.
func (m *Mapping) read(lines []string) (e Effect) {
	code, err := dialect.Code(m.Arch, "0:"+m.to.shown(1, m.to.pointerBits())+"=x;", lines...)
	if err != nil {
		panic(fmt.Sprintf("BUG: %s: %v", strings.Join(lines, "; "), err))
	}
	given := map[int]bool{} // registers computed from the operands of a store-conditional
	any := func(x ir.Expr) (found bool) {
		ir.Registers(x, func(r int) { found = found || given[r] })
		return found
	}
	for _, s := range code {
		switch op := s.Op.(type) {
		case ir.RMW:
			e.Read, e.Write, e.Carry = op.Tags, op.WriteTags, op.Carry
		case ir.Pick:
			e.Picks = true
		case ir.Store:
			e.Write = op.Tags
		case ir.Load:
			e.Read = op.Tags
		case ir.StoreCond:
			e.Write, e.Pair = op.Tags, &Pair{Commit: ir.StoreCond{Ok: op.Ok, Fail: op.Fail, Depend: op.Depend}}
			ir.Registers(op.Value, func(r int) { given[r] = true })
		}
	}
	for _, s := range code {
		switch op := s.Op.(type) {
		case ir.Assign:
			given[op.Dst] = given[op.Dst] || any(op.Value)
		case ir.Branch:
			if e.Pair != nil && op.Cond != nil && any(op.Cond) {
				e.Pair.Operands = true
			}
		}
	}
	return e
}

// row returns the table's entry for a question.
func (m *mapping) row(q question) string {
	row, _ := map[string]rows{
		"load": m.load, "store": m.store, "fence": m.fence,
		"rmw": m.rmw,
	}[q.operation].row(q.order)
	if q.operation == "rmw" {
		row += fmt.Sprintf(" %#v", m.to)
	}
	return row
}

// Choices reports which of several usual choices the compiled operations used, one line for each choice.
func (m *Mapping) Choices() (out []string) {
	for _, v := range m.Variants {
		if m.chosen[v.Group] != v.Name || v.Group == loadBuffering {
			continue
		}
		var others []string
		for _, w := range m.Variants {
			other := maps.Clone(m.chosen)
			other[v.Group] = w.Name
			differs := func(q question) bool { return m.with(other).row(q) != m.row(q) }
			if w.Group == v.Group && w.Name != v.Name &&
				slices.ContainsFunc(slices.Collect(maps.Keys(m.asked)), differs) {
				others = append(others, m.Names[0]+":"+w.Name)
			}
		}
		if len(others) > 0 {
			out = append(out,
				fmt.Sprintf("%s:%s, %s; also usual: %s", m.Names[0], v.Name, v.Text, strings.Join(others, ", ")))
		}
	}
	return out
}

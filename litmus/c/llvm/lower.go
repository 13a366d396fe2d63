package llvm

import (
	"fmt"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/ir"
)

// lowering makes the code of one function.
type lowering struct {
	*unit
	f       *assembly.Function
	build   *code.Builder
	at      *assembly.Instruction  // the current one
	regs    map[string][]int       // registers of the scalars of locals
	blocks  map[string]*blockState // by name
	into    ir.Expr                // where a hidden result goes
	users   map[string][]*assembly.Instruction
	statics map[string]*code.Variable // of alloca instructions of fixed size
	types   map[string]*assembly.Type // what alloca instructions allocate
	addrs   map[string]ir.Expr        // the addresses of static locals
	froms   map[string]*assembly.Instruction
	copies  int                                      // of blocks, by jump threading
	undef   map[string]int                           // by phi or select: whether its value is undefined
	entries map[*assembly.Instruction]map[string]int // of a phi, by the block that the way comes from
}

// blockState holds the first step of a block and the jumps to it.
type blockState struct {
	block *assembly.Block
	start int   // its first step, or -1 before it is made
	jumps []int // jumps to it that wait for start
	// looping: a jump back may lead to it. falls: the block before it ends without a jump.
	looping, falls bool
}

// unsupported emits the refusal of what a run must not reach.
func (l *lowering) unsupported(format string, args ...any) {
	l.build.Emit(code.Unsupported{Text: fmt.Sprintf(format, args...)})
}

// lower makes the code of a function.
func (u *unit) lower(f *assembly.Function, out *code.Function) (err error) {
	defer recovered(&err)
	l := &lowering{
		unit: u, f: f, build: &code.Builder{Function: out, Line: u.lines.of(f, nil)}, regs: map[string][]int{},
		blocks: map[string]*blockState{}, users: map[string][]*assembly.Instruction{},
		statics: map[string]*code.Variable{}, types: map[string]*assembly.Type{}, addrs: map[string]ir.Expr{},
		froms: map[string]*assembly.Instruction{}, entries: map[*assembly.Instruction]map[string]int{},
	}
	if u.hidden(f.Result) {
		r := l.build.Temp(u.layout.pointer * 8)
		out.Params = append(out.Params, r)
		l.into = l.build.Reg(r)
	}
	for _, p := range f.Params {
		parts := u.layout.scalars(p.Type)
		if parts == nil {
			return u.refuse(f.Pos, "a parameter of type %s is not supported", p.Type)
		}
		out.Params = append(out.Params, l.registers(p.Name, p.Type)...)
	}
	if f.Variadic {
		l.unsupported("the function %s with a variable number of arguments is not supported", out.Name)
	}
	blocks := order(f, func(i *assembly.Instruction) bool { return u.mayThrow(i, u.throwers) })
	for _, b := range blocks {
		l.blocks[b.Name] = &blockState{block: b, start: -1}
		for _, i := range b.Instructions {
			if i.Result != "" {
				l.froms[i.Result] = i
			}
			for _, v := range i.Operands {
				if v.Kind == assembly.Local {
					l.users[v.Name] = append(l.users[v.Name], i)
				}
			}
		}
	}
	if err := l.dominated(blocks); err != nil {
		return err
	}
	l.findUndefined(blocks)
	l.markLoops(blocks)
	for i, b := range blocks {
		var next *assembly.Block
		if i+1 < len(blocks) {
			next = blocks[i+1]
		}
		l.block(b, next, i == 0)
	}
	code.Tidy(out)
	return nil
}

// markLoops marks the blocks to which jumps lead back.
func (l *lowering) markLoops(blocks []*assembly.Block) {
	seen := map[string]bool{}
	for _, b := range blocks {
		seen[b.Name] = true
		if n := len(b.Instructions); n > 0 {
			for _, to := range b.Instructions[n-1].Targets {
				if seen[to] {
					l.blocks[to].looping = true
				}
			}
		}
	}
}

// registers returns the registers of a local's scalars.
func (l *lowering) registers(name string, t *assembly.Type) []int {
	if regs, ok := l.regs[name]; ok {
		return regs
	}
	parts := l.layout.scalars(t)
	if parts == nil {
		panic(refusal{l.refuse(l.f.Pos, "a value of type %s in %s is not supported", t, l.lines.name(l.f))})
	}
	regs := make([]int, len(parts))
	for i, s := range parts {
		regs[i] = l.build.Temp(s.bits)
	}
	l.regs[name] = regs
	return regs
}

// block makes the code of a block, unless jump threading leaves no way to it. next is the block behind it, if any.
func (l *lowering) block(b, next *assembly.Block, first bool) {
	state := l.blocks[b.Name]
	if !first && !state.looping && !state.falls && len(state.jumps) == 0 {
		return
	}
	l.build.Land(state.jumps...)
	state.jumps, state.start = nil, len(l.build.Function.Code)
	for _, i := range b.Instructions {
		if i.Op == "phi" {
			l.registers(i.Result, i.Type)
			continue
		}
		l.at = i
		if i.Debug >= 0 || l.module.Metadata[l.f.Debug] == nil {
			l.build.Line = l.lines.of(l.f, i)
		}
		l.tolerate(i, func() {
			if !l.terminator(b, i, next) {
				l.instruction(i, first)
			}
		})
	}
}

// tolerate makes the code of an instruction; what is not supported is refused when a run reaches it.
func (l *lowering) tolerate(i *assembly.Instruction, do func()) {
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(refusal)
			if !ok {
				panic(r)
			}
			text := f.err.Error()
			if e := litmus.Errors(f.err); len(e) == 1 {
				text = e[0].Msg
			}
			l.unsupported("%s", text)
		}
	}()
	do()
}

// value returns the scalars of an operand.
func (l *lowering) value(v *assembly.Value) []ir.Expr {
	if v.Kind == assembly.Local {
		if a, ok := l.addrs[v.Name]; ok {
			return []ir.Expr{a}
		}
		out := l.raw(v)
		if r, ok := l.undef[v.Name]; ok { // each use has a number of its own
			any := l.build.Temp(out[0].Width())
			l.build.Emit(code.Choose{Dst: any})
			out[0] = ir.Cond{If: l.build.Reg(r), Then: l.build.Reg(any), Else: out[0]}
		}
		return out
	}
	if v.Kind == assembly.Constant {
		if out := l.computed(v); out != nil {
			return out
		}
	}
	var out []ir.Expr
	for _, c := range l.unit.constant(l.at.Pos, v) {
		out = append(out, l.materialise(c))
	}
	return out
}

// raw returns the registers of a local.
func (l *lowering) raw(v *assembly.Value) []ir.Expr {
	var out []ir.Expr
	for _, r := range l.registers(v.Name, v.Type) {
		out = append(out, l.build.Reg(r))
	}
	return out
}

// passed returns an operand of a phi or a select that may be undefined: its scalar, and whether it is undefined.
func (l *lowering) passed(v *assembly.Value) (value, undefined ir.Expr) {
	r, shadowed := l.undef[v.Name]
	switch {
	case v.Kind == assembly.Undef || v.Kind == assembly.Poison:
		return ir.Number(0, l.layout.scalars(v.Type)[0].bits), ir.Number(1, 1)
	case v.Kind == assembly.Local && shadowed:
		return l.raw(v)[0], l.build.Reg(r)
	}
	return l.one(v), ir.Number(0, 1)
}

// isUndefined returns whether a condition is undefined, nil if it is not. A branch on such a one is undefined
// behaviour.
func (l *lowering) isUndefined(v *assembly.Value) ir.Expr {
	if _, shadowed := l.undef[v.Name]; v.Kind != assembly.Local || !shadowed {
		if l.rust || v.Kind != assembly.Undef && v.Kind != assembly.Poison {
			return nil
		}
	}
	_, undefined := l.passed(v)
	return undefined
}

// computed returns the value of a constant expression on scalars, by code that computes it: the number of an address is
// only known when the program runs. It is nil for other expressions.
func (l *lowering) computed(v *assembly.Value) []ir.Expr {
	op, isOperator := operators[v.Op]
	switch {
	case len(l.layout.scalars(v.Type)) != 1:
	case isOperator && !wide(v.Type):
		return []ir.Expr{code.Fold(op, l.one(v.Elements[0]), l.one(v.Elements[1]))}
	case v.Op == "icmp" && len(l.layout.scalars(v.Elements[0].Type)) == 1:
		return []ir.Expr{predicate(v.Block, l.one(v.Elements[0]), l.one(v.Elements[1]))}
	case v.Op == "select" && len(l.layout.scalars(v.Elements[0].Type)) == 1:
		return []ir.Expr{ir.Cond{If: l.one(v.Elements[0]), Then: l.one(v.Elements[1]), Else: l.one(v.Elements[2])}}
	case v.Op == "getelementptr":
		return []ir.Expr{l.address(v.Of, v.Elements)}
	case v.Op == "bitcast" || v.Op == "ptrtoint" || v.Op == "inttoptr" || v.Op == "trunc" || v.Op == "zext" ||
		v.Op == "sext":
		if len(l.layout.scalars(v.Elements[0].Type)) == 1 {
			return []ir.Expr{code.Widen(l.one(v.Elements[0]), l.layout.scalars(v.Type)[0].bits, v.Op == "sext")}
		}
	}
	return nil
}

// one returns the only scalar of an operand.
func (l *lowering) one(v *assembly.Value) ir.Expr {
	out := l.value(v)
	if len(out) != 1 {
		panic(refusal{l.refuse(l.at.Pos, "%s of type %s is not supported", l.at.Op, v.Type)})
	}
	return out[0]
}

// materialise makes an expression of a constant.
func (l *lowering) materialise(c constant) ir.Expr {
	switch {
	case c.any && l.rust: // no program in Rust may depend on it, unless its behaviour is undefined
		return ir.Number(0, c.bits)
	case c.any:
		r := l.build.Temp(c.bits)
		l.build.Emit(code.Choose{Dst: r})
		return l.build.Reg(r)
	case c.of != nil || c.fn != nil:
		r := l.build.Temp(c.bits)
		l.build.Emit(code.Locate{Dst: r, Of: c.of, Fn: c.fn})
		return code.Fold(ir.Add, l.build.Reg(r), ir.Number(c.value, c.bits))
	}
	return ir.Number(c.value, c.bits)
}

// set gives the result of an instruction its value.
func (l *lowering) set(i *assembly.Instruction, values ...ir.Expr) {
	for k, r := range l.registers(i.Result, i.Type) {
		l.build.Emit(code.Assign{Dst: r, Value: values[k]})
	}
}

// jump emits a jump to a block, or remembers it until the block is made. cond is nil for always.
func (l *lowering) jump(cond ir.Expr, to string) {
	state := l.blocks[to]
	if state.start >= 0 {
		l.build.Emit(code.Branch{Cond: cond, Target: state.start})
		return
	}
	state.jumps = append(state.jumps, l.build.Jump(cond))
}

// phis lists the phi instructions of a block.
func (l *lowering) phis(name string) []*assembly.Instruction {
	var out []*assembly.Instruction
	for _, i := range l.blocks[name].block.Instructions {
		if i.Op != "phi" {
			break
		}
		out = append(out, i)
	}
	return out
}

// entry returns which value a phi has on the way from a block.
func (l *lowering) entry(phi *assembly.Instruction, from string) (int, bool) {
	of := l.entries[phi]
	if of == nil {
		of = map[string]int{}
		for k, name := range phi.From {
			if _, twice := of[name]; !twice {
				of[name] = k
			}
		}
		l.entries[phi] = of
	}
	k, ok := of[from]
	return k, ok
}

// edge makes the way from a block to another: the phis of the other get their values, all at once, and then it jumps,
// unless the other follows at once or is copied.
func (l *lowering) edge(from *assembly.Block, to string, next *assembly.Block, known way) {
	copied, then := l.thread(from, to, known)
	var targets []int
	var values []ir.Expr
	for _, phi := range l.phis(to) {
		k, ok := l.entry(phi, from.Name)
		if !ok {
			panic(refusal{l.refuse(phi.Pos, "the phi has no value for the way from block %s", from.Name)})
		}
		targets = append(targets, l.registers(phi.Result, phi.Type)...)
		if r, ok := l.undef[phi.Result]; ok {
			value, undefined := l.passed(l.equal(phi.Operands[k], known))
			targets, values = append(targets, r), append(values, value, undefined)
			continue
		}
		values = append(values, l.value(l.equal(phi.Operands[k], known))...)
	}
	set := map[int]bool{}
	for i := range values { // one that reads a register that another sets goes through a temporary
		reads := false
		ir.Registers(values[i], func(r int) { reads = reads || set[r] })
		set[targets[i]] = true
		if reads {
			for k := range values {
				values[k] = l.build.Keep(values[k])
			}
			break
		}
	}
	for i, r := range targets {
		l.build.Emit(code.Assign{Dst: r, Value: values[i]})
	}
	switch {
	case copied != nil:
		l.copyBlock(l.blocks[to].block, copied, next, then)
	case next == nil || next.Name != to || l.blocks[to].start >= 0:
		l.jump(nil, to)
	default:
		l.blocks[to].falls = true
	}
}

// terminator makes the code of an instruction that ends a block, and says whether it is one.
func (l *lowering) terminator(b *assembly.Block, i *assembly.Instruction, next *assembly.Block) bool {
	switch i.Op {
	case "ret":
		l.ret(i)
	case "br", "switch":
		l.branch(b, i, next, way{})
	case "unreachable":
		l.build.Emit(code.Assert{
			Cond: ir.Number(0, 1), Property: ir.Undefined,
			Text: "code is reached that the compiler took for unreachable",
		})
		l.build.Emit(code.Assume{Cond: ir.Number(0, 1)})
	case "invoke":
		l.call(i)
		if !l.mayThrow(i, l.throwers) || l.inFlight("thrown") == nil {
			l.edge(b, i.Targets[0], next, way{})
			break
		}
		l.fork(b, l.pending(), exit{to: i.Targets[1]}, exit{to: i.Targets[0]}, next)
	case "resume":
		l.resume(i)
	case "indirectbr", "callbr", "catchswitch", "catchret", "cleanupret":
		l.unsupported("the instruction %s is not supported", i.Op)
	default:
		return false
	}
	return true
}

// branch makes a branch or a switch. known has the facts that hold before it.
func (l *lowering) branch(b *assembly.Block, i *assembly.Instruction, next *assembly.Block, known way) {
	if len(i.Targets) == 1 {
		l.edge(b, i.Targets[0], next, known)
		return
	}
	cond, negated := i.Operands[0], false
	if known.depth > 0 {
		cond, negated = l.simplify(cond, known, 0)
	}
	n, decided := bitsOf(cond)
	switch {
	case i.Op == "switch" && decided && !negated:
		to := i.Targets[0]
		for k, c := range i.Cases {
			if m, ok := bitsOf(c); ok && m == n {
				to = i.Targets[k+1]
			}
		}
		l.edge(b, to, next, known)
	case i.Op == "switch":
		l.choose(b, i, next, known)
	case i.Targets[0] == i.Targets[1]:
		l.edge(b, i.Targets[0], next, known)
	case decided:
		l.edge(b, i.Targets[1-(n&1)], next, known)
	default:
		l.decided(cond)
		x := l.one(cond)
		yes, no := uint64(1), uint64(0)
		if negated {
			x, yes, no = code.Not(x), 0, 1
		}
		l.fork(b, x, exit{i.Targets[0], l.with(known, cond, yes)}, exit{i.Targets[1], l.with(known, cond, no)}, next)
	}
}

// exit is a way out of a block.
type exit struct {
	to    string
	known way
}

// decided asserts that the condition of a branch is not undefined.
func (l *lowering) decided(cond *assembly.Value) {
	if undefined := l.isUndefined(cond); undefined != nil {
		l.assert(code.Not(undefined), ir.Undefined, "a branch depends on an undefined value")
	}
}

// fork makes a conditional branch. The way that needs no values for phis is the jump; a way back comes last, so that a
// loop ends with its jump back.
func (l *lowering) fork(b *assembly.Block, cond ir.Expr, yes, no exit, next *assembly.Block) {
	back := func(e exit) bool { return l.blocks[e.to].start >= 0 }
	plain := func(e exit) bool { return len(l.phis(e.to)) == 0 }
	if !plain(yes) && plain(no) || plain(no) && back(yes) && !back(no) ||
		plain(yes) && plain(no) && next != nil && next.Name == yes.to && !back(no) {
		yes, no, cond = no, yes, code.Not(cond)
	}
	if plain(yes) {
		l.jump(cond, yes.to)
		l.edge(b, no.to, next, no.known)
		return
	}
	taken := l.build.Jump(cond)
	l.edge(b, no.to, nil, no.known)
	l.build.Land(taken)
	l.edge(b, yes.to, next, yes.known)
}

// choose makes a switch: a row of comparisons.
func (l *lowering) choose(b *assembly.Block, i *assembly.Instruction, next *assembly.Block, known way) {
	l.decided(i.Operands[0])
	x := l.build.Keep(l.one(i.Operands[0]))
	var stubs []int
	var to []string
	for k, c := range i.Cases {
		cond := code.Fold(ir.Eq, x, l.one(c))
		name := i.Targets[k+1]
		if len(l.phis(name)) == 0 {
			l.jump(cond, name)
			continue
		}
		stubs, to = append(stubs, l.build.Jump(cond)), append(to, name)
	}
	if len(stubs) == 0 {
		l.edge(b, i.Targets[0], next, known)
		return
	}
	l.edge(b, i.Targets[0], nil, known)
	for k, from := range stubs {
		l.build.Land(from)
		l.edge(b, to[k], nil, known)
	}
}

// ret returns from the function; a hidden result is written through its address.
func (l *lowering) ret(i *assembly.Instruction) {
	switch {
	case len(i.Operands) == 0:
		l.build.Emit(code.Ret{})
	case l.into != nil:
		l.store(l.into, i.Operands[0].Type, l.value(i.Operands[0]), code.Access{})
		l.build.Emit(code.Ret{})
	default:
		l.build.Emit(code.Ret{Value: l.one(i.Operands[0])})
	}
}

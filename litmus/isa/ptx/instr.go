package ptx

import (
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/gpuasm"
)

// instruction is a kind of instruction, by the first part of its mnemonic.
type instruction struct {
	least, most int // operands
	lower       func(*instr)
}

// own are the instructions that Vulkan's tests do not have.
var own = map[string]instruction{
	"ld": {2, 2, func(x *instr) { x.load("generic") }}, "st": {2, 2, func(x *instr) { x.store("generic") }},
	"tld":  {2, 2, func(x *instr) { x.load("texture") }},
	"suld": {2, 2, func(x *instr) { x.load("surface") }}, "sust": {2, 2, func(x *instr) { x.store("surface") }},
	"cold": {2, 2, func(x *instr) { x.load("constant") }},
	"atom": {3, 4, (*instr).atom}, "red": {2, 2, (*instr).red},
	"fence": {0, 0, (*instr).fence}, "membar": {0, 0, (*instr).membar},
	"bar": {1, 3, (*instr).barrier}, "barrier": {1, 3, (*instr).barrier},
	"set": {3, 3, (*instr).compare}, "shl": {3, 3, (*instr).shift}, "shr": {3, 3, (*instr).shift},
	"bra": {1, 1, func(x *instr) { x.Plain(); x.JumpIf(nil, 0) }},
}

// types are types that PTX writes at the end of a mnemonic. All accesses here are of 32 bits.
var types = []string{"b32", "u32", "s32"}

// order reads the order and the scope of an access: .weak or nothing, .relaxed.cta, .volatile. It returns the order and
// the rest of the mnemonic. allowed are the orders that the instruction may have.
func (x *instr) order(allowed ...string) (order string, scope ir.Tag, rest []string) {
	rest = x.Parts[1:]
	if len(rest) == 0 || slices.Contains(types, rest[0]) {
		return "weak", "", rest
	}
	order, rest = rest[0], rest[1:]
	if !slices.Contains(allowed, order) {
		x.Fail(x.Name.Pos, "%s: unknown order .%s: want %s", x.Name.Text, order, strings.Join(allowed, ", "))
		return "weak", "", nil
	}
	switch order {
	case "weak":
		return order, "", rest
	case "volatile":
		return "relaxed", "SYS", rest
	}
	if len(rest) == 0 {
		x.Fail(x.Name.Pos, "%s has no scope: want .cta, .gpu or .sys behind .%s", x.Name.Text, order)
		return order, "", nil
	}
	scope = scopeTags[rest[0]]
	if scope == "" {
		x.Fail(x.Name.Pos, "%s: unknown scope .%s: want .cta, .gpu or .sys", x.Name.Text, rest[0])
	}
	return order, scope, rest[1:]
}

// typed rejects what is left of a mnemonic, except a type.
func (x *instr) typed(rest []string) {
	x.Unread(slices.DeleteFunc(slices.Clone(rest), func(part string) bool { return slices.Contains(types, part) }))
}

// halfTags returns the tags of a read or a write with an order: an update's read is only ordered by an acquire, and its
// write only by a release.
func halfTags(order string, scope ir.Tag, reads bool) ir.Tags {
	tags := ir.Tags{tagRLX}
	switch {
	case order == "weak":
		return ir.Tags{tagWeak}
	case reads && (order == "acquire" || order == "acq_rel"):
		tags = ir.Tags{tagACQ, ir.TagAcquire}
	case !reads && (order == "release" || order == "acq_rel"):
		tags = ir.Tags{tagREL, ir.TagRelease}
	}
	return append(tags, scope)
}

// load lowers a load. Behind ld without a location, a number is a value for the register.
func (x *instr) load(proxy string) {
	order, scope, rest := x.order("weak", "relaxed", "acquire", "volatile")
	x.typed(rest)
	x.proxied(proxy, order)
	if proxy == "generic" && x.IsNumber(1) {
		x.Assign(x.To(0), x.Get(1))
		return
	}
	addr, tags := x.location(1, proxy)
	dst := x.To(0)
	x.Emit(ir.Load{Dst: dst, Addr: addr, Bits: gpuasm.Bits, Tags: append(halfTags(order, scope, true), tags...)})
}

func (x *instr) store(proxy string) {
	order, scope, rest := x.order("weak", "relaxed", "release", "volatile")
	x.typed(rest)
	x.proxied(proxy, order)
	addr, tags := x.location(0, proxy)
	x.Emit(ir.Store{Addr: addr, Value: x.Get(1), Tags: append(halfTags(order, scope, false), tags...)})
}

// proxied rejects orders of accesses through other proxies than the generic one.
func (x *instr) proxied(proxy, order string) {
	if proxy != "generic" && order != "weak" {
		x.Fail(x.Name.Pos, "%s: accesses through the %s proxy are weak", x.Name.Text, proxy)
	}
}

func isUpdate(op string) bool { return op == "cas" || gpuasm.Updates[op] != nil }

// operation reads the operation of atom or red, and the order and scope in front of it, which are relaxed and gpu if it
// says none.
func (x *instr) operation() (op, order string, scope ir.Tag) {
	order, scope = "relaxed", "GPU"
	rest := x.Parts[1:]
	if len(rest) > 0 {
		if !isUpdate(rest[0]) {
			order, scope, rest = x.order("relaxed", "acquire", "release", "acq_rel")
		}
	}
	if len(rest) == 0 {
		x.Fail(x.Name.Pos, "%s has no operation: want one such as .add, .exch or .cas", x.Name.Text)
		return "exch", order, scope
	}
	if !isUpdate(rest[0]) {
		x.Fail(x.Name.Pos, "%s: unknown operation .%s: want .add, .sub, .and, .or, .xor, .min, .max, .exch or .cas",
			x.Name.Text, rest[0])
		return "exch", order, scope
	}
	x.typed(rest[1:])
	return rest[0], order, scope
}

// update emits a read-modify-write with the value that it writes, into a register unless that is -1.
func (x *instr) update(dst int, addr ir.Expr, next, cond ir.Expr, order string, scope ir.Tag, tags ir.Tags) {
	read := append(append(halfTags(order, scope, true), ir.TagLocked), tags...)
	write := append(append(halfTags(order, scope, false), ir.TagLocked), tags...)
	if dst < 0 {
		read, write = append(read, tagNoRet), append(write, tagNoRet)
	}
	x.Update(dst, addr, next, cond, read, write)
}

func (x *instr) atom() {
	op, order, scope := x.operation()
	addr, tags := x.location(1, "generic")
	want := 3
	if op == "cas" {
		want = 4
	}
	if len(x.Ops) != want {
		x.Fail(x.Name.Pos, "%s takes %d operands, got %d", x.Name.Text, want, len(x.Ops))
		return
	}
	old := ir.Old{Bits: gpuasm.Bits}
	if op == "cas" {
		x.update(x.To(0), addr, x.Get(3), ir.Eq.Of(old, x.Get(2)), order, scope, tags)
		return
	}
	x.update(x.To(0), addr, gpuasm.Updates[op](old, x.Get(2)), nil, order, scope, tags)
}

func (x *instr) red() {
	op, order, scope := x.operation()
	if op == "cas" || op == "exch" || order == "acquire" || order == "acq_rel" {
		x.Fail(x.Name.Pos, "%s: red returns no value, and is relaxed or a release of an operation such as .add",
			x.Name.Text)
		return
	}
	addr, tags := x.location(0, "generic")
	x.update(-1, addr, gpuasm.Updates[op](ir.Old{Bits: gpuasm.Bits}, x.Get(1)), nil, order, scope, tags)
}

// fence lowers fence.sc and fence.acq_rel with their scopes, and fence.proxy with a proxy.
func (x *instr) fence() {
	if len(x.Parts) > 1 && x.Parts[1] == "proxy" {
		x.proxyFence()
		return
	}
	order, scope, rest := x.order("sc", "acq_rel")
	x.typed(rest)
	if order == "weak" {
		x.Fail(x.Name.Pos, "%s has no order: want fence.sc or fence.acq_rel, with a scope", x.Name.Text)
		return
	}
	x.emitFence(order == "sc", scope)
}

func (x *instr) emitFence(sc bool, scope ir.Tag) {
	tags := ir.Tags{tagAcqRel, scope, "GEN", ir.TagRR, ir.TagRW, ir.TagWW}
	if sc {
		tags = append(ir.Tags{tagSC, tagAcqRel, scope, "GEN"}, ir.FullFence...)
	}
	x.Emit(ir.Fence{Tags: tags})
}

// membar lowers the older names of fence.sc.
func (x *instr) membar() {
	scope := map[string]ir.Tag{"cta": "CTA", "gl": "GPU", "sys": "SYS"}[strings.Join(x.Parts[1:], ".")]
	if scope == "" {
		x.Fail(x.Name.Pos, "%s: want membar.cta, membar.gl or membar.sys", x.Name.Text)
		return
	}
	x.emitFence(true, scope)
}

func (x *instr) proxyFence() {
	if len(x.Parts) == 3 {
		if x.Parts[2] == "alias" {
			x.Emit(ir.Fence{Tags: ir.Tags{tagAlias, tagProxy, "GEN"}})
			return
		}
		if tag := proxyTags[x.Parts[2]]; tag != "" && tag != "GEN" {
			x.Emit(ir.Fence{Tags: ir.Tags{tagProxy, tag}})
			return
		}
	}
	x.Fail(x.Name.Pos, "%s: want fence.proxy.alias, .texture, .surface or .constant", x.Name.Text)
}

// barrier lowers bar.cta.sync and bar.cta.arrive.
func (x *instr) barrier() {
	what := strings.TrimPrefix(strings.Join(x.Parts[1:], "."), "cta.")
	if what != "sync" && what != "arrive" {
		x.Fail(x.Name.Pos, "%s: want bar.cta.sync or bar.cta.arrive", x.Name.Text)
		return
	}
	x.Control(ir.Barrier{Scope: "cta", Arrives: what == "arrive"},
		append(ir.Tags{tagBar, "CTA", "GEN"}, ir.FullFence...))
}

// comparisons are the relations of set, by the condition of one of less than and equal.
var comparisons = map[string]struct{ equal, swapped, negated bool }{
	"eq": {equal: true}, "ne": {equal: true, negated: true}, "lt": {}, "gt": {swapped: true}, "ge": {negated: true},
	"le": {swapped: true, negated: true},
}

// compare lowers set.lt.u32.s32: all bits of the register are set if the comparison is true, or else none.
func (x *instr) compare() {
	if len(x.Parts) != 4 || x.Parts[2] != "u32" || x.Parts[3] != "s32" && x.Parts[3] != "u32" {
		x.Fail(x.Name.Pos, "%s: want set with a comparison and types, as in set.lt.u32.s32", x.Name.Text)
		return
	}
	c, known := comparisons[x.Parts[1]]
	if !known {
		x.Fail(x.Name.Pos, "%s: unknown comparison .%s: want .eq, .ne, .lt, .le, .gt or .ge", x.Name.Text, x.Parts[1])
		return
	}
	a, b := x.Get(1), x.Get(2)
	if c.swapped {
		a, b = b, a
	}
	op := ir.Slt
	switch {
	case c.equal:
		op = ir.Eq
	case x.Parts[3] == "u32":
		op = ir.Ult
	}
	is := op.Of(a, b)
	if c.negated {
		is = ir.Not(is)
	}
	all, none := ir.Number(ir.Mask(gpuasm.Bits), gpuasm.Bits), ir.Number(0, gpuasm.Bits)
	x.Assign(x.To(0), ir.Cond{If: is, Then: all, Else: none})
}

// shift lowers shl.b32, shr.u32 and shr.s32 by a number of 0 to 31.
func (x *instr) shift() {
	kind := strings.Join(x.Parts, ".")
	if kind != "shl.b32" && kind != "shr.u32" && kind != "shr.s32" {
		x.Fail(x.Name.Pos, "%s: want shl.b32, shr.u32 or shr.s32", x.Name.Text)
		return
	}
	v, by := x.Get(1), ir.Number(uint64(x.Constant(2, "a number of bits", 0, gpuasm.Bits-1)), gpuasm.Bits)
	switch kind {
	case "shl.b32":
		v = ir.Shl.Of(v, by)
	case "shr.u32":
		v = ir.Shr.Of(v, by)
	default:
		v = ir.Sar.Of(v, by)
	}
	x.Assign(x.To(0), v)
}

// location returns the address of the location that an operand names, and the tags of an access to it: its proxy, which
// must be the instruction's, and the name if it is an alias.
func (x *instr) location(i int, proxy string) (ir.Expr, ir.Tags) {
	addr, of, tags := x.Location(i)
	if of != proxy {
		x.Fail(x.Ops[i].Pos, "%s accesses memory through the %s proxy, but %s is a name for the %s proxy: declare a "+
			"name, as in s @ %s aliases %s", x.Name.Text, proxy, x.Ops[i].Text, of, proxy, x.Ops[i].Text)
	}
	return addr, append(ir.Tags{proxyTags[proxy]}, tags...)
}

package assembly

import (
	"strconv"
)

// hasResult reports whether an instruction sets a local. Only those without a name need it.
func (p *parser) hasResult(i *Instruction) bool {
	switch i.Op {
	case "store", "fence", "resume":
		return false
	case "call", "invoke", "callbr":
		return i.Type.Kind != Void
	}
	return !terminators[i.Op]
}

// words of instructions that are flags.
var (
	wrapFlags = []string{"nuw", "nsw"}
	fastMath  = []string{"nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast"}
	orders    = []string{"unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"}
	updates   = []string{
		"xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "fadd", "fsub", "fmax", "fmin",
		"uinc_wrap", "udec_wrap", "usub_cond", "usub_sat", "fmaximum", "fminimum",
	}
	predicates = []string{
		"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle", "false", "oeq", "ogt", "oge", "olt", "ole",
		"one", "ord", "ueq", "une", "uno", "true",
	}
)

func (p *parser) takeFlags(i *Instruction, words ...string) {
	for {
		w := p.takeOneOf(words...)
		if w == "" {
			return
		}
		i.flag(w)
	}
}

func (i *Instruction) flag(word string) {
	if i.Flags == nil {
		i.Flags = map[string]bool{}
	}
	i.Flags[word] = true
}

// instruction reads an instruction and its metadata.
func (p *parser) instruction() *Instruction {
	p.spend(3)
	i := &Instruction{Pos: p.pos(p.tok.at), offset: p.tok.at, Debug: -1, Site: -1}
	if p.tok.kind == local {
		i.Result = p.tok.text
		p.advance()
		p.wantSign("=")
	}
	if p.tok.kind != word {
		p.fail("want an instruction, got %s", p.shown())
	}
	i.Op = p.tok.text
	switch i.Op {
	case "tail", "musttail", "notail":
		i.flag(i.Op)
		p.advance()
		i.Op = p.tok.text
		if i.Op != "call" {
			p.fail("want call, got %s", p.shown())
		}
	}
	read, ok := instructions[i.Op]
	switch {
	case ok:
		p.advance()
		read(p, i)
	case arithmetic[i.Op]:
		p.advance()
		p.takeFlags(i, append(append(wrapFlags, fastMath...), "exact", "disjoint")...)
		p.binary(i)
	case casts[i.Op]:
		p.advance()
		p.takeFlags(i, append(append(wrapFlags, fastMath...), "nneg")...)
		i.Operands = []*Value{p.typed()}
		p.wantWord("to")
		i.Type = p.typ()
	default:
		p.fail("unknown instruction %s", p.shown())
	}
	for p.takeSign(",") {
		p.attachment(i)
	}
	return i
}

// attachment reads what may follow any instruction after a comma: metadata.
func (p *parser) attachment(i *Instruction) {
	if p.tok.kind != metadata || p.tok.text == "" {
		p.fail("want metadata, got %s", p.shown())
	}
	name := p.tok.text
	p.advance()
	switch m := p.meta(); {
	case m.Ref < 0:
	case name == "dbg":
		i.Debug = m.Ref
	case name == "heapallocsite":
		i.Site = m.Ref
	}
}

// instructions read the operands of each instruction that is no operator and no conversion.
var instructions map[string]func(*parser, *Instruction)

func init() {
	instructions = map[string]func(*parser, *Instruction){
		"ret": (*parser).ret, "br": (*parser).br, "switch": (*parser).switches, "indirectbr": (*parser).indirectbr,
		"invoke": (*parser).invoke, "resume": (*parser).one, "unreachable": func(*parser, *Instruction) {},
		"fneg": (*parser).fneg, "freeze": (*parser).one, "alloca": (*parser).alloca, "load": (*parser).load,
		"store": (*parser).store, "fence": (*parser).fence, "cmpxchg": (*parser).cmpxchg,
		"atomicrmw": (*parser).atomicrmw, "getelementptr": (*parser).gep, "icmp": (*parser).compare,
		"fcmp": (*parser).compare, "phi": (*parser).phi, "select": (*parser).selects, "call": (*parser).call,
		"va_arg": (*parser).vaArg, "landingpad": (*parser).landingpad, "extractvalue": (*parser).extractvalue,
		"insertvalue": (*parser).insertvalue, "extractelement": (*parser).several, "insertelement": (*parser).several,
		"shufflevector": (*parser).several,
	}
}

func (p *parser) one(i *Instruction) {
	i.Operands = []*Value{p.typed()}
	i.Type = i.Operands[0].Type
}

func (p *parser) fneg(i *Instruction) {
	p.takeFlags(i, fastMath...)
	p.one(i)
}

func (p *parser) binary(i *Instruction) {
	x := p.typed()
	p.wantSign(",")
	i.Type, i.Operands = x.Type, []*Value{x, p.value(x.Type)}
}

func (p *parser) compare(i *Instruction) {
	p.takeFlags(i, append(fastMath, "samesign")...)
	if i.Kind = p.takeOneOf(predicates...); i.Kind == "" {
		p.fail("unknown comparison %s", p.shown())
	}
	p.binary(i)
}

func (p *parser) ret(i *Instruction) {
	if p.takeWord("void") {
		return
	}
	p.one(i)
}

// target reads label %name.
func (p *parser) target() string {
	p.wantWord("label")
	if p.tok.kind != local {
		p.fail("want a label, got %s", p.shown())
	}
	name := p.tok.text
	p.advance()
	return name
}

func (p *parser) br(i *Instruction) {
	if p.isWord("label") {
		i.Targets = []string{p.target()}
		return
	}
	i.Operands = []*Value{p.typed()}
	p.wantSign(",")
	yes := p.target()
	p.wantSign(",")
	i.Targets = []string{yes, p.target()}
}

func (p *parser) switches(i *Instruction) {
	i.Operands = []*Value{p.typed()}
	p.wantSign(",")
	i.Targets = []string{p.target()}
	p.wantSign("[")
	for !p.takeSign("]") {
		i.Cases = append(i.Cases, p.typed())
		p.wantSign(",")
		i.Targets = append(i.Targets, p.target())
	}
}

func (p *parser) indirectbr(i *Instruction) {
	i.Operands = []*Value{p.typed()}
	p.wantSign(",")
	p.wantSign("[")
	for !p.takeSign("]") {
		if len(i.Targets) > 0 {
			p.wantSign(",")
		}
		i.Targets = append(i.Targets, p.target())
	}
}

func (p *parser) invoke(i *Instruction) {
	p.callee(i)
	p.wantWord("to")
	normal := p.target()
	p.wantWord("unwind")
	i.Targets = []string{normal, p.target()}
}

func (p *parser) call(i *Instruction) {
	p.takeFlags(i, fastMath...)
	p.callee(i)
}

// callee reads the called function and the arguments.
func (p *parser) callee(i *Instruction) {
	p.convention()
	p.attributes(nil)
	if p.isWord("addrspace") { // of the callee
		p.space()
	}
	t := p.typ()
	i.Attrs = Attributes{}
	i.Function, i.Type = t, t
	switch {
	case t.Kind == FunctionType:
		i.Type = t.Elem
	case t.Kind == Pointer && t.Elem != nil && t.Elem.Kind == FunctionType:
		i.Function, i.Type = t.Elem, t.Elem.Elem
	default:
		i.Function = &Type{Kind: FunctionType, Elem: t}
	}
	i.Callee = p.value(&Type{Kind: Pointer})
	p.wantSign("(")
	for first := true; !p.takeSign(")"); first = false {
		if !first {
			p.wantSign(",")
		}
		if p.takeSign("...") {
			continue
		}
		at := p.typ()
		attributes := Attributes{}
		p.attributes(attributes)
		n := len(i.Operands)
		if a, ok := attributes["byval"]; ok && a.Type != nil {
			if i.ByVal == nil {
				i.ByVal = map[int]*Type{}
			}
			i.ByVal[n] = a.Type
		}
		if n < len(i.ArgAlign) {
			i.ArgAlign[n] = 1
			if a, err := strconv.Atoi(attributes["align"].Text); err == nil {
				i.ArgAlign[n] = a
			}
		}
		i.Operands = append(i.Operands, p.value(at))
	}
	p.attributes(i.Attrs)
	if p.takeSign("[") {
		for !p.takeSign("]") {
			if len(i.Bundles) > 0 {
				p.wantSign(",")
			}
			i.Bundles = append(i.Bundles, p.str())
			p.wantSign("(")
			for first := true; !p.takeSign(")"); first = false {
				if !first {
					p.wantSign(",")
				}
				p.typed()
			}
		}
	}
}

// options reads what follows after commas: an alignment, then metadata.
func (p *parser) options(i *Instruction) {
	for p.takeSign(",") {
		switch {
		case p.takeWord("align"):
			i.Align = p.count()
		case p.isWord("addrspace"):
			i.Space = p.space()
		case i.Op == "alloca" && p.isType():
			i.Operands = append(i.Operands, p.typed())
		default:
			p.attachment(i)
		}
	}
}

func (p *parser) alloca(i *Instruction) {
	p.takeFlags(i, "inalloca", "swifterror")
	i.Type = p.typ()
	p.options(i)
}

// ordering reads the scope and the order of an atomic access.
func (p *parser) ordering(i *Instruction) {
	if p.takeWord("syncscope") {
		p.wantSign("(")
		i.Scope = p.str()
		p.wantSign(")")
	}
	if i.Order = p.takeOneOf(orders...); i.Order == "" {
		p.fail("want a memory order, got %s", p.shown())
	}
}

func (p *parser) load(i *Instruction) {
	p.takeFlags(i, "atomic", "volatile")
	i.Type = p.typ()
	p.wantSign(",")
	i.Operands = []*Value{p.typed()}
	if i.Flags["atomic"] {
		p.ordering(i)
	}
	p.options(i)
}

func (p *parser) store(i *Instruction) {
	p.takeFlags(i, "atomic", "volatile")
	v := p.typed()
	p.wantSign(",")
	i.Type, i.Operands = v.Type, []*Value{v, p.typed()}
	if i.Flags["atomic"] {
		p.ordering(i)
	}
	p.options(i)
}

func (p *parser) fence(i *Instruction) { p.ordering(i) }

func (p *parser) cmpxchg(i *Instruction) {
	p.takeFlags(i, "weak", "volatile")
	at := p.typed()
	p.wantSign(",")
	expected := p.typed()
	p.wantSign(",")
	i.Operands = []*Value{at, expected, p.typed()}
	p.ordering(i)
	if i.Failed = p.takeOneOf(orders...); i.Failed == "" {
		p.fail("want the memory order of a failure, got %s", p.shown())
	}
	i.Type = &Type{Kind: Struct, Fields: []*Type{expected.Type, {Kind: Integer, Bits: 1}}}
	p.options(i)
}

func (p *parser) atomicrmw(i *Instruction) {
	p.takeFlags(i, "volatile")
	if i.Kind = p.takeOneOf(updates...); i.Kind == "" {
		p.fail("unknown atomic operation %s", p.shown())
	}
	at := p.typed()
	p.wantSign(",")
	v := p.typed()
	i.Type, i.Operands = v.Type, []*Value{at, v}
	p.ordering(i)
	p.options(i)
}

func (p *parser) gep(i *Instruction) {
	p.takeFlags(i, "inbounds", "nusw", "nuw")
	i.Type = p.typ()
	for p.takeSign(",") {
		if p.tok.kind == metadata {
			p.attachment(i)
			continue
		}
		i.Operands = append(i.Operands, p.typed())
	}
}

func (p *parser) phi(i *Instruction) {
	p.takeFlags(i, fastMath...)
	i.Type = p.typ()
	for {
		p.wantSign("[")
		i.Operands = append(i.Operands, p.value(i.Type))
		p.wantSign(",")
		if p.tok.kind != local {
			p.fail("want a label, got %s", p.shown())
		}
		i.From = append(i.From, p.tok.text)
		p.advance()
		p.wantSign("]")
		if !p.isSign(",") {
			return
		}
		if ahead := p.scanner; ahead.next().kind == metadata {
			return
		}
		p.advance()
	}
}

// several reads operands with types, separated by commas.
func (p *parser) several(i *Instruction) {
	i.Operands = []*Value{p.typed()}
	for p.isSign(",") {
		if ahead := p.scanner; ahead.next().kind == metadata {
			break
		}
		p.advance()
		i.Operands = append(i.Operands, p.typed())
	}
	want := map[string]int{"extractelement": 2, "insertelement": 3, "shufflevector": 3}[i.Op]
	if len(i.Operands) != want {
		p.fail("%s has %d operands, and needs %d", i.Op, len(i.Operands), want)
	}
	i.Type = i.Operands[0].Type
	if i.Op == "extractelement" && i.Type.Kind == Vector {
		i.Type = i.Type.Elem
	}
	if i.Op == "shufflevector" && i.Type.Kind == Vector {
		i.Type = &Type{Kind: Vector, Len: i.Operands[2].Type.Len, Elem: i.Type.Elem}
	}
}

func (p *parser) selects(i *Instruction) {
	p.takeFlags(i, fastMath...)
	cond := p.typed()
	p.wantSign(",")
	yes := p.typed()
	p.wantSign(",")
	i.Type, i.Operands = yes.Type, []*Value{cond, yes, p.typed()}
}

func (p *parser) vaArg(i *Instruction) {
	i.Operands = []*Value{p.typed()}
	p.wantSign(",")
	i.Type = p.typ()
}

func (p *parser) landingpad(i *Instruction) {
	i.Type = p.typ()
	i.Cleanup = p.takeWord("cleanup")
	for {
		kind := p.takeOneOf("catch", "filter")
		if kind == "" {
			return
		}
		i.Clauses = append(i.Clauses, Clause{kind == "filter", p.typed()})
	}
}

// indices reads the indices of extractvalue and insertvalue.
func (p *parser) indices(i *Instruction) {
	for p.isSign(",") {
		if ahead := p.scanner; ahead.next().kind != integer {
			return
		}
		p.advance()
		n, err := strconv.Atoi(p.tok.text)
		if err != nil || n < 0 {
			p.fail("want an index, got %s", p.shown())
		}
		i.Indices = append(i.Indices, n)
		p.advance()
	}
}

func (p *parser) extractvalue(i *Instruction) {
	v := p.typed()
	i.Operands = []*Value{v}
	p.indices(i)
	i.Type = p.member(v.Type, i.Indices)
}

func (p *parser) insertvalue(i *Instruction) {
	v := p.typed()
	p.wantSign(",")
	i.Type, i.Operands = v.Type, []*Value{v, p.typed()}
	p.indices(i)
	p.member(v.Type, i.Indices)
}

// member returns the type of a part of an aggregate.
func (p *parser) member(t *Type, indices []int) *Type {
	for _, n := range indices {
		switch {
		case t.Kind == Struct && n < len(t.Fields):
			t = t.Fields[n]
		case t.Kind == Array && n < t.Len:
			t = t.Elem
		default:
			p.fail("the type %s has no part %d", t, n)
		}
	}
	return t
}

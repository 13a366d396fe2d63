package assembly

import "fmt"

// check finds the mistakes that the grammar does not show, so that the translation need not expect them: names that are
// defined twice or not at all, and operands whose types do not fit. It does not check that a value is computed before
// its use on every path.
func (p *parser) check() {
	p.checkTypes()
	p.checkNames()
	for _, g := range p.module.Globals {
		if g.Init != nil {
			p.checkValue(g.Init)
		}
		if g.Alias != nil {
			p.checkValue(g.Alias)
		}
	}
	for _, f := range p.module.Functions {
		if len(f.Blocks) > 0 {
			c := &checker{parser: p, f: f, types: map[string]*Type{}, blocks: map[string]bool{}}
			c.function()
		}
	}
}

// checkTypes refuses structures that contain themselves, and those that nest too deep.
func (p *parser) checkTypes() {
	depths := map[*Type]int{} // -1: at work
	var depth func(t *Type, above int) int
	depth = func(t *Type, above int) int {
		switch t.Kind {
		case Array, Vector:
			return depth(t.Elem, above+1) + 1
		case Struct:
		default:
			return 1
		}
		d, known := depths[t]
		if known && d < 0 {
			p.failAt(p.typeAt[t.Name], "the type %s contains itself", t)
		}
		if !known && above < mostDepth {
			depths[t] = -1
			d = 1
			for _, f := range t.Fields {
				d = max(d, depth(f, above+1)+1)
			}
			depths[t] = d
		}
		if above+d >= mostDepth {
			p.failAt(p.typeAt[t.Name], "types are nested more than %d deep", mostDepth)
		}
		return d
	}
	for _, name := range p.typeNames {
		depth(p.types[name], 0)
	}
}

// checkNames refuses global names that are defined twice, and aliases of themselves.
func (p *parser) checkNames() {
	at := map[string]bool{}
	aliases := map[string]*Value{}
	for _, g := range p.module.Globals {
		if at[g.Name] {
			p.failAt(g.offset, "@%s is defined twice", g.Name)
		}
		at[g.Name] = true
		if g.Alias != nil {
			aliases[g.Name] = g.Alias
		}
	}
	for _, f := range p.module.Functions {
		if at[f.Name] {
			p.failAt(f.offset, "@%s is defined twice", f.Name)
		}
		at[f.Name] = true
	}
	for _, g := range p.module.Globals {
		v := g.Alias
		for n := 0; v != nil; n++ { // an alias is an address plus a number, so that it has one base
			if n > mostDepth {
				p.failAt(g.offset, "the alias @%s stands for itself, or for a chain of more than %d aliases", g.Name,
					mostDepth)
			}
			for v.Kind == Constant && len(v.Elements) > 0 {
				v = v.Elements[0]
			}
			if v.Kind != GlobalRef {
				break
			}
			v = aliases[v.Name]
		}
	}
}

// checker checks a function.
type checker struct {
	*parser
	f      *Function
	types  map[string]*Type // of locals
	blocks map[string]bool
}

// function checks a function.
func (c *checker) function() {
	for _, param := range c.f.Params {
		c.define(param.Name, param.Type, c.f.offset)
	}
	for _, b := range c.f.Blocks {
		if c.blocks[b.Name] {
			c.failAt(b.offset, "the block %%%s is defined twice", b.Name)
		}
		c.blocks[b.Name] = true
		if len(b.Instructions) == 0 || !terminators[b.Instructions[len(b.Instructions)-1].Op] {
			c.failAt(b.offset, "the block %%%s does not end with an instruction that leaves it", b.Name)
		}
		for _, i := range b.Instructions {
			if i.Result != "" {
				c.define(i.Result, i.ResultType(), i.offset)
			}
		}
	}
	for _, b := range c.f.Blocks {
		phis := true
		for _, i := range b.Instructions {
			if i.Op == "phi" && !phis {
				c.failAt(i.offset, "a phi must be at the beginning of a block")
			}
			phis = phis && i.Op == "phi"
			c.instruction(i)
		}
	}
}

func (c *checker) define(name string, t *Type, at int) {
	if _, twice := c.types[name]; twice {
		c.failAt(at, "%%%s is defined twice", name)
	}
	if !firstClass(t) {
		c.failAt(at, "%%%s has type %s, which no value has", name, t)
	}
	c.types[name] = t
}

// firstClass reports whether values have a type.
func firstClass(t *Type) bool {
	switch t.Kind {
	case Void, FunctionType, LabelType, Opaque:
		return false
	case Struct:
		return t.Defined()
	}
	return true
}

// instruction checks an instruction.
func (c *checker) instruction(i *Instruction) {
	for _, v := range i.Operands {
		c.operand(v)
	}
	if i.Callee != nil {
		c.operand(i.Callee)
	}
	for _, name := range i.Targets {
		if !c.blocks[name] {
			c.failAt(i.offset, "there is no block %%%s in @%s", name, c.f.Name)
		}
		if name == c.f.Blocks[0].Name {
			c.failAt(i.offset, "the first block of @%s is a target of %s", c.f.Name, i.Op)
		}
	}
	if wrong := c.misfit(i); wrong != "" {
		c.failAt(i.offset, "%s", wrong)
	}
}

// operand checks that a local is defined and has the type of its use, and a constant as checkValue does.
func (c *checker) operand(v *Value) {
	switch v.Kind {
	case Local:
		t, ok := c.types[v.Name]
		if !ok {
			c.failAt(v.Offset, "%%%s is not defined", v.Name)
		}
		if !same(t, v.Type) {
			c.failAt(v.Offset, "%%%s has type %s, not %s", v.Name, t, v.Type)
		}
	case MetaValue:
		return
	default:
		c.checkValue(v)
	}
}

// misfit says which operand of an instruction has a type that does not fit; "" for none.
func (c *checker) misfit(i *Instruction) string {
	x := func(k int) *Type { return i.Operands[k].Type }
	want := func(k int, what string, ok bool) string {
		if ok {
			return ""
		}
		return fmt.Sprintf("an operand of %s has type %s, and must be %s", i.Op, x(k), what)
	}
	number := func(k int) string { return want(k, "an integer", scalar(x(k)).Kind == Integer) }
	pointer := func(k int) string { return want(k, "a pointer", x(k).Kind == Pointer) }
	switch i.Op {
	case "load", "va_arg":
		return first(pointer(0), sized(i.Op, i.Type))
	case "store":
		return first(pointer(1), sized(i.Op, i.Type))
	case "cmpxchg":
		return first(pointer(0), want(2, x(1).String(), same(x(1), x(2))))
	case "atomicrmw":
		return pointer(0)
	case "alloca":
		if len(i.Operands) > 0 {
			return first(number(0), sized(i.Op, i.Type))
		}
		return sized(i.Op, i.Type)
	case "getelementptr":
		if len(i.Operands) == 0 {
			return "getelementptr has no pointer"
		}
		out := want(0, "a pointer", scalar(x(0)).Kind == Pointer)
		for k := 1; k < len(i.Operands); k++ {
			out = first(out, number(k))
		}
		return first(out, sized(i.Op, i.Type))
	case "icmp":
		k := scalar(x(0)).Kind
		return want(0, "an integer or a pointer", k == Integer || k == Pointer)
	case "br":
		if len(i.Operands) > 0 {
			return want(0, "i1", x(0).Kind == Integer && x(0).Bits == 1)
		}
	case "switch":
		for _, v := range i.Cases {
			if v.Kind != Int || !same(v.Type, x(0)) {
				return fmt.Sprintf("a case of switch must be a number of type %s", x(0))
			}
		}
		return want(0, "an integer", x(0).Kind == Integer)
	case "indirectbr":
		return pointer(0)
	case "select":
		k := scalar(x(0))
		return first(want(0, "i1", k.Kind == Integer && k.Bits == 1 && (x(0).Kind != Vector || x(1).Kind == Vector &&
			x(0).Len == x(1).Len)), want(2, x(1).String(), same(x(1), x(2))))
	case "extractelement", "insertelement":
		out := first(want(0, "a vector", x(0).Kind == Vector), number(len(i.Operands)-1))
		if out == "" && i.Op == "insertelement" {
			return want(1, x(0).Elem.String(), same(x(1), x(0).Elem))
		}
		return out
	case "shufflevector":
		return first(want(0, "a vector", x(0).Kind == Vector), want(1, x(0).String(), same(x(0), x(1))),
			want(2, "a vector of i32", x(2).Kind == Vector && scalar(x(2)).Kind == Integer))
	case "insertvalue":
		if to := c.member(x(0), i.Indices); !same(to, x(1)) {
			return want(1, to.String(), false)
		}
	case "ret":
		return c.returned(i)
	case "call", "invoke", "callbr":
		return c.arguments(i)
	}
	switch {
	case casts[i.Op]:
		return misfitCast(i.Op, x(0), i.Type)
	case i.Op == "fneg" || arithmetic[i.Op] && i.Op[0] == 'f':
		return want(0, "a floating-point number", scalar(x(0)).Kind == Floating)
	case arithmetic[i.Op]:
		return number(0)
	}
	return ""
}

// returned checks the result of a function.
func (c *checker) returned(i *Instruction) string {
	t := &Type{Kind: Void}
	if len(i.Operands) > 0 {
		t = i.Operands[0].Type
	}
	if !same(t, c.f.Result) {
		return fmt.Sprintf("@%s returns %s, and this is %s", c.f.Name, c.f.Result, t)
	}
	return ""
}

// arguments checks the arguments of a call against its signature, if it has one.
func (c *checker) arguments(i *Instruction) string {
	for _, v := range i.Operands {
		if !firstClass(v.Type) {
			return fmt.Sprintf("an argument has type %s, which no value has", v.Type)
		}
	}
	if !firstClass(i.Type) && i.Type.Kind != Void {
		return fmt.Sprintf("the result of a call has type %s, which no value has", i.Type)
	}
	f := i.Function
	if f == nil || f.Fields == nil {
		return ""
	}
	if len(i.Operands) < len(f.Fields) || len(i.Operands) > len(f.Fields) && !f.Variadic {
		return fmt.Sprintf("the call has %d arguments, and its type %d", len(i.Operands), len(f.Fields))
	}
	for k, t := range f.Fields {
		if !same(t, i.Operands[k].Type) {
			return fmt.Sprintf("argument %d has type %s, not %s", k+1, i.Operands[k].Type, t)
		}
	}
	return ""
}

// misfitCast says why a conversion is not one between two types; "" if it is.
func misfitCast(op string, from, to *Type) string {
	a, b := scalar(from), scalar(to)
	ok := (from.Kind == Vector) == (to.Kind == Vector) && (from.Kind != Vector || from.Len == to.Len)
	switch op {
	case "trunc":
		ok = ok && a.Kind == Integer && b.Kind == Integer && a.Bits > b.Bits
	case "zext", "sext":
		ok = ok && a.Kind == Integer && b.Kind == Integer && a.Bits < b.Bits
	case "fptrunc", "fpext":
		ok = ok && a.Kind == Floating && b.Kind == Floating
	case "fptoui", "fptosi":
		ok = ok && a.Kind == Floating && b.Kind == Integer
	case "uitofp", "sitofp":
		ok = ok && a.Kind == Integer && b.Kind == Floating
	case "ptrtoint", "ptrtoaddr":
		ok = ok && a.Kind == Pointer && b.Kind == Integer
	case "inttoptr":
		ok = ok && a.Kind == Integer && b.Kind == Pointer
	case "addrspacecast":
		ok = ok && a.Kind == Pointer && b.Kind == Pointer
	case "bitcast": // between types of one size
		ok = (a.Kind == Pointer) == (b.Kind == Pointer) && bits(from) == bits(to)
		for _, t := range []*Type{a, b} {
			ok = ok && (t.Kind == Integer || t.Kind == Floating || t.Kind == Pointer || t.Kind == Opaque)
		}
	}
	if ok {
		return ""
	}
	return fmt.Sprintf("%s cannot convert %s to %s", op, from, to)
}

// bits is the width of a number, or of a vector of numbers; 64 for a pointer, of which only others have the width.
func bits(t *Type) int {
	switch {
	case t.Kind == Vector:
		return t.Len * bits(t.Elem)
	case t.Kind == Pointer:
		return 64
	case t.Kind == Opaque && t.Name == "x86_mmx":
		return 64
	case t.Kind == Opaque && t.Name == "x86_amx":
		return 8192
	}
	return t.Bits
}

// checkValue checks that the parts of a constant have the types that its own type has.
func (p *parser) checkValue(v *Value) {
	t, ok := v.Type, true
	switch v.Kind {
	case Aggregate:
		switch t.Kind {
		case Struct:
			ok = len(t.Fields) == len(v.Elements)
		case Array, Vector:
			ok = t.Len == len(v.Elements)
		default:
			ok = false
		}
		for k, e := range v.Elements {
			if !ok {
				break
			}
			want := t.Elem
			if t.Kind == Struct {
				want = t.Fields[k]
			}
			if !same(want, e.Type) {
				p.failAt(e.Offset, "a part of %s has type %s, not %s", t, e.Type, want)
			}
			p.checkValue(e)
		}
	case Splat:
		if ok = t.Kind == Vector && same(t.Elem, v.Elements[0].Type); ok {
			p.checkValue(v.Elements[0])
		}
	case Chars:
		ok = t.Kind == Array && t.Elem.Kind == Integer && t.Elem.Bits == 8 && t.Len == len(v.Name)
	case Null, GlobalRef, Address:
		ok = t.Kind == Pointer
	case Local:
		p.failAt(v.Offset, "want a constant, got %%%s", v.Name)
	case Undef, Poison, Zero:
		ok = firstClass(t)
	case Constant:
		for _, e := range v.Elements {
			p.checkValue(e)
		}
		ok = fits(v)
	}
	if !ok {
		p.failAt(v.Offset, "this is no value of type %s", t)
	}
}

// fits reports whether a constant expression has the type that it is used with.
func fits(v *Value) bool {
	x := func(k int) *Type { return v.Elements[k].Type }
	switch {
	case len(v.Elements) == 0:
		return false
	case v.Op == "getelementptr":
		if scalar(v.Type).Kind != Pointer || scalar(x(0)).Kind != Pointer || sized(v.Op, v.Of) != "" {
			return false
		}
		for k := 1; k < len(v.Elements); k++ {
			if scalar(x(k)).Kind != Integer {
				return false
			}
		}
		return true
	case casts[v.Op]:
		return len(v.Elements) == 1 && misfitCast(v.Op, x(0), v.Type) == ""
	case arithmetic[v.Op]:
		return len(v.Elements) == 2 && same(x(0), x(1)) && same(x(0), v.Type) && (scalar(x(0)).Kind == Integer ||
			v.Op[0] == 'f' && scalar(x(0)).Kind == Floating)
	case v.Op == "icmp":
		return len(v.Elements) == 2 && same(x(0), x(1)) && scalar(v.Type).Kind == Integer && scalar(v.Type).Bits == 1
	case v.Op == "select":
		return len(v.Elements) == 3 && same(x(1), x(2)) && same(x(1), v.Type) && scalar(x(0)).Kind == Integer &&
			scalar(x(0)).Bits == 1
	}
	return true
}

// scalar returns the type of a vector's elements, or the type itself.
func scalar(t *Type) *Type {
	if t.Kind == Vector {
		return t.Elem
	}
	return t
}

// sized says that memory cannot contain values of a type; "" if it can.
func sized(op string, t *Type) string {
	e := t
	for e.Kind == Array {
		e = e.Elem
	}
	if firstClass(e) && e.Kind != MetadataType && e.Kind != TokenType {
		return ""
	}
	return fmt.Sprintf("%s needs a type of a known size, and %s has none", op, t)
}

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// same reports whether two types are one. All pointers of an address space are, whatever they point to.
func same(a, b *Type) bool {
	if a == b {
		return true
	}
	if a.Kind != b.Kind || a.Bits != b.Bits || a.Len != b.Len || a.Packed != b.Packed || a.Space != b.Space ||
		a.Scalable != b.Scalable || a.Name != b.Name || a.Variadic != b.Variadic {
		return false
	}
	switch {
	case a.Kind == Pointer || a.Kind == Struct && a.Name != "":
		return true
	case (a.Elem == nil) != (b.Elem == nil) || a.Elem != nil && !same(a.Elem, b.Elem) || len(a.Fields) != len(b.Fields):
		return false
	}
	for k := range a.Fields {
		if !same(a.Fields[k], b.Fields[k]) {
			return false
		}
	}
	return true
}

// ResultType is the type of an instruction's result.
func (i *Instruction) ResultType() *Type {
	switch i.Op {
	case "alloca":
		return &Type{Kind: Pointer, Space: i.Space}
	case "getelementptr":
		for _, v := range i.Operands {
			if v.Type.Kind == Vector {
				return &Type{
					Kind: Vector,
					Len:  v.Type.Len,
					Elem: &Type{Kind: Pointer, Space: scalar(i.Operands[0].Type).Space},
				}
			}
		}
		if len(i.Operands) == 0 {
			return &Type{Kind: Pointer}
		}
		return &Type{Kind: Pointer, Space: i.Operands[0].Type.Space}
	case "icmp", "fcmp":
		truth := &Type{Kind: Integer, Bits: 1}
		if t := i.Operands[0].Type; t.Kind == Vector {
			return &Type{Kind: Vector, Len: t.Len, Elem: truth, Scalable: t.Scalable}
		}
		return truth
	}
	return i.Type
}

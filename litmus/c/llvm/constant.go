package llvm

import (
	"math"
	"math/big"
	"strconv"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/ir"
)

// constant is a scalar that is known: a number, or an address plus a number.
type constant struct {
	value uint64
	bits  int
	of    *code.Variable
	fn    *code.Function
	// any says that it is undefined: each use may see another number.
	any bool
}

// constant computes the scalars of a constant. It panics with a refusal if it cannot.
func (u *unit) constant(pos litmus.Pos, v *assembly.Value) []constant {
	parts := u.layout.scalars(v.Type)
	if parts == nil {
		panic(refusal{u.refuse(pos, "a value of type %s is not supported", v.Type)})
	}
	out := make([]constant, len(parts))
	for i, s := range parts {
		out[i].bits = s.bits
	}
	switch v.Kind {
	case assembly.Zero, assembly.Null:
	case assembly.Undef, assembly.Poison:
		for i := range out {
			out[i].any = true
		}
	case assembly.Int:
		n := new(big.Int).Set(v.Int)
		if n.Sign() < 0 {
			n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(v.Type.Bits)))
		}
		for i := range out {
			low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64))
			out[i].value = low.Uint64() & ir.Mask(out[i].bits)
			n.Rsh(n, 64)
		}
	case assembly.Float:
		out[0].value = u.float(pos, v)
	case assembly.Chars:
		for i := range out {
			out[i].value = uint64(v.Name[i])
		}
	case assembly.Aggregate:
		out = out[:0]
		for _, e := range v.Elements {
			out = append(out, u.constant(pos, e)...)
		}
	case assembly.Splat:
		of := u.constant(pos, v.Elements[0])
		for i := range out {
			out[i] = of[i%len(of)]
		}
	case assembly.GlobalRef:
		out[0] = u.address(pos, v.Name)
	case assembly.Constant:
		return u.expression(pos, v, out)
	case assembly.Address:
		panic(refusal{u.refuse(pos, "blockaddress is not supported: the address of a block of @%s", v.Name)})
	default:
		panic(refusal{u.refuse(pos, "a constant of this kind is not supported")})
	}
	return out
}

// float returns the bits of a floating-point number. LLVM prints a float as the double with the same value.
func (u *unit) float(pos litmus.Pos, v *assembly.Value) uint64 {
	var x float64
	if len(v.Name) > 2 && v.Name[:2] == "0x" {
		bits, err := strconv.ParseUint(v.Name[2:], 16, 64)
		if err != nil {
			panic(refusal{u.refuse(pos, "the number %s of type %s is not supported", v.Name, v.Type)})
		}
		x = math.Float64frombits(bits)
	} else {
		var err error
		if x, err = strconv.ParseFloat(v.Name, 64); err != nil {
			panic(refusal{u.refuse(pos, "the number %s is not supported", v.Name)})
		}
	}
	switch v.Type.Bits {
	case 32:
		return uint64(math.Float32bits(float32(x)))
	case 64:
		return math.Float64bits(x)
	}
	panic(refusal{u.refuse(pos, "a number of type %s is not supported", v.Type)})
}

// address returns the address of a global variable, an alias or a function.
func (u *unit) address(pos litmus.Pos, name string) constant {
	bits := u.layout.pointer * 8
	if g := u.globals[name]; g != nil && g.Alias != nil {
		return u.constant(pos, g.Alias)[0]
	}
	if v := u.variable(name); v != nil {
		return constant{bits: bits, of: v}
	}
	if g := u.globals[name]; g != nil && g.Linkage == "extern_weak" {
		return constant{bits: bits}
	}
	if f := u.defined[name]; f != nil {
		if len(f.Blocks) > 0 && !u.shims.replaces(f) {
			return constant{bits: bits, fn: u.function(f)}
		}
		if out := u.shims.function(name); out != nil {
			return constant{bits: bits, fn: u.shims.at(out, u.lines.of(f, nil))}
		}
		if f.Linkage == "extern_weak" {
			return constant{bits: bits}
		}
		return constant{bits: bits, fn: u.unknownFunction(f)}
	}
	panic(refusal{u.refuse(pos, "%s is not defined, and not known", u.lines.demangle(name))})
}

// expression computes a constant expression over addresses and numbers.
func (u *unit) expression(pos litmus.Pos, v *assembly.Value, out []constant) []constant {
	fail := func() {
		panic(refusal{u.refuse(pos, "the constant expression %s is not supported", v.Op)})
	}
	var args [][]constant
	for _, e := range v.Elements {
		args = append(args, u.constant(pos, e))
	}
	switch v.Op {
	case "bitcast", "addrspacecast", "ptrtoint", "inttoptr", "trunc", "zext":
		if len(args[0]) != 1 || len(out) != 1 {
			if len(args[0]) == len(out) {
				return args[0]
			}
			fail()
		}
		c := args[0][0]
		if c.bits != out[0].bits && (c.of != nil || c.fn != nil) {
			fail()
		}
		c.value, c.bits = c.value&ir.Mask(min(c.bits, out[0].bits)), out[0].bits
		return []constant{c}
	case "getelementptr":
		base := args[0][0]
		t := v.Of
		for i, e := range v.Elements[1:] {
			n, known := index(e)
			if x := args[i+1][0]; !known && len(args[i+1]) == 1 && x.of == nil && x.fn == nil && !x.any {
				n, known = int64(ir.SignExtend(x.value, x.bits)), true
			}
			if !known {
				fail()
			}
			switch {
			case i == 0:
				base.value += uint64(n * int64(u.layout.size(t)))
			case t.Kind == assembly.Struct:
				if n < 0 || int(n) >= len(t.Fields) {
					fail()
				}
				base.value += uint64(u.layout.offset(t, int(n)))
				t = t.Fields[n]
			case t.Kind == assembly.Array || t.Kind == assembly.Vector:
				t = t.Elem
				base.value += uint64(n * int64(u.layout.size(t)))
			default:
				fail()
			}
		}
		return []constant{base}
	case "icmp":
		a, b := args[0][0], args[1][0]
		same := a == b
		known := same || a.of == nil && a.fn == nil && b.of == nil && b.fn == nil || a == (constant{bits: a.bits}) ||
			b == (constant{bits: b.bits})
		if v.Block != "eq" && v.Block != "ne" || !known || a.any || b.any || len(args[0]) != 1 {
			fail()
		}
		if same == (v.Block == "eq") {
			return []constant{{value: 1, bits: 1}}
		}
		return []constant{{bits: 1}}
	case "add", "sub":
		a, b := args[0][0], args[1][0]
		switch {
		case v.Op == "add" && b.of == nil && b.fn == nil:
			a.value = (a.value + b.value) & ir.Mask(a.bits)
		case v.Op == "sub" && b.of == nil && b.fn == nil:
			a.value = (a.value - b.value) & ir.Mask(a.bits)
		case v.Op == "sub" && a.of == b.of && a.fn == b.fn:
			a = constant{value: (a.value - b.value) & ir.Mask(a.bits), bits: a.bits}
		default:
			fail()
		}
		return []constant{a}
	}
	fail()
	return nil
}

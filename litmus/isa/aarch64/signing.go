package aarch64

import (
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus/ir"
)

// The instructions of pointer authentication, and what accesses and jumps do with a signed pointer.

// signer is an instruction that signs or authenticates.
type signer struct {
	key          string
	authenticate bool
	modifier     string                          // the register: "" for operand 1, or one that the instruction implies
	pointer      string                          // the register: "" for operand 0, or one that the instruction implies
	use          func(x *instr, pointer ir.Expr) // what the instruction does with it; nil: it writes it back
}

var signers = map[string]signer{}

func init() {
	for _, key := range []string{"ia", "ib", "da", "db"} {
		for name, authenticate := range map[string]bool{"PAC": false, "AUT": true} {
			up := strings.ToUpper(key)
			signers[name+up] = signer{key: key, authenticate: authenticate}
			signers[name+up[:1]+"Z"+up[1:]] = signer{key: key, authenticate: authenticate, modifier: zero}
			if key[0] == 'i' {
				signers[name+up+"SP"] = signer{key, authenticate, stack, link, nil}
				signers[name+up+"Z"] = signer{key, authenticate, zero, link, nil}
				signers[name+up+"1716"] = signer{key, authenticate, "X16", "X17", nil}
			}
		}
	}
	for _, k := range []string{"A", "B"} {
		code := "i" + strings.ToLower(k)
		signers["RETA"+k] = signer{code, true, stack, link, func(x *instr, to ir.Expr) { x.returnTo(to) }}
		for name, use := range map[string]func(*instr, ir.Expr){"BRA": (*instr).branchTo, "BLRA": (*instr).callAt} {
			signers[name+k] = signer{code, true, "", "", use}
			signers[name+k+"Z"] = signer{code, true, zero, "", use}
		}
		// The pointer of LDRA is in the address, operand 1.
		signers["LDRA"+k] = signer{"d" + strings.ToLower(k), true, zero, "", nil}
	}
}

// The registers that instructions imply: the stack pointer as a modifier, the address to return to as a pointer.
const (
	stack = "SP"
	link  = "X30"
)

// isCode reports whether an instruction is for pointers to code.
func (s signer) isCode() bool { return s.pointer != "" || s.use != nil }

// defineSigning adds the instructions of pointer authentication.
func defineSigning() {
	for name, i := range signers {
		if strings.HasPrefix(name, "LDRA") {
			define(name, 2, 3, func(x *instr) { x.loadSigned(i.key) })
			continue
		}
		operands := 0
		for _, register := range []string{i.modifier, i.pointer} {
			if register == "" {
				operands++
			}
		}
		define(name, operands, operands, func(x *instr) { x.sign(i) })
	}
	for _, name := range []string{"XPACD", "XPACI"} {
		define(name, 1, 1, func(x *instr) {
			if x.signs() {
				r := x.regOf(0, 64)
				x.write(r, x.sys.signs.strip(x.read(r)))
			}
		})
	}
}

// sign lowers an instruction that signs or authenticates a pointer in a register, and what else it does. One that does
// more authenticates without a fault: what it does with the pointer faults (without FEAT_FPACCOMBINE).
func (x *instr) sign(i signer) {
	if !x.signs() {
		return
	}
	r, modifier := reg{i.pointer, 64}, ir.Expr(ir.Number(0, 64))
	if i.pointer == "" {
		r = x.regOf(0, 64)
	}
	switch i.modifier {
	case zero:
	case "":
		modifier = x.read(x.regOf(1, 64))
	default:
		modifier = x.read(reg{i.modifier, 64})
	}
	switch {
	case i.use != nil:
		i.use(x, x.Keep(x.authenticated(i.key, x.read(r), modifier, false)))
	case i.authenticate:
		x.write(r, x.authenticated(i.key, x.read(r), modifier, x.sys.signs.faults))
	default:
		x.write(r, x.signed(i.key, x.read(r), modifier))
	}
}

// loadSigned lowers LDRAA and LDRAB, which load through an authenticated pointer, and with ! write it back.
func (x *instr) loadSigned(key string) {
	if !x.signs() {
		return
	}
	inside, writesBack := strings.CutSuffix(x.Ops[1].Text, "!")
	inside = strings.TrimSuffix(strings.TrimPrefix(strings.Join(strings.Fields(inside), ""), "["), "]")
	name, number, offset := strings.Cut(inside, ",")
	v, ok := register(name)
	bytes, err := strconv.ParseInt(strings.TrimPrefix(number, "#"), 0, 64)
	if !ok || v.Bits != 64 || v.Whole == zero || len(x.Ops) > 2 ||
		offset && (err != nil || bytes%8 != 0 || bytes < -4096 || bytes > 4088) {
		x.Fail(1, "got %s, want [X1], or [X1,#8] with a multiple of 8 from -4096 to 4088, and perhaps ! behind",
			x.Ops[1].Text)
		return
	}
	base := reg{v.Whole, 64}
	to := x.regOf(0, 64)
	at := x.authenticated(key, x.read(base), ir.Number(0, 64), false)
	at = x.Keep(ir.Add.Of(x.Keep(at), ir.Number(uint64(bytes), 64)))
	loaded := x.Load(ir.Load{Addr: at, Bits: 64})
	if writesBack {
		x.write(base, at)
	}
	x.write(to, loaded)
}

// signedElsewhere refuses a signed pointer in a thread that has no instruction of pointer authentication.
const signedElsewhere = "uses a signed pointer, which is only supported in threads that sign or authenticate"

// fetchable returns the address in a pointer to jump to. A jump through one that is not canonical faults.
func (x *instr) fetchable(to ir.Expr) ir.Expr {
	if x.sys == nil || x.sys.signs == nil {
		return to
	}
	s := x.sys.signs
	to = x.Keep(to)
	if len(s.classes[x.Thread]) == 0 { // no signed pointer comes here, or it is an error
		x.unless(ir.Eq.Of(s.fieldOf(to), ir.Number(0, 64)), func() { x.lost(signedElsewhere) })
	} else {
		right := x.nothing(s.fieldOf(to), ir.Number(1, 1))
		x.unless(right, func() { x.fault("I-MMU:Translation", s.strip(to), ir.Tags{tagMMU}) })
	}
	return x.Keep(s.strip(to))
}

// signs reports whether the test says which version of pointer authentication it is for.
func (x *instr) signs() bool {
	if x.sys == nil || x.sys.signs == nil || x.sys.signs.version == 0 {
		x.Fail(len(x.Ops),
			"the test does not use pointer authentication: add the line Variant=pauth1 or Variant=pauth2")
		return false
	}
	return true
}

// signed returns a pointer with a signature.
func (x *instr) signed(key string, v, modifier ir.Expr) ir.Expr {
	s := x.sys.signs
	if s.disabled[key] {
		return v
	}
	v = x.Keep(v)
	if s.version == 1 { // a pointer with a signature would be corrupted
		x.unless(ir.Eq.Of(x.sys.signs.fieldOf(v), ir.Number(0, 64)), func() {
			x.lost("signs a pointer that has a signature, which only Variant=pauth2 supports")
		})
	}
	return ir.BitXor.Of(v, x.code(key, x.sys.signs.strip(v), x.Keep(modifier)))
}

// authenticated returns a pointer without its signature if that is right, and otherwise one that is not canonical. The
// decision does not make the result depend on the modifier, but stands between them. With faults, a wrong signature
// faults.
func (x *instr) authenticated(key string, v, modifier ir.Expr, faults bool) ir.Expr {
	s := x.sys.signs
	if s.disabled[key] {
		return v
	}
	v = x.Keep(v)
	m := x.Keep(modifier)
	next := x.Keep(ir.BitXor.Of(v, x.code(key, x.sys.signs.strip(v), m)))
	if s.version == 1 { // authenticating a corrupted pointer again
		corrupt := ir.BitAnd.Of(v, ir.Number(corruptA|corruptB, 64))
		x.unless(ir.Eq.Of(corrupt, ir.Number(0, 64)), func() {
			x.lost("authenticates a pointer whose authentication has failed, which only Variant=pauth2 supports")
		})
	}
	right := x.nothing(x.sys.signs.fieldOf(next), ir.Number(1, 1))
	if faults {
		x.unless(right, func() { x.fault("PAC", x.sys.signs.strip(v), nil) })
	}
	good := x.sys.signs.strip(v)
	if _, constant := modifier.(ir.Const); !constant {
		good = throughPick(x.pick(ir.Eq.Of(m, ir.Number(0, 64))), good)
	}
	bad := next
	if s.version == 1 {
		mark := uint64(corruptA)
		if key[1] == 'b' {
			mark = corruptB
		}
		bad = ir.BitOr.Of(x.sys.signs.strip(v), ir.Number(mark, 64))
	}
	if faults {
		return good
	}
	return ir.Select{If: right, Then: good, Else: bad}
}

// canonical returns the address in a pointer for an access, which faults if the pointer is not canonical.
func (x *instr) canonical(at ir.Expr) ir.Expr {
	s := x.sys.signs
	if len(s.classes[x.Thread]) == 0 { // no signed pointer comes here, or it is an error
		x.unless(ir.Eq.Of(s.fieldOf(at), ir.Number(0, 64)), func() { x.lost(signedElsewhere) })
	} else {
		right := x.nothing(s.fieldOf(at), ir.Number(1, 1))
		x.unless(right, func() { x.fault("MMU:Translation", s.strip(at), ir.Tags{tagMMU}) })
	}
	return s.strip(at)
}

// samePointer returns whether two numbers are equal that may be signed pointers. It emits nothing, so that it can be in
// the condition of an atomic update; let equalPointers follow.
func (x *instr) samePointer(a, b ir.Expr) ir.Expr {
	s, field := x.sys.signs, ir.BitXor.Of(x.sys.signs.fieldOf(a), x.sys.signs.fieldOf(b))
	is := func(v uint64) ir.Expr { return ir.Eq.Of(field, ir.Number(v, 64)) }
	so := is(0)
	for i, class := range s.classes[x.Thread] {
		so = ir.BitOr.Of(so, ir.BitAnd.Of(is(s.bit(i)), ir.Eq.Of(x.Value(class), ir.Number(0, 8))))
		for k, other := range s.classes[x.Thread][:i] {
			so = ir.BitOr.Of(so, ir.BitAnd.Of(is(s.bit(i)|s.bit(k)), ir.Eq.Of(x.Value(class), x.Value(other))))
		}
	}
	return ir.BitAnd.Of(ir.Eq.Of(x.sys.signs.strip(a), x.sys.signs.strip(b)), so)
}

// equalPointers returns whether two numbers are equal that may be signed pointers.
func (x *instr) equalPointers(a, b ir.Expr) ir.Expr {
	same := ir.Eq.Of(x.sys.signs.strip(a), x.sys.signs.strip(b))
	return ir.BitAnd.Of(same, x.nothing(ir.BitXor.Of(x.sys.signs.fieldOf(a), x.sys.signs.fieldOf(b)), same))
}

// signedMay reports whether an instruction may be in a test with pointer authentication: one that treats signed
// pointers as a whole, as numbers with a distance, or through a dependency.
func signedMay(name string) bool {
	if _, ok := signers[name]; ok {
		return true
	}
	for _, prefix := range []string{
		"LDR", "STR", "LDAR", "STLR", "LDAPR", "LDUR", "STUR", "SWP", "CAS", "B.", "DMB", "DSB",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains(strings.Fields("MOV ADD SUB EOR CMP CBZ CBNZ B BEQ BNE CSET CSEL ISB NOP XPACD XPACI "+
		"SVC UDF ERET MRS MSR ADR LDXR LDAXR STXR STLXR BL BLR BR RET STG LDG DC IC"), name)
}

// separate rejects, in an execution, arithmetic on signed pointers other than a sum with a number. EOR of a register
// with itself is 0.
func (x *instr) separate(op ir.BinaryOp, a, b ir.Expr) {
	if x.sys == nil || x.sys.signs == nil || a.Width() != 64 || a == b {
		return
	}
	none := ir.Number(0, 64)
	left, right := ir.Eq.Of(x.sys.signs.fieldOf(a), none), ir.Eq.Of(x.sys.signs.fieldOf(b), none)
	fine := right
	switch op {
	case ir.Add:
		fine = ir.BitOr.Of(left, right)
	case ir.Sub:
	default:
		fine = ir.BitAnd.Of(left, right)
	}
	x.unless(fine, func() { x.lost("computes with a signed pointer, which is only supported as a sum with a number") })
}

package aarch64

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Pointer authentication (DDI 0487, chapter D8.10). A signature of a pointer is a function of the pointer, a modifier
// and a key, of which nothing is known: it may be 0, so that the signed pointer equals the pointer, and two signatures
// may be equal. A signed pointer has a bit above its address for each signature that is in it: with FEAT_PAuth2,
// signing and authenticating take the exclusive or with the signature. Where the value of signatures matters, the
// execution decides whether they are 0 or equal. Outcomes name what has been decided, such as pacda(x,0x0)=x.

const (
	signedAt      = 48 // the lowest bit of signatures in a pointer
	maxSignatures = 13
	// corruptA and corruptB mark pointers whose authentication has failed without FEAT_PAuth2, by a key A or B.
	corruptA = 1 << (signedAt + 13)
	corruptB = 1 << (signedAt + 14)
)

// tagSigned marks accesses that share decisions about signatures.
const tagSigned ir.Tag = "SIGNATURE"

// signature is what a key signs: a pointer to a location or to code, with a modifier.
type signature struct {
	key      string // ia, ib, da, db
	loc      string // x; P0:L0 for a label, P0:3 for an instruction behind a call, caller
	modifier uint64
}

// caller names the address to return to that a thread begins with.
const caller = "caller"

// String returns the signed pointer as conditions and outcomes name it.
func (s signature) String() string { return fmt.Sprintf("pac%s(%s,%#x)", s.key, s.loc, s.modifier) }

// signing is what a test uses of pointer authentication.
type signing struct {
	version  int  // 1: FEAT_PAuth, 2: FEAT_PAuth2
	tags     bool // pointers have memory tags too
	faults   bool
	disabled map[string]bool // keys
	list     []signature
	at       map[string]uint64 // by the name in a signature: the address
	threads  []int             // those that sign or authenticate, by index

	// By index of the thread.
	classes map[int][]int // registers of the signatures: 0 if it is 0, and else the number, from 1, of an equal one
	zeroes  map[int][]decision
	equals  map[int]map[[2]int]decision
}

// decision has the registers of 1 bit that say whether the execution has asked a question, and whether it is so.
type decision struct{ asked, so int }

// signingOptions are the options of the line Variant= that are about pointer authentication.
var signingOptions = map[string]func(*signing){
	"pauth1":    func(s *signing) { s.version = 1 },
	"pauth2":    func(s *signing) { s.version = 2 },
	"fpac":      func(s *signing) { s.faults = true },
	"no-key-ia": func(s *signing) { s.disabled["ia"] = true },
	"no-key-ib": func(s *signing) { s.disabled["ib"] = true },
	"no-key-da": func(s *signing) { s.disabled["da"] = true },
	"no-key-db": func(s *signing) { s.disabled["db"] = true },
}

// setSigning heeds an option, and reports whether it is about pointer authentication.
func (s *system) setSigning(option string) bool {
	f := signingOptions[option]
	if f == nil {
		return false
	}
	if s.signs == nil {
		s.signs = &signing{
			at: map[string]uint64{}, disabled: map[string]bool{},
			classes: map[int][]int{}, zeroes: map[int][]decision{}, equals: map[int]map[[2]int]decision{},
		}
	}
	f(s.signs)
	return true
}

// findSignatures lists the signatures that a test may use: of each key that it names, each location, and each modifier
// that a register has at first; and, as far as there is room, each other modifier that a register gets (findNumbers).
// Keys of instructions for code sign labels and addresses to return to as well.
func (s *signing) findSignatures(b *lower.Builder) {
	keys, modifiers, code := map[string]bool{}, map[uint64]bool{}, map[string]bool{}
	starts, flow, later := registerStarts(b.Test), findNumbers(b), map[string]numbers{}
	modifier := func(i signer, thread int, register string) {
		modifiers[starts[[2]string{strconv.Itoa(thread), register}]] = true
		if later[i.key] == nil {
			later[i.key] = numbers{}
		}
		later[i.key].addAll(flow.of(thread, register))
	}
	for t, th := range b.Test.Threads {
		uses := false
		for _, c := range slices.Concat(th.Cells, handlerCells(b.Test, th.ID)) {
			_, rest := c.Labels()
			name, ops := rest.Split()
			i, ok := signers[strings.ToUpper(name.Text)]
			if uses = uses || ok; !ok {
				continue
			}
			keys[i.key] = true
			code[i.key] = code[i.key] || i.isCode()
			switch {
			case i.modifier != "" && i.modifier != zero:
				modifier(i, th.ID, i.modifier)
			case i.modifier == zero || len(ops) < 2:
				modifiers[0] = true
			default:
				v, ok := register(ops[1].Text)
				if !ok || v.Whole == zero {
					modifiers[0] = true
					continue
				}
				modifier(i, th.ID, v.Whole)
			}
		}
		if uses {
			s.threads = append(s.threads, t)
		}
	}
	eachPlace(b.Test, func(litmus.Place) {}, func(l litmus.Literal) {
		if named, ok := parseSignature(l.Name); ok {
			keys[named.key], modifiers[named.modifier] = true, true
		}
	})
	for _, l := range b.Program.Locs {
		if !strings.Contains(l.Name, "(") {
			s.at[strings.TrimSuffix(l.Name, "[0]")] = l.Address
		}
	}
	of := codePoints(b)
	add := func(key string, modifier uint64) {
		for name := range s.at {
			s.list = append(s.list, signature{key, name, modifier})
		}
		for name := range of {
			if _, location := s.at[name]; !location && code[key] {
				s.list = append(s.list, signature{key, name, modifier})
			}
		}
	}
	for key := range keys {
		for modifier := range modifiers {
			add(key, modifier)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(later)) {
		for _, modifier := range slices.Sorted(maps.Keys(later[key])) {
			before := len(s.list)
			if !modifiers[modifier] {
				add(key, modifier)
			}
			if len(s.list) > s.most() {
				s.list = s.list[:before:before] // an execution that uses the modifier is refused
			}
		}
	}
	maps.Copy(s.at, of)
	slices.SortFunc(s.list, func(a, b signature) int { return strings.Compare(a.String(), b.String()) })
	if most := s.most(); len(s.list) > most {
		b.Failf(litmus.Pos{File: b.Test.File, Line: 1, Col: 1},
			"%s: the test can use %d signatures of pointers: want at "+
				"most %d. Use fewer keys, modifiers or locations.", b.Test.Arch, len(s.list), most)
		s.list = s.list[:most]
	}
}

// codePoints returns the addresses of code that a pointer may have: of labels that are values, of instructions behind
// calls, and of the caller of a thread.
func codePoints(b *lower.Builder) map[string]uint64 {
	out := map[string]uint64{caller: 0}
	label := func(id int, w litmus.Word) {
		if t, at, ok := b.LabelAt(id, w); ok {
			out[fmt.Sprintf("P%d:%s", id, w.Text)] = b.CodeAddress(t, at)
		}
	}
	eachPlace(b.Test, func(litmus.Place) {}, func(l litmus.Literal) {
		if l.Label {
			label(l.Thread, litmus.Word{Pos: l.Pos, Text: l.Name})
		}
	})
	for t, th := range b.Test.Threads {
		for _, c := range th.Cells {
			_, rest := c.Labels()
			if name, ops := rest.Split(); strings.EqualFold(name.Text, "ADR") && len(ops) == 2 {
				label(th.ID, ops[1])
			}
		}
		for _, at := range returnPoints(b.Test)[t] {
			if len(b.LabelsOf(t, at)) == 0 {
				out[fmt.Sprintf("P%d:%d", th.ID, at)] = b.CodeAddress(t, at)
			} else {
				out[fmt.Sprintf("P%d:%s", th.ID, b.LabelsOf(t, at)[0])] = b.CodeAddress(t, at)
			}
		}
	}
	return out
}

func handlerCells(t *litmus.Test, id int) []litmus.Cell {
	for _, h := range t.Handlers {
		if h.ID == id {
			return h.Cells
		}
	}
	return nil
}

// registerStarts returns the numbers that registers have at first, by the number of the thread and the name.
func registerStarts(t *litmus.Test) map[[2]string]uint64 {
	starts := map[[2]string]uint64{}
	for _, i := range t.Init {
		if i.Target.IsRegister() && len(i.Values) == 1 && i.Values[0].Name == "" {
			if v, ok := register(i.Target.Name); ok {
				starts[[2]string{strconv.Itoa(i.Target.Thread), v.Whole}] = i.Values[0].Bits
			}
		}
	}
	return starts
}

// parseSignature parses pacda(x,0x0).
func parseSignature(text string) (s signature, ok bool) {
	rest, ok := strings.CutPrefix(text, "pac")
	key, inside, cut := strings.Cut(rest, "(")
	loc, modifier, pair := strings.Cut(strings.TrimSuffix(inside, ")"), ",")
	n, err := strconv.ParseUint(modifier, 0, 64)
	return signature{key, loc, n}, ok && cut && pair && err == nil && signingOptions["no-key-"+key] != nil
}

// bit returns the bit of a signature in a pointer.
func (s *signing) bit(i int) uint64 {
	at := signedAt + i
	if s.tags && at >= tagAt {
		at += tagBits
	}
	return 1 << at
}

// most is the largest number of signatures.
func (s *signing) most() int {
	if s.tags {
		return maxSignatures - tagBits
	}
	return maxSignatures
}

// value returns the number of a signed pointer.
func (s *signing) value(b *lower.Builder, named signature, pos litmus.Pos) uint64 {
	i := slices.Index(s.list, named)
	if i < 0 {
		b.Failf(pos, "%s: %s: signed pointers are only supported in conditions, of locations of the test",
			b.Test.Arch, named)
		return 0
	}
	return s.at[named.loc] | s.bit(i)
}

// begin emits the decisions about signatures at the start of a thread. The first thread that signs decides; the others
// read what it has decided from locations that nothing else accesses.
func (s *signing) begin(x *instr) {
	if len(s.threads) == 0 || !slices.Contains(s.threads, x.Thread) {
		return
	}
	x.At(0)
	first := s.threads[0] == x.Thread
	for i, named := range s.list {
		class := x.Temp(8)
		if first {
			s.choose(x, i, class)
		}
		if len(s.threads) > 1 {
			loc, ok := x.Find(named.String())
			if !ok {
				loc = x.AddLocation(litmus.Pos{File: x.Test.File}, named.String(), 8, classesAt+uint64(i)*granule, 0)
			}
			at := ir.Addr{Loc: loc, Bits: 64}
			if first {
				next := ir.Add.Of(x.Value(class), ir.Number(1, 8))
				x.EmitHidden(ir.Store{Addr: at, Value: next, Tags: ir.Tags{tagImplicit, tagSigned}})
			} else {
				x.EmitHidden(ir.Load{Dst: class, Addr: at, Bits: 8, Tags: ir.Tags{tagImplicit, tagSigned}})
				x.Builder.Emit(ir.Assume{Cond: ir.Not(ir.Eq.Of(x.Value(class), ir.Number(0, 8)))})
				x.Assign(class, ir.Sub.Of(x.Value(class), ir.Number(1, 8)))
			}
		}
		s.classes[x.Thread] = append(s.classes[x.Thread], class)
		s.zeroes[x.Thread] = append(s.zeroes[x.Thread], decision{x.Temp(1), x.Temp(1)})
	}
	s.equals[x.Thread] = map[[2]int]decision{}
	for i := range s.list {
		for k := range i {
			s.equals[x.Thread][[2]int{k, i}] = decision{x.Temp(1), x.Temp(1)}
		}
	}
}

// classesAt is the address of the locations with what has been decided about signatures.
const classesAt = 1 << 40

// choose chooses the class of signature i: 0, that of an earlier signature, or its own.
func (s *signing) choose(x *instr, i, class int) {
	bits := 1
	for 1<<bits < i+2 {
		bits++
	}
	v := ir.Expr(ir.Number(0, 8))
	for k := range bits {
		bit := x.Temp(1)
		x.Builder.Emit(ir.Choose{Dst: bit})
		v = ir.BitOr.Of(v, shiftBy(ir.Shl, ir.Resize(x.Value(bit), 8), uint64(k)))
	}
	x.Assign(class, v)
	legal := ir.Ult.Of(x.Value(class), ir.Number(uint64(i+2), 8))
	for k, other := range s.classes[x.Thread] { // a class has the number of its first signature
		is := func(r int) ir.Expr { return ir.Eq.Of(x.Value(r), ir.Number(uint64(k+1), 8)) }
		legal = ir.BitAnd.Of(legal, ir.BitOr.Of(ir.Not(is(class)), is(other)))
	}
	x.Builder.Emit(ir.Assume{Cond: legal})
}

// end emits, at the end of a thread, that signatures are not 0, and are not equal, where the execution has not asked.
// Otherwise there would be several executions that differ in nothing. It returns what outcomes say of the decisions.
func (s *signing) end(x *instr) (facts []ir.Observable) {
	classes := s.classes[x.Thread]
	if len(classes) == 0 || len(x.Test.Threads[x.Thread].Cells) == 0 {
		return nil
	}
	x.At(len(x.Test.Threads[x.Thread].Cells) - 1)
	alone := len(s.threads) == 1
	fact := func(name, value string, v ir.Expr) {
		r := x.Temp(1)
		x.Assign(r, v)
		facts = append(facts, ir.Observable{Name: name, Whole: name, Thread: x.Thread, Index: r, Bits: 1, Fact: value})
	}
	for i, named := range s.list {
		zero := s.zeroes[x.Thread][i]
		asked, isZero := x.Value(zero.asked), x.Value(zero.so)
		for k := range s.list {
			if k == i {
				continue
			}
			both := s.equals[x.Thread][[2]int{min(i, k), max(i, k)}]
			isZero = ir.BitOr.Of(isZero, ir.BitAnd.Of(x.Value(both.so), x.Value(s.zeroes[x.Thread][k].so)))
		}
		isZero = x.Keep(isZero)
		fact(named.String(), named.loc, isZero)
		class := x.Value(classes[i])
		if alone {
			x.Builder.Emit(ir.Assume{Cond: ir.BitOr.Of(asked, ir.Not(ir.Eq.Of(class, ir.Number(0, 8))))})
		}
		for k := range i {
			both := s.equals[x.Thread][[2]int{k, i}]
			fact(s.list[k].String(), named.String(), ir.BitAnd.Of(x.Value(both.so), ir.Not(isZero)))
			if alone {
				same := ir.Eq.Of(class, ir.Number(uint64(k+1), 8))
				x.Builder.Emit(ir.Assume{Cond: ir.BitOr.Of(x.Value(both.asked), ir.Not(same))})
			}
		}
	}
	return facts
}

// observeSignatures ends the threads that sign, and adds what has been decided to the outcomes.
func (s *system) observeSignatures(b *lower.Builder) {
	if s.signs == nil {
		return
	}
	x := &instr{sys: s}
	x.Builder = b
	for _, t := range s.signs.threads {
		b.Thread = t
		b.Facts = append(b.Facts, s.signs.end(x)...)
	}
}

// strip returns a pointer without signatures.
func (s *signing) strip(v ir.Expr) ir.Expr { return ir.BitAnd.Of(v, ir.Number(^s.field(), 64)) }

// fieldOf returns the signatures of a pointer.
func (s *signing) fieldOf(v ir.Expr) ir.Expr { return ir.BitAnd.Of(v, ir.Number(s.field(), 64)) }

// field has the bits of a pointer for signatures: those above the address, except that of a memory tag.
func (s *signing) field() uint64 {
	field := uint64(1<<15-1) << signedAt
	if s.tags {
		field &^= (1<<tagBits - 1) << tagAt
	}
	return field
}

// nothing returns whether the exclusive or of some signatures, the field of a pointer, is 0, and records that the
// execution asks for that where when is 1. More than two signatures together are not supported.
func (x *instr) nothing(field, when ir.Expr) ir.Expr {
	s, field := x.sys.signs, x.Keep(field)
	is := func(v uint64) ir.Expr { return ir.Eq.Of(field, ir.Number(v, 64)) }
	known := is(0)
	so := ir.Expr(is(0))
	ask := func(d decision, v uint64, holds ir.Expr) {
		here := is(v)
		known = ir.BitOr.Of(known, here)
		yes := x.Keep(ir.BitAnd.Of(here, holds))
		so = ir.BitOr.Of(so, yes)
		x.Assign(d.asked, ir.BitOr.Of(x.Value(d.asked), ir.BitAnd.Of(when, here)))
		x.Assign(d.so, ir.BitOr.Of(x.Value(d.so), ir.BitAnd.Of(when, yes)))
	}
	for i, class := range s.classes[x.Thread] {
		ask(s.zeroes[x.Thread][i], s.bit(i), ir.Eq.Of(x.Value(class), ir.Number(0, 8)))
		for k, other := range s.classes[x.Thread][:i] {
			ask(s.equals[x.Thread][[2]int{k, i}], s.bit(i)|s.bit(k), ir.Eq.Of(x.Value(class), x.Value(other)))
		}
	}
	for _, v := range []uint64{corruptA, corruptB} {
		known = ir.BitOr.Of(known, ir.Not(ir.Eq.Of(ir.BitAnd.Of(field, ir.Number(v, 64)), ir.Number(0, 64))))
	}
	x.unless(ir.BitOr.Of(known, ir.Not(when)), func() {
		x.lost("uses a pointer with more than two signatures, or compares such pointers, which is not supported")
	})
	return x.Keep(so)
}

// lost emits an error of the execution: it needs what is not supported. See [ir.Lost] for the words.
func (x *instr) lost(why string) { x.lostAt(ir.Number(0, 64), why) }

// lostAt is lost, for words in which %s is a value.
func (x *instr) lostAt(v ir.Expr, why string) {
	x.Builder.Emit(ir.Lost{To: v, Why: why})
	x.End(nil)
}

// unless emits body, which does not end, for executions in which cond is not 1. Nothing depends on cond.
func (x *instr) unless(cond ir.Expr, body func()) {
	cond = x.Keep(cond)
	fails := x.Temp(1)
	x.Builder.Emit(ir.Choose{Dst: fails})
	x.When(x.Value(fails), func() {
		x.Builder.Emit(ir.Assume{Cond: ir.Not(cond)})
		body()
	})
	x.Builder.Emit(ir.Assume{Cond: cond})
}

// code returns the signature of a pointer without signatures, for a key and a modifier.
func (x *instr) code(key string, pointer, modifier ir.Expr) ir.Expr {
	s := x.sys.signs
	none := ir.Expr(ir.Number(0, 1))
	sum, known, address := ir.Expr(ir.Number(0, 64)), none, none
	for i, named := range s.list {
		if named.key != key {
			continue
		}
		points := ir.Eq.Of(pointer, ir.Number(s.at[named.loc], 64))
		here := x.Keep(ir.BitAnd.Of(points, ir.Eq.Of(modifier, ir.Number(named.modifier, 64))))
		address = ir.BitOr.Of(address, points)
		known = ir.BitOr.Of(known, here)
		sum = ir.BitOr.Of(sum, shiftBy(ir.Shl, ir.Resize(here, 64), uint64(bits.TrailingZeros64(s.bit(i)))))
	}
	mnemonic := strings.ToUpper(x.Name.Text)
	x.unless(address, func() {
		x.lost("executes " + mnemonic + " on a number that is not the address of a location, or of code if the key " +
			"is for code: signatures of others are not supported")
	})
	x.unless(ir.BitOr.Of(ir.Not(address), known), func() {
		x.lostAt(modifier, "executes "+mnemonic+" with %s as the modifier, which is not supported here: want "+
			s.wantedModifiers(key))
	})
	return x.Keep(sum)
}

// signedName names a signed pointer.
func (n names) signedName(v uint64) string {
	s := n.system.signs
	for i, named := range s.list {
		if v == s.at[named.loc]|s.bit(i) {
			return named.String()
		}
	}
	return ""
}

// findSigned is the inverse of signedName.
func (n names) findSigned(text string) (uint64, bool) {
	named, ok := parseSignature(text)
	i := slices.Index(n.system.signs.list, named)
	if !ok || i < 0 {
		return 0, false
	}
	return n.system.signs.at[named.loc] | n.system.signs.bit(i), true
}

package llvm

import (
	"maps"
	"math/big"
	"slices"

	"litmuscope/litmus/c/llvm/assembly"
)

// Jump threading. clang -O1 joins the ways out of a loop's body in a block that asks again which way was taken:
//
//	join: %taken = phi i32 [ 3, %odd ], [ %same, %even ]     ; %same = zext i1 %equal
//	      %done = icmp eq i32 %taken, 1
//	      br i1 %done, label %exit, label %head
//
// Engines see less there than in the source: that a round only waits, because both ways back leave everything as it
// was. Such a block is copied to the end of each way that decides the question, or reduces it to a value of the block
// before, and the copy's branch asks that instead.
//
// A copy is exact, whatever it asks. Locals are registers, so a copy sets the same ones as the block, in the same
// order. Simpler operands are exact, too: in SSA form, an operand of an instruction dominates it, and no path leads
// from the instruction to a use of its result through the operand's definition without executing the instruction again.
// So a result can be replaced by an operand that it equals at any of its uses.
//
// Blocks with a jump back to them are not copied, so that each loop keeps its one head.

// Bounds on copies.
const (
	mostThreaded = 8  // instructions of a block besides its phis
	mostDepth    = 8  // copies behind one another, and steps of a simplification
	mostCopies   = 64 // of blocks in a function
)

// way has the facts that hold along an edge: by name of a local, its number or the operand that it equals.
type way struct {
	numbers map[string]uint64
	equal   map[string]*assembly.Value
	depth   int // the number of copied blocks
}

// passed are the instructions without effects that a copied block may have.
var passed = map[string]bool{
	"icmp": true, "zext": true, "sext": true, "trunc": true, "select": true, "add": true, "sub": true, "and": true,
	"or": true, "xor": true, "freeze": true, "bitcast": true, "ptrtoint": true, "inttoptr": true, "getelementptr": true,
}

// isDebug reports whether an instruction only informs a debugger.
func isDebug(i *assembly.Instruction) bool {
	return i.Op == "call" && i.Callee.Kind == assembly.GlobalRef && len(i.Callee.Name) > 9 &&
		i.Callee.Name[:9] == "llvm.dbg."
}

// copyable returns the instructions of a block behind its phis, if they have no effect but a branch.
func (l *lowering) copyable(b *assembly.Block) []*assembly.Instruction {
	if l.blocks[b.Name].looping || l.copies >= mostCopies {
		return nil
	}
	var out []*assembly.Instruction
	for _, i := range b.Instructions {
		switch {
		case i.Op == "phi" || isDebug(i):
		case !passed[i.Op] && !((i.Op == "br" || i.Op == "switch") && len(i.Targets) > 1):
			return nil
		default:
			out = append(out, i)
		}
	}
	if len(out) > mostThreaded {
		return nil
	}
	return out
}

// thread returns the instructions of the block that an edge leads to, if they should be executed at the edge's end, and
// what is known there.
func (l *lowering) thread(from *assembly.Block, to string, known way) ([]*assembly.Instruction, way) {
	b := l.blocks[to].block
	if known.depth >= mostDepth || len(l.phis(to)) == 0 {
		return nil, way{}
	}
	code := l.copyable(b)
	if len(code) == 0 {
		return nil, way{}
	}
	next := way{maps.Clone(known.numbers), maps.Clone(known.equal), known.depth + 1}
	if next.numbers == nil {
		next.numbers = map[string]uint64{}
	}
	if next.equal == nil {
		next.equal = map[string]*assembly.Value{}
	}
	for _, i := range b.Instructions {
		delete(next.numbers, i.Result)
		delete(next.equal, i.Result)
		maps.DeleteFunc(next.equal, func(_ string, v *assembly.Value) bool { return v.Name == i.Result })
	}
	for _, phi := range l.phis(to) {
		if k := slices.Index(phi.From, from.Name); k >= 0 {
			if v := phi.Operands[k]; v.Kind == assembly.Int || v.Kind == assembly.Local {
				next.equal[phi.Result] = v
			}
		}
	}
	cond := code[len(code)-1].Operands[0]
	if v, _ := l.simplify(cond, next, 0); v == cond || v.Kind != assembly.Int && v.Kind != assembly.Local ||
		code[len(code)-1].Op == "switch" && v.Kind != assembly.Int {
		return nil, way{}
	}
	return code, next
}

// copyBlock makes the code of a block behind its phis at the end of an edge.
func (l *lowering) copyBlock(
	b *assembly.Block,
	instructions []*assembly.Instruction,
	next *assembly.Block,
	known way,
) {
	l.copies++
	at, line := l.at, l.build.Line
	for k, i := range instructions {
		l.at = i
		if i.Debug >= 0 || l.module.Metadata[l.f.Debug] == nil {
			l.build.Line = l.lines.of(l.f, i)
		}
		l.tolerate(i, func() {
			if k == len(instructions)-1 {
				l.branch(b, i, next, known)
			} else {
				l.instruction(i, false)
			}
		})
	}
	l.at, l.build.Line = at, line
}

// equal returns the simplest operand that is equal to a phi's on a way.
func (l *lowering) equal(v *assembly.Value, known way) *assembly.Value {
	if len(known.numbers) == 0 && len(known.equal) == 0 {
		return v
	}
	if w, negated := l.simplify(v, known, 0); !negated {
		return w
	}
	return v
}

// numeral returns an integer of at most 64 bits as an operand.
func numeral(n uint64, t *assembly.Type) *assembly.Value {
	return &assembly.Value{Kind: assembly.Int, Type: t, Int: new(big.Int).SetUint64(n)}
}

// bitsOf returns a constant's bits, if it is an integer of at most 64 bits.
func bitsOf(v *assembly.Value) (uint64, bool) {
	if v.Kind != assembly.Int || v.Type.Kind != assembly.Integer || v.Type.Bits > 64 {
		return 0, false
	}
	n := new(big.Int).And(v.Int, new(big.Int).SetUint64(^uint64(0)>>(64-v.Type.Bits)))
	return n.Uint64(), true
}

// simplify returns an operand that is equal to another on a way, or its negation, for a truth value.
func (l *lowering) simplify(v *assembly.Value, known way, depth int) (out *assembly.Value, negated bool) {
	if v.Kind != assembly.Local || depth > mostDepth {
		return v, false
	}
	if n, ok := known.numbers[v.Name]; ok && v.Type.Kind == assembly.Integer {
		return numeral(n, v.Type), false
	}
	if w, ok := known.equal[v.Name]; ok {
		return l.simplify(w, known, depth+1)
	}
	i := l.froms[v.Name]
	if i == nil {
		return v, false
	}
	switch i.Op {
	case "zext", "trunc":
		x, not := l.simplify(i.Operands[0], known, depth+1)
		if n, ok := bitsOf(x); ok && !not && i.Type.Kind == assembly.Integer && i.Type.Bits <= 64 {
			return numeral(n&(^uint64(0)>>(64-i.Type.Bits)), i.Type), false
		}
	case "select":
		if c, not := l.simplify(i.Operands[0], known, depth+1); c.Kind == assembly.Int {
			arm := i.Operands[1]
			if (c.Int.Sign() == 0) != not {
				arm = i.Operands[2]
			}
			x, not := l.simplify(arm, known, depth+1)
			if x.Kind == assembly.Local || x.Kind == assembly.Int {
				return x, not
			}
		}
	case "xor":
		if n, ok := bitsOf(i.Operands[1]); ok && n == 1 && i.Operands[1].Type.Bits == 1 {
			x, not := l.simplify(i.Operands[0], known, depth+1)
			return truth(x, !not)
		}
	case "icmp":
		return l.simplifyEqual(v, i, known, depth)
	}
	return v, false
}

// truth negates a truth value that is known at once.
func truth(v *assembly.Value, negated bool) (*assembly.Value, bool) {
	if n, ok := bitsOf(v); ok && negated {
		return numeral(n^1, v.Type), false
	}
	return v, negated
}

// simplifyEqual simplifies whether a value equals a number: one that is known, or an extended truth value.
func (l *lowering) simplifyEqual(
	v *assembly.Value, i *assembly.Instruction, known way, depth int,
) (out *assembly.Value, negated bool) {
	n, ok := bitsOf(i.Operands[1])
	if !ok || i.Kind != "eq" && i.Kind != "ne" {
		return v, false
	}
	x, not := l.simplify(i.Operands[0], known, depth+1)
	if m, ok := bitsOf(x); ok && !not {
		is := uint64(0)
		if (m == n) == (i.Kind == "eq") {
			is = 1
		}
		return numeral(is, bit), false
	}
	if not || x.Kind != assembly.Local || n > 1 {
		return v, false
	}
	from := l.froms[x.Name]
	if from == nil || from.Op != "zext" || from.Operands[0].Type.Kind != assembly.Integer ||
		from.Operands[0].Type.Bits != 1 {
		return v, false
	}
	y, not := l.simplify(from.Operands[0], known, depth+1)
	return truth(y, not != ((n == 0) == (i.Kind == "eq")))
}

// with returns what is known if a truth value has a value, too.
func (l *lowering) with(known way, cond *assembly.Value, is uint64) way {
	if cond.Kind != assembly.Local {
		return known
	}
	known.numbers = maps.Clone(known.numbers)
	if known.numbers == nil {
		known.numbers = map[string]uint64{}
	}
	for range mostDepth {
		known.numbers[cond.Name] = is
		i := l.froms[cond.Name]
		if i == nil || i.Op != "xor" || i.Operands[0].Kind != assembly.Local {
			break
		}
		if n, ok := bitsOf(i.Operands[1]); !ok || n != 1 || i.Operands[1].Type.Bits != 1 {
			break
		}
		cond, is = i.Operands[0], is^1
	}
	return known
}

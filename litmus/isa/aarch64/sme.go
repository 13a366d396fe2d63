package aarch64

import (
	"strconv"
	"strings"

	"litmuscope/litmus/ir"
)

// The matrix of SME (DDI 0487, chapters B1.2.5 and C9). ZA has as many rows as a vector has bytes, each as long as a
// vector. Tile ZAn.T has every row whose number modulo the bytes of an element is n. A slice is a row or a column of a
// tile; a register and a number say which. SMSTART makes the matrix accessible, and clears it and all vectors.

// slice is an operand such as ZA0H.S[W12,0].
type slice struct {
	tile     tile
	vertical bool
	index    ir.Expr // of the row or the column
}

// tile is an operand such as ZA0.S.
type tile struct{ number, bits int }

// parseTile parses ZA0.S.
func parseTile(text string) (t tile, ok bool) {
	name, shape, shaped := strings.Cut(strings.ToUpper(strings.TrimSpace(text)), ".")
	if !shaped || len(shape) != 1 || lanes[shape[0]] == 0 || lanes[shape[0]] > 64 {
		return t, false
	}
	t.bits = lanes[shape[0]]
	t.number, ok = numbered(name, "ZA", t.bits/8)
	return t, ok
}

// slice returns operand i, a slice of a tile.
func (x *instr) slice(i int) (s slice, ok bool) {
	text := strings.ToUpper(x.operand(i))
	bad := func() (slice, bool) {
		x.Fail(i, "got operand %q, want a slice such as ZA0H.S[W12,0]", x.operand(i))
		return s, false
	}
	head, index, cut := strings.Cut(strings.Trim(text, "{} "), "[")
	name, shape, _ := strings.Cut(strings.TrimSpace(head), ".")
	if !cut || name == "" || !strings.HasSuffix(index, "]") {
		return bad()
	}
	s.vertical = name[len(name)-1] == 'V'
	if !s.vertical && name[len(name)-1] != 'H' {
		return bad()
	}
	if s.tile, ok = parseTile(name[:len(name)-1] + "." + shape); !ok {
		return bad()
	}
	reg, offset, _ := strings.Cut(strings.TrimSuffix(index, "]"), ",")
	r, isReg := x.parseReg(strings.TrimSpace(reg))
	n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(offset), "#"))
	if !isReg || r.bits != 32 || r.whole < "X12" || r.whole > "X15" || len(r.whole) != 3 || err != nil || n < 0 ||
		n >= 128/s.tile.bits {
		return bad()
	}
	if !x.streaming() {
		x.Fail(i, "the matrix is not accessible: want SMSTART before")
		return s, false
	}
	dim := ir.Number(uint64(x.elements(s.tile.bits)-1), 32)
	s.index = x.Keep(ir.BitAnd.Of(ir.Add.Of(x.read(r), ir.Number(uint64(n), 32)), dim))
	return s, true
}

// streaming reports whether SMSTART comes before the current instruction in its thread, and no SMSTOP between them.
func (x *instr) streaming() bool {
	if x.handling != nil {
		return false
	}
	on, n := false, 0
	for _, c := range x.Test.Threads[x.Thread].Cells {
		_, rest := c.Labels()
		if rest.Text == "" {
			continue
		}
		if n == x.Here() {
			break
		}
		n++
		switch name, _ := rest.Split(); strings.ToUpper(name.Text) {
		case "SMSTART":
			on = true
		case "SMSTOP":
			on = false
		}
	}
	return on
}

// row returns the number of the row of the matrix that is a row of a tile.
func (t tile) row(row int) int { return row*t.bits/8 + t.number }

// matrixWord returns the register of 64 bits that is a part of a row of the matrix.
func (x *instr) matrixWord(row, part int) int {
	return x.Reg("ZA." + strconv.Itoa(row) + "." + strconv.Itoa(part))
}

// tileElement returns an element of a tile.
func (x *instr) tileElement(t tile, row, column int) ir.Expr {
	at := column * t.bits
	return ir.Extract{X: x.Value(x.matrixWord(t.row(row), at/64)), Lo: at % 64, Bits: t.bits}
}

// setTile sets a tile to the elements that f gives.
func (x *instr) setTile(t tile, f func(row, column int) ir.Expr) {
	dim := x.elements(t.bits)
	rows := make([][]ir.Expr, dim)
	for row := range dim {
		for column := range dim {
			rows[row] = append(rows[row], x.Keep(f(row, column)))
		}
	}
	for row, list := range rows {
		for part := range vectorBits(x.Test) / 64 {
			x.Assign(x.matrixWord(t.row(row), part), packed(list, t.bits, part))
		}
	}
}

// sliceElements returns the elements of a slice.
func (x *instr) sliceElements(s slice) (list []ir.Expr) {
	dim := x.elements(s.tile.bits)
	for i := range dim {
		e := ir.Expr(ir.Number(0, s.tile.bits))
		for k := range dim {
			row, column := k, i
			if s.vertical {
				row, column = i, k
			}
			e = ir.Cond{If: x.isIndex(s, k), Then: x.tileElement(s.tile, row, column), Else: e}
		}
		list = append(list, x.Keep(e))
	}
	return list
}

func (x *instr) isIndex(s slice, k int) ir.Expr { return ir.Eq.Of(s.index, ir.Number(uint64(k), 32)) }

// setSlice sets the elements of a slice that a predicate says; all if there is none.
func (x *instr) setSlice(s slice, p *predicate, list []ir.Expr) {
	x.setTile(s.tile, func(row, column int) ir.Expr {
		k, i := row, column
		if s.vertical {
			k, i = column, row
		}
		chosen := x.isIndex(s, k)
		if p != nil {
			chosen = ir.BitAnd.Of(chosen, x.active(*p, s.tile.bits, i))
		}
		return ir.Cond{If: chosen, Then: list[i], Else: x.tileElement(s.tile, row, column)}
	})
}

// defineMatrix adds instructions of SME.
func defineMatrix() {
	define("SMSTART", 0, 1, func(x *instr) { x.startMatrix("SMSTART") })
	define("SMSTOP", 0, 1, func(x *instr) { x.startMatrix("SMSTOP") })
	define("MOVA", 3, 3, func(x *instr) {
		if z, ok := parseScalable(x.Ops[0].Text); ok && z.bits > 0 {
			to, p := x.scalable(0, 0), x.governing(1, "M")
			if s, ok := x.slice(2); ok && x.sameWidth(2, s.tile, to.bits) {
				x.merge(to, p, x.sliceElements(s), x.zAll(to))
			}
			return
		}
		s, ok := x.slice(0)
		if !ok {
			return
		}
		p, from := x.governing(1, "M"), x.scalable(2, s.tile.bits)
		x.setSlice(s, &p, x.zAll(from))
	})
	for name, vertical := range map[string]bool{"ADDHA": false, "ADDVA": true} {
		define(name, 4, 4, func(x *instr) {
			t, ok := parseTile(x.Ops[0].Text)
			if !ok || t.bits < 32 {
				x.Fail(0, "got operand %q, want a tile such as ZA0.S", x.Ops[0].Text)
				return
			}
			if !x.streaming() {
				x.Fail(0, "the matrix is not accessible: want SMSTART before")
				return
			}
			rows, columns, from := x.governing(1, "M"), x.governing(2, "M"), x.zAll(x.scalable(3, t.bits))
			x.setTile(t, func(row, column int) ir.Expr {
				e, old := from[column], x.tileElement(t, row, column)
				if vertical {
					e = from[row]
				}
				both := ir.BitAnd.Of(x.active(rows, t.bits, row), x.active(columns, t.bits, column))
				return ir.Cond{If: both, Then: ir.Add.Of(old, e), Else: old}
			})
		})
	}
	define("ZERO", 1, 1, func(x *instr) {
		inside := strings.Trim(x.Ops[0].Text, "{} ")
		if !x.streaming() {
			x.Fail(0, "the matrix is not accessible: want SMSTART before")
			return
		}
		if strings.EqualFold(inside, "ZA") {
			x.clearMatrix()
			return
		}
		for part := range strings.SplitSeq(inside, ",") {
			t, ok := parseTile(part)
			if !ok {
				x.Fail(0, "got operand %q, want a list of tiles such as {ZA0.S}, or {ZA}", x.Ops[0].Text)
				return
			}
			x.setTile(t, func(int, int) ir.Expr { return ir.Number(0, t.bits) })
		}
	})
}

// sameWidth reports whether the elements of a tile in operand i have some bits.
func (x *instr) sameWidth(i int, t tile, bits int) bool {
	if t.bits != bits {
		x.Fail(i, "got operand %q, want elements of %d bits", x.Ops[i].Text, bits)
	}
	return t.bits == bits
}

// startMatrix lowers SMSTART and SMSTOP, which clear all vectors and predicates. A thread starts and stops at most
// once, in this order and in no loop, so that the text tells where the matrix is accessible.
func (x *instr) startMatrix(name string) {
	starts, stops := x.countWord("SMSTART"), x.countWord("SMSTOP")
	switch {
	case name == "SMSTOP" && starts == 0 && stops == 1 && len(x.Ops) == 0:
		return // it has stopped already
	case len(x.Ops) > 0:
		x.Fail(0, "changing only the mode or only the access to the matrix is not supported")
	case x.handling != nil || starts != 1 || stops > 1 || (name == "SMSTOP") != x.streaming() || x.hasLoop():
		x.Fail(0, "a thread may have SMSTART once, SMSTOP once after it, and no loop with them")
	}
	for number := range 32 {
		for part := range vectorBits(x.Test) / 64 {
			x.Assign(x.word(number, part), ir.Number(0, 64))
		}
	}
	for number := range 16 {
		x.Assign(x.mask(predicate{number: number}), ir.Number(0, 64))
	}
	if name == "SMSTART" {
		x.clearMatrix()
	}
}

// clearMatrix clears the rows of the matrix that the thread may use.
func (x *instr) clearMatrix() {
	bits := vectorBits(x.Test)
	for row := range bits / 8 {
		for part := range bits / 64 {
			x.Assign(x.matrixWord(row, part), ir.Number(0, 64))
		}
	}
}

// countWord returns how many instructions of the thread have a mnemonic.
func (x *instr) countWord(mnemonic string) (n int) {
	for _, c := range x.Test.Threads[x.Thread].Cells {
		_, rest := c.Labels()
		if name, _ := rest.Split(); strings.EqualFold(name.Text, mnemonic) {
			n++
		}
	}
	return n
}

// hasLoop reports whether an instruction of the thread names a label that is not behind it.
func (x *instr) hasLoop() bool {
	seen := map[string]bool{}
	for _, c := range x.Test.Threads[x.Thread].Cells {
		labels, rest := c.Labels()
		for _, l := range labels {
			seen[l.Text] = true
		}
		_, ops := rest.Split()
		for _, op := range ops {
			if seen[op.Text] {
				return true
			}
		}
	}
	return false
}

// loadSlice lowers LD1W and its like for a slice: inactive elements become 0.
func (x *instr) loadSlice(n, bits int, signed bool) {
	s, p, at, ok := x.sliceAccess(n, bits, "Z")
	if !ok || signed {
		x.Fail(0, "got operand %q, want a scalable register such as {Z0.S}", x.Ops[0].Text)
		return
	}
	var list []ir.Expr
	for i := range x.elements(bits) {
		list = append(list, x.loadIf(x.active(p, bits, i), at(i), bits, bits, false))
	}
	x.setSlice(s, nil, list)
}

// storeSlice lowers ST1W and its like for a slice.
func (x *instr) storeSlice(n, bits int) {
	s, p, at, ok := x.sliceAccess(n, bits, "")
	if !ok {
		return
	}
	for i, e := range x.sliceElements(s) {
		x.When(x.active(p, bits, i), func() { x.Emit(ir.Store{Addr: at(i), Value: e}) })
	}
}

// sliceAccess returns the operands of a load or a store of a slice.
func (x *instr) sliceAccess(n, bits int, modes string) (s slice, p predicate, at func(int) ir.Expr, ok bool) {
	if n != 1 {
		x.Fail(0, "got operand %q, want scalable registers such as {Z0.S}", x.Ops[0].Text)
		return s, p, nil, false
	}
	if s, ok = x.slice(0); !ok || !x.sameWidth(0, s.tile, bits) {
		return s, p, nil, false
	}
	p = x.governing(1, modes)
	at, ok = x.elementAddress(1, bits, bits)
	return s, p, at, ok
}

package read

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
)

// Layout of bit-fields. The C parser groups bit-fields in its own way. This file places them as GCC and clang do on
// x86-64: a bit-field follows the previous member directly, except that it does not cross a boundary of its type unless
// it is packed. If this changes the offsets of other members, the parser gets a rewritten structure (see wrap), and its
// layout is compared with the intended one. The positions of bit-fields are stored outside the parser's tree.

// BitField is the position of a bit-field.
type BitField struct {
	Bit, Width int // offset from the beginning of its structure, and width, in bits
	At         int // the parser's offset, in bytes
	Run        *Run
}

// Run is a sequence of adjacent bit-fields, which is one memory location (C11, 3.14).
type Run struct {
	Names  []string
	Pieces []Piece
}

// Piece is an access by which a part of a run is read and written. Offset and Size are in bytes.
type Piece struct{ Offset, Size int } // in bytes

// maxPiece is the size of the widest access, in bytes.
const maxPiece = 8

// filler is the member that gives a wrapped run its size.
const filler = "__litmus_filler"

// member is a member of a structure, in the order of the source.
type member struct {
	f       *cc.Field
	in      *cc.StructDeclaration
	width   int // width of a bit-field in bits; -1 for other members
	at      int // the parser's offset
	packed  bool
	aligned bool      // it has its own alignment
	wrapper *cc.Field // the wrapper around a bit-field
	// The intended position:
	bit int
}

// structure is a structure with bit-fields.
type structure struct {
	spec    *cc.StructOrUnionSpecifier
	t       fielded
	members []member
	// The intended size and alignment, in bytes:
	size, align int
}

// fielded is a structure or a union.
type fielded interface {
	cc.Type
	FieldByIndex(int) *cc.Field
}

// structures returns the structures with bit-fields, with the intended positions of their members.
func structures(ast *cc.AST) []*structure {
	var out []*structure
	EachTree(ast, func(n cc.Node) bool {
		s, ok := n.(*cc.StructOrUnionSpecifier)
		if !ok || s.Case != cc.StructOrUnionSpecifierDef {
			return true
		}
		if t, ok := s.Type().(fielded); ok {
			if isWrapper(t) {
				return false
			}
			st := &structure{spec: s, t: t}
			st.list(s, nil, 0)
			if slices.ContainsFunc(st.members, func(m member) bool { return m.width >= 0 }) {
				st.layOut()
				out = append(out, st)
			}
		}
		return true
	})
	return out
}

// hasBitFields reports whether a specifier has bit-fields among its direct members.
func hasBitFields(s *cc.StructOrUnionSpecifier) bool {
	for l := s.StructDeclarationList; l != nil; l = l.StructDeclarationList {
		for r := l.StructDeclaration.StructDeclaratorList; r != nil; r = r.StructDeclaratorList {
			if r.StructDeclarator.Case == cc.StructDeclaratorBitField {
				return true
			}
		}
		if wrapped(l.StructDeclaration) != nil {
			return true
		}
	}
	return false
}

// isWrapper reports whether a type is the wrapper around a run of bit-fields, or the structure in it.
func isWrapper(t cc.Type) bool {
	s, ok := t.(fielded)
	return ok && s.FieldByIndex(1) != nil && s.FieldByIndex(1).Name() == filler
}

// list adds the members of a specifier, replacing wrappers by their members.
func (st *structure) list(s *cc.StructOrUnionSpecifier, wrapper *cc.Field, at int) {
	t, ok := s.Type().(fielded)
	if !ok {
		return
	}
	i := 0
	for l := s.StructDeclarationList; l != nil; l = l.StructDeclarationList {
		d := l.StructDeclaration
		if d.Case != cc.StructDeclarationDecl {
			continue
		}
		if d.StructDeclaratorList == nil {
			f := t.FieldByIndex(i)
			i++
			if f == nil {
				return
			}
			if inner := wrapped(d); inner != nil || wrapper != nil {
				if inner == nil {
					inner = specifier(d)
				}
				st.list(inner, f, at+int(f.Offset()))
				continue
			}
			st.members = append(st.members,
				member{f: f, in: d, width: -1, at: at + int(f.Offset()), packed: st.packs(d), aligned: isAligned(d)})
		}
		for r := d.StructDeclaratorList; r != nil; r = r.StructDeclaratorList {
			f := t.FieldByIndex(i)
			i++
			if f == nil {
				return
			}
			m := member{
				f: f, in: d, width: -1, at: at + int(f.Offset()), packed: st.packs(d), aligned: isAligned(d),
				wrapper: wrapper,
			}
			if f.IsBitfield() {
				m.width = int(f.ValueBits())
				if w, ok := widened(r.StructDeclarator.ConstantExpression); ok && wrapper != nil {
					m.width = w
				}
			}
			st.members = append(st.members, m)
		}
	}
}

// widened returns the width that a bit-field had before narrow rewrote it.
func widened(e cc.ExpressionNode) (width int, ok bool) {
	if c, is := e.(*cc.ConstantExpression); is {
		e = c.ConditionalExpression
	}
	c, ok := e.(*cc.ConditionalExpression)
	if !ok {
		return 0, false
	}
	w, ok := c.LogicalOrExpression.Value().(cc.Int64Value)
	return int(w), ok
}

// packs reports whether a member is packed, by its own attribute or that of its structure.
func (st *structure) packs(d *cc.StructDeclaration) bool {
	return packWidth(st.spec) == 1 || len(memberSays(d, "packed")) > 0
}

// wrapped returns the structure in a wrapper, or nil for other declarations.
func wrapped(d *cc.StructDeclaration) *cc.StructOrUnionSpecifier {
	outer := specifier(d)
	if outer == nil || outer.Type() == nil || !isWrapper(outer.Type()) {
		return nil
	}
	return specifier(outer.StructDeclarationList.StructDeclaration)
}

// specifier returns the structure or union that a member declaration specifies, or nil.
func specifier(d *cc.StructDeclaration) *cc.StructOrUnionSpecifier {
	for s := d.SpecifierQualifierList; s != nil; s = s.SpecifierQualifierList {
		if s.TypeSpecifier != nil && s.TypeSpecifier.Case == cc.TypeSpecifierStructOrUnion {
			return s.TypeSpecifier.StructOrUnionSpecifier
		}
	}
	return nil
}

func up(n, to int) int { return (n + to - 1) / to * to }

// layOut computes the intended positions of members, as GCC's place_field and the System V psABI do. A bit-field of
// width zero has no name and ignores packing.
func (st *structure) layOut() {
	pack := packWidth(st.spec)
	bit, end := 0, 0
	st.align = 1
	for i := range st.members {
		m := &st.members[i]
		size := int(m.f.Type().Size())
		align := size // the alignment of integers is their size
		if m.width < 0 {
			align = m.f.Type().Align()
		}
		own := align
		if m.width != 0 && !(m.width < 0 && m.aligned) {
			if m.packed {
				own = 1
			}
			if pack > 0 {
				own = min(own, pack)
			}
		}
		if st.t.Kind() == cc.Union {
			bit = 0
		}
		switch {
		case m.width < 0:
			bit = up(bit, 8*own)
		case m.width == 0:
			bit = up(bit, 8*align)
		case !m.packed && pack == 0 && bit/(8*size) != (bit+m.width-1)/(8*size):
			bit = up(bit, 8*align)
		}
		m.bit = bit
		if m.width < 0 {
			bit += 8 * max(size, 0)
		} else {
			bit += m.width
		}
		end = max(end, bit)
		if m.width < 0 || m.f.Name() != "" {
			st.align = max(st.align, own)
		}
	}
	if slices.ContainsFunc(attributeValues(nil, st.spec.AttributeSpecifierList, st.spec.AttributeSpecifierList2),
		func(a *cc.AttributeValue) bool { return attributeName(a) == "aligned" }) {
		st.align = max(st.align, st.t.Align())
	}
	st.size = up(up(end, 8)/8, st.align)
}

// misplaced describes the first member at a wrong position, or returns "".
func (st *structure) misplaced() string {
	for _, m := range st.members {
		switch {
		case m.width < 0 && 8*m.at != m.bit:
			return fmt.Sprintf("member %s is at %d instead of %d", m.f.Name(), m.at, m.bit/8)
		case m.width > 0 && m.wrapper == nil && !m.packed && packWidth(st.spec) == 0 &&
			m.f.Type().Align() != int(m.f.Type().Size()):
			return fmt.Sprintf("bit-field %s has an alignment of its own", m.f.Name())
		}
	}
	switch {
	case int(st.t.Size()) != st.size:
		return fmt.Sprintf("its size is %d bytes instead of %d", st.t.Size(), st.size)
	case st.t.Align() != st.align:
		return fmt.Sprintf("it is aligned to %d instead of %d", st.t.Align(), st.align)
	}
	return ""
}

// isIn reports whether a type contains a structure whose layout is wrong.
func isIn(t cc.Type, wrong map[*cc.Field]bool) bool {
	for a, ok := t.(*cc.ArrayType); ok; a, ok = t.(*cc.ArrayType) {
		t = a.Elem()
	}
	s, ok := t.(fielded)
	for i := 0; ok && s.FieldByIndex(i) != nil; i++ {
		if f := s.FieldByIndex(i); wrong[f] || isIn(f.Type(), wrong) {
			return true
		}
	}
	return false
}

// wrap returns edits that make the parser place members at their intended offsets. It rewrites a run of bit-fields as a
// union of two members: bit-fields narrow enough for any position, and as many bytes as the run has. For example,
// the first line becomes the others:
//
//	char a; int b : 3, c : 20; char d;
//	char a;
//	union { struct { __attribute__((aligned(1))) int b : 3 ? 1 : 1, c : 20 ? 1 : 1; }; char __litmus_filler[3]; };
//	char d;
func wrap(ast *cc.AST) map[string][]edit {
	all := structures(ast)
	wrong := map[*cc.Field]bool{}
	for _, st := range all {
		if st.misplaced() != "" && st.t.FieldByIndex(0) != nil {
			wrong[st.t.FieldByIndex(0)] = true
		}
	}
	out := map[string][]edit{}
	for _, st := range all {
		// Rewrite inner structures first, because their sizes are not known yet.
		inner := slices.ContainsFunc(st.members, func(m member) bool { return m.width < 0 && isIn(m.f.Type(), wrong) })
		if !inner && st.misplaced() != "" &&
			!slices.ContainsFunc(st.members, func(m member) bool { return m.wrapper != nil }) {
			st.wrap(out)
		}
	}
	return out
}

// wrap adds the edits for one structure. Each run of bit-fields, with everything from the end of the member before it,
// becomes a wrapper: its filler has the run's size in bytes, and its bit-fields are narrow enough for any position. A
// union needs no wrapper, because all its members begin at its beginning. Edits do not overlap: all are insertions.
func (st *structure) wrap(out map[string][]edit) {
	put := func(p litmus.Pos, text string) {
		out[p.File] = append(out[p.File], edit{p.Line, p.Col, text})
	}
	behind := func(t cc.Token) litmus.Pos {
		p := t.Position()
		return litmus.Pos{File: p.Filename, Line: p.Line, Col: p.Column + len(t.SrcStr())}
	}
	if st.align > 1 {
		put(behind(st.spec.StructOrUnion.Token), fmt.Sprintf(" __attribute__((aligned(%d))) ", st.align))
	}
	if st.t.Kind() == cc.Union {
		return
	}
	for i := 0; i < len(st.members); {
		j, from := i, 0
		if i > 0 {
			before := st.members[i-1]
			from = before.bit/8 + max(int(before.f.Type().Size()), 0)
		}
		end := 8 * from
		for j < len(st.members) && st.members[j].width >= 0 {
			end = max(end, st.members[j].bit+st.members[j].width)
			j++
		}
		if i == j {
			i++
			continue
		}
		first, last := st.members[i].in, st.members[j-1].in
		if end > 8*from {
			// Of several insertions at one position, the last comes first.
			put(behind(last.Token), fmt.Sprintf(" }; char %s[%d]; };", filler, up(end, 8)/8-from))
			for k := j - 1; k >= i; k-- {
				m := st.members[k]
				if k > i && st.members[k-1].in == m.in {
					continue
				}
				if !m.packed || m.in == first { // otherwise it is already packed, or the union replaces it
					put(Place(m.in), packing1)
				}
				narrow(m.in, put, behind(m.in.Token))
			}
			put(Place(first), "union { struct { ")
		}
		i = j
	}
}

// narrow gives the bit-fields of a declaration a width of one bit, or the smallest width that the parser does not
// promote to int. A declaration of the latter gets a structure of its own, because the parser's groups have sizes that
// are powers of two.
func narrow(d *cc.StructDeclaration, put func(litmus.Pos, string), end litmus.Pos) {
	wide := false
	for l := d.StructDeclaratorList; l != nil; l = l.StructDeclaratorList {
		w, _ := l.StructDeclarator.ConstantExpression.Value().(cc.Int64Value)
		to := 1
		if w >= 32 {
			to, wide = 32, true
		}
		next := d.Token
		if l.StructDeclaratorList != nil {
			next = l.StructDeclaratorList.Token
		}
		p := next.Position()
		put(litmus.Pos{File: p.Filename, Line: p.Line, Col: p.Column}, fmt.Sprintf(" ? %d : %d", to, to))
	}
	if wide {
		put(Place(d), "struct { ")
		put(end, " };")
	}
}

// bitFields records the positions of the bit-fields of a translation unit, and rejects uses that are not supported.
func (q *Qualifiers) bitFields(ast *cc.AST) {
	for _, st := range structures(ast) {
		if why := st.misplaced(); why != "" {
			q.refuse(st.spec, "this layout of bit-fields is not supported: %s: declare the members one by one, "+
				"without macros, or in another order", why)
			continue
		}
		st.runs(q)
	}
	// of returns the name of the bit-field that an expression selects.
	of := func(e cc.ExpressionNode) string {
		for {
			switch n := e.(type) {
			case *cc.PrimaryExpression:
				if n.Case != cc.PrimaryExpressionExpr {
					return ""
				}
				e = n.ExpressionList
				continue
			case *cc.PostfixExpression:
				if f := selected(n); f != nil && f.IsBitfield() {
					return f.Name()
				}
			}
			return ""
		}
	}
	EachTree(ast, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.UnaryExpression:
			switch n.Case {
			case cc.UnaryExpressionAddrof:
				if name := of(n.CastExpression); name != "" {
					q.refuse(n, "bit-field %s has no address", name)
				}
			case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionAlignofExpr:
				if name := of(n.UnaryExpression); name != "" {
					q.refuse(n, "sizeof and _Alignof do not apply to bit-field %s", name)
				}
			}
		case *cc.TypeSpecifier:
			if n.Case == cc.TypeSpecifierTypeofExpr {
				if name := of(n.ExpressionList); name != "" {
					q.refuse(n, "typeof does not apply to bit-field %s", name)
				} else if f := Mistaken(n.ExpressionList); f != nil {
					q.refuse(n, "the C parser may confuse another member with %s and get the type wrong: rename "+
						"one of them", f.Name())
				}
			}
		case *cc.GenericSelection:
			if name := of(n.AssignmentExpression); name != "" {
				q.refuse(n,
					"_Generic of bit-field %s is not supported, because compilers disagree on its type: convert it "+
						"first",
					name)
			}
		}
		return true
	})
}

// runs groups the bit-fields of a structure into runs.
//
// Adjacent bit-fields are one memory location, so a write of one reads and writes its neighbours, too: that is a race
// with another thread that writes a neighbour. A member that is no bit-field, or a bit-field of width zero, ends a run
// (C11, 3.14). In a union, each bit-field is a run.
func (st *structure) runs(q *Qualifiers) {
	var run *Run
	from, to := 0, 0
	finish := func(limit int) {
		if run != nil {
			run.Pieces = pieces(from, to, limit, st.align)
		}
		run = nil
	}
	for _, m := range st.members {
		if m.width <= 0 {
			finish(m.bit / 8)
			continue
		}
		if st.t.Kind() == cc.Union {
			finish(st.size)
		}
		if run == nil {
			run, from = &Run{}, m.bit/8
		}
		to = up(m.bit+m.width, 8) / 8
		if d := m.f.Declarator(); d != nil {
			if d.IsAtomic() || q.declarator(d).atomic {
				q.refuse(d,
					"bit-field %s is _Atomic, which is not supported: no C compiler implements atomic accesses to "+
						"bit-fields",
					d.Name())
			}
			run.Names = append(run.Names, d.Name())
			q.fields[d] = &BitField{Bit: m.bit, Width: m.width, At: m.at, Run: run}
		}
	}
	finish(st.size)
}

// pieces returns accesses that cover some bytes. Each is aligned up to what align allows, and extends into padding up
// to the limit at most.
func pieces(from, to, limit, align int) []Piece {
	var out []Piece
	fits := func(size int) bool { return from%size == 0 && size <= align && from+size <= limit }
	for from < to {
		size := 1
		for s := 2; s <= maxPiece && s < 2*(to-from); s *= 2 {
			if fits(s) {
				size = s
			}
		}
		out = append(out, Piece{from, size})
		from += size
	}
	return out
}

// BitField returns the position of a bit-field, or nil for other members.
func (q *Qualifiers) BitField(f *cc.Field) *BitField {
	if f == nil || !f.IsBitfield() {
		return nil
	}
	return q.fields[f.Declarator()]
}

// Wrapped returns the runs in a member of a structure: one run for a bit-field, several for a wrapper, nil for other
// members.
func (q *Qualifiers) Wrapped(f *cc.Field) (all []*Run, bits bool) {
	if f.IsBitfield() {
		if b := q.BitField(f); b != nil {
			all = append(all, b.Run)
		}
		return all, true
	}
	if f.Name() != "" || !isWrapper(f.Type()) {
		return nil, false
	}
	var visit func(t fielded)
	visit = func(t fielded) {
		for i := 0; t.FieldByIndex(i) != nil; i++ {
			if inner, ok := t.FieldByIndex(i).Type().(fielded); ok {
				visit(inner)
			}
			if b := q.BitField(t.FieldByIndex(i)); b != nil && !slices.Contains(all, b.Run) {
				all = append(all, b.Run)
			}
		}
	}
	visit(f.Type().(fielded))
	return all, true
}

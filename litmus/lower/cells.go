package lower

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"litmuscope/litmus/ir"
)

// Where accesses overlap in part, the locations that they are to are cut into cells, at the boundaries that
// occur: see [ir.Piece]. What accesses there are is found out by following the registers of each thread, as far as it
// goes forward. An address that is not known as a number is taken to be anywhere in the object that it comes from, or
// in all of them, at a multiple of the access's width. Where an access turns out to be to something else, it is refused
// as one that leaves the locations.

// object is a location without neighbours, or those of an array.
type object struct {
	locs  []int // by address
	begin uint64
	open  bool // nobody has said how wide it is
	wide  int  // then: the widest access at its begin
	cuts  []int
	mixed bool
}

// bits is how wide an object is, as far as it is said.
func (o *object) bits(b *Builder) int {
	if o.wide > 0 {
		return o.wide
	}
	last := &b.Program.Locs[o.locs[len(o.locs)-1]]
	return int(last.Address-o.begin)*8 + last.Bits
}

// number is what is known of a register: a number, or which object's address it may be made from, by index.
type number struct {
	exact bool
	value uint64
	from  origin
}

var anyNumber = number{from: noLocation}

// touch is an access: so many bits, so many bits into an object where exact.
type touch struct {
	number
	bits   int
	at     int // bits into the object
	thread int
	step   ir.Step
}

// findObjects lists the objects in the order of their addresses.
func (b *Builder) findObjects() {
	order := make([]int, len(b.Program.Locs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order,
		func(i, j int) int { return cmp.Compare(b.Program.Locs[i].Address, b.Program.Locs[j].Address) })
	for _, i := range order {
		loc := &b.Program.Locs[i]
		if n := len(b.objects); n > 0 && b.inArray(i) {
			if o := &b.objects[n-1]; o.begin+uint64(o.bits(b)/8) == loc.Address && b.inArray(o.locs[0]) {
				o.locs = append(o.locs, i)
				continue
			}
		}
		b.objects = append(b.objects, object{locs: []int{i}, begin: loc.Address, open: !b.typed[i] || b.accessed[i]})
	}
}

// objectAt is the object that a number is an address in.
func (b *Builder) objectAt(v uint64) origin {
	i := sort.Search(len(b.objects), func(i int) bool { return b.objects[i].begin > v }) - 1
	if i < 0 {
		return noLocation
	}
	o := &b.objects[i]
	room := o.bits(b) / 8
	if o.open {
		room = max(room, 8)
	}
	if v-o.begin >= uint64(room) {
		return noLocation
	}
	return origin(i)
}

// of is the object that a number may be made from.
func (b *Builder) of(n number) origin {
	if n.exact {
		return b.objectAt(n.value)
	}
	return n.from
}

func (b *Builder) merge(x, y number) number {
	if x == y {
		return x
	}
	return number{from: b.of(x).join(b.of(y))}
}

// follow finds the accesses of a thread, and what it may store. loaded is what loads give.
func (b *Builder) follow(t int, loaded number) (touches []touch, stored origin) {
	stored = noLocation
	b.walk(t, loaded, func(s ir.Step, regs []number) {
		if addr, bits := ir.Access(s.Op); addr != nil {
			at := touch{number: b.valueOf(addr, regs), bits: bits, thread: t, step: s}
			if at.from = b.of(at.number); at.exact && at.from >= 0 {
				at.at = int(at.value-b.objects[at.from].begin) * 8
			}
			touches = append(touches, at)
		}
		var value, next ir.Expr
		switch op := s.Op.(type) {
		case ir.Store:
			value, next = op.Value, op.Next
		case ir.StoreCond:
			value, next = op.Value, op.Next
		case ir.RMW:
			value = op.New
		}
		for _, v := range []ir.Expr{value, next} {
			if v != nil {
				stored = stored.join(b.of(b.valueOf(v, regs)))
			}
		}
	})
	return touches, stored
}

// walk shows what is known of a thread's registers at each of its steps that it may come to. What is known where ways
// meet is what is known on all of them; it is less in each round, until nothing changes.
func (b *Builder) walk(t int, loaded number, visit func(s ir.Step, regs []number)) {
	th := &b.Program.Threads[t]
	begins, regs := make([]number, len(th.Regs)), make([]number, len(th.Regs))
	for r, reg := range th.Regs {
		begins[r] = number{exact: true, value: reg.Init & ir.Mask(reg.Bits)}
	}
	meet := map[int][]number{} // by where branches lead
	for _, s := range th.Code {
		if br, ok := s.Op.(ir.Branch); ok {
			meet[br.Target] = nil
		}
	}
	const (
		rounds = 8       // code goes forward, but for loops
		most   = 1 << 20 // numbers that are kept
	)
	nothing := func(regs []number) {
		for r := range regs {
			regs[r] = number{from: manyLocations}
		}
	}
	if len(meet)*len(regs) > most {
		nothing(regs)
		for _, s := range th.Code {
			visit(s, regs)
		}
		return
	}
	changed, last := true, false
	arrive := func(pc int) {
		if meet[pc] == nil {
			meet[pc], changed = slices.Clone(regs), true
		}
		for r, n := range meet[pc] {
			meet[pc][r] = b.merge(n, regs[r])
			changed = changed || meet[pc][r] != n
		}
	}
	for round := 0; !last; round++ {
		last, changed = !changed, false
		if round >= rounds {
			for _, regs := range meet {
				nothing(regs)
			}
		}
		copy(regs, begins)
		live := true
		for pc, s := range th.Code {
			if _, ok := meet[pc]; ok {
				if live {
					arrive(pc)
				}
				live = meet[pc] != nil
				copy(regs, meet[pc])
			}
			if !live {
				continue
			}
			if last {
				visit(s, regs)
			}
			if dst, used := ir.Effect(s.Op); dst >= 0 {
				regs[dst] = b.resultOf(s.Op, used, regs, loaded)
			}
			if br, ok := s.Op.(ir.Branch); ok {
				arrive(br.Target)
				live = br.Cond != nil
			}
		}
	}
}

// resultOf is what is known of what an operation sets a register to.
func (b *Builder) resultOf(op ir.Op, used []ir.Expr, regs []number, loaded number) number {
	switch op.(type) {
	case ir.Assign, ir.Pick:
		return b.valueOf(used[0], regs)
	case ir.Load, ir.Take, ir.RMW:
		return loaded
	}
	return anyNumber
}

// valueOf is what is known of an expression.
func (b *Builder) valueOf(e ir.Expr, regs []number) number {
	var parts []number
	part := func(e ir.Expr) (number, ir.Expr) {
		n := b.valueOf(e, regs)
		parts = append(parts, n)
		return n, ir.Const{Value: n.value, Bits: e.Width()}
	}
	exact := func(e ir.Expr) number { return number{exact: true, value: b.Program.Eval(e, nil, 0)} }
	switch e := e.(type) {
	case ir.Const, ir.Addr:
		return exact(e)
	case ir.Reg:
		return regs[e.Index]
	case ir.Unary:
		if x, c := part(e.X); x.exact {
			return exact(ir.Unary{Op: e.Op, X: c})
		}
	case ir.Extract:
		if x, c := part(e.X); x.exact {
			return exact(ir.Extract{X: c, Lo: e.Lo, Bits: e.Bits})
		}
	case ir.Extend:
		if x, c := part(e.X); x.exact {
			return exact(ir.Extend{X: c, Bits: e.Bits, Signed: e.Signed})
		}
	case ir.Binary:
		if e.X == e.Y && (e.Op == ir.BitXor || e.Op == ir.Sub) {
			return number{exact: true}
		}
		x, c := part(e.X)
		y, d := part(e.Y)
		switch {
		case x.exact && y.exact:
			return exact(ir.Binary{Op: e.Op, X: c, Y: d})
		case e.Op == ir.BitAnd && (x.exact && x.value == 0 || y.exact && y.value == 0):
			return number{exact: true}
		}
	case ir.Cond:
		return b.chosen(e.If, e.Then, e.Else, regs)
	case ir.Select:
		return b.chosen(e.If, e.Then, e.Else, regs)
	case ir.Old:
		return anyNumber
	default:
		panic(fmt.Sprintf("BUG: unknown expression %T", e))
	}
	out := anyNumber
	for _, p := range parts {
		out.from = out.from.join(b.of(p))
	}
	return out
}

func (b *Builder) chosen(cond, then, otherwise ir.Expr, regs []number) number {
	x, y := b.valueOf(then, regs), b.valueOf(otherwise, regs)
	if c := b.valueOf(cond, regs); c.exact && c.value == 1 {
		return x
	} else if c.exact {
		return y
	}
	return b.merge(x, y)
}

// findMixed finds the objects that are accessed at more than one width, or not as a whole.
func (b *Builder) findMixed() {
	b.findObjects()
	pointers := noLocation
	for _, loc := range b.Program.Locs {
		pointers = pointers.join(b.objectAt(loc.Init))
	}
	for {
		loaded := anyNumber
		if pointers != noLocation {
			loaded.from = manyLocations
		}
		b.touches = nil
		found := noLocation
		for t := range b.Program.Threads {
			touches, stored := b.follow(t, loaded)
			b.touches, found = append(b.touches, touches...), found.join(stored)
		}
		if pointers != noLocation || found == noLocation {
			break
		}
		pointers = found
	}
	for _, t := range b.touches {
		if t.from < 0 || !t.exact || t.at != 0 {
			continue
		}
		if i := b.objects[t.from].locs[0]; b.ints[i] {
			b.Program.Locs[i].Bits = max(b.Program.Locs[i].Bits, t.bits)
		}
	}
	for _, t := range b.touches { // what nobody has said the width of is as wide as what is accessed at its begin
		if t.from >= 0 && b.objects[t.from].open && t.at == 0 {
			o := &b.objects[t.from]
			o.wide = max(o.wide, min(t.bits, 64))
		}
	}
	for i := range b.objects { // or a word, where its first bytes are not the lowest of that
		if o := &b.objects[i]; o.wide > 0 && b.Program.BigEndian {
			o.wide = max(o.wide, b.WordBits)
		}
	}
	widths := map[origin]int{} // of accesses to an object: one, or -1
	note := func(at origin, bits int) {
		if w := widths[at]; w != 0 && w != bits {
			bits = -1
		}
		widths[at] = bits
	}
	for _, t := range b.touches {
		if t.from >= 0 && (!t.exact || t.at < b.objects[t.from].bits(b)) {
			note(t.from, t.bits)
		}
	}
	for i := range b.objects {
		o := &b.objects[i]
		o.mixed = widths[origin(i)] < 0
		for _, t := range b.touches {
			switch {
			case t.bits > 64 && (t.from == origin(i) || t.from == manyLocations && o.bits(b) >= t.bits):
				o.mixed = true
			case !o.open && t.from == origin(i) && !t.exact && t.bits < b.Program.Locs[o.locs[0]].Bits:
				o.mixed = true
			case t.from != origin(i) || o.mixed || !t.exact || t.at >= o.bits(b):
			case len(o.locs) == 1:
				loc := &b.Program.Locs[o.locs[0]]
				o.mixed = t.at != 0 || !o.open &&
					(t.bits > loc.Bits || t.bits < loc.Bits && loc.Init&^ir.Mask(t.bits) != 0) ||
					b.Program.BigEndian && t.bits < o.bits(b)
			default:
				first := b.Program.Locs[o.locs[0]].Bits
				o.mixed = t.bits != first || t.at%first != 0
			}
		}
	}
}

// cut makes cells of the objects that are mixed, and of those that accesses to them may be to, too.
func (b *Builder) cut() {
	p := b.Program
	p.Wide = slices.ContainsFunc(b.touches, func(t touch) bool { return t.bits > 64 })
	if !slices.ContainsFunc(b.objects, func(o object) bool { return o.mixed }) {
		return
	}
	if b.OneWidth != "" {
		for _, t := range b.touches {
			if t.from >= 0 && b.objects[t.from].mixed {
				loc := &p.Locs[b.objects[t.from].locs[0]]
				b.Failf(p.Threads[t.thread].Source[t.step.Source].Pos,
					"access of %d bits to %s, which is accessed at another width, too: %s", t.bits,
					loc.Name, b.OneWidth)
				return
			}
		}
	}
	for i := range b.objects {
		o := &b.objects[i]
		if o.open && o.mixed {
			p.Locs[o.locs[0]].Bits = cmp.Or(o.wide, p.Locs[o.locs[0]].Bits)
		}
	}
	for i := range b.objects {
		o := &b.objects[i]
		for _, l := range o.locs {
			at := int(p.Locs[l].Address-o.begin) * 8
			o.cutAt(at)
			o.cutAt(at + p.Locs[l].Bits)
		}
	}
	ok := true
	for _, t := range b.touches {
		ok = b.cutFor(t) && ok
	}
	for changed := ok; changed; { // an access has the same pieces wherever it is
		changed = false
		for _, t := range b.touches {
			changed = !t.exact && b.align(t) || changed
		}
	}
	if !ok {
		return
	}
	for i := range b.objects {
		b.cells(&b.objects[i])
	}
	b.remarkOrder()
}

// remarkOrder remarks on the order of bytes where a number's highest is the first: tests are about that are made
// for machines that have it the other way round.
func (b *Builder) remarkOrder() {
	if !b.Program.BigEndian {
		return
	}
	for _, t := range b.touches {
		if t.from >= 0 && b.objects[t.from].mixed {
			pos := b.Program.Threads[t.thread].Source[t.step.Source].Pos
			b.Remarkf(pos, "%s is accessed at several widths, and the byte at its address is its highest, as in %s "+
				"tests in general: tools that take it for the lowest have other values",
				b.Program.Locs[b.objects[t.from].locs[0]].Name, b.Test.Arch)
			return
		}
	}
}

func (o *object) cutAt(bit int) bool {
	i, found := slices.BinarySearch(o.cuts, bit)
	if !found {
		o.cuts = slices.Insert(o.cuts, i, bit)
	}
	return !found
}

// cutFor cuts what an access is to at its ends.
func (b *Builder) cutFor(t touch) bool {
	pos := b.Program.Threads[t.thread].Source[t.step.Source].Pos
	for i := range b.objects {
		o := &b.objects[i]
		if t.from != origin(i) && (t.from != manyLocations || !o.mixed) {
			continue
		}
		size := o.bits(b)
		if !t.exact {
			for at := 0; at+t.bits <= size; at += t.bits {
				o.cutAt(at)
				o.cutAt(at + t.bits)
			}
			continue
		}
		name := b.nameAt(o, t.at/8)
		switch {
		case t.at >= size: // is behind it, which no execution should come to
			continue
		case t.at%t.bits != 0:
			b.Failf(pos, "access of %d bits to %s: misaligned accesses are not supported", t.bits, name)
			return false
		case t.at+t.bits > size:
			hint := ""
			if t.bits > 64 {
				hint = ": declare it as an array, as in uint64_t x[2]"
			}
			b.Failf(pos, "access of %d bits to %s, which has %d%s", t.bits, name, size-t.at, hint)
			return false
		}
		o.cutAt(t.at)
		o.cutAt(t.at + t.bits)
	}
	return true
}

// nameAt says what is so many bytes into an object.
func (b *Builder) nameAt(o *object, bytes int) (name string) {
	for _, l := range o.locs {
		loc := &b.Program.Locs[l]
		switch at := int(loc.Address - o.begin); {
		case at == bytes:
			return loc.Name
		case at < bytes:
			name = fmt.Sprintf("%s+%d", loc.Name, bytes-at)
		}
	}
	return name
}

// align cuts the places that an access may be to alike.
func (b *Builder) align(t touch) (changed bool) {
	inside := map[int]bool{}
	for _, cut := range []bool{false, true} {
		for i := range b.objects {
			o := &b.objects[i]
			if t.from != origin(i) && t.from != manyLocations {
				continue
			}
			for at := 0; at+t.bits <= o.bits(b); at += t.bits {
				for _, c := range slices.Clone(o.cuts) {
					if c > at && c < at+t.bits && !cut {
						inside[c-at] = true
					}
				}
				for c := range inside {
					changed = cut && o.cutAt(at+c) || changed
				}
			}
		}
	}
	return changed
}

// cells makes locations of what an object has been cut into. The first piece of each stays what it was.
func (b *Builder) cells(o *object) {
	p := b.Program
	if len(o.cuts) == len(o.locs)+1 && !o.mixed {
		return
	}
	p.Split = true
	last := -1
	for _, l := range o.locs {
		whole := p.Locs[l]
		b.wide[l] = whole
		begin := int(whole.Address-o.begin) * 8
		for k, at := range o.cuts[:len(o.cuts)-1] {
			if at < begin || at >= begin+whole.Bits {
				continue
			}
			cell := whole
			cell.Bits, cell.Address = o.cuts[k+1]-at, o.begin+uint64(at/8)
			lo := at - begin
			if p.BigEndian {
				lo = whole.Bits - lo - cell.Bits
			}
			cell.Init = whole.Init >> lo & ir.Mask(cell.Bits)
			i := l
			if at > begin {
				cell.Offset = (at - begin) / 8
				cell.Name = fmt.Sprintf("%s+%d", whole.Name, cell.Offset)
				i = len(p.Locs)
				p.Locs = append(p.Locs, cell)
			} else {
				p.Locs[l] = cell
			}
			if cell.Bits < whole.Bits {
				p.Locs[i].Signed = false
			}
			if last >= 0 {
				p.Locs[last].Next = i
			}
			last = i
		}
	}
}

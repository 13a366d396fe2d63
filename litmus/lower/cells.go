package lower

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"litmuscope/litmus/ir"
)

// Cells for accesses that overlap in part. If accesses of a test overlap in part, their locations are cut into cells at
// the boundaries that occur (see [ir.Piece]). To find the accesses, this file propagates the possible values of
// registers through each thread. An unknown address may be anywhere in the object that it is derived from, or in any
// object, at a multiple of the access's width. If an execution has another access, it is an error, as for an access
// outside all locations.

// object is a single location, or the locations of an array.
type object struct {
	locs  []int // by address
	begin uint64
	open  bool // no type says how wide it is
	wide  int  // then: width of the widest access at its beginning
	cuts  []int
	mixed bool
}

// bits returns the declared width of an object.
func (o *object) bits(b *Builder) int {
	if o.wide > 0 {
		return o.wide
	}
	last := &b.Program.Locs[o.locs[len(o.locs)-1]]
	return int(last.Address-o.begin)*8 + last.Bits
}

// number is the fact about a register: its number, or the index of the object from whose address it is derived.
type number struct {
	exact bool
	value uint64
	from  origin
}

var anyNumber = number{from: noLocation}

// touch is an access: its width in bits and, if exact, its offset in the object in bits.
type touch struct {
	number
	bits   int
	at     int // offset in the object, in bits
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

// objectAt returns the object that contains an address.
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

// of returns the object from which a number may be derived.
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

// follow finds the accesses of a thread, and the values it may store. loaded is the value of loads.
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

// walk calls visit with the facts about a thread's registers at each reachable step. Where paths meet, only facts that
// hold on all of them remain. The facts shrink in each round until they are stable.
func (b *Builder) walk(t int, loaded number, visit func(s ir.Step, regs []number)) {
	th := &b.Program.Threads[t]
	begins, regs := make([]number, len(th.Regs)), make([]number, len(th.Regs))
	for r, reg := range th.Regs {
		begins[r] = number{exact: true, value: reg.Init & ir.Mask(reg.Bits)}
	}
	meet := map[int][]number{} // by target of branches
	for _, s := range th.Code {
		if br, ok := s.Op.(ir.Branch); ok {
			meet[br.Target] = nil
		}
	}
	const (
		rounds = 8       // code goes forward, except for loops
		most   = 1 << 20 // maximum number of stored facts
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

// resultOf returns the fact about the register that an operation sets.
func (b *Builder) resultOf(op ir.Op, used []ir.Expr, regs []number, loaded number) number {
	switch op.(type) {
	case ir.Assign, ir.Pick:
		return b.valueOf(used[0], regs)
	case ir.Load, ir.Take, ir.RMW:
		return loaded
	}
	return anyNumber
}

// valueOf returns the fact about an expression.
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

// findMixed finds the objects that are accessed with more than one width, or not as a whole.
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
	for _, t := range b.touches { // an object without a type is as wide as the widest access at its beginning
		if t.from >= 0 && b.objects[t.from].open && t.at == 0 {
			o := &b.objects[t.from]
			o.wide = max(o.wide, min(t.bits, 64))
		}
	}
	for i := range b.objects { // or as wide as a word, on a big-endian architecture
		if o := &b.objects[i]; o.wide > 0 && b.Program.BigEndian {
			o.wide = max(o.wide, b.WordBits)
		}
	}
	widths := map[origin]int{} // width of the accesses to an object, or -1 for several
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

// cut cuts the mixed objects into cells, and the objects that accesses to them may also reach.
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
					"access of %d bits to %s, which is also accessed with another width: %s", t.bits,
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
	for changed := ok; changed; { // an access has the same pieces at each of its places
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

// remarkOrder remarks on big-endian architectures, because many tools evaluate such tests as little-endian.
func (b *Builder) remarkOrder() {
	if !b.Program.BigEndian {
		return
	}
	for _, t := range b.touches {
		if t.from >= 0 && b.objects[t.from].mixed {
			pos := b.Program.Threads[t.thread].Source[t.step.Source].Pos
			b.Remarkf(pos, "%s is accessed with several widths, and tests for %s are big-endian: little-endian "+
				"tools report other values",
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

// cutFor cuts an object at the ends of an access.
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
		case t.at >= size: // is after its end, which no execution should reach
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

// nameAt names the part of an object at an offset in bytes.
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

// align makes the cuts equal in all places that an access may reach.
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

// cells makes locations of the parts of a cut object. The first piece of each location keeps its index.
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

package lower

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Declare reads the init block. Call it before lowering instructions.
func (b *Builder) Declare() {
	location := func(item litmus.Init) bool { return !item.Target.IsRegister() && !isSymbolic(item.Target.Name) }
	for _, item := range b.Test.Init {
		if location(item) && item.Aliases == "" {
			b.declareLocation(item)
		}
	}
	for _, item := range b.Test.Init {
		if item.Aliases != "" {
			b.declareAlias(item)
		}
	}
	for _, item := range b.Test.Init {
		switch {
		case item.Target.IsRegister():
			b.declareRegister(item)
		case item.Aliases != "":
		case isSymbolic(item.Target.Name):
			b.declareSymbolic(item)
		}
	}
	for _, item := range b.Test.Init {
		if location(item) && item.Aliases == "" {
			b.initLocation(item)
		}
	}
	b.declared = len(b.Program.Locs)
}

// declareLocation declares the location or the array of an init item, or adds the item to a declared one. An array
// element is declared by the item of its array.
func (b *Builder) declareLocation(item litmus.Init) {
	if item.Target.Index >= 0 {
		return // another item declares the array
	}
	name := item.Target.Name
	if b.system != nil {
		if _, special := b.system.Locate(name, item.Pos); special {
			return
		}
	}
	bits, signed, ok := b.typeBits(item.Type)
	if !ok {
		b.failType(item)
		return
	}
	if first, again := b.locs[name]; again {
		b.declareAgain(item, first, bits, signed)
		return
	}
	first := b.addLocation(item.Pos, name, bits, signed)
	b.typed[first] = item.Type != ""
	if item.Count == 0 {
		b.ints[first] = b.WidenInt && item.Type == "int"
		return
	}
	// The elements of an array are adjacent.
	b.arrays[name] = item.Count
	b.locs[name+"[0]"] = first
	b.Program.Locs[first].Name = name + "[0]"
	for i := range item.Count {
		if b.full {
			return
		}
		at := first
		if i > 0 {
			at = b.addLocation(item.Pos, name+"["+strconv.Itoa(i)+"]", bits, signed)
			b.Program.Locs[at].Address = b.Program.Locs[first].Address + uint64(i*bits/8)
		}
		b.typed[at] = true
	}
}

// declareAgain processes another item for a location, which may add a missing type or value.
func (b *Builder) declareAgain(item litmus.Init, i, bits int, signed bool) {
	loc := &b.Program.Locs[i]
	switch {
	case item.Count != b.arrays[item.Target.Name]:
		b.Failf(item.Pos, "%s is already declared with another number of elements", item.Target.Name)
	case item.Type == "":
	case item.Count == 0 && !b.typed[i]:
		loc.Bits, loc.Signed, b.typed[i] = bits, signed, true
	case loc.Bits != bits || loc.Signed != signed:
		b.Failf(item.Pos, "%s is already declared with another type", item.Target.Name)
	}
}

// Members places the fields of some structures after them, each as a location: field f of x is x.f, at an offset in
// bytes. Call it before Declare.
func (b *Builder) Members(objects []string, fields map[string]int) {
	names := slices.SortedFunc(maps.Keys(fields), func(f, g string) int { return fields[f] - fields[g] })
	for _, object := range objects {
		first := b.addLocation(litmus.Pos{File: b.Test.File, Line: 1, Col: 1}, object, b.WordBits, true)
		for _, f := range names {
			at := b.addLocation(litmus.Pos{File: b.Test.File, Line: 1, Col: 1}, object+"."+f, b.WordBits, true)
			b.Program.Locs[at].Address = b.Program.Locs[first].Address + uint64(fields[f])
		}
	}
}

func (b *Builder) failType(item litmus.Init) {
	b.Failf(item.Pos, "unknown type %q: want int, intN_t, uintN_t, char, short, long or a pointer", item.Type)
}

// maxLocations bounds the memory of a test, so that addresses fit in 32 bits.
const maxLocations = 4096

// addLocation adds a location with an address that is aligned, too high to occur as a number by chance, and has room
// for an array after it.
func (b *Builder) addLocation(pos litmus.Pos, name string, bits int, signed bool) int {
	i := len(b.Program.Locs)
	if i == maxLocations {
		if !b.full {
			b.Failf(pos, "the test has more than %d memory locations", maxLocations)
		}
		b.full = true
		return i - 1
	}
	address := 0x5d00_0000 + uint64(i)*0x1_0000
	if b.PointerBits == 64 {
		address = 0x5d7a_0000_0000 + uint64(i)*0x40_0000
	}
	b.Program.Locs = append(b.Program.Locs, ir.Location{Name: name, Bits: bits, Signed: signed, Address: address})
	b.locs[name] = i
	return i
}

// typeBits returns the width and signedness of a C type; "" is the default word.
func (b *Builder) typeBits(name string) (bits int, signed, ok bool) {
	if name == "" {
		return b.WordBits, true, true
	}
	if b.TypeBits != nil {
		return b.TypeBits(name)
	}
	if strings.HasSuffix(name, "*") {
		return b.PointerBits, false, true
	}
	signed = true
	var words []string
	for _, w := range strings.Split(name, " ") {
		switch w {
		case "volatile", "const", "signed":
		case "unsigned":
			signed = false
		default:
			words = append(words, w)
		}
	}
	base := strings.Join(words, " ")
	if strings.HasPrefix(base, "uint") {
		signed, base = false, base[1:]
	}
	switch base {
	case "", "int", "int32_t", "ins_t": // "unsigned" alone is an int too
		return 32, signed, true
	case "pteval_t":
		return 64, false, true
	case "int64_t", "long long", "long long int":
		return 64, signed, true
	case "long", "long int", "intptr_t":
		return b.PointerBits, signed, true
	case "int16_t", "short", "short int":
		return 16, signed, true
	case "int8_t", "char":
		return 8, signed, true
	}
	return 0, false, false
}

func (b *Builder) declareRegister(item litmus.Init) {
	t, v, ok := b.register(item.Target)
	if !ok {
		return
	}
	b.initRegister(t, b.reg(t, v.Whole), v, item)
}

// initRegister sets the type and initial value of register reg of thread t, named as v says.
func (b *Builder) initRegister(t, reg int, v RegisterView, item litmus.Init) {
	if item.Type != "" && (!v.Hidden || item.Type != "uint128_t" && item.Type != "int128_t") {
		bits, signed, known := b.typeBits(item.Type)
		if !known {
			b.failType(item)
		}
		b.types[[2]int{t, reg}] = registerType{bits, signed}
	}
	if item.Count > 0 {
		if item.Values[0].Tag != "" && item.Values[0].Name == "" && b.system != nil { // a set of tags
			b.given[[2]int{t, reg}] = true
			for _, l := range item.Values {
				b.Program.Threads[t].Regs[reg].Init |= 1 << b.value(l, item.Target, 64)
			}
			return
		}
		b.Failf(item.Pos, "%s: a register cannot hold an array", item.Target)
		return
	}
	if len(item.Values) == 1 {
		b.given[[2]int{t, reg}] = true
		r := &b.Program.Threads[t].Regs[reg]
		mask := ir.Mask(v.Bits) << v.Lo
		value := b.value(item.Values[0], item.Target, v.Bits)
		if typ, typed := b.types[[2]int{t, reg}]; typed && item.Values[0].Name == "" {
			value = ofType(value, typ.bits, typ.signed)
		}
		r.Init = r.Init&^mask | value<<v.Lo&mask
	}
}

// declareSymbolic records the value of a symbolic register for the threads that use it.
func (b *Builder) declareSymbolic(item litmus.Init) {
	name := item.Target.Name
	if !b.Symbolic {
		b.Failf(item.Pos, "%s: symbolic registers are not supported in %s tests", name, b.Test.Arch)
		return
	}
	if first, again := b.symbols[name]; again {
		b.Failf(item.Pos, "%s already has another initial value on line %d", name, first.Pos.Line)
		return
	}
	for _, v := range item.Values {
		b.value(v, item.Target, b.RegisterBits(name)) // declare the location that it names
	}
	b.symbols[name] = item
}

func (b *Builder) initLocation(item litmus.Init) {
	i, ok := b.element(item.Target)
	if !ok {
		return
	}
	for k, v := range item.Values {
		if i+k >= len(b.Program.Locs) {
			return // too many: reported
		}
		if (v.Name != "" || v.Entry != "") && !b.typed[i+k] { // an address makes it a pointer
			b.Program.Locs[i+k].Bits, b.typed[i+k] = b.PointerBits, true
		}
		loc := &b.Program.Locs[i+k]
		value := b.value(v, item.Target, loc.Bits) // Finish truncates it to the final width
		if v.Name == "" && b.TypeOf != nil {
			bits, signed := b.TypeOf(item.Target.Name)
			value = ofType(value, bits, signed)
		}
		loc = &b.Program.Locs[i+k] // the value may have added a location
		if first, again := b.inits[i+k]; again && (loc.Init^value)&ir.Mask(loc.Bits) != 0 && !b.full {
			b.Failf(v.Pos, "%s already has another initial value on line %d", loc.Name, first.Line)
		}
		loc.Init, b.inits[i+k] = value, v.Pos
	}
}

// ofType converts an initial value to a type, as C does. A type of one bit is bool.
func ofType(v uint64, bits int, signed bool) uint64 {
	switch {
	case bits >= 64:
		return v
	case bits == 1:
		return min(v, 1)
	}
	if v &= ir.Mask(bits); signed {
		return ir.SignExtend(v, bits)
	}
	return v
}

// element returns the location that o names and declares it if it is new.
func (b *Builder) element(o litmus.Place) (int, bool) {
	if o.Index < 0 {
		return b.loc(o.Name, o.Pos), true
	}
	i, ok := b.locs[o.String()]
	if !ok {
		b.failElement(o.Pos, o.Name, o.Index)
	}
	return i, ok
}

func (b *Builder) failElement(pos litmus.Pos, array string, index int) {
	if b.full {
		return // the array may be the one that did not fit
	}
	if n := b.arrays[array]; n > 0 {
		b.Failf(pos, "%s has no element %d: its last is %s[%d]", array, index, array, n-1)
		return
	}
	b.Failf(pos, "%s is not declared as an array: write \"int %s[%d]\" in the init block", array, array, index+1)
}

// value returns the number of a literal, which must fit in bits bits of to. The name of a location means its address.
func (b *Builder) value(l litmus.Literal, to litmus.Place, bits int) uint64 {
	if v, ok := b.systemValue(l, to); ok {
		return v
	}
	if l.Name == "" {
		return l.Bits
	}
	if bits < b.PointerBits {
		b.Failf(l.Pos, "%s has %d bits, but the address of %s needs %d", to, bits, l.Name, b.PointerBits)
	}
	if l.Label {
		address, _ := b.labelValue(l)
		return address
	}
	i, ok := b.locs[l.Name]
	if !ok {
		if array, rest, isElement := strings.Cut(l.Name, "["); isElement {
			index, _ := strconv.Atoi(strings.TrimSuffix(rest, "]"))
			b.failElement(l.Pos, array, index)
			return 0
		}
		i = b.loc(l.Name, l.Pos)
	}
	if l.Bits > 0 {
		b.behind = append(b.behind, behind{l, i})
	}
	return b.Program.Locs[i].Address + l.Bits
}

// behind is an initial value that is an address at an offset from a location.
type behind struct {
	litmus.Literal
	loc int
}

// boundBehind reports initial values that are addresses beyond the end of the object they name.
func (b *Builder) boundBehind() {
	for _, v := range b.behind {
		for i := range b.objects {
			o := &b.objects[i]
			if !slices.Contains(o.locs, v.loc) {
				continue
			}
			loc := &b.Program.Locs[v.loc]
			if left := uint64(o.bits(b)/8) - (loc.Address - o.begin); v.Bits > left {
				b.Failf(v.Pos, "%s is outside the object, which has %d bytes from %s: use at most %s+%d, or a "+
					"wider type in the init block", v.String(), left, v.Name, v.Name, left)
			}
		}
	}
}

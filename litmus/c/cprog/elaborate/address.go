package elaborate

import (
	"fmt"
	"strconv"
	"strings"
)

// addresses names addresses as C writes them: &x, &node#2.next, &a[1], &f. It implements [ir.AddressNames].
type addresses struct{ elab *elaboration }

// maxNamed is the maximum number of bytes of a block that have their own names.
const maxNamed = 4096

// Name returns an address in C's notation, or "" if no block or function has it.
func (a addresses) Name(addr uint64, bits int) string {
	if bits < a.elab.unit.Pointer {
		return ""
	}
	if f := a.elab.functionAt(addr); f != nil {
		return "&" + f.Name
	}
	if o := a.elab.blockAt(addr); o != nil {
		return "&" + o.at(int(addr-o.base))
	}
	return ""
}

// at returns the C notation of the scalar at an offset of a block. If none begins there, it returns the block's name
// and the offset.
func (o *block) at(offset int) string {
	part := func(offset int) string {
		name, _ := o.layout(offset)
		return name
	}
	switch named := o.layout != nil && offset < maxNamed; {
	case named && strings.HasPrefix(part(0), o.name+"[") && (offset == 0 || part(offset) != part(offset-1)):
		return part(offset)
	case offset == 0:
		return o.name
	case named && offset < o.size && part(offset) != o.name && part(offset) != part(offset-1):
		return part(offset)
	}
	return fmt.Sprintf("%s+%d", o.name, offset)
}

// Find returns the address with a name, the inverse of Name. ok is false if no address, or more than one, has the name.
func (a addresses) Find(name string) (addr uint64, ok bool) {
	name, ok = strings.CutPrefix(name, "&")
	if !ok {
		return 0, false
	}
	for _, f := range a.elab.funcs {
		if f.Name == name {
			return a.elab.addressOf(f), true
		}
	}
	found := 0
	for _, o := range a.elab.blocks {
		rest, ok := strings.CutPrefix(name, o.name)
		if !ok {
			continue
		}
		for offset := range min(o.size+1, maxNamed) {
			if o.at(offset) == name {
				addr = o.base + uint64(offset)
				found++
			}
		}
		if n, err := strconv.Atoi(strings.TrimPrefix(rest, "+")); err == nil && n >= maxNamed && o.at(n) == name {
			addr = o.base + uint64(n)
			found++
		}
	}
	return addr, found == 1 // and no two blocks have the name
}

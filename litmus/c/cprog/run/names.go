package run

import (
	"fmt"
	"strings"
)

// Names names addresses as C writes them: &x, &node#2.next, &a[1], &f. It implements
// [litmuscope/litmus/ir.AddressNames].
type Names struct{ p *Program }

// Names returns the names of the program's addresses.
func (p *Program) Names() Names { return Names{p} }

// maxNamed is the maximum number of bytes of a block that have their own names.
const maxNamed = 4096

// Name implements ir.AddressNames.
func (n Names) Name(addr uint64, bits int) string {
	if bits < n.p.Pointer {
		return ""
	}
	if f := n.p.functionAt(addr); f != nil {
		return "&" + f.Name
	}
	if b := n.p.blockAt(addr); b != nil {
		return "&" + b.within(int(addr-b.base))
	}
	return ""
}

// within returns the C notation of the scalar at an offset of a block. If none begins there, it returns the block's
// name and the offset.
func (b *block) within(offset int) string {
	if offset == 0 {
		return b.name
	}
	if b.layout != nil && offset < maxNamed {
		part, _ := b.layout(offset)
		if before, _ := b.layout(offset - 1); part != before && part != "" {
			return part
		}
	}
	return fmt.Sprintf("%s+%d", b.name, offset)
}

// Find implements ir.AddressNames.
func (n Names) Find(name string) (addr uint64, ok bool) {
	name, ok = strings.CutPrefix(name, "&")
	if !ok {
		return 0, false
	}
	for _, f := range n.p.funcs {
		if f.Name == name {
			return n.p.addressOf(f), true
		}
	}
	for _, b := range n.p.blocks {
		if !strings.HasPrefix(name, b.name) {
			continue
		}
		for offset := range min(b.size+companions, maxNamed) {
			if b.within(offset) == name {
				return b.base + uint64(offset), true
			}
		}
	}
	return 0, false
}

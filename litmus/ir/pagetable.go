package ir

import "math/bits"

// PageEntry is the initial value of an entry of a page table, with the fields that the test leaves to their defaults.
type PageEntry struct {
	Location   string       `json:"location"`         // "PTE(x)"
	Output     string       `json:"output,omitempty"` // the output address: "PA(x)"; "" for an entry without one
	Fields     []EntryField `json:"fields,omitempty"` // the same ones in each entry
	Attributes string       `json:"attributes,omitempty"`
	Value      string       `json:"value,omitempty"` // of a location whose number is no entry, in place of all other fields
}

// EntryField is a field of an entry that is 0 or 1.
type EntryField struct {
	Name string `json:"name"` // "valid"
	Set  bool   `json:"set,omitempty"`
}

// EntryNames is implemented by the [AddressNames] of programs with page tables.
type EntryNames interface {
	// IsEntry reports whether a location is an entry of a page table.
	IsEntry(loc int) bool
	// Entry splits a number that is an entry; ok is false for other numbers.
	Entry(v uint64) (e PageEntry, ok bool)
}

// EntryBits say what the bits of an entry of a page table mean for break-before-make.
type EntryBits struct {
	// Live are the bits that are 1 in each entry that a TLB may keep.
	Live uint64
	// Output are those of the output address, and Attributes those that have the number of a set of memory attributes.
	Output, Attributes uint64
	// Memory says, by the number of a set of memory attributes, which sets are of one type and cacheability.
	Memory []int
}

// IsLive reports whether a number is an entry that a TLB may keep.
func (b *EntryBits) IsLive(v uint64) bool { return v&b.Live == b.Live }

// Remaps reports whether two numbers are entries that a TLB may keep, and that map to another address or with another
// type or cacheability of memory.
func (b *EntryBits) Remaps(v, w uint64) bool {
	return b.IsLive(v) && b.IsLive(w) && ((v^w)&b.Output != 0 || b.memory(v) != b.memory(w))
}

func (b *EntryBits) memory(v uint64) int {
	if n := v & b.Attributes >> bits.TrailingZeros64(b.Attributes); n < uint64(len(b.Memory)) {
		return b.Memory[n]
	}
	return -1
}

// IsEntry reports whether a location is an entry of a page table of a program with EntryBits.
func (p *Program) IsEntry(loc int) bool {
	names, ok := p.Addresses.(EntryNames)
	return ok && p.EntryBits != nil && names.IsEntry(loc)
}

// PageTable lists the initial entries of page tables, in the order of the program's locations, nil if there are none.
func (p *Program) PageTable() (out []PageEntry) {
	names, ok := p.Addresses.(EntryNames)
	if !ok {
		return nil
	}
	for i, l := range p.Locs {
		if !names.IsEntry(i) {
			continue
		}
		e, ok := names.Entry(l.Init)
		if !ok {
			e = PageEntry{Value: p.FormatAt(i, l.Init)}
		}
		e.Location = l.Name
		out = append(out, e)
	}
	return out
}

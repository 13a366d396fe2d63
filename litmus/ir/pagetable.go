package ir

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

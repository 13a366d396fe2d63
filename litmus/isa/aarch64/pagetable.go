package aarch64

import (
	"slices"
	"strings"

	"litmuscope/litmus/ir"
)

// tableFields are the fields of an entry that a page table shows, in the order of the manual's table.
var tableFields = []string{"valid", "af", "db", "dbm", "el0", "x"}

// IsEntry implements [ir.EntryNames].
func (n names) IsEntry(loc int) bool {
	return n.system.translates && strings.HasPrefix(n.program.Locs[loc].Name, "PTE(")
}

// Entry implements [ir.EntryNames].
func (n names) Entry(v uint64) (e ir.PageEntry, ok bool) {
	parts, ok := n.partsOf(v)
	if !ok {
		return e, false
	}
	if parts.output != "" {
		e.Output = "PA(" + parts.output + ")"
	}
	for _, name := range tableFields {
		f := fields[slices.IndexFunc(fields, func(f field) bool { return f.name == name })]
		e.Fields = append(e.Fields, ir.EntryField{Name: name, Set: f.isSet(v)})
	}
	if e.Attributes = parts.attributes; e.Attributes == "" {
		e.Attributes = n.system.defaultAttributes()
	}
	return e, true
}

// isSet reports whether an entry has the field as 1.
func (f field) isSet(v uint64) bool { return (v&f.bit != 0) != f.inverted }

// namedEntry has the names of the parts of an entry; "" for those that it does not name.
type namedEntry struct{ output, attributes string }

// partsOf names the parts of a number that is an entry.
func (n names) partsOf(v uint64) (named namedEntry, ok bool) {
	if v&^(entryFields|entryOutput) != entryPage {
		return named, false
	}
	output, ok := n.output(v & entryOutput)
	index := v & entryAttr >> entryAttrAt
	if !ok || index >= uint64(len(n.system.attributes)) {
		return named, false
	}
	return namedEntry{output, n.system.attributes[index]}, true
}

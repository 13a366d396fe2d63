package aarch64

import (
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// tableFields are the fields of an entry that a page table shows, in the order of the manual's table.
var tableFields = []string{"valid", "af", "db", "dbm", "el0", "x"}

// frameWords returns what the init block and the condition of a test of the system side may have.
func frameWords() (out []lower.FrameWord) {
	out = []lower.FrameWord{
		{Text: "PTE(x)", Help: "the entry of the page table for a location", Initial: true, Final: true},
		{Text: "[PTE(x)]=(oa:PA(x))", Help: "an entry, with its fields", Initial: true, Final: true},
		{Text: "PA(x)", Help: "the physical address of a location, for an entry", Initial: true, Final: true},
		{Text: "tag(x)", Help: "the memory tag of a location", Initial: true, Final: true},
		{Text: "[tag(x)]=:red", Help: "a memory tag, and its value", Initial: true, Final: true},
		{Text: "fault(P0,x)", Help: "the thread faults at the location", Final: true},
		{Text: "~fault(P0,x)", Help: "the thread does not fault at the location", Final: true},
		{Text: "fault(P0,MMU:Translation)", Help: "the thread faults because an entry is not valid", Final: true},
		{Text: "fault(P0,TagCheck)", Help: "a tag check of the thread fails", Final: true},
		{Text: "oa:PA(x)", Help: "the output address of an entry", Inside: true},
		{Text: "attrs:(Normal)", Help: "the memory attributes of an entry", Inside: true},
	}
	helps := map[string]string{
		"valid": "the entry is valid", "af": "the access flag", "db": "writes are permitted",
		"dbm": "hardware may permit writes", "el0": "EL0 has access", "x": "code may be executed",
	}
	for _, f := range fields {
		value := "0" // the one that is no default
		if f.name == "dbm" {
			value = "1"
		}
		out = append(out, lower.FrameWord{Text: f.name + ":" + value, Help: helps[f.name], Inside: true})
	}
	return out
}

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

package aarch64

import (
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// The words for cycles of the system side. A mark says that an access is of the tag or of the entry of its location, or
// that it fetches an instruction; an access without such a mark reads the tag and the entry implicitly.

// systemMarks are the marks of accesses that are not of a location's value.
var systemMarks = []lower.Mark{
	{
		Mark: "T", Reads: true, Writes: true, Alone: true, Memory: lower.OfTag,
		Text: "of the memory tag: STG, LDG; after it, an access without the mark has its pointer's tag checked",
	},
	{
		Mark: "Pte", Reads: true, Alone: true, Memory: lower.OfEntry,
		Text: "of the page table entry, by LDR",
	},
	entryMark("PteV0", lower.FieldValid, false, "makes the page table entry invalid: accesses fault"),
	entryMark("PteV1", lower.FieldValid, true, "makes the page table entry valid, which it is not at first"),
	entryMark("PteAF0", lower.FieldAccess, false, "clears the access flag of the page table entry: accesses fault"),
	entryMark("PteAF1", lower.FieldAccess, true, "sets the access flag of the page table entry, which is 0 at first"),
	entryMark("PteDB0", lower.FieldWritable, false, "makes the page read-only: writes fault"),
	entryMark("PteDB1", lower.FieldWritable, true, "makes the page writable, which it is not at first"),
	entryMark("PteOA", lower.FieldOutput, true, "makes the page table entry valid, with another output address"),
	{
		Mark: "I", Reads: true, Alone: true, Memory: lower.OfCode,
		Text: "the fetch of an instruction; writes of its location are of other instructions",
	},
}

func entryMark(name string, f lower.EntryField, on bool, text string) lower.Mark {
	return lower.Mark{Mark: name, Writes: true, Alone: true, Memory: lower.OfEntry, Field: f, On: on, Text: text}
}

// sequences are barriers and maintenance. Their maintenance is of the location before or after it.
var sequences = []lower.Word{
	{
		Name: "DSB.ISH-ISB", Text: "DSB ISH, ISB: translates and fetches what is later after what is earlier is done",
		Lines: []string{"DSB ISH", "ISB"}, Sequence: ir.Tags{"DSB.ISH", tagISB},
	},
	tlbWord("TLBI.IS", "TLBI alone: removes the old entry from TLBs, but waits for nothing", tagTLBI),
	tlbWord("DSB.ISH-TLBI.IS", "DSB ISH, TLBI: without the DSB that waits for the TLBI", "DSB.ISH", tagTLBI),
	tlbWord("TLBI.IS-DSB.ISH", "TLBI, DSB ISH: without the DSB that the TLBI waits for", tagTLBI, "DSB.ISH"),
	tlbWord("TLBI-sync.ISH", "DSB ISH, TLBI, DSB ISH: later accesses use no older entry", "DSB.ISH", tagTLBI,
		"DSB.ISH"),
	tlbWord("TLBI-sync.ISH-ISB", "DSB ISH, TLBI, DSB ISH, ISB: nor do translations of the own thread", "DSB.ISH",
		tagTLBI, "DSB.ISH", tagISB),
	cacheWord("DC.CVAU-DSB.ISH", "DC CVAU, DSB ISH: fetches can see what has been written", tagClean, "DSB.ISH"),
	cacheWord("IC.IVAU-DSB.ISH", "IC IVAU, DSB ISH: removes the old instruction from instruction caches", tagDrop,
		"DSB.ISH"),
	cacheWord("IC.IVAU-DSB.ISH-ISB", "IC IVAU, DSB ISH, ISB: and fetches again", tagDrop, "DSB.ISH", tagISB),
	cacheWord("CacheSync", "DC CVAU, DSB ISH, IC IVAU, DSB ISH: all of the maintenance for a new instruction",
		tagClean, "DSB.ISH", tagDrop, "DSB.ISH"),
	cacheWord("CacheSync-ISB", "DC CVAU, DSB ISH, IC IVAU, DSB ISH, ISB: and fetches again", tagClean, "DSB.ISH",
		tagDrop, "DSB.ISH", tagISB),
}

// sequenceLines are the instructions of the events of sequences.
var sequenceLines = map[ir.Tag][]string{
	"DSB.ISH": {"DSB ISH"}, tagISB: {"ISB"}, tagClean: {"DC CVAU,ADDRESS"}, tagDrop: {"IC IVAU,ADDRESS"},
	tagTLBI: {"LSR PAGE,ADDRESS,#12", "TLBI VAAE1IS,PAGE"},
}

func sequenceWord(name, text string, m lower.Memory, sequence []ir.Tag) lower.Word {
	w := lower.Word{Name: name, Text: text, Sequence: sequence, Maintains: m}
	for _, tag := range sequence {
		w.Lines = append(w.Lines, sequenceLines[tag]...)
	}
	return w
}

func tlbWord(name, text string, sequence ...ir.Tag) lower.Word {
	return sequenceWord(name, text, lower.OfEntry, sequence)
}

func cacheWord(name, text string, sequence ...ir.Tag) lower.Word {
	return sequenceWord(name, text, lower.OfCode, sequence)
}

var systemCycles = &lower.SystemCycles{
	Variant: map[lower.Memory]string{lower.OfTag: "memtag", lower.OfEntry: "vmsa", lower.OfCode: "ifetch"},
	Colors:  tagNames,
	Old:     `instr:"B .+8"`, New: "NOP",
	Entry: func(e lower.Entry, page string) string {
		text := "("
		if page != "" {
			text += "oa:PA(" + page + "), "
		}
		for _, f := range []struct {
			off  bool
			text string
		}{{e.NoAccess, "af:0, "}, {e.ReadOnly, "db:0, "}, {e.Invalid, "valid:0, "}} {
			if f.off {
				text += f.text
			}
		}
		return text[:max(len(text)-2, 1)] + ")"
	},
	Fault: func(e lower.Entry, write bool) string {
		switch {
		case e.Invalid:
			return "MMU:Translation"
		case e.NoAccess:
			return "MMU:AccessFlag"
		case e.ReadOnly && write:
			return "MMU:Permission"
		}
		return ""
	},
	Fetch: func(w *lower.Writer, label string, register int) {
		over := w.Label()
		w.Emit("%s:", label)
		w.Emit("B %s", over)
		w.Emit("MOV W%d,#1", register)
		w.Emit("%s:", over)
	},
	Kind: func(tags ir.Tags) (m lower.Memory, implicit bool) {
		switch {
		case tags.Has(tagTagged):
			m = lower.OfTag
		case tags.Has(tagEntry):
			m = lower.OfEntry
		case tags.Has(tagFetch):
			m = lower.OfCode
		}
		return m, tags.Has(tagImplicit)
	},
	Fails:  func(tags ir.Tags) (fails, writes bool) { return tags.Has(tagFault), tags.Has(tagWriting) },
	Output: func(entry uint64) uint64 { return entry & entryOutput },
	Changed: func(before, after uint64) (f lower.EntryField, on bool) {
		if before&entryOutput != after&entryOutput && after&(entryValid|entryAF) == entryValid|entryAF &&
			(before^after)&entryFields&^(entryValid|entryAF) == 0 {
			return lower.FieldOutput, true
		}
		switch changed := before ^ after; changed {
		case entryValid:
			return lower.FieldValid, after&entryValid != 0
		case entryAF:
			return lower.FieldAccess, after&entryAF != 0
		case entryRead:
			return lower.FieldWritable, after&entryRead == 0
		}
		return lower.NoField, false
	},
}

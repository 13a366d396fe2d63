package cycle

import (
	"slices"

	"litmuscope/litmus/ir"
)

// Entry is a word of a dialect's vocabulary: an edge with plain ends.
type Entry struct {
	Edge  Edge
	Group string // the heading that it belongs under
	Text  string // one sentence on what it is
}

// Mark is an annotation of a dialect: how an access is made.
type Mark struct {
	Mark          string
	Reads, Writes bool // the accesses that can be made so
	Text          string
}

// Words are what cycles of a dialect are written with. An annotated edge is an entry's
// word with a mark for either end, or Plain for one without: RfeLA, PodWRPA.
type Words struct {
	Entries []Entry
	Marks   []Mark
	Plain   string
}

// named is a fence, a dependency or an atomic instruction of a dialect.
type named struct{ name, text string }

// vocabulary is what one dialect adds to the edges that all have.
type vocabulary struct {
	archs    []string
	deps     []named // beside Addr, Data and Ctrl
	bare     bool    // there are no dependencies
	fences   []named
	rmws     []named
	exchange string // the one of rmws that is also written Rmw
	marks    []Mark
	// spelled are the tags of a dialect whose marks and fences are not its tags themselves:
	// what words call them.
	spelled map[ir.Tag]string
	words   map[string]Edge // by the words of entries
}

func init() {
	for i := range vocabularies {
		v := &vocabularies[i]
		v.words = map[string]Edge{}
		for _, e := range v.entries() {
			v.words[e.Edge.String()] = e.Edge
		}
	}
}

// pairOf is the mark of a pair, and rmwOf the read-modify-write that is one.
func pairOf(load, store string) Mark {
	return Mark{exclusive, true, true, "a pair, " + load + " and " + store + ": a read writes back what it has read, a write is told what was there"}
}

func rmwOf(load, store string) named {
	return named{pairName, load + " and " + store + ": the read and the write of a pair"}
}

var vocabularies = []vocabulary{
	{
		archs: []string{"X86", "X86_64"}, bare: true,
		fences: []named{
			{"MFence", "MFENCE: all before it, before all after it"},
			{"SFence", "SFENCE: writes before it, before writes after it"},
			{"LFence", "LFENCE: reads before it, before all after it"},
		},
		rmws: []named{{"Rmw", "XCHG: the read and the write of an exchange, which is a full fence on both sides"}},
	},
	{
		archs: []string{"PPC"},
		deps:  []named{{"CtrlIsync", "a branch on what was read, then isync"}},
		fences: []named{
			{"Sync", "sync: all before it, before all after it, in the eyes of every thread"},
			{"LwSync", "lwsync: as sync, but for writes before reads"},
			{"Eieio", "eieio: writes before it, before writes after it"},
			{"ISync", "isync: orders nothing unless behind a branch on a read"},
		},
		rmws:  []named{rmwOf("lwarx", "stwcx.")},
		marks: []Mark{pairOf("lwarx", "stwcx.")},
	},
	{
		archs: []string{"ARM"},
		deps:  []named{{"CtrlIsb", "a branch on what was read, then ISB"}},
		fences: []named{
			{"DMB", "DMB: all before it, before all after it, in the eyes of every thread"},
			{"DMB.ST", "DMB ST: writes before it, before writes after it"},
			{"DSB", "DSB: as DMB; it also waits until they are done"},
			{"DSB.ST", "DSB ST: as DMB ST; it also waits until they are done"},
			{"ISB", "ISB: orders nothing unless behind a branch on a read"},
		},
		rmws:  []named{rmwOf("LDREX", "STREX")},
		marks: []Mark{pairOf("LDREX", "STREX")},
	},
	{
		archs: []string{"AArch64"},
		deps:  []named{{"CtrlIsb", "a branch on what was read, then ISB"}},
		fences: []named{
			{"DMB.SY", "DMB SY: all before it, before all after it"},
			{"DMB.LD", "DMB LD: reads before it, before all after it"},
			{"DMB.ST", "DMB ST: writes before it, before writes after it"},
			{"DSB.SY", "DSB SY: as DMB SY; it also waits until they are done"},
			{"DSB.LD", "DSB LD: as DMB LD; it also waits until they are done"},
			{"DSB.ST", "DSB ST: writes before it, before all after it"},
			{"ISB", "ISB: orders nothing unless behind a branch on a read"},
		},
		rmws: []named{
			{"Amo.Swp", "SWP: the read and the write of an atomic exchange"},
			{"Amo.Cas", "CAS: the read and the write of a compare-and-swap that succeeds"},
			{"Amo.LdAdd", "LDADD: the read and the write of an atomic addition"},
			{"Amo.StAdd", "STADD: an atomic addition that gives nothing back: its read cannot be observed"},
			rmwOf("LDXR", "STXR"),
		},
		marks: []Mark{
			{"A", true, false, "acquire, LDAR: before all that is later"},
			{"Q", true, false, "weak acquire, LDAPR: before all that is later, but not after an earlier release"},
			{"L", false, true, "release, STLR: after all that is earlier"},
			pairOf("LDXR", "STXR"),
		},
	},
	{
		archs: []string{"RISCV"},
		deps:  []named{{"CtrlFenceI", "a branch on what was read, then fence.i"}},
		fences: append([]named{
			{"Fence.tso", "fence.tso: as fence rw,rw, but for writes before reads"},
			{"Fence.i", "fence.i: for instructions; it orders no data"},
		}, riscvFences()...),
		rmws: []named{
			{"Rmw", "amoswap.w: the read and the write of an atomic exchange"},
			rmwOf("lr.w", "sc.w"),
		},
		marks: []Mark{
			{"Aq", true, false, "acquire: before all that is later"},
			{"Rl", false, true, "release: after all that is earlier"},
			{"AR", true, true, "acquire and release, an atomic instruction: before all that is later, and after all that is earlier"},
			pairOf("lr.w", "sc.w"),
		},
	},
	{
		archs:  []string{"MIPS"},
		fences: []named{{"Sync", "sync: all before it, before all after it"}},
		rmws:   []named{rmwOf("ll", "sc")},
		marks:  []Mark{pairOf("ll", "sc")},
	},
	c11, lkmm,
}

func riscvFences() []named {
	var out []named
	sets := []struct{ name, text string }{{"rw", "all"}, {"r", "reads"}, {"w", "writes"}}
	for _, before := range sets {
		for _, after := range sets {
			out = append(out, named{
				"Fence." + before.name + "." + after.name,
				"fence " + before.name + "," + after.name + ": " + before.text + " before it, before " + after.text + " after it",
			})
		}
	}
	return out
}

// Archs lists the dialects that cycles have words for.
func Archs() []string {
	var all []string
	for _, v := range vocabularies {
		all = append(all, v.archs...)
	}
	return all
}

// find gives a dialect's vocabulary, nil for one that is not in the table.
func find(arch string) *vocabulary {
	for i, v := range vocabularies {
		if slices.Contains(v.archs, arch) {
			return &vocabularies[i]
		}
	}
	return nil
}

// Vocabulary gives the words of a dialect; ok is false for one that has none.
func Vocabulary(arch string) (words Words, ok bool) {
	v := find(arch)
	if v == nil {
		return words, false
	}
	return Words{v.entries(), v.marks, v.plain()}, true
}

var (
	read  = Access{}
	write = Access{Write: true}
	both  = []Access{read, write}
)

var access = map[Access]string{read: "read", write: "write"}

// entries lists the edges of a dialect.
func (v *vocabulary) entries() []Entry {
	var out []Entry
	add := func(group, text string, e Edge) { out = append(out, Entry{e, group, text}) }

	for _, turn := range []struct {
		turn        Turn
		group, text string
	}{
		{Across, "Communication between threads", " of another thread"},
		{Inside, "Communication within a thread", " of the same thread"},
		{Leave, "Communication there and back", " of another thread, from which a Back returns"},
		{Back, "Communication there and back", " of the thread that was left"},
	} {
		add(turn.group, "a write is read by a read"+turn.text, Edge{Kind: Rf, Turn: turn.turn, Same: true, From: write, To: read})
		add(turn.group, "a read comes before a write"+turn.text, Edge{Kind: Fr, Turn: turn.turn, Same: true, From: read, To: write})
		add(turn.group, "a write comes before a write"+turn.text, Edge{Kind: Co, Turn: turn.turn, Same: true, From: write, To: write})
		if turn.turn == Across {
			add(turn.group, "a read takes the same write's value as a read"+turn.text, Edge{Kind: Hat, Turn: Across, Same: true, From: read, To: read})
		}
	}
	for _, from := range both {
		add("Communication there and back", "a "+access[from]+", then a write of another thread, then a read of it",
			Edge{Kind: Detour, Same: true, From: from, To: read})
	}
	pairs := func(group string, kind Kind, name, text string) {
		for _, same := range []bool{false, true} {
			for _, from := range both {
				for _, to := range both {
					if kind == Dp && (from.Write || name == "Data" && !to.Write) {
						continue
					}
					add(group, following(from, to, same)+text, Edge{Kind: kind, Name: name, Same: same, From: from, To: to})
				}
			}
		}
	}
	pairs("Program order", Po, "", "; nothing else orders them")
	if !v.bare {
		pairs("Dependency", Dp, "Addr", "; its address is computed from what was read")
		pairs("Dependency", Dp, "Data", "; its value is computed from what was read")
		pairs("Dependency", Dp, "Ctrl", "; a branch on what was read comes between")
		for _, d := range v.deps {
			pairs("Dependency", Dp, d.name, "; "+d.text)
		}
	}
	for _, f := range v.fences {
		pairs("Fence", Fence, f.name, "; between them "+f.text)
	}
	for _, r := range v.rmws {
		add("Read-modify-write", r.text, Edge{Kind: Rmw, Name: r.name, Same: true, From: read, To: write})
	}
	return out
}

// following says where the second access of a pair is.
func following(from, to Access, same bool) string {
	where := "another location"
	if same {
		where = "the same location"
	}
	return "a " + access[from] + ", then in program order a " + access[to] + " of " + where
}

// having lists the dialects with a word.
func having(word string) []string {
	var archs []string
	for _, v := range vocabularies {
		if _, ok := v.words[word]; ok {
			archs = append(archs, v.archs...)
		}
	}
	return archs
}

// spellings are the edges of the dialect, as they are written.
func (v *vocabulary) spellings() []string {
	var out []string
	for _, e := range v.entries() {
		out = append(out, e.Edge.String())
	}
	return out
}

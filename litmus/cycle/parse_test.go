package cycle

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/lower"
)

func TestParseCycle(t *testing.T) {
	for _, c := range []struct{ arch, text, want string }{
		{"X86", "PodWR Fre PodWR Fre", ""},
		{"X86", " PodWR,Fre\nPodWR  Fre ", "PodWR Fre PodWR Fre"},
		{"X86_64", "PodWW Coe MFencedWR Fre", "PodWW Wse MFencedWR Fre"},
		{"X86", "[Rfi,PodRR] Fre PodWR Fre", "Rfi PodRR Fre PodWR Fre"},
		{"PPC", "ACLwSyncdRW BCSyncdWW DpAddrdR Fre", "Rfe LwSyncdRW SyncdWW Rfe DpAddrdR Fre"},
		{"AArch64", "PodWWPL Rfe PodRRAP Fre", "PodWWPL RfeLA PodRRAP Fre"},
		{"AArch64", "DMB.SYdWW RfeXX DpAddrdR Fre", "DMB.SYdWWPX RfeXX DpAddrdRXP Fre"},
		{"RISCV", "Fence.rw.rwdWW Rfe PodRRAqP FrePX", "Fence.rw.rwdWWXP RfePAq PodRRAqP FrePX"},
		{"RISCV", "Fence.rw.wdWW RfeARAR PodRRARP Fre", "Fence.rw.wdWWPAR RfeARAR PodRRARP Fre"},
		{"RISCV", "RfLeave FrBack Rfe PosRRAqX FreXP", "RfLeave FrBack RfePAq PosRRAqX FreXP"},
		{"C", "PodWWRlxRel Rfe PodRRAcqRlx Fre", "PodWWRlxRel RfeRelAcq PodRRAcqRlx FreRlxRlx"},
		{"C", "PodWWNaRel Rfe DpCtrldRAcqNa Fre", "PodWWNaRel RfeRelAcq DpCtrldRAcqNa Fre"},
		{"C", "FenceScdWR FreRlxSc PodWR Fre", "FenceScdWRNaRlx FreRlxSc PodWRScNa Fre"},
		{"C", "RfeRlxRlx Rmw PodWWRelRlx Wse PodWW", "RfeRlxRlx ExchRlxRel PodWWRelRlx WseRlxNa PodWWNaRlx"},
		{"C", "PodWW Rfe Fetch.Add PodWR Fre", "PodWW RfeNaSc Fetch.AddScSc PodWRScNa Fre"},
		{
			"C", "FenceWmbdWWOnceOnce Rfe DpAddrdRDerefOnce Fre",
			"FenceWmbdWWOnceOnce RfeOnceDeref DpAddrdRDerefOnce FreOnceOnce",
		},
		{
			"LKMM", "RscsdRROnceOnce Fre FenceSync-rcudWWOnceOnce Rfe",
			"RscsdRROnceOnce FreOnceOnce FenceSync-rcudWWOnceOnce RfeOnceOnce",
		},
		{
			"LKMM", "PodWWOnceOnce Rfe Rmw PodWROnceOnce Fre",
			"PodWWOnceOnce RfeOnceAcquire XchgAcquireOnce PodWROnceOnce FreOnceOnce",
		},
	} {
		got, err := ParseCycle(c.arch, c.text)
		if c.want == "" {
			c.want = c.text
		}
		if err != nil || got.String() != c.want {
			t.Errorf("%s %q: %v, %v; want %s", c.arch, c.text, got, err, c.want)
		}
	}
}

// TestVocabularyIsRead reads every word of every dialect with every pair of marks, and
// has it written as it was.
func TestVocabularyIsRead(t *testing.T) {
	for _, arch := range Archs() {
		words, ok := Vocabulary(arch)
		if !ok || len(words.Entries) < 40 {
			t.Fatalf("%s: %d words", arch, len(words.Entries))
		}
		marks := append([]Mark{{Reads: true, Writes: true}}, words.Marks...)
		for _, e := range words.Entries {
			for _, from := range marks {
				for _, to := range marks {
					if to.Memory != from.Memory && to.Memory != lower.OfValue && from.Memory != lower.OfValue ||
						to.Memory == lower.OfEntry && from.Mark != "" && to.Mark != from.Mark {
						continue // there are many
					}
					edge := e.Edge
					edge.From.Mark, edge.To.Mark = from.Mark, to.Mark
					orders := named(words.Atomics, edge.Name).Orders
					_, ordered := orderOf(edge, orders)
					ofOrders := orders != nil
					if ofOrders && from.Mark == "" && to.Mark == "" {
						continue // the strongest order
					}
					fits := func(a Access, m Mark) bool {
						if edge.Kind == Rmw && (m.Alone || unseen(edge.Name) && m.Mark == "A") {
							return false
						}
						return (a.Write && m.Writes || !a.Write && m.Reads) && (ordered || !ofOrders)
					}
					got, err := ParseRelaxations(arch, edge.String())
					if !fits(edge.From, from) || !fits(edge.To, to) {
						if err == nil {
							t.Errorf("%s %s is read, with a mark that its access cannot have", arch, edge)
						}
						continue
					}
					if err != nil || len(got) != 1 || len(got[0]) != 1 || got[0][0] != edge {
						t.Errorf("%s %s: %v, %v", arch, edge, got, err)
					}
				}
			}
		}
	}
}

func containsAll(all, some []lower.Order) bool {
	return !slices.ContainsFunc(some, func(o lower.Order) bool { return !slices.Contains(all, o) })
}

// The check of a cycle needs no dialect, only what a word means in all of them.
func TestWordsOfSeveralDialectsMeanTheSame(t *testing.T) {
	for _, v := range vocabularies() {
		for _, w := range v.Atomics {
			if o := atomics()[w.Name]; o.Makes != w.Makes || o.Unseen != w.Unseen || !containsAll(o.Orders, w.Orders) {
				t.Errorf("%s of %s is something else in another dialect", w.Name, v.arch)
			}
		}
		for _, m := range v.Marks {
			if o := marked()[m.Mark]; o.Alone != m.Alone || o.Atomic != m.Atomic || o.Rewrites != m.Rewrites ||
				plains()[m.Mark] != v.plain() {
				t.Errorf("%s of %s is something else in another dialect", m.Mark, v.arch)
			}
		}
	}
}

func TestParseRelaxations(t *testing.T) {
	for _, c := range []struct{ arch, text, want string }{
		{"X86", "Pod*W", "PodRW|PodWW"},
		{"X86", "Pod**", "PodRR|PodRW|PodWR|PodWW"},
		{"X86", "Po*WR Rfe", "PodWR|PosWR|Rfe"},
		{"PPC", "[Rfi,DpAddr*R] ACSyncdR*", "Rfi DpAddrdR|Rfi DpAddrsR|Rfe SyncdRR|Rfe SyncdRW"},
	} {
		rows, err := ParseRelaxations(c.arch, c.text)
		var got []string
		for _, row := range rows {
			got = append(got, Cycle(row).String())
		}
		if err != nil || strings.Join(got, "|") != c.want {
			t.Errorf("%s %q: %q, %v; want %s", c.arch, c.text, got, err, c.want)
		}
	}
}

func TestWhatCannotBe(t *testing.T) {
	for _, c := range []struct{ arch, text, want string }{
		{"X86", "PodWR Wse PodWR Fre", "cycle:1:7: PodWR ends in a read, Wse begins at a write"},
		{"X86", "PodWR Fre\nPodWW Fre", "cycle:2:7: PodWW ends in a write, Fre begins at a read"},
		{"X86", "PodWR Fre PodWR Rfe", "cycle:1:1: Rfe ends in a read, PodWR begins at a write\n" +
			"cycle:1:17: PodWR ends in a read, Rfe begins at a write"},
		{
			"AArch64", "PodWWPL RfeLA PodRRPA FreAP",
			"cycle:1:15: RfeLA ends in a read marked A, PodRRPA begins at a plain read",
		},
		{
			"AArch64", "PodWWPL RfeLA PodRRXA FreAP",
			"cycle:1:15: RfeLA ends in a read marked A, PodRRXA begins at a read marked X",
		},
		{
			"AArch64", "Amo.SwpXP PodWR Fre",
			"cycle:1:1: Amo.SwpXP: X cannot mark the read of an atomic instruction like this",
		},
		{
			"AArch64", "RfeXX Amo.Swp PodWR Fre",
			"cycle:1:7: Amo.SwpXP: X cannot mark the read of an atomic instruction like this",
		},
		{"AArch64", "PodWRLL Fre", "cycle:1:1: PodWRLL: L cannot be the mark of a read"},
		{"X86", "PodWRPA Fre", `cycle:1:1: PodWR is a relaxation, but "PA" after it is unknown: accesses of X86 have no marks`},
		{
			"AArch64", "PodWRA Fre",
			`cycle:1:1: PodWR is a relaxation, but "A" after it is unknown: want a mark for either end, of A, Q, L, X, T, Pte, PteV0, PteV1, PteAF0, PteAF1, PteDB0, PteDB1, PteOA, I and P for a plain one, followed or replaced by a size for either end, as in PodWRh0w0, whose offset is a multiple of it`,
		},
		{"X86", "PodWR fre PodWR Fre", "cycle:1:7: X86 has no relaxation fre: did you mean Fre?"},
		{"X86", "mfencedWR Fre PodWR Fre", "cycle:1:1: X86 has no relaxation mfencedWR: did you mean MFencedWR?"},
		{"PPC", "LwSincdWR Fre PodWR Fre", "cycle:1:1: PPC has no relaxation LwSincdWR: did you mean LwSyncdWR?"},
		{"X86", "LwSyncdWW Rfe PodRR Fre", "cycle:1:1: X86 has no relaxation LwSyncdWW: PPC has"},
		{"PPC", "MFencedWR Fre PodWR Fre", "cycle:1:1: PPC has no relaxation MFencedWR: X86 and X86_64 have"},
		{
			"X86", "DpAddrdR Fre",
			"cycle:1:1: X86 has no relaxation DpAddrdR: PPC, ARM, AArch64, RISCV, MIPS, BPF, C, LISA and LKMM have",
		},
		{
			"X86", "Bogus Fre",
			"cycle:1:1: X86 has no relaxation Bogus: litmuscope gen --arch X86 --words lists those that it has",
		},
		{
			"C", "PodWWPRel Rfe PodRRAcqNa Fre",
			`cycle:1:1: PodWW is a relaxation, but "PRel" after it is unknown: want a mark for either end, of Rlx, Acq, Rel, Sc, Con and Na for a plain one`,
		},
		{
			"C", "ExchAcqSc PodWR Fre",
			`cycle:1:1: ExchAcqSc: this atomic operation needs marks for its memory order: want one of ExchScSc, ExchAcqRel, ExchAcqRlx, ExchRlxRel, ExchRlxRlx`,
		},
		{
			"C", "FenceMbdWWOnceRelease RfeReleaseRlx PodRROnceOnce Fre",
			`cycle:1:23: Rfe is a relaxation, but "ReleaseRlx" after it is unknown: want a mark for either end, of Once, Acquire, Release, Deref, Assign, Mb and P for a plain one`,
		},
		{
			"LKMM", "PodWWOnceMb RfeMbOnce PodRROnceOnce Fre",
			"cycle:1:13: RfeMbOnce begins at a write marked Mb: only an atomic update is one, and there is none here",
		},
		{
			"Alpha", "PodWR Fre",
			`cycle:1:1: there are no cycles for architecture "Alpha": want one of X86, X86_64, PPC, ARM, AArch64, RISCV, MIPS, BPF, C, PTX, VULKAN, OPENCL, LISA, LKMM`,
		},
		{"X86", "Rfe Lock.Inc PodWW PodWR Lock.Inc Rfe Fre", "cycle:1:5: Lock.Inc could change places with another " +
			"write to the location: the values would not tell them apart"},
		{"X86", "Pod*R Fre PodWR Fre", "cycle:1:1: Pod*R stands for several edges: write one of PodRR, PodWR"},
		{"X86", "Pod*X Fre", "cycle:1:1: X86 has no relaxation like Pod*X"},
		{"X86", "[PodWR Fre", "cycle:1:11: a ] is missing"},
		{"X86", "PodWR] Fre", "cycle:1:6: this ] closes no ["},
		{"X86", "", "cycle:1:1: a cycle has two edges or more, as in PodWR Fre PodWR Fre"},
		{
			"X86", "PodWR Fri",
			"cycle:1:1: no edge leads to another thread: a cycle has at least two that do, such as Rfe, Fre or Wse",
		},
		{
			"X86", "PodWR PodRW Wse PodWW Wsi",
			"cycle:1:13: only Wse leads to another thread: a cycle has at least two such edges",
		},
		{"X86", "PosRR Hat PosRR Hat", "cycle:1:1: Hat alone orders no accesses of a location: a cycle on one " +
			"location needs an Rf, an Fr or a Ws"},
		{"X86", "Rfe Fre", "cycle:1:1: no edge stays within a thread: want one such as PodWR or DpAddrdR"},
		{"X86", "PodWR Fre PosWR Fre", "cycle:1:1: only PodWR goes to another location, and no edge returns: a " +
			"cycle has at least two edges with a d, or none"},
		{
			"X86", "RfLeave PodRR FrBack PosWW Rfe PodRR Fre PodWW RfBack PodRW",
			"cycle:1:48: RfBack returns to a thread, but no Leave before it left one",
		},
		{
			"X86", "RfLeave PodRW Wse PodWR Fre PodWW",
			"cycle:1:1: RfLeave leaves its thread, but no Back after it returns",
		},
	} {
		_, err := ParseCycle(c.arch, c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s %q:\n got %v\nwant %s", c.arch, c.text, err, c.want)
		}
	}
}

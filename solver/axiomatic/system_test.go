package axiomatic_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// systemInstructions are instructions of tests of a system's side, by the feature, for a thread with the addresses in
// its registers X1 and X3.
var systemInstructions = map[string]struct {
	header, init string
	instructions []string
}{
	"tags": {"Variant=memtag,sync", "%d:X1=x:green; %d:X3=y:red; %d:X5=x:red;", []string{
		"MOV W0,#1", "STR W0,[X1]", "LDR W0,[X1]", "LDR W2,[X3]", "STG X5,[X1]", "LDG X1,[X1]", "STR W0,[X5]", "DMB SY",
		"DMB ST", "STG X3,[X3]", "LDAR W2,[X3]",
	}},
	"async tags": {"Variant=memtag,async", "%d:X1=x:green; %d:X3=y:red; %d:X5=x:red;", []string{
		"MOV W0,#1", "STR W0,[X1]", "LDR W0,[X1]", "LDR W2,[X3]", "STG X5,[X1]", "STR W0,[X5]", "DMB SY", "STG X3,[X3]",
	}},
	"instructions": {"CacheType=none", "%d:X0=NOP; %d:X1=P0:L0; %d:X3=y;", []string{
		"STR W0,[X1]", "DC CVAU,X1", "IC IVAU,X1", "DSB ISH", "ISB", "LDR W2,[X3]", "STR W1,[X3]", "DMB SY",
		"LDR W4,[X1]",
	}},
	"tables": {"Variant=vmsa", "%d:X1=x; %d:X3=PTE(x); pteval_t %d:X5=(oa:PA(x),valid:0);", []string{
		"MOV W0,#1", "STR W0,[X1]", "LDR W0,[X1]", "STR X5,[X3]", "DSB ISH", "LSR X9,X1,#12", "TLBI VAAE1IS,X9", "ISB",
		"LDR W2,[X1]",
	}},
	"remapped tables": {"Variant=vmsa", "%d:X1=x; %d:X3=PTE(x); pteval_t %d:X5=(oa:PA(y));", []string{
		"STR X5,[X3]", "STR XZR,[X3]", "DSB ISH", "TLBI VMALLE1IS", "LDR W0,[X1]", "LDR X2,[X3]",
	}},
	"tags and tables": {
		"Variant=vmsa,memtag",
		"%d:X1=x:green; %d:X3=PTE(x); pteval_t %d:X5=(oa:PA(x),db:0,attrs:(Normal));",
		[]string{"MOV W0,#1", "STR W0,[X1]", "LDR W0,[X1]", "STR X5,[X3]", "STG X1,[X1]", "DSB ISH"},
	},
	"tables of code": {
		"Variant=vmsa", "%d:X1=x; %d:X3=PTE(P0:L0); pteval_t %d:X5=(oa:PA(P0:L0),valid:0);", []string{
			"MOV W0,#1", "STR W0,[X1]", "LDR W0,[X1]", "STR X5,[X3]", "DSB ISH", "ISB", "TLBI VMALLE1IS",
		},
	},
	"stacks": {"Variant=shadowstack", "%d:X1=y; %d:X3=x; %d:GCSPR_EL1=&x[3];", []string{
		"MOV W0,#1", "STR W0,[X1]", "LDR W2,[X1]", "GCSPUSHM X3", "GCSPOPM X4", "GCSB DSYNC", "DMB SY",
	}},
	"vectors": {"Variant=neon", "%d:X1=x; %d:X3=y; %d:X5=x;", []string{
		"MOVI V0.2S,#1", "ST1 {V0.2S},[X1]", "LD1 {V1.2S},[X1]", "LD1 {V2.2S},[X3]", "ST1 {V0.2S},[X3]", "DMB SY",
		"STR S0,[X1]", "LDR S1,[X3]",
	}},
	"scalable vectors": {"Variant=sve", "%d:X1=x; %d:X3=y; %d:X5=x;", []string{
		"DUP Z0.S,#1", "ST1W {Z0.S},P0,[X1]", "LD1W {Z1.S},P0/Z,[X1]", "LD1W {Z2.S},P0/Z,[X3]",
		"ST1W {Z0.S},P0,[X3]", "DMB SY",
	}},
	"signed pointers": {"Variant=pauth2", "%d:X1=x; %d:X3=y; %d:X5=x;", []string{
		"MOV W0,#1", "STR W0,[X1]", "LDR W0,[X1]", "PACDA X1,XZR", "AUTDA X1,XZR", "STR W0,[X3]", "LDR W2,[X3]",
		"DMB SY",
	}},
	"modifiers in memory": {"Variant=pauth2", "%d:X1=x; %d:X3=y; %d:X5=y;", []string{
		"MOV W0,#1", "STR W0,[X3]", "LDR W2,[X3]", "PACDA X1,X2", "AUTDA X1,X2", "AUTDA X1,X0", "STR W0,[X1]",
	}},
	"hardware updates": {
		"Variant=vmsa\nTTHM=HA HD", "%d:X1=x; %d:X3=PTE(x); pteval_t %d:X5=(oa:PA(x),db:0,dbm:1);",
		[]string{"MOV W0,#1", "STR W0,[X1]", "LDR W0,[X1]", "STR X5,[X3]", "DSB ISH", "ISB", "LDR X2,[X3]"},
	},
}

// drawSystemTest makes a test of a system's side that is small enough for enumeration.
func drawSystemTest(t *rapid.T, kind string) string {
	k := systemInstructions[kind]
	var b strings.Builder
	fmt.Fprintf(&b, "AArch64 random\n%s\n{\n", k.header)
	declared := map[string]string{
		"stacks": "SS(x,8);", "vectors": "int x[2]; int y[2];", "scalable vectors": "int x[4]; int y[4];",
	}
	fmt.Fprintln(&b, declared[kind])
	rows := [][]string{}
	for thread := range 2 {
		fmt.Fprintf(&b, k.init+"\n", thread, thread, thread)
		column := []string{fmt.Sprint("P", thread)}
		if kind == "scalable vectors" {
			column = append(column, "PTRUE P0.S,VL2")
		}
		most := 2
		if kind == "async tags" { // no fault ends a thread, so there are many candidates
			most = 1
		}
		for range 1 + rapid.IntRange(0, most).Draw(t, "instructions") {
			column = append(column, rapid.SampledFrom(k.instructions).Draw(t, "instruction"))
		}
		if kind == "instructions" && thread == 0 {
			column = append(column, "L0: B L1", "MOV W9,#1", "L1:")
		}
		if kind == "tables of code" && thread == 0 {
			column = append(column, ".pagealign", "L0: MOV W9,#1")
		}
		rows = append(rows, column)
	}
	b.WriteString("}\n")
	for i := range max(len(rows[0]), len(rows[1])) {
		for thread, column := range rows {
			text := ""
			if i < len(column) {
				text = column[i]
			}
			b.WriteString([]string{text + " | ", text + " ;\n"}[thread])
		}
	}
	switch kind {
	case "tags":
		b.WriteString("locations [x; 0:X0; 1:X0; tag(x); fault(P0,x); fault(P1);]\n")
	case "async tags":
		b.WriteString("locations [x; 0:X0; 1:X0; tag(x); 0:TFSR_ELx; fault(P1);]\n")
	case "tables of code":
		b.WriteString("locations [x; 0:X0; 1:X0; 0:X9; PTE(P0:L0); fault(P0);]\n")
	case "stacks":
		b.WriteString("locations [0:X2; 1:X2; 0:X4; 1:X4; fault(P0); fault(P1);]\n")
	case "vectors":
		b.WriteString("locations [x; y; 0:V1.2S; 1:V1.2S; 0:V2.2S;]\n")
	case "scalable vectors":
		b.WriteString("locations [x; y; 0:V1.4S; 1:V1.4S; 0:V2.4S;]\n")
	case "signed pointers":
		b.WriteString("locations [x; 0:X0; 1:X0; 0:X2; fault(P0); fault(P1);]\n")
	case "instructions":
		b.WriteString("locations [0:X9; 0:X2; 1:X2; 1:X4;]\n")
	default:
		b.WriteString("locations [x; 0:X0; 1:X0; 1:X2; PTE(x); fault(P0,x); fault(P1,x);]\n")
	}
	return b.String()
}

// The engine and plain enumeration agree on random tests of Arm's system side.
func TestAxiomaticIsEnumerationOnSystems(t *testing.T) {
	for _, kind := range slices.Sorted(func(yield func(string) bool) {
		for k := range systemInstructions {
			if !yield(k) {
				return
			}
		}
	}) {
		t.Run(kind, func(t *testing.T) {
			if testing.Short() && (kind == "async tags" || strings.HasSuffix(kind, "vectors")) {
				t.Skip("enumeration takes a minute or two")
			}
			rapid.Check(t, func(t *rapid.T) { checkSystem(t, drawSystemTest(t, kind)) })
		})
	}
}

// cyclesOfSystems are relaxations for cycles of a system's side.
var cyclesOfSystems = []string{
	"Rfe Fre FrePPteV1 RfePteV1P PodWWPteV1P TLBI-sync.ISHdWWPteV1P DSB.ISH-TLBI.ISdWWPteV1P " +
		"TLBI.IS-DSB.ISHdWWPteV1P PodRRPP DSB.ISH-ISBdRRPP DpAddrdRPP DpCtrlIsbdRPP DMB.SYdRRPP PosRRPP " +
		"DSB.ISH-ISBsRRPP",
	"Rfe Fre FrePPteV0 WsePPteDB0 RfePteV0P WsePteDB0P PodWWPteV0P PodWWPteDB0P TLBI-sync.ISHdWWPteV0P " +
		"TLBI-sync.ISHdWWPteDB0P PodRRPP DpAddrdWPP DpDatadWPP DMB.SYdRWPP DSB.ISH-ISBdRRPP TLBI-sync.ISHdWRPteV0P",
	"Rfe Fre FrePtePteAF1 RfePteAF1Pte RfePteAF1P FrePPteAF1 PodWWPteAF1P DMB.SYdWWPteAF1P DSB.ISHdWWPteAF1P " +
		"PodRRPPte PodRRPP DpAddrdRPPte DMB.SYdRRPteP DSB.ISH-ISBdRRPteP PodWRPteAF1P TLBI-sync.ISHdWRPteAF1P",
	"Rfe FrePT RfeTP WseTP WsePT FreTT RfeTT PodWWTP DMB.SYdWWTP PodRRPP DpAddrdRPP DMB.LDdRRPP PodRRPT DMB.SYdWRTP " +
		"PodRWTT DMB.SYdRWPT PodWRTP DpDatadWPT",
	"Rfe FreIP RfePI Fre CacheSyncdWWPP DC.CVAU-DSB.ISHdWWPP PodWWPP PodRRPI DSB.ISH-ISBdRRPI DpCtrlIsbdRPI " +
		"IC.IVAU-DSB.ISH-ISBdRRPI CacheSync-ISBdRRPI PodRRIP DMB.SYdWRPI CacheSync-ISBdWRPI",
	"Rfe RfePteOAP FrePPteOA PodWWPteOAP TLBI-sync.ISHdWWPteOAP PodRRPP PosRRPP DSB.ISH-ISBsRRPP DSB.ISH-ISBdRRPP",
}

// The engine and plain enumeration agree on the tests of cycles.
func TestAxiomaticIsEnumerationOnSystemCycles(t *testing.T) {
	var sources []string
	for _, list := range cyclesOfSystems {
		relaxations, err := cycle.ParseRelaxations("AArch64", list)
		if err != nil {
			t.Fatal(err)
		}
		before := len(sources)
		err = cycle.Family(t.Context(), relaxations, 3, 4, func(c cycle.Cycle) error {
			if !c.System() {
				return nil
			}
			source, err := cycle.Generate("AArch64", c, "")
			sources = append(sources, source)
			return err
		})
		if err != nil || len(sources) < before+5 {
			t.Fatalf("%s: %d tests, %v", list, len(sources)-before, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) { checkSystem(t, rapid.SampledFrom(sources).Draw(t, "test")) })
}

// The engine and plain enumeration agree on the catalogue's tests of a system's side.
func TestAxiomaticIsEnumerationOnSystemClassics(t *testing.T) {
	var sources []string
	for _, e := range catalogue.All() {
		// Enumeration takes too long where a handler returns to the access again and again or may fault itself, and
		// where a pointer is authenticated whose address depends on a read.
		if e.System() && e.Shape != "Fault" && e.Name != "MP+dmb.sy+fault" && e.Name != "MP+dmb.sy+aut" {
			sources = append(sources, e.Source)
		}
	}
	if len(sources) < 30 {
		t.Fatalf("the catalogue has %d tests of a system's side", len(sources))
	}
	checked := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		if source := rapid.SampledFrom(sources).Draw(t, "test"); !checked[source] {
			checkSystem(t, source)
			checked[source] = true
		}
	})
}

// TestSystemCyclesVerdicts has classic shapes of a system's side with what the architecture says of them (DDI 0487,
// B2.3, D8.16 and D10), and why.
func TestSystemCyclesVerdicts(t *testing.T) {
	m, _ := models.Find("aarch64")
	m, err := m.System()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		cycle, why string
		want       solver.Verdict
	}{
		{"DMB.SYdWWPteV1P Rfe DSB.ISH-ISBdRR FrePPteV1", "no TLB keeps an invalid entry", solver.Forbidden},
		{"PodWWPteV1P Rfe DSB.ISH-ISBdRR FrePPteV1", "nothing orders the two writes", solver.Allowed},
		{"DMB.SYdWWPteV1P Rfe PodRR FrePPteV1", "the read may be translated early", solver.Allowed},
		{"DMB.SYdWWPteV1P Rfe DpAddrdR FrePPteV1", "a translation needs the address", solver.Forbidden},
		{"TLBI-sync.ISHdWWPteV0P Rfe DSB.ISH-ISBdRR FrePPteV0", "TLBs have no older entry", solver.Forbidden},
		{"DSB.ISHdWWPteV0P Rfe DSB.ISH-ISBdRR FrePPteV0", "a TLB may keep the entry before", solver.Allowed},
		{"DSB.ISH-TLBI.ISdWWPteV0P Rfe DSB.ISH-ISBdRR FrePPteV0", "nothing waits for the TLBI", solver.Allowed},
		{"TLBI.IS-DSB.ISHdWWPteV0P Rfe DSB.ISH-ISBdRR FrePPteV0", "the TLBI may come first", solver.Allowed},
		{"TLBI-sync.ISHdWWPteV0P Rfe PodRR FrePPteV0", "the second read may come first", solver.Allowed},
		{"DMB.SYdWWTP Rfe DMB.SYdRR FrePT", "a DMB orders tag checks", solver.Forbidden},
		{"DMB.SYdWWTP Rfe DpAddrdR FrePT", "a tag check needs the address", solver.Forbidden},
		{"PodWWTP Rfe DpAddrdR FrePT", "nothing orders the two writes", solver.Allowed},
		{"DMB.SYdWWTP Rfe PodRR FrePT", "nothing orders the read and the check", solver.Allowed},
		{"DMB.SYdWRTP FrePT DMB.SYdWRTP FrePT", "a DMB orders tag checks", solver.Forbidden},
		{"PodWRTP FrePT PodWRTP FrePT", "the writes of tags are buffered", solver.Allowed},
		{"PodRWPT RfeTP PodRWPT RfeTP", "a write comes after the checks before it", solver.Forbidden},
		{"CacheSyncdWW Rfe DSB.ISH-ISBdRRPI FreIP", "all maintenance is there", solver.Forbidden},
		{"CacheSyncdWW Rfe DpCtrlIsbdRPI FreIP", "ISB behind a branch fetches again", solver.Forbidden},
		{"CacheSyncdWW Rfe PodRRPI FreIP", "the instruction may be fetched early", solver.Allowed},
		{"DC.CVAU-DSB.ISHdWW Rfe DSB.ISH-ISBdRRPI FreIP", "the old instruction is cached", solver.Allowed},
		{"DMB.SYdWW Rfe CacheSync-ISBdRRPI FreIP", "the reader's IC need not wait for its read", solver.Allowed},
	} {
		c, err := cycle.ParseCycle("AArch64", test.cycle)
		if err != nil {
			t.Error(err)
			continue
		}
		source, err := cycle.Generate("AArch64", c, "")
		if err != nil {
			t.Errorf("%s: %v", c, err)
			continue
		}
		p, err := dialect.Parse("made.litmus", source)
		if err != nil {
			t.Errorf("%s: %v\n%s", c, err, source)
			continue
		}
		r, err := axiomatic.Engine{}.Explore(t.Context(),
			solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
		if err != nil || r.Verdict != test.want {
			t.Errorf("%s: %v, %v; want %v: %s", c, r.Verdict, err, test.want, test.why)
		}
	}
}

func checkSystem(t *rapid.T, source string) {
	p, err := dialect.Parse("random.litmus", source)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	m, _ := models.Find("aarch64")
	if p.System {
		if m, err = m.System(); err != nil {
			t.Fatal(err)
		}
	}
	reads := 0
	for _, th := range p.Threads {
		reads += len(th.Code)
	}
	if reads > 120 {
		t.Skip("too many operations")
	}
	r, err := axiomatic.Engine{}.Explore(context.Background(),
		solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	raised := make([]bool, len(m.Flags))
	want := enumerate(t, p, m, func(x *models.Execution) {
		for i, is := range evaluation.NewChecker(m).Flags(x) {
			raised[i] = raised[i] || is
		}
	})
	for i, f := range r.Flags {
		if f.Raised == nil || *f.Raised != raised[i] {
			t.Fatalf("%s\nflag %s: got %v, want raised %v", source, f.Name, f.Raised, raised[i])
		}
	}
	var got []string
	for _, s := range r.States {
		text := ""
		for _, e := range s {
			if !strings.HasPrefix(e.Name, "Fault(") {
				text += e.Name + "="
			}
			text += e.Value + "; "
		}
		got = append(got, strings.TrimSuffix(text, " "))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Fatalf("%s\nengine:\n  %s\nenumeration:\n  %s", source, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

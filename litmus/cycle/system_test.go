package cycle

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus"
	"litmuscope/litmus/lower"
)

// someSystemCycles are cycles of each kind of a system's side.
var someSystemCycles = []string{
	"TLBI-sync.ISHdWWPteV1P Rfe DSB.ISH-ISBdRR FrePPteV1",
	"PodWWTP Rfe PodRR FrePT",
	"CacheSyncdWW Rfe DSB.ISH-ISBdRRPI Fre",
	"PosRR FrePPteV1 RfePteV1P",
	"PodWWPteDB0P Rfe DpAddrdWPP Wse",
	"TLBI-sync.ISHsWWPteV0PteOA RfePteOAP PosRR FrePPteV0",
}

// Cycles of a system's side are those of their tests, which have their names.
func TestSystemCyclesReturn(t *testing.T) {
	for _, text := range someSystemCycles {
		c, err := ParseCycle("AArch64", text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		returnsNamed(t, c, false)
	}
}

// returnsNamed holds a cycle against that of its test. plain says to leave open how accesses of a thread communicate.
func returnsNamed(t rapid.TB, c Cycle, plain bool) {
	source, err := Generate("AArch64", c, "")
	if err != nil {
		t.Fatalf("%s: %v", c, err)
	}
	test, err := litmus.Parse("test", source)
	if err != nil {
		t.Fatalf("%s: %v\n%s", c, err, source)
	}
	got, err := Of(test)
	want := c.Canonical()
	if plain {
		got, want = plainly("AArch64", got), plainly("AArch64", c)
	}
	if err != nil || got.String() != want.String() {
		t.Fatalf("%s: the test has %s, %v\n%s", want, got, err, source)
	}
	// With tags and page tables in one test, there may be too many ways to run it.
	if p := planned("", c); len(p.threads) < 3 && !strings.Contains(p.variant(), ",") && !c.IsOf(test) {
		t.Fatalf("%s is not the cycle of its test\n%s", c, source)
	}
}

// TestRandomSystemCyclesReturn does so for critical cycles over random words.
func TestRandomSystemCyclesReturn(t *testing.T) {
	words, _ := Vocabulary("AArch64")
	var marks []string
	for _, m := range words.Marks {
		if m.Memory != lower.OfValue {
			marks = append(marks, m.Mark)
		}
	}
	made := 0
	rapid.Check(t, func(t *rapid.T) {
		var list [][]Edge
		add := func(text string) {
			more, err := ParseRelaxations("AArch64", text)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, more...)
		}
		add("Rfe Fre Wse")
		var chosen []Mark
		for range 2 {
			chosen = append(chosen, marked()[rapid.SampledFrom(marks).Draw(t, "mark")])
		}
		for range rapid.IntRange(6, 12).Draw(t, "edges") {
			e := rapid.SampledFrom(words.Entries).Draw(t, "edge").Edge
			if !e.inOrder() || e.Kind == Detour {
				continue
			}
			for _, end := range []*Access{&e.From, &e.To} {
				m := chosen[rapid.IntRange(0, 1).Draw(t, "which")]
				if rapid.Bool().Draw(t, "marked") && (end.Write && m.Writes || !end.Write && m.Reads) {
					end.Mark = m.Mark
				}
			}
			list = append(list, []Edge{e})
		}
		// Communications between an access with a mark and one without.
		for _, m := range chosen {
			for _, text := range []string{
				"Rfe" + m.Mark + "P", "RfeP" + m.Mark, "FreP" + m.Mark, "Fre" + m.Mark + "P",
				"Wse" + m.Mark + "P", "WseP" + m.Mark,
			} {
				if more, err := ParseRelaxations("AArch64", text); err == nil {
					list = append(list, more...)
				}
			}
		}
		left := 8
		err := Family(context.Background(), list, 3, 4, func(c Cycle) error {
			if !c.System() {
				return nil
			}
			if left--; left < 0 {
				return errEnough
			}
			made++
			returnsNamed(t, c, true)
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			t.Fatal(err)
		}
	})
	if made < 10 {
		t.Errorf("%d cycles made", made)
	}
}

var errEnough = errors.New("enough")

// TestSystemCyclesRefused has cycles that no test has, and why.
func TestSystemCyclesRefused(t *testing.T) {
	for text, want := range map[string]string{
		"PosWWPteV0T RfeTP PodRR Fre PodWWPPteV0": "and another mark are of one location",
		"PodWWPteDB0P Rfe PodRR FrePPteDB0": "cycle:1:24: FrePPteDB0: its read does the same by the entry before and " +
			"after a write of it",
		"PodWWTP RfePT PodRRTP FrePT":                     "cycle:1:9: RfePT: its ends have nothing in common",
		"PodWWPteV0P Rfe PodRR FrePteP":                   "FrePteP ends in",
		"PodWW Rfe PodRRPPte FrePteP":                     "cycle:1:21: FrePteP: its ends have nothing in common",
		"PodWWPPteV0 RfePteV0P PodRR Fre":                 "cycle:1:23: PodRR begins at an access that faults",
		"PodWRPteAF1A FreAPteAF1 PodWRPteAF1A FreAPteAF1": "cycle:1:14: FreAPteAF1 begins at an access that faults",
		"PodWR Fre TLBI-sync.ISHdWR Fre":                  "cycle:1:11: TLBI-sync.ISHdWR: neither of its accesses",
		"CacheSyncdWW Rfe PodRR Fre":                      "cycle:1:1: CacheSyncdWW: neither of its accesses",
		"PodWW Rfe DpAddrdRPI Fre":                        "cycle:1:11: DpAddrdRPI ends at a fetch",
		"PodWWTP Rfe PodRRPI Fre":                         "FreIT",
		"RfePI PosRRII Fre":                               "cycle:1:15: FreIP begins at a second fetch",
		"PodWWTw0P Rfe PodRR FrePT":                       "cycle:1:1: ",
		"Amo.SwpPT PodWR Fre":                             "cycle:1:1: Amo.Swp",
		"PodWWPteV0P Rfe FrLeave RfBack PodRR FrePPteV0":  "passes through each thread once",
		"TLBI-sync.ISHsWWPteV0PteV1 Rfe PosRR Fre":        "",
	} {
		_, err := ParseCycle("AArch64", text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

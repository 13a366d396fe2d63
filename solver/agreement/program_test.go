package agreement

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/solver"
)

func TestCompareProgram(t *testing.T) {
	answer := func(verdict solver.Verdict, complete bool, executions *int) *solver.Verification {
		return &solver.Verification{Status: solver.OK, Verdict: verdict, Complete: complete, Executions: executions}
	}
	for _, c := range []struct {
		name    string
		ref     ProgramReference
		answer  *solver.Verification
		verdict Verdict
		count   CountVerdict
		detail  string // part of it
		open    bool
	}{
		{"safe", ProgramReference{Verdict: "safe"}, answer(solver.Safe, false, nil), Agreed, NotCounted, "", false},
		{
			"unsafe",
			ProgramReference{Verdict: "unsafe"},
			answer(solver.Unsafe, true, nil), Agreed,
			NotCounted, "", false,
		},
		{
			"no failure",
			ProgramReference{Verdict: "unknown", Unroll: number(2)},
			answer(solver.Safe, false, nil), Agreed,
			NotCounted, "", false,
		},
		{
			"a failure too much",
			ProgramReference{Verdict: "safe"},
			answer(solver.Unsafe, true, nil),
			Disagreed, NotCounted, "got unsafe, reference safe", false,
		},
		{
			"a failure within a bound that has none",
			ProgramReference{Verdict: "unknown", Unroll: number(1)},
			answer(solver.Unsafe, true, nil),
			Disagreed, NotCounted, "got unsafe, reference unknown", false,
		},
		{
			"a failure missed within the bound",
			ProgramReference{Verdict: "unsafe", Unroll: number(1)},
			answer(solver.Safe, false, nil),
			Disagreed, NotCounted, "got safe, reference unsafe", false,
		},
		{
			"a failure missed whatever the bound",
			ProgramReference{Verdict: "unsafe"},
			answer(solver.Safe, true, nil),
			Disagreed, NotCounted, "got safe, reference unsafe", false,
		},
		{
			"a failure that the bound may hide",
			ProgramReference{Verdict: "unsafe"},
			answer(solver.Safe, false, nil),
			Undecided, NotCounted, "may hide", true,
		},
		{
			"counts",
			ProgramReference{Verdict: "safe", Executions: number(3), CountKind: Graphs},
			answer(solver.Safe, true, number(3)),
			Agreed, Equal, "", false,
		},
		{
			"different counts",
			ProgramReference{Verdict: "safe", Executions: number(3), CountKind: Graphs, CountNote: "no barriers"},
			answer(solver.Safe, true, number(4)), Agreed, Different,
			"got 4 executions, reference 3 (no barriers)", false,
		},
		{
			"a count that the bound cuts",
			ProgramReference{Verdict: "safe", Executions: number(3), CountKind: Graphs},
			answer(solver.Safe, false, number(2)), Agreed, NotCounted, "", true,
		},
		{
			"a count within the same bound",
			ProgramReference{Verdict: "safe", Unroll: number(2), Executions: number(3), CountKind: Graphs},
			answer(solver.Safe, false, number(2)), Agreed, Different, "got 2", false,
		},
		{
			"a count of another kind",
			ProgramReference{Verdict: "safe", Executions: number(3)},
			answer(solver.Safe, true, number(4)), Agreed, NotCounted, "", false,
		},
		{
			"an error",
			ProgramReference{Verdict: "safe"},
			&solver.Verification{Status: solver.Failed, Error: "a.c:1:1: floats"},
			Unsupported, NotCounted, "floats", false,
		},
		{
			"an error of ours",
			ProgramReference{Verdict: "safe"},
			&solver.Verification{Status: solver.Failed, Error: "BUG: no such thing"},
			Disagreed, NotCounted, "BUG", false,
		},
		{
			"a limit",
			ProgramReference{Verdict: "safe"},
			&solver.Verification{Status: solver.Unknown, Verdict: solver.Undecided, Reason: "time"},
			Undecided, NotCounted, "time", false,
		},
		{
			"a limit while counting",
			ProgramReference{Verdict: "safe", Executions: number(3), CountKind: Graphs},
			&solver.Verification{Status: solver.Unknown, Verdict: solver.Safe, Complete: true, Reason: "time"}, Agreed,
			NotCounted, "", false,
		},
	} {
		f := CompareProgram(c.ref, c.answer)
		if f.Verdict != c.verdict || f.Count != c.count || (c.detail == "") != (f.Detail == "") ||
			!strings.Contains(f.Detail, c.detail) {
			t.Errorf("%s: got %s, count %d, %q; want %s, %d, %q", c.name, f.Verdict, f.Count, f.Detail, c.verdict,
				c.count, c.detail)
		}
		if got := c.ref.Open(c.answer); got != c.open {
			t.Errorf("%s: open: got %v, want %v", c.name, got, c.open)
		}
	}
}

func TestProgramTally(t *testing.T) {
	tally := NewTally(
		[]Difference{
			{Path: "s/k.c", Model: "sc", Reason: "it reads no x"},
			{Path: "s/gone.c", Model: "sc", Reason: "was"},
		})
	for _, f := range []Finding{
		{Group: "s", Label: "a.c", Path: "s/a.c", Model: "sc", Complete: true, Count: Equal, Seconds: 1},
		{
			Group: "s", Label: "b.c N=2", Path: "s/b.c", Model: "sc", Verdict: Disagreed,
			Detail: "got unsafe, reference safe",
		},
		{Group: "s", Label: "c.c", Path: "s/c.c", Model: "sc", Verdict: Unsupported, Detail: "x/c.c:3:4: got a float"},
		{
			Group: "s", Label: "d.c", Path: "s/d.c", Model: "tso", Verdict: Unsupported,
			Detail: "x/d.c:30:4: got a float",
		},
		{Group: "s", Label: "e.c", Path: "s/e.c", Model: "tso", Verdict: Undecided, Detail: "time limit of 1s reached"},
		{
			Group: "s", Label: "k.c", Path: "s/k.c", Model: "sc", Count: Different,
			Detail: "got 2 executions, reference 3",
		},
		{
			Group: "s", Label: "l.c", Path: "s/l.c", Model: "sc", Count: Different,
			Detail: "got 4 executions, reference 3",
		},
		{Group: "s", Label: "gone.c", Path: "s/gone.c", Model: "sc"},
	} {
		tally.Add(f)
	}
	tally.LeftOut = 2
	var b strings.Builder
	if err := tally.Print(&b); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"s sc 6 3 1 1 0 1 1 1 1 1.0",
		"s tso 2 0 0 1 1 0 0 0 0 0.0",
		"all 8 3 1 2 1 1 1 1 1 1.0",
		"skipped by name: 2",
		"2 × got a float (s c.c under sc)",
		"1 × time limit of 1s reached (s e.c under tso)",
		"s k.c under sc: got 2 executions, reference 3; known: it reads no x",
		"s l.c under sc: got 4 executions, reference 3",
		"s b.c N=2 under sc: got unsafe, reference safe",
		"gone.c under sc",
	} {
		if !strings.Contains(" "+strings.Join(strings.Fields(b.String()), " ")+" ", " "+line+" ") {
			t.Errorf("no line %q in\n%s", line, b.String())
		}
	}
	if tally.Count(Disagreed) != 1 || tally.Differing() != 2 {
		t.Errorf("%d disagreed, %d differ; want 1 and 2", tally.Count(Disagreed), tally.Differing())
	}
}

func TestLoadPrograms(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "suite")
	write := func(text string) {
		t.Helper()
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "reference.jsonl"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(
		`{"path":"a.c","model":"sc","defines":{"N":"2","M":"1"},"unroll":null,"verdict":"safe","property":"assertion+memory","executions":3,"count_kind":"graphs"}` + "\n")
	for _, at := range []string{folder, filepath.Dir(folder)} {
		if got, err := ProgramFolders(at); err != nil || len(got) != 1 || got[0] != folder {
			t.Fatalf("%s: got %v, %v; want %s", at, got, err, folder)
		}
	}
	refs, err := LoadPrograms(folder)
	if err != nil || len(refs) != 1 {
		t.Fatal(refs, err)
	}
	if r := refs[0]; r.Label() != "a.c M=1 N=2" || !r.Counted() || r.Unroll != nil {
		t.Errorf("got %+v", r)
	}
	for text, want := range map[string]string{
		`{"path":"a.c","model":"sc","verdict":"maybe","property":"assertion"}`: "reference.jsonl:1: got verdict " +
			"\"maybe\", want",
		`{"path":"a.c","model":"sc","verdict":"safe"}`: "reference.jsonl:1: want a line " +
			"with \"path\"",
		"{}\n{": "reference.jsonl:1:",
	} {
		write(text)
		if _, err := LoadPrograms(folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
	write(`{"path":"a.litmus"}`)
	if got, err := ProgramFolders(folder); err != nil || len(got) != 0 {
		t.Errorf("a folder of tests: got %v, %v", got, err)
	}
}

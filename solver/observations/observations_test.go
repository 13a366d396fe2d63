package observations

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/hardware"
)

const sb = "X86 SB\n{}\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n MOV EAX,[y] | MOV EAX,[x] ;\n" +
	"exists (0:EAX=0 /\\ 1:EAX=0)\n"

// log is a log of litmus7, of which the test SB occurs twice.
const log = `%%%%%%%%%%%%%%%%%%%%%%%%%
% Results for a/SB.litmus %
%%%%%%%%%%%%%%%%%%%%%%%%%
X86 SB
Test SB Allowed
Histogram (2 states)
3     *>0:EAX=0; 1:EAX=0;
7     :>0:EAX=0; 1:EAX=0x1;
Ok
Witnesses
Positive: 3, Negative: 7
Condition exists (0:EAX=0 /\ 1:EAX=0) is validated
Observation SB Sometimes 3 7
Time SB 0.01

Test MP Allowed
Histogram (1 states)
9     :>1:EAX=0; 1:EBX=0;
No
Witnesses
Positive: 0, Negative: 9
Condition exists (1:EAX=1 /\ 1:EBX=0) is NOT validated
Observation MP Never 0 9

Test SB Allowed
Histogram (1 states)
2     *>1:EAX=0; 0:EAX=0;
Ok
Witnesses
Positive: 2, Negative: 0
Condition exists (0:EAX=0 /\ 1:EAX=0) is validated
Observation SB Always 2 0
`

func text(list []Found) string {
	var out []string
	for _, f := range list {
		line := fmt.Sprintf("%s %q %d %t:", f.Test, f.Source, f.Runs, f.Program != nil)
		for _, o := range f.Outcomes {
			line += fmt.Sprintf(" %s%d", o.State.Key(), o.Count)
		}
		out = append(out, line+" "+f.Why)
	}
	return strings.Join(out, "\n")
}

func source(t *testing.T, path, text string) Source {
	t.Helper()
	s, err := ReadSource(path, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A test of a log is matched by its name and by the names in its outcomes; two entries of one test add up.
func TestRead(t *testing.T) {
	good := source(t, "SB.litmus", sb)
	read := func(sources ...Source) string {
		t.Helper()
		found, skipped, err := Read("run.log", strings.NewReader(log), sources)
		if err != nil || len(skipped) > 0 {
			t.Fatalf("%v, %v", skipped, err)
		}
		return text(found)
	}
	const counts = "0:EAX=0;1:EAX=0;5 0:EAX=0;1:EAX=1;7"
	if got, want := read(good), "SB \"SB.litmus\" 12 true: "+counts+" \n"+
		"MP \"\" 9 false: 1:EAX=0;1:EBX=0;9 no supplied test has this name"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	renamed := source(t, "other.litmus", strings.Replace(sb, "X86 SB", "X86 MP", 1))
	if got := read(renamed); !strings.Contains(
		got,
		"MP \"\" 9 false: 1:EAX=0;1:EBX=0;9 the outcomes of other.litmus have "+
			"0:EAX, 1:EAX, and the log's have 1:EAX, 1:EBX",
	) {
		t.Errorf("another test of the name: %s", got)
	}
	again := source(t, "copy.litmus", "X86 SB (* a copy *)"+strings.TrimPrefix(sb, "X86 SB"))
	if got := read(good, again); !strings.HasPrefix(got, "SB \"copy.litmus\" 12 true") {
		t.Errorf("a copy of the test: %s", got)
	}
	other := source(t, "fenced.litmus", strings.Replace(sb, "$1", "$2", 1))
	if got := read(good, other); !strings.HasPrefix(got, "SB \"\" 12 false: "+counts+
		" SB.litmus and fenced.litmus have this name and these outcomes") {
		t.Errorf("two tests of the name: %s", got)
	}
	power := good
	power.Arch = "PPC"
	if got := read(power); !strings.Contains(got, "SB.litmus is for PPC, and the log's test is for X86") {
		t.Errorf("another architecture: %s", got)
	}
}

// A model's log has no counts, and is not taken for a machine's.
func TestReadRefusesModels(t *testing.T) {
	const herd = "Test SB Allowed\nStates 1\n0:EAX=0; 1:EAX=0;\nOk\nWitnesses\nPositive: 1 Negative: 0\n" +
		"Condition exists (0:EAX=0 /\\ 1:EAX=0)\nObservation SB Always 1 0\n"
	found, skipped, err := Read("herd.log", strings.NewReader(herd), nil)
	if err != nil || len(found) > 0 || len(skipped) != 1 ||
		!strings.Contains(skipped[0], "SB: the log has a model's states") {
		t.Errorf("got %v, %v, %v", found, skipped, err)
	}
	for _, x := range []struct{ log, want string }{
		{"hello\n", "contains no test"},
		{`{"name":"SB","model":"tso"}` + "\n", "bad.log:1:1: want an observation of litmuscope hw"},
		{"{\n", "bad.log:1:1: unexpected end of JSON"},
		{"Test SB Allowed\nHistogram (1 states)\n99999999999999999999:>x=0;\n", "bad.log:3:1"},
	} {
		if _, _, err := Read("bad.log", strings.NewReader(x.log), nil); err == nil ||
			!strings.Contains(err.Error(), x.want) {
			t.Errorf("%q: %v, want %q", x.log, err, x.want)
		}
	}
}

// The lines of litmuscope hw have the machine and the test's source.
func TestReadLines(t *testing.T) {
	date := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	line := func(n int64, source string) string {
		text, err := json.Marshal(hardware.Observation{
			Path: "SB.litmus", Test: "SB", Arch: "X86", Source: source, Date: date, Runs: n,
			Machine: hardware.Machine{Name: "pc", Arch: "X86_64", Cores: 2},
			Counts: []hardware.Count{{
				State: solver.State{{Name: "0:EAX", Value: "0"}, {Name: "1:EAX", Value: "0"}}, N: n,
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	}
	log := line(
		3,
		sb,
	) + `{"path":"X.litmus","status":"error","error":"X.litmus:3:2: no such thing","machine":{}}` + "\n" +
		line(
			4,
			"X86 SB (* the same *)"+strings.TrimPrefix(sb, "X86 SB"),
		) + line(
		1,
		"broken",
	)
	found, skipped, err := Read("pc.jsonl", strings.NewReader(log), nil)
	if err != nil || len(skipped) != 1 || !strings.Contains(skipped[0], "no such thing") {
		t.Fatalf("%v, %v", skipped, err)
	}
	if got := text(found); !strings.HasPrefix(got, "SB \"SB.litmus\" 7 true: 0:EAX=0;1:EAX=0;7 \nSB \"\" 1 false: ") {
		t.Errorf("got %s", got)
	}
	if m := found[0].Machine; m.Name != "pc" || m.Arch != "X86_64" || m.Cores != 2 || !found[0].Date.Equal(date) {
		t.Errorf("got %+v", found[0])
	}
}

package report

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/solver"
)

// rows reads a log and shows a row a line.
func rows(t *testing.T, log string) []string {
	t.Helper()
	var out []string
	r := NewReader("a.log", strings.NewReader(log))
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			if _, again := r.Next(); !errors.Is(again, err) {
				t.Errorf("after %v, %v", err, again)
			}
			return append(out, "!"+err.Error())
		}
		out = append(out, show(row))
	}
}

// show is a row in one line: it leaves out empty fields.
func show(r *Row) string {
	var b strings.Builder
	for _, s := range []string{
		r.Test, r.Path, r.Arch, r.Model, r.Engine, r.Hash,
		string(r.Status), string(r.Verdict), string(r.Observation), r.Condition, r.Error,
	} {
		if s != "" {
			b.WriteString(s + "|")
		}
	}
	if r.ConditionHolds != nil {
		fmt.Fprint(&b, *r.ConditionHolds, "|")
	}
	for _, s := range r.States {
		b.WriteString(stateText(s.State))
		if s.Count != nil {
			fmt.Fprintf(&b, " (%d)", *s.Count)
		}
		b.WriteString("|")
	}
	if !r.Listed {
		b.WriteString("cut")
	}
	if !r.Complete {
		b.WriteString("bounded")
	}
	return b.String()
}

const hardware = `
%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
% Results for tests/SB.litmus %
%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
X86 SB
"Fre PodWR Fre PodWR"
Cycle=Fre PodWR Fre PodWR
(* of the classics *)
{x=0; y=0;}

 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;

exists (0:EAX=0 /\ 1:EAX=0)
Generated assembler
	##START _litmus_P0
	movl $1,(%rdi)

Test SB Allowed
Histogram (4 states)
40    *>0:EAX=0x0; 1:EAX=0;
499923:>0:EAX=1; 1:EAX=0x00;
500009:>0:EAX=0; 1:EAX=1;
28    :>0:EAX=1; 1:EAX=1;
Ok

Witnesses
Positive: 40, Negative: 999960
Condition exists (0:EAX=0 /\ 1:EAX=0) is validated
Hash=7dbd6b8e6dd4abc2ef3d48b0376fb2e3
Observation SB Sometimes 40 999960
Affinity=[0, 1] ; (0,1)
Topology 1023  :> {[0],[1]}
Time SB 0.44

Machine: quad, 4 cores
Revision exported, version 7.57
Command line: litmus7 -a 4 tests/SB.litmus
Parameters
#define SIZE_OF_TEST 100000
Test MP Forbidden
Histogram (1 states)
18446744073709551615:>1:EAX=1; [x]=1;
No
Witnesses
Positive: 7, Negative: 3
Condition (1:EAX=1 /\ x=0) is NOT validated
`

func TestReadLogs(t *testing.T) {
	for _, test := range []struct{ name, log, want string }{
		{"litmus7", hardware, `
SB|tests/SB.litmus|X86|7dbd6b8e6dd4abc2ef3d48b0376fb2e3|ok|Sometimes|exists (0:EAX=0 /\ 1:EAX=0)|true|0:EAX=0; 1:EAX=0; (40)|0:EAX=1; 1:EAX=0; (499923)|0:EAX=0; 1:EAX=1; (500009)|0:EAX=1; 1:EAX=1; (28)|
MP|ok|Sometimes|~exists (1:EAX=1 /\ x=0)|false|1:EAX=1; [x]=1; (18446744073709551615)|
`},
		{"herd7", `
Test LB+rel Required
States 2
0:X0=1; P1:X2=x; [y]=-1; ~Fault(P0,x);

Loop Ok
Witnesses
Positive: 4 Negative: 0
Bad executions (3 in total): 3
Flag race
Condition forall (true)
Observation LB+rel Always 4 0
Time LB+rel 0.01
Hash=0123

Warning: File "x.litmus": something
Test CoRR Allowed
States 1
t={0x1, 02};
Undef
Witnesses
Positive: 1 Negative: 0
Condition exists (t={1,2})
Observation CoRR Always 1 0
Test odd Allowed
States 0
??
Condition exists (x=1)
Observation odd Never 0 0
Test broken Allowed
`, `
LB+rel|0123|ok|allowed|Always|forall (true)|true|0:X0=1; 1:X2=x; [y]=-1; ~Fault(P0,x);||bounded
CoRR|ok|allowed|Always|exists (t={1,2})|false|[t]={1,2};|
odd|ok|forbidden|Never|exists (x=1)|cut
broken|unknown|the log ends within this test|cut
`},
		{"carriage returns", "Test A Allowed\r\nStates 1\r\n[x]=1;\r\nOk\r\nObservation A Always 1 0\r\n", `
A|ok|allowed|Always|true|[x]=1;|
`},
		{
			"references",
			`{"path":"t/A.litmus","name":"A","model":"tso","observation":"Sometimes","condition_holds":true,"states":[{"[x]":"0x10","0:EAX":"1"}],"flags":[]}

{"name":"B","status":"unknown","reason":"time limit","states":[],"outcomes":[{"graph":{}}]}
`, `
A|t/A.litmus|tso|ok|allowed|Sometimes|true|[x]=16; 0:EAX=1;|
B|unknown|time limit|cut
`,
		},
		{"nothing", "\n \n", ""},
		{
			"other text", "Testing\n1 2 3\n",
			`!a.log:3:1: it contains no test: want JSON lines, or a log of herd7 or litmus7 with lines such as "Test SB Allowed"`,
		},
		{
			"csv", "path,name,arch,model\n",
			"!a.log:1:1: got CSV, which contains no states: want JSON lines or a log of herd7 or litmus7",
		},
		{"zip", "PK\x03\x04", "!a.log:1:1: got an archive: unpack it first"},
		{"bad state", "Test A Allowed\nStates 2\n[x]=1;\n[x]=2; é=1; y;\n", `!a.log:4:13: got "y", want NAME=VALUE`},
		{
			"unclosed state", "Test A Allowed\nStates 1\nNo\n",
			`!a.log:3:1: got "No", want a state such as "0:EAX=0; [x]=1;"`,
		},
		{
			"bad count", "Test A Allowed\nHistogram (1 states)\n18446744073709551616:>x=1;\n",
			`!a.log:3:1: got "18446744073709551616:>x=1;", want a state with its count, such as "40 :>0:EAX=0;"`,
		},
		{"cut off", "Test A Allowed\nStates 3\n[x]=1;\n", "!a.log:4:1: the log ends after 1 of 3 states"},
		{"bad number", "Test A Allowed\nStates many\n", `!a.log:2:8: got "many", want the number of states`},
		{
			"bad observation", "Test A Allowed\nStates 1\nx=1;\nObservation A Perhaps 1 2\n",
			`!a.log:4:15: got "Perhaps", want Always, Sometimes or Never`,
		},
		{
			"not JSON", "{\"name\":\"A\",\"status\":\"ok\"}\n{\"näme\":\n",
			"!a.log:2:8: not JSON: unexpected end of JSON input",
		},
		{"wrong type", `{"name":"A","condition_holds":"yes"}`, "!a.log:1:35: condition_holds: got a JSON string"},
		{"no name", `{"status":"ok"}`, "!a.log:1:1: want a result with the test's name or path"},
		{"no answer", `{"name":"A"}`, "!a.log:1:1: want a result with a status, a verdict or an observation"},
		{"bad status", `{"name":"A","status":"fine"}`, `!a.log:1:1: status "fine": want one of ok, unknown, error`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Join(rows(t, test.log), "\n")
			want := strings.TrimSpace(test.want)
			if strings.HasPrefix(want, "!") {
				got = got[strings.LastIndexByte("\n"+got, '\n'):]
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// The reader returns what the writer wrote: all of it from JSON lines, what herd's log has from that.
func TestReadBack(t *testing.T) {
	cut := *sb
	cut.StatesComplete = pointer(false)
	for _, test := range []struct {
		format  string
		options Options
		results []*solver.Result
	}{
		{"jsonl", Options{Witnesses: true, Stats: true}, append(all, race, rounds, certified, settled, &cut)},
		{"herd", Options{}, append(all, race, &cut)},
		{"herd", Options{Models: true}, append(all, race, &cut)},
	} {
		var want []string
		for _, r := range test.results {
			row := RowOf(r)
			if test.format == "herd" {
				row.Arch, row.Engine = "", ""
				row.Error = printable(row.Error)
				if row.Status == solver.OK {
					row.Path, row.Condition = "", brackets(row.Condition)
					if !test.options.Models {
						row.Model = ""
					}
				}
			}
			if row.Status != solver.OK && test.format == "herd" {
				row.Complete = false
			}
			want = append(want, show(row))
		}
		if got := rows(t, write(t, test.format, test.options, test.results...)); strings.Join(got,
			"\n") != strings.Join(want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", test.format, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// Any states come back from a log as they went in, whatever stands around them.
func TestReadBackStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		noise := rapid.SampledFrom(
			[]string{"", "Machine: none\n", "(* a remark", "%%%\n", "Time A 0.1\n\n", "   Test B Allowed\n"})
		var log, want strings.Builder
		for range rapid.IntRange(1, 4).Draw(t, "tests") {
			n := rapid.IntRange(1, 4).Draw(t, "states")
			name := rapid.StringMatching(`[A-Z][A-Za-z+.-]{0,9}`).Draw(t, "name")
			fmt.Fprintf(&log, "%s\nTest %s Allowed\nHistogram (%d states)\n", noise.Draw(t, "noise"), name, n)
			want.WriteString(name)
			for range n {
				count := rapid.Uint64().Draw(t, "count")
				value := rapid.Uint64().Draw(t, "value")
				fmt.Fprintf(&log, "%-6d%s>0:r=%#x; [x]=%d;\n", count,
					rapid.SampledFrom([]string{"*", ":"}).Draw(t, "mark"), value, value)
				fmt.Fprintf(&want, " 0:r=%d; [x]=%d; (%d)", value, value, count)
			}
			fmt.Fprintf(&log, "Ok\n%s\nObservation %s Always 1 0\n", noise.Draw(t, "more"), name)
			want.WriteString("\n")
		}
		var got strings.Builder
		r := NewReader("a.log", strings.NewReader(log.String()))
		for row, err := r.Next(); !errors.Is(err, io.EOF); row, err = r.Next() {
			if err != nil {
				t.Fatal(err)
			}
			got.WriteString(row.Test)
			for _, s := range row.States {
				fmt.Fprintf(&got, " %s (%d)", stateText(s.State), *s.Count)
			}
			got.WriteString("\n")
		}
		if got.String() != want.String() {
			t.Fatalf("of\n%s\ngot\n%s\nwant\n%s", log.String(), got.String(), want.String())
		}
	})
}

// A million lines that never end, or that say nothing, take no memory to speak of.
func TestReadBounds(t *testing.T) {
	endless := io.MultiReader(strings.NewReader("Test A Allowed\n"), io.LimitReader(zeros{}, maxLine+10))
	r := NewReader("a.log", endless)
	if _, err := r.Next(); err == nil || !strings.Contains(err.Error(), "a.log:2:1: the line is longer than 64 MiB") {
		t.Error(err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// No text panics, and every error has its place.
func FuzzRead(f *testing.F) {
	f.Add(hardware)
	f.Add(`{"name":"A","status":"ok","states":[{"x":"1"}]}`)
	f.Add("(* a, b: error: c\n   d *)\n(* tso *)\nTest A Allowed\nStates 1\nx=0x;\n")
	f.Fuzz(func(t *testing.T, log string) {
		r := NewReader("a.log", strings.NewReader(log))
		for {
			_, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				if !strings.HasPrefix(err.Error(), "a.log:") {
					t.Errorf("no place: %v", err)
				}
				return
			}
		}
	})
}

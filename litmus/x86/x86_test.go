package x86_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/x86"
)

// line is one line of a table in testdata.
type line struct {
	number int
	fields []string // architecture, init block, instructions, what is wanted
}

func table(t *testing.T, file string) []line {
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []line
	for i, l := range strings.Split(string(text), "\n") {
		if l = strings.TrimSpace(l); l == "" || l[0] == '#' {
			continue
		}
		fields := strings.SplitN(l, "|", 4)
		if len(fields) != 4 {
			t.Fatalf("%s:%d: want four fields", file, i+1)
		}
		for k := range fields {
			fields[k] = strings.TrimSpace(fields[k])
		}
		lines = append(lines, line{i + 1, fields})
	}
	return lines
}

// source is the test of a table's line with the given condition.
func (l line) source(condition string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s line%d\n{ %s\n}\nP0;\n", l.fields[0], l.number, l.fields[1])
	for _, in := range strings.Split(l.fields[2], ";") {
		fmt.Fprintf(&b, "%s;\n", strings.TrimSpace(in))
	}
	return b.String() + condition + "\n"
}

func lower(source string) (*litmus.Program, error) {
	t, err := litmus.Parse("t", source)
	if err != nil {
		return nil, err
	}
	return x86.Dialect{}.Lower(t)
}

func TestInstructions(t *testing.T) {
	for _, l := range table(t, "instructions.txt") {
		source := l.source("exists (" + strings.Join(strings.Fields(l.fields[3]), ` /\ `) + ")")
		p, err := lower(source)
		if err != nil {
			t.Errorf("%v\n%s", err, source)
			continue
		}
		if s := runAlone(t, p); !p.Satisfies(p.Condition.Prop, s) {
			t.Errorf("instructions.txt:%d: got %s\n%s", l.number, p.FormatState(s), source)
		}
	}
}

// runAlone runs the only thread of p, and gives the final state.
func runAlone(t *testing.T, p *litmus.Program) litmus.State {
	memory := make([]uint64, len(p.Locs))
	for i, l := range p.Locs {
		memory[i] = l.Init
	}
	c := litmus.NewCursor(p, 0, true)
	for {
		a, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		switch a.Kind {
		case litmus.ActLoad:
			c.Read(memory[a.Loc])
		case litmus.ActRMW:
			if v, ok := c.Read(memory[a.Loc]); ok {
				memory[a.Loc] = v
			}
		case litmus.ActStore:
			memory[a.Loc] = a.Value
			c.Pass()
		case litmus.ActFence:
			c.Pass()
		case litmus.ActEnd:
			s := make(litmus.State, len(p.Observed))
			for i, o := range p.Observed {
				from := memory
				if o.Thread >= 0 {
					from = c.Regs
				}
				s[i] = from[o.Index] & litmus.Mask(o.Bits)
			}
			return s
		}
	}
}

var place = regexp.MustCompile(`^\d+:\d+: `)

func TestErrors(t *testing.T) {
	for _, l := range table(t, "errors.txt") {
		source := l.source("exists true")
		_, err := lower(source)
		if err == nil {
			t.Errorf("errors.txt:%d: no error\n%s", l.number, source)
			continue
		}
		got := strings.TrimPrefix(err.Error(), "t:")
		if want := l.fields[3]; got != want || !place.MatchString(got) {
			t.Errorf("errors.txt:%d: got\n%s\nwant\n%s\n%s", l.number, got, want, source)
		}
	}
}

// All that is wrong with a test is reported at once, in the order of the text.
func TestManyErrors(t *testing.T) {
	_, err := lower("X86 many\n{ 7:EAX=1; }\nP0 | P1 ;\nFOO | MOV EAX,RBX ;\nBAR | JMP L ;\nexists (y=1 /\\ 0:NONE=1)\n")
	want := `t:2:3: there is no thread P7
t:4:1: X86: unknown instruction FOO
t:4:15: X86: unknown register RBX: it is one of 64-bit code, for which the header says X86_64
t:5:1: X86: unknown instruction BAR
t:5:11: label L is not in thread P1
t:6:16: X86: unknown register NONE`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// Tags and dependencies are what models see of an instruction.
func TestActions(t *testing.T) {
	p, err := lower(`X86 actions
{ 0:ECX=1; }
P0             ;
MOV EAX,[x]    ;
MOV EBX,EAX    ;
XOR EBX,EBX    ;
MOV EDX,[EBX+y];
LEA ESI,[EDX+1];
MOV [z],ESI    ;
CMP EAX,$1     ;
JNE L          ;
MOV [z],$2     ;
L: MFENCE      ;
LOCK XADD [x],ECX ;
XCHG [x],ECX   ;
SFENCE; LFENCE ;
exists true
`)
	if err != nil {
		t.Fatal(err)
	}
	c := litmus.NewCursor(p, 0, true)
	var got []string
	for {
		a, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		if a.Kind == litmus.ActEnd {
			break
		}
		switch a.Kind {
		case litmus.ActRMW:
			c.Read(1)
			a.Deps.Data = c.Data
		case litmus.ActLoad:
			c.Read(1)
		default:
			c.Pass()
		}
		got = append(got, fmt.Sprint(a.Kind, a.Tags, a.Deps.Addr, a.Deps.Data, a.Deps.Ctrl))
	}
	want := []string{ // kind, tags, address, data and control dependencies on reads 0, 1 …
		"1 [] [] [] []",
		"1 [] [0] [] []", // a false dependency
		"2 [] [] [1] []",
		"2 [] [] [] [0]",
		"4 [MFENCE FRR FRW FWR FWW] [] [] [0]",
		"3 [LOCKED] [] [] [0]",
		"3 [LOCKED] [] [2] [0]",
		"4 [SFENCE FWW] [] [] [0]",
		"4 [LFENCE FRR FRW] [] [] [0]",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

package aarch64_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/aarch64"
)

// line is one line of a table in testdata.
type line struct {
	number int
	fields []string // init block, instructions, what is wanted
}

func table(t *testing.T, file string) []line {
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []line
	for i, l := range strings.Split(string(text), "\n") {
		if strings.TrimSpace(l) == "" || l[0] == '#' {
			continue
		}
		fields := strings.SplitN(l, "|", 3)
		if len(fields) != 3 {
			t.Fatalf("%s:%d: want three fields", file, i+1)
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
	fmt.Fprintf(&b, "AArch64 line%d\n{ %s\n}\nP0;\n", l.number, l.fields[0])
	for _, in := range strings.Split(l.fields[1], ";") {
		fmt.Fprintf(&b, "%s;\n", strings.TrimSpace(in))
	}
	return b.String() + condition + "\n"
}

func lower(source string) (*litmus.Program, error) {
	t, err := litmus.Parse("t", source)
	if err != nil {
		return nil, err
	}
	return aarch64.Dialect{}.Lower(t)
}

func TestInstructions(t *testing.T) {
	for _, l := range table(t, "instructions.txt") {
		source := l.source("exists (" + strings.Join(strings.Fields(l.fields[2]), ` /\ `) + ")")
		p, err := lower(source)
		if err != nil {
			t.Errorf("%v\n%s", err, source)
			continue
		}
		for _, choice := range []bool{false, true} {
			if s := runAlone(t, p, choice, nil); !p.Satisfies(p.Condition.Prop, s) {
				t.Errorf("instructions.txt:%d: got %s\n%s", l.number, p.FormatState(s), source)
			}
		}
	}
}

// runAlone runs the only thread of p, whose store-conditionals succeed where they can
// and whose choices go one way, and gives the final state. It shows watch each action.
func runAlone(t *testing.T, p *litmus.Program, choice bool, watch func(litmus.Action)) litmus.State {
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
			a.Deps.Data = c.Data
		case litmus.ActStore:
			memory[a.Loc] = a.Value
			c.Pass()
		case litmus.ActStoreCond:
			if a.Reserved >= 0 {
				memory[a.Loc] = a.Value
			}
			c.Conditional(a.Reserved >= 0)
		case litmus.ActFence, litmus.ActPick:
			c.Pass()
		case litmus.ActChoose:
			c.Choose(choice)
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
		if watch != nil {
			watch(a)
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
		if want := l.fields[2]; got != want || !place.MatchString(got) {
			t.Errorf("errors.txt:%d: got\n%s\nwant\n%s\n%s", l.number, got, want, source)
		}
	}
}

// actions runs a thread and says of each action: kind, tags, the write's tags, and
// the address, data and control dependencies on reads, picks and store-conditionals,
// by number.
func actions(t *testing.T, source string, choice bool) string {
	p, err := lower(source)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	runAlone(t, p, choice, func(a litmus.Action) {
		var tags litmus.Tags
		if op, ok := p.Threads[0].Code[a.Step].Op.(litmus.RMW); ok {
			tags = op.WriteTags
		}
		if a.Kind != litmus.ActChoose {
			got = append(got, fmt.Sprint(a.Kind, a.Tags, tags, a.Deps.Addr, a.Deps.Data, a.Deps.Ctrl))
		}
	})
	return strings.Join(got, "\n")
}

// Tags and dependencies are what models see of an instruction.
func TestActions(t *testing.T) {
	got := actions(t, `AArch64 actions
{ 0:X0=x; 0:X1=y; 0:X2=z; }
P0 ;
LDR W3,[X0] ;
EOR X4,X3,X3 ;
ADD X4,X4,X1 ;
LDAR W5,[X4] ;
STLR W5,[X0] ;
LDAPR W6,[X1] ;
CBNZ W6,L ;
L: DMB ISHLD ;
DSB ST ;
ISB ;
SWPAL W5,W7,[X0] ;
LDADDL W6,W8,[X0] ;
SWPA W5,WZR,[X0] ;
STADDL W7,[X0] ;
LDXR W9,[X1] ;
STLXR W10,W9,[X1] ;
STR W10,[X2] ;
exists true
`, false)
	want := strings.Join([]string{
		"1 [] [] [] [] []",
		"1 [A] [] [0] [] []",
		"2 [L] [] [] [1] []",
		"1 [Q] [] [] [] []",
		"4 [DMB.ISHLD FRR FRW] [] [] [] [2]",
		"4 [DSB.ST FWR FWW] [] [] [] [2]",
		"4 [ISB] [] [] [] [2]",
		"3 [AMO LOCKED A] [AMO LOCKED L] [] [1] [2]",
		"3 [AMO LOCKED] [AMO LOCKED L] [] [2 4] [2]", // on its own read too
		"3 [AMO LOCKED NoRet] [AMO LOCKED] [] [1] [2]",
		"3 [AMO LOCKED NoRet] [AMO LOCKED L] [] [3 6] [2]",
		"1 [X] [] [] [] [2]",
		"6 [X L LOCKED] [] [] [7] [2]",
		"2 [] [] [] [] [2]", // not on the store-conditional
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What a selection becomes depends on the register it takes and, by way of a pick, on
// the flags.
func TestSelectDepends(t *testing.T) {
	got := actions(t, `AArch64 select
{ 0:X0=x; 0:X1=y; 0:X2=z; }
P0 ;
LDR W3,[X0] ;
LDR W4,[X1] ;
LDR W5,[X2] ;
CMP W3,#0 ;
CSEL W6,W4,W5,EQ ;
STR W6,[X0] ;
CSEL W6,W4,W5,NE ;
STR W6,[X0] ;
CSET W6,LT ;
STR W6,[X0] ;
exists true
`, false)
	want := strings.Join([]string{
		"1 [] [] [] [] []", "1 [] [] [] [] []", "1 [] [] [] [] []",
		"7 [PICK] [] [] [0] []",
		"2 [] [] [] [1 3] []",
		"7 [PICK] [] [] [0] []",
		"2 [] [] [] [2 4] []",
		"7 [PICK] [] [] [0] []",
		"2 [] [] [] [5] []",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A compare-and-swap picks what it writes by Rs, and has Rs from memory or, on
// success, perhaps from itself.
func TestCompareAndSwapDepends(t *testing.T) {
	test := `AArch64 cas
{ 0:X0=x; 0:X1=y; 0:X2=z; x=%d; }
P0 ;
LDR W3,[X1] ;
LDR W4,[X2] ;
CAS W3,W4,[X0] ;
STR W3,[X1] ;
exists true
`
	reads := "1 [] [] [] [] []\n1 [] [] [] [] []\n7 [PICK] [] [] [0] []\n"
	tail := "\n7 [PICK] [] [] [0 3] []\n" // that Rs keeps its value depends on both
	const tags = "3 [AMO CAS LOCKED] [AMO CAS LOCKED] [] "
	for _, c := range []struct {
		x       int
		choice  bool
		swap    string
		stores  string
		meaning string
	}{
		{0, false, "[1 2] []", "2 [] [] [] [3] []", "success, the value from memory"},
		{0, true, "[1 2] []", "2 [] [] [] [0 4] []", "success, Rs's own value"},
		{1, false, "[] []", "2 [] [] [] [3] []", "failure"},
		{1, true, "[2 3] []", "2 [] [] [] [3] []", "failure that writes back"},
	} {
		got, want := actions(t, fmt.Sprintf(test, c.x), c.choice), reads+tags+c.swap+tail+c.stores
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.meaning, got, want)
		}
	}
}

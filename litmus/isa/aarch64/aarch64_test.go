package aarch64_test

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/aarch64"
)

func TestInstructions(t *testing.T) { dialecttest.Instructions(t, aarch64.Dialect{}) }

func TestErrors(t *testing.T) { dialecttest.Errors(t, aarch64.Dialect{}) }

func lower(source string) (*ir.Program, error) {
	return dialecttest.Lower(aarch64.Dialect{}, source)
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
	dialecttest.Run(t, p, choice, func(a ir.Action) {
		var tags ir.Tags
		if op, ok := p.Threads[0].Code[a.Step].Op.(ir.RMW); ok {
			tags = op.WriteTags
		}
		if a.Kind != ir.ActChoose {
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
		"1 [A ACQUIRE RCSC] [] [0] [] []",
		"2 [L RELEASE RCSC] [] [] [1] []",
		"1 [Q ACQUIRE] [] [] [] []",
		"4 [DMB.ISHLD FRR FRW] [] [] [] [2]",
		"4 [DSB.ST FWR FWW] [] [] [] [2]",
		"4 [ISB FCTRL] [] [] [] [2]",
		"3 [AMO A ACQUIRE RCSC LOCKED] [AMO L RELEASE RCSC ACQUIRE LOCKED] [] [1] [2]",
		"3 [AMO LOCKED] [AMO L RELEASE RCSC LOCKED] [] [2 4] [2]", // on its own read too
		"3 [AMO NoRet LOCKED] [AMO LOCKED] [] [1] [2]",
		"3 [AMO NoRet LOCKED] [AMO L RELEASE RCSC LOCKED] [] [3 6] [2]",
		"1 [X] [] [] [] [2]",
		"6 [X L RELEASE RCSC LOCKED] [] [] [7] [2]",
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

// What a conditional comparison makes of the flags depends on what it compares or on nothing, and, by way of a
// pick, on the flags before; carries depend on the flags.
func TestCarriesDepend(t *testing.T) {
	test := `AArch64 carries
{ 0:X0=x; 0:X1=y; x=%d; }
P0 ;
LDR W3,[X0] ;
LDR W4,[X1] ;
CMP W3,#0 ;
CCMP W4,#0,#4,EQ ;
ADC W5,WZR,WZR ;
STR W5,[X0] ;
EXTR W6,W4,W3,#0 ;
STR W6,[X0] ;
exists true
`
	for x, from := range []string{"[1 2]", "[2]"} {
		want := "1 [] [] [] [] []\n1 [] [] [] [] []\n7 [PICK] [] [] [0] []\n2 [] [] [] " + from +
			" []\n2 [] [] [] [0 1] []"
		if got := actions(t, fmt.Sprintf(test, x), false); got != want {
			t.Errorf("x=%d: got\n%s\nwant\n%s", x, got, want)
		}
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

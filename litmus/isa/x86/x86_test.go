package x86_test

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/x86"
)

func TestInstructions(t *testing.T) { dialecttest.Instructions(t, x86.Dialect{}) }

func TestErrors(t *testing.T) { dialecttest.Errors(t, x86.Dialect{}) }

func lower(source string) (*ir.Program, error) { return dialecttest.Lower(x86.Dialect{}, source) }

// The parser reports all errors of a test at once, in the order of the text.
func TestManyErrors(t *testing.T) {
	_, err := lower(
		"X86 many\n{ 7:EAX=1; }\nP0 | P1 ;\nFOO | MOV EAX,RBX ;\nBAR | JMP L ;\nexists (y=1 /\\ 0:NONE=1)\n")
	want := `t:2:3: there is no thread P7
t:4:1: X86: unknown instruction FOO
t:4:15: X86: unknown register RBX: it needs 64-bit code, with X86_64 in the header
t:5:1: X86: unknown instruction BAR: did you mean BTR?
t:5:11: label L is not in thread P1
t:6:16: X86: unknown register NONE`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// A word that is no register is a location. The parser adds a remark if it may be a mistyped register: it stands bare,
// in one thread, and nothing else speaks of it.
func TestRemarks(t *testing.T) {
	const remark = "EQX is not a register, so it names a memory location: did you mean EAX?"
	for _, c := range []struct {
		what, init, code, condition string
		want                        string // places
	}{
		{"a source and a destination", "", "MOV EQX,$1 | NOP; MOV EAX,EQX | NOP", "0:EAX=1", "4:5 5:9"},
		{"after a label, locked", "", "L: LOCK ADD EQX,EAX | NOP", "true", "4:13"},
		{"in brackets", "", "MOV [EQX],$1 | NOP; MOV EAX,[EQX] | NOP", "0:EAX=1", ""},
		{"an address", "", "MOV EAX,$EQX | NOP", "0:EAX=1", ""},
		{"shared", "", "MOV EQX,$1 | MOV EAX,EQX", "1:EAX=1", ""},
		{"shared, in brackets elsewhere", "", "MOV EQX,$1 | MOV EAX,[EQX]", "1:EAX=1", ""},
		{"in the init block", "EQX=0;", "MOV EQX,$1 | NOP", "true", ""},
		{"as a value in the init block", "0:EAX=EQX;", "MOV EQX,$1 | NOP", "true", ""},
		{"in the condition", "", "MOV EQX,$1 | NOP", "EQX=1", ""},
		{"among the locations", "", "MOV EQX,$1 | NOP", "true locations [EQX;]", ""},
	} {
		p, err := lower("X86 T\n{" + c.init + "}\nP0 | P1;\n" + strings.ReplaceAll(c.code, "; ", ";\n") + ";\nexists " +
			c.condition + "\n")
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		var got []string
		for _, r := range p.Remarks {
			if r.Msg != remark || r.Fix.String() != "Replace EQX by EAX" {
				t.Errorf("%s: %s", c.what, r)
			}
			got = append(got, fmt.Sprintf("%d:%d", r.Pos.Line, r.Pos.Col))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: remarks at %v, want %q", c.what, got, c.want)
		}
	}
}

// Tags and dependencies are what models see of an instruction.
func TestActions(t *testing.T) {
	p, err := lower(`X86 actions
{ 0:ECX=1; x=1; }
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
	var got []string
	dialecttest.Run(t, p, false, func(a ir.Action) {
		got = append(got, fmt.Sprint(a.Kind, a.Tags, a.Deps.Addr, a.Deps.Data, a.Deps.Ctrl))
	})
	want := []string{ // kind, tags, address, data and control dependencies on reads 0, 1 …
		"1 [] [] [] []",
		"1 [] [0] [] []", // a false dependency
		"2 [] [] [1] []",
		"2 [] [] [] [0]",
		"4 [MFENCE FRR FRW FWR FWW] [] [] [0]",
		"3 [LOCKED FULL] [] [] [0]",
		"3 [LOCKED FULL] [] [2] [0]",
		"4 [SFENCE FWW] [] [] [0]",
		"4 [LFENCE FRR FRW] [] [] [0]",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

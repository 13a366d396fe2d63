package litmus_test

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
)

// Each mistake is reported once at its place, and none causes another error.
func TestAllErrors(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"a bit of everything", `AArch64 T
{ 0:X1=x; 1:X1=; 0:Y9=1 }
 Q0          | P1           ;
 MOV W0,#1   | LDRR W0,[X1] ;
 STR W0,[X1] | LDR W77,[X1]
 NOP         | NOP | NOP    ;
 DMB SYY     | NOP          ;
exists (1:X0=1 && 1:X2= /\ y=0 /\ !(x=1))
`, `2:16: got ";", want a number or the name of a location
2:18: AArch64: unknown register Y9
3:2: got "Q0", want a thread name such as P0
4:16: AArch64: unknown instruction LDRR: did you mean LDR?
5:20: AArch64: LDR: got operand "W77", want a register
6:16: row has 4 columns, more than the 2 of the first row
6:22: row has 3 columns, more than the 2 of the first row
7:6: AArch64: DMB: got option "SYY", want SY, LD, ST
8:16: got "&&", want /\ in a condition
8:25: got "/", want a number or the name of a location
8:35: got "!", want ~ or not in a condition`},
		{"an init item with an error sets no register", `AArch64 T
{ 0:X1=; }
 P0          ;
 LDR W0,[X1] ;
exists (0:X0=1)
`, `2:8: got ";", want a number or the name of a location`},
		{"locations", `X86 T
{ }
 P0         ;
 MOV [x],$1 ;
locations [0:; x; 0:;]
exists (x=)
`, `5:14: got ";", want a register
5:21: got ";", want a register
6:11: got ")", want a number or the name of a location`},
	} {
		var got []string
		for _, e := range dialect.Errors("t", c.source) {
			got = append(got, fmt.Sprintf("%d:%d: %s", e.Pos.Line, e.Pos.Col, e.Msg))
		}
		want := strings.Split(c.want, "\n")
		ok := len(got) == len(want)
		for i := range want {
			ok = ok && strings.HasPrefix(got[i], want[i])
		}
		if !ok {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), c.want)
		}
	}
}

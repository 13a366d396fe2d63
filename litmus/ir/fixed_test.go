package ir_test

import (
	"fmt"
	"testing"

	"litmuscope/litmus/dialect"
)

// A condition on values fixes the values of its outcomes.
func TestFixed(t *testing.T) {
	for _, test := range []struct{ condition, satisfies, violates string }{
		{`exists (0:EAX=0 /\ x=1)`, "[0:EAX x] [0 1] true", "[] [] false"},
		{`exists (0:EAX=0)`, "[0:EAX] [0] true", "[] [] false"},
		{`locations [x;] exists (0:EAX=0)`, "[0:EAX x] [0 ] true", "[] [] false"},
		{`exists (0:EAX=y)`, "[0:EAX] [y] true", "[] [] false"},
		{`exists (0:EAX=0 \/ x=1)`, "[] [] false", "[] [] false"},
		{`forall (not (0:EAX=0 /\ x=1))`, "[] [] false", "[0:EAX x] [0 1] true"},
		{`forall (0:EAX<>0 \/ x<>1)`, "[] [] false", "[0:EAX x] [0 1] true"},
		{`forall (0:EAX=1 => x<>2)`, "[] [] false", "[0:EAX x] [1 2] true"},
		{`exists (x=1 /\ x=2)`, "[] [] false", "[] [] false"},
		{`exists (0:EAX=x)`, "[0:EAX] [x] true", "[] [] false"},
	} {
		p, err := dialect.Parse("t", "X86 t\n{ y=0; }\n P0 ;\n MOV [x],$1 ;\n MOV EAX,[x] ;\n"+test.condition+"\n")
		if err != nil {
			t.Error(err)
			continue
		}
		for satisfies, want := range map[bool]string{true: test.satisfies, false: test.violates} {
			names, values, ok := p.Fixed(satisfies)
			if got := fmt.Sprint(names, values, ok); got != want {
				t.Errorf("%s, %v: %s, want %s", test.condition, satisfies, got, want)
			}
		}
	}
}

package litmus

import (
	"strings"
	"testing"
)

func TestParseCondition(t *testing.T) {
	for text, want := range map[string]string{
		`exists (0:EAX=0x1 /\ ([x]=2))`: `exists (0:EAX=1 /\ x=2)`,
		"~ exists x=1":                  "~exists (x=1)",
		`forall (true)`:                 "forall (true)",
		"":                              "!log:1:1: got end of file, want exists, ~exists or forall",
		"exists (x=1":                   "!log:1:12: ",
		"exists (x=1) but more":         `!log:1:14: got "but" after the condition`,
	} {
		c, err := ParseCondition("log", text)
		if wrong, ok := strings.CutPrefix(want, "!"); ok {
			if err == nil || !strings.HasPrefix(err.Error(), wrong) {
				t.Errorf("%q: error %v, want %s", text, err, wrong)
			}
		} else if err != nil || c.String() != want {
			t.Errorf("%q: got %q, %v, want %q", text, c, err, want)
		}
	}
}

// What differs in parentheses and blanks alone is one proposition.
func TestFlat(t *testing.T) {
	flat := func(text string) string {
		c, err := ParseCondition("", text)
		if err != nil {
			t.Fatal(err)
		}
		return PropString(Flat(c.Prop))
	}
	for _, same := range [][2]string{
		{`exists (0:EAX=0 /\ (1:EAX=0 /\ [x]=1))`, `exists 0:EAX=0/\1:EAX=0/\x=1`},
		{`exists ((a=1 /\ b=1) /\ ((c=1)))`, `exists (a=1 /\ b=1 /\ c=1)`},
		{`forall (a=1 \/ (b=1 \/ c=1 /\ (d=1 /\ e=1)))`, `forall (a=1 \/ b=1 \/ (c=1 /\ d=1 /\ e=1))`},
		{`exists (~((a=1)) => (b=1 /\ (c=1 /\ d=1)))`, `exists (~a=1 => (b=1 /\ c=1 /\ d=1))`},
	} {
		if a, b := flat(same[0]), flat(same[1]); a != b {
			t.Errorf("%s and %s", a, b)
		}
	}
	if a, b := flat(`exists (a=1 => (b=1 => c=1))`), flat(`exists ((a=1 => b=1) => c=1)`); a == b {
		t.Errorf("both are %s", a)
	}
}

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

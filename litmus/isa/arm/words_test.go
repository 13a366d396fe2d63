package arm

import (
	"strings"
	"testing"

	"litmuscope/litmus/dialect/dialecttest"
)

func TestWords(t *testing.T) {
	named := dialecttest.Words(t, Dialect{})
	for name := range instructions {
		if shift, flags := strings.CutSuffix(name, "S"); flags && shifts[shift] != nil {
			continue // refused, for the carry flag
		}
		if !named[name] {
			t.Errorf("%s is read, but no form tells of it", name)
		}
	}
}

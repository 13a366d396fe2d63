package arm

import (
	"testing"

	"litmuscope/litmus/dialect/dialecttest"
)

func TestWords(t *testing.T) {
	named := dialecttest.Words(t, Dialect{})
	for name := range instructions {
		if !named[name] {
			t.Errorf("%s is read, but no form tells of it", name)
		}
	}
}

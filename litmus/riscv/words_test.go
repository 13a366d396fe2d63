package riscv

import (
	"testing"

	"litmuscope/litmus/dialecttest"
)

func TestWords(t *testing.T) {
	named := dialecttest.Words(t, Dialect{})
	for name, in := range instructions {
		if !named[name] && in.refusal == "" {
			t.Errorf("%s is read, but no form tells of it", name)
		}
	}
}

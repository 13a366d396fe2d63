package x86

import (
	"strings"
	"testing"

	"litmuscope/litmus/dialect/dialecttest"
)

func TestWords(t *testing.T) {
	named := dialecttest.Words(t, Dialect{})
	l := &lowerer{}
	for name := range named {
		name = strings.TrimPrefix(strings.ToUpper(name), "LOCK ")
		if _, ok := instructions[name]; !ok {
			name = name[:len(name)-1] // AT&T's suffix
		}
		if _, _, _, ok := l.find(name); ok {
			named[name] = true
		}
	}
	for name := range instructions {
		if !named[name] {
			t.Errorf("%s is read, but no form tells of it", name)
		}
	}
}

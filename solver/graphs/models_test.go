package graphs

import (
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

func TestAdmitted(t *testing.T) {
	for _, name := range models.Names() {
		m, err := models.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := compile(m, func(ir.Tag) bool { return true })
		if err != nil {
			t.Log(name, err)
			continue
		}
		t.Log(name, len(f.nodes), len(newChecker(f).live), f.deps)
	}
}

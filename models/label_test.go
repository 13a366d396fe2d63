package models_test

import (
	"testing"

	"litmuscope/models"
)

// Models go by one name wherever people read of them.
func TestLabels(t *testing.T) {
	for name, want := range map[string]string{
		"tso": "TSO", "TSO": "TSO", "power-cav10": "Power (2010)", "riscv": "RISC-V", "sc~sc": "SC without sc",
		"tso~a~b": "TSO without a, b", "mine": "mine", "": "",
	} {
		if got := models.Label(name); got != want {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
}

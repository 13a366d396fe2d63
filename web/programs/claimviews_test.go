package programs

import "testing"

func TestSummary(t *testing.T) {
	rows := []claimRow{{Label: "SC", Says: "Safe"}, {Label: "TSO", Says: "Unsafe"}, {Label: "PSO", Says: "Unsafe"}, {Label: "RC11", Says: "Safe within bounds"}}
	if got, want := summarise(rows), "Unsafe under TSO and PSO; safe under SC; safe within bounds under RC11."; got != want {
		t.Errorf("%s", got)
	}
}

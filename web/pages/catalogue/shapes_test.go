package catalogue

import (
	"testing"

	"litmuscope/litmus/catalogue"
)

// Each shape is in the column of its communication edges.
func TestColumns(t *testing.T) {
	for name, column := range map[string]int{
		"SB": 1, "MP": 2, "LB": 3, "S": 4, "R": 5, "2+2W": 6, "Z6.0": 7, "RWC": 1,
		"IRIW": 1, "IRRWIW": 5, "WRR+2W": 5, "Z6.1": 4, "PPOCA": 0, "CoRR": 0, "n6": 0,
	} {
		s, _ := catalogue.FindShape(name)
		if got := columnOf(s); got != column {
			t.Errorf("%s is in column %d, want %d", name, got, column)
		}
	}
}

package engines

import (
	"slices"
	"testing"

	"litmuscope/litmus/dialect"
)

// The cells of a statement on two lines are a piece of each, and the remark on it is on one.
func TestCellsOfLines(t *testing.T) {
	source := "C T\n{}\nP0(int *x) {\n  if (*x) // why\n    *x = 1; r0 = 2;\n}\nexists (x=1)\n"
	in, err := Inspect(Question{File: "t", Source: source})
	if err != nil || len(in.BadTest) > 0 {
		t.Fatal(err, in.BadTest)
	}
	want := []Cell{{0, 0, 4, 2, 7}, {0, 0, 5, 4, 7}, {0, 1, 5, 12, 7}}
	if !slices.Equal(in.Cells, want) {
		t.Errorf("cells %+v, want %+v", in.Cells, want)
	}
	p, err := dialect.Parse("t", source)
	if err != nil || p.Threads[0].Source[0].Text != "if (*x) *x = 1;" {
		t.Errorf("%v, %v", err, p)
	}
}

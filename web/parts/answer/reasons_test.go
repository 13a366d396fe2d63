package answer

import "testing"

// A reason that names its model is one reason for all models that it is true of; a name inside another word is none.
func TestReasons(t *testing.T) {
	var rs reasons
	for _, label := range []string{"SC", "TSO"} {
		rs.add(label, "has no answer: "+label+" has no tags: choose RISC-V, not "+label+".")
	}
	rs.add("Power", "has no answer: the time limit was reached.")
	var got []string
	for _, l := range rs.lines() {
		got = append(got, l.Models+l.Says)
	}
	want := []string{
		"SC and TSO have no answer: the model has no tags: choose RISC-V, not the model.",
		"Power has no answer: the time limit was reached.",
	}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %q, want %q", got, want)
	}
}

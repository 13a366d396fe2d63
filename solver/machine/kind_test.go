package machine

import "testing"

// The number of machines agrees with the table of models.
func TestKinds(t *testing.T) {
	for k, name := range map[Kind]string{SC: "sc", TSO: "tso", PSO: "pso"} {
		if k.String() != name {
			t.Errorf("machine %d is %s, want %s", k, k, name)
		}
	}
	if n := len(Engine{}.Verifies()); n != 3 {
		t.Errorf("there are machines of %d models", n)
	}
}

package client

import (
	"maps"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Only options that are not at their defaults are sent.
func TestChangedOptions(t *testing.T) {
	o := solver.DefaultOptions()
	if got := ChangedOptions(o); len(got) > 0 {
		t.Errorf("of the defaults: %v", got)
	}
	o.Unroll = 7
	if got := ChangedOptions(o); !maps.Equal(got, map[string]any{"unroll": 7}) {
		t.Errorf("got %v", got)
	}
}

// What no engine explores in parts is refused before a server is asked.
func TestPartsRefuse(t *testing.T) {
	for _, q := range []solver.Question{
		solver.Task{Engine: "graphs"}, solver.VerifyTask{Engine: "axiomatic"},
	} {
		if _, err := (&Parts{Runner: engines.Local{}}).Run(t.Context(), q); err == nil {
			t.Errorf("%T of %s is explored in parts", q, q.Params().Engine)
		}
	}
}

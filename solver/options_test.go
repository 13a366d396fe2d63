package solver

import (
	"encoding/json"
	"testing"
)

// A record from before an option existed means its default.
func TestOptionsFromOlderText(t *testing.T) {
	var got Options
	if err := json.Unmarshal([]byte(`{"unroll":3,"states":0}`), &got); err != nil {
		t.Fatal(err)
	}
	want := DefaultOptions()
	want.Unroll, want.States = 3, 0
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

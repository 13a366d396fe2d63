package solver

import (
	"encoding/json"
	"slices"
	"testing"
)

// A state keeps its order and its strings through JSON, whatever they hold.
func TestStateJSON(t *testing.T) {
	for _, s := range []State{
		{},
		{{"0:EAX", "0"}},
		{{"1:X0", "-1"}, {"0:X0", "x"}, {"t[1]", "7"}},
		{{`a"b`, `c\d`}, {"é", "\n"}, {",", ":"}, {"{", "}"}},
	} {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back State
		if err := json.Unmarshal(text, &back); err != nil || !slices.Equal(back, s) {
			t.Errorf("%s: got %v, %v", text, back, err)
		}
	}
	var s State
	for _, text := range []string{`[]`, `{"a":1}`, `"x"`, `{"a":"b","c"}`} {
		if err := json.Unmarshal([]byte(text), &s); err == nil {
			t.Errorf("%s: got %v", text, s)
		}
	}
	if err := json.Unmarshal([]byte(` { "a" : "b" , "c" : "d" } `), &s); err != nil ||
		!slices.Equal(s, State{{"a", "b"}, {"c", "d"}}) {
		t.Errorf("with blanks: got %v, %v", s, err)
	}
}

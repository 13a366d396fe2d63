package solver

import (
	"encoding/json"
	"testing"
)

func TestOptionsThatAnEngineDoesNotHeed(t *testing.T) {
	set := func(name string, v int) Options {
		o := DefaultOptions()
		for _, opt := range OptionTable {
			if opt.Name == name {
				*opt.Field(&o).(*int) = v
			}
		}
		return o
	}
	for _, test := range []struct {
		options Options
		engine  string
		want    string
	}{
		{DefaultOptions(), "machine", ""},
		{set("unroll", 3), "machine", ""},
		{set("timestamps", 2), "etso", ""},
		{set("k", 0), "k-round", ""},
		{set("timestamps", 2), "tso-sma", "timestamps: an option of etso, epso, not of tso-sma"},
		{set("k", 0), "axiomatic", "k: an option of k-round, k-store-age, not of axiomatic"},
		{set("executions", 0), "etso", "executions: an option of axiomatic, not of etso"},
	} {
		got := ""
		if err := test.options.Fit(test.engine); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.engine, got, test.want)
		}
	}
}

// What was written down before an option came to be means its default.
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

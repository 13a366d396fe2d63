package queue

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/solver/suites"
)

// What one end sends arrives at the other, and the receiver refuses what is no message.
func TestReports(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &suites.Report{Job: rapid.String().Draw(t, "job"), Finished: rapid.Bool().Draw(t, "over")}
		for i := range rapid.IntRange(0, 5).Draw(t, "rows") {
			r.Rows = append(r.Rows, suites.Row{
				Test: i, Code: suites.Allowed, MS: 1.5, Cause: rapid.String().Draw(t, "cause"),
				Body: []byte(rapid.StringN(1, 50, -1).Draw(t, "body")),
			})
		}
		text, err := reportText(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readReport(squeeze(text))
		if err != nil || !reflect.DeepEqual(got, r) {
			t.Fatalf("%+v, %v; want %+v", got, err, r)
		}
		cut := rapid.IntRange(0, len(text)-1).Draw(t, "cut")
		if _, err := readReport(squeeze(text[:cut])); err == nil {
			t.Fatalf("cut after %d of %d bytes, and nothing is wrong", cut, len(text))
		}
	})
}

func FuzzReadReport(f *testing.F) {
	text, err := reportText(&suites.Report{Job: "j", Rows: []suites.Row{{Body: []byte("{}")}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(squeeze(text))
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = readReport(data) // must not panic
	})
}

package agreement

import (
	"fmt"
	"path"
	"strings"

	"litmuscope/solver"
)

// Expectation is the expected observation of all tests of a name pattern.
type Expectation struct {
	Pattern     string // of the test's name, as path.Match reads it
	Model       string
	Observation solver.Observation
}

// ParseExpectations reads an expectation a line: pattern, model, observation. It skips lines that are empty or start
// with #. file is for errors.
func ParseExpectations(file, text string) ([]Expectation, error) {
	var out []Expectation
	for n, line := range content(text) {
		f := strings.Fields(line)
		if len(f) != 3 {
			return nil, fmt.Errorf("%s:%d: want a name pattern, a model and an observation, got %q", file, n, line)
		}
		e := Expectation{f[0], f[1], solver.Observation(f[2])}
		if _, err := path.Match(e.Pattern, ""); err != nil {
			return nil, fmt.Errorf("%s:%d: %q: %w", file, n, e.Pattern, err)
		}
		switch e.Observation {
		case solver.Always, solver.Sometimes, solver.Never:
		default:
			return nil, fmt.Errorf("%s:%d: got observation %q, want Always, Sometimes or Never", file, n, f[2])
		}
		out = append(out, e)
	}
	return out, nil
}

// Expected gives the expectations for a test's name: for each model, the first that
// matches.
func Expected(all []Expectation, name string) []Expectation {
	var out []Expectation
	seen := map[string]bool{}
	for _, e := range all {
		if ok, err := path.Match(e.Pattern, name); ok && err == nil && !seen[e.Model] {
			seen[e.Model] = true
			out = append(out, e)
		}
	}
	return out
}

// Compare holds a result against the expectation.
func (e Expectation) Compare(r *solver.Result) (v Verdict, detail string) {
	if v, detail, answered := unanswered(r); !answered {
		return v, detail
	}
	var d differences
	d.note("observation", r.Observation, string(e.Observation))
	return d.verdict("got %s, expected %s")
}

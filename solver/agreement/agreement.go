// Package agreement holds results against reference answers.
//
// A reference folder has tests and a reference.jsonl of one answer a line, for a
// test and a model: observation, whether the condition holds, the final states and,
// where they were counted, the executions that satisfy the proposition and that do
// not. An answer agrees when all of these are the same.
//
// The package may import solver alone.
package agreement

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"litmuscope/solver"
)

// Reference is one reference answer.
type Reference struct {
	Folder         string // of reference.jsonl, not in the file
	Path           string `json:"path"` // relative to the folder
	Name           string `json:"name"`
	Model          string `json:"model"`
	Observation    string `json:"observation"`
	ConditionHolds bool   `json:"condition_holds"`
	Positive       *int   `json:"positive"`
	Negative       *int   `json:"negative"`
	States         []map[string]string
}

// File is the test's path.
func (r Reference) File() string { return filepath.Join(r.Folder, r.Path) }

// Load reads folder/reference.jsonl.
func Load(folder string) ([]Reference, error) {
	f, err := os.Open(filepath.Join(folder, "reference.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Reference
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		r := Reference{Folder: folder}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", f.Name(), n, err)
		}
		out = append(out, r)
	}
	return out, lines.Err()
}

// Verdict is how an answer compares.
type Verdict int

// The verdicts, in the order of a table's columns.
const (
	Agreed Verdict = iota
	Disagreed
	Unsupported // the test could not be read; the reason is in the detail
	Undecided
	Known // disagreed, and listed among the known differences
)

func (v Verdict) String() string {
	return [...]string{"agreed", "disagreed", "unsupported", "unknown", "known"}[v]
}

// Compare holds a result against its reference. detail says what differs, or why
// there is no answer.
func Compare(ref Reference, r *solver.Result) (v Verdict, detail string) {
	switch r.Status {
	case solver.Failed:
		if strings.Contains(r.Error, "BUG") {
			return Disagreed, r.Error
		}
		return Unsupported, r.Error
	case solver.Unknown:
		return Undecided, r.Reason
	}
	var diffs []string
	differ := func(what string, got, want any) {
		diffs = append(diffs, fmt.Sprintf("%s: got %v, reference %v", what, got, want))
	}
	if string(r.Observation) != ref.Observation {
		differ("observation", r.Observation, ref.Observation)
	}
	if r.ConditionHolds == nil || *r.ConditionHolds != ref.ConditionHolds {
		differ("condition holds", r.ConditionHolds != nil && *r.ConditionHolds, ref.ConditionHolds)
	}
	extra, missing := diffStates(r.States, ref.States)
	for _, s := range extra {
		differ("state", s, "none")
	}
	for _, s := range missing {
		differ("state", "none", s)
	}
	if r.Positive != nil && ref.Positive != nil && ref.Negative != nil && (*r.Positive != *ref.Positive || *r.Negative != *ref.Negative) {
		differ("executions", fmt.Sprintf("%d positive %d negative", *r.Positive, *r.Negative), fmt.Sprintf("%d and %d", *ref.Positive, *ref.Negative))
	}
	if len(diffs) > 0 {
		return Disagreed, strings.Join(diffs, "; ")
	}
	return Agreed, ""
}

func diffStates(got []solver.State, want []map[string]string) (extra, missing []string) {
	var a, b []string
	for _, s := range got {
		m := map[string]string{}
		for _, e := range s {
			m[e.Name] = e.Value
		}
		a = append(a, stateKey(m))
	}
	for _, m := range want {
		b = append(b, stateKey(m))
	}
	for _, s := range a {
		if !slices.Contains(b, s) {
			extra = append(extra, s)
		}
	}
	for _, s := range b {
		if !slices.Contains(a, s) {
			missing = append(missing, s)
		}
	}
	return extra, missing
}

func stateKey(m map[string]string) string {
	var parts []string
	for k, v := range m {
		parts = append(parts, k+"="+v)
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

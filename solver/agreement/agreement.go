// Package agreement compares results with answers from elsewhere: reference answers, another engine's answers, or known
// facts about a family of tests. A reference folder has tests and a reference.jsonl with one answer a line:
// observation, condition, outcomes, flags and, if the reference counted them, executions. All of them have to be equal.
//
//	refs, err := agreement.Load("corpus/x86")
//	verdict, detail := agreement.Compare(refs[0], result)
//
// [CompareEngines] and [CompareModels] compare two results; [LoadPrograms] and [CompareProgram] do the same for C
// programs. A [Request] plans such comparisons for folders of tests or programs and runs them. A [Tally] counts
// findings. If a reference is certainly wrong, known.txt lists the test with the reason; the tally then counts and
// prints it as known.
//
// It imports solver, solver/batch, solver/engines, models, litmus/ir and litmus/suite. Its caller passes the runner.
package agreement

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Reference is one reference answer.
type Reference struct {
	Folder         string `json:"-"`    // of reference.jsonl
	Path           string `json:"path"` // relative to the folder
	Name           string `json:"name"`
	Model          string `json:"model"`
	Observation    string `json:"observation"`
	ConditionHolds bool   `json:"condition_holds"`
	Positive       *int   `json:"positive"`
	Negative       *int   `json:"negative"`
	States         States
	Flags          []string `json:"flags"` // that are raised; nil where the answer does not say

	// Of tests for GPUs, a line has one property instead, which holds or not: the condition with its quantifier, that
	// no execution has a data race, or that all executions end under a progress assumption.
	Property string `json:"property"`
	Holds    bool   `json:"holds"`
	Progress string `json:"progress"`
	Bound    int    `json:"bound"` // of loops, for termination
}

// The properties of references for GPUs.
const (
	ofCondition   = "condition"
	ofRaces       = "data-race"
	ofTermination = "termination"
)

// File is the test's path.
func (r Reference) File() string { return filepath.Join(r.Folder, filepath.FromSlash(r.Path)) }

// Load reads folder/reference.jsonl. An error names the file and, for a line that is
// no answer, the line.
func Load(folder string) ([]Reference, error) {
	return load(folder, func(r *Reference) error {
		r.Folder = folder
		if r.Path == "" || r.Model == "" {
			return errors.New(`want a line with "path" and "model"`)
		}
		switch r.Property {
		case "", ofCondition, ofRaces, ofTermination:
			return nil
		}
		return fmt.Errorf(`unknown property %q: want "condition", "data-race" or "termination"`, r.Property)
	})
}

// load reads the references of a folder, each of which check looks at.
func load[R any](folder string, check func(*R) error) ([]R, error) {
	f, err := os.Open(filepath.Join(folder, "reference.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []R
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24) // a line lists all states of a test
	for n := 1; lines.Scan(); n++ {
		var r R
		err := json.Unmarshal(lines.Bytes(), &r)
		if err == nil {
			err = check(&r)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", f.Name(), n, err)
		}
		out = append(out, r)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return out, nil
}

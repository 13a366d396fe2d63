// Package agreement holds results against answers that were had in another way:
// reference answers, the answers of another engine, or what is known to hold of a
// family of tests.
//
// A reference folder has tests and a reference.jsonl of one answer a line, for a
// test and a model: observation, whether the condition holds, the final states and,
// where they were counted, the executions that satisfy the proposition and that do
// not. An answer agrees when all of these are the same, and where the line has flags,
// those of them that the model knows.
//
//	refs, err := agreement.Load("corpus/x86")
//	for _, ref := range refs {
//		// run ref.File() under ref.Model
//		verdict, detail := agreement.Compare(ref, result)
//		tally.Add(agreement.Finding{…})
//	}
//	tally.Print(os.Stdout)
//
// A folder of C programs has lines of another kind: [ProgramReference].
//
// References can be wrong. Where that is certain, known.txt lists the test with the
// reasoning; it is then counted as known, and still shown.
//
// The package may import solver alone; running the tests is its caller's part.
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
	States         []map[string]string
	Flags          []string `json:"flags"` // that are raised; nil where the answer does not say
}

// File is the test's path.
func (r Reference) File() string { return filepath.Join(r.Folder, filepath.FromSlash(r.Path)) }

// Load reads folder/reference.jsonl. An error names the file and, for a line that is
// no answer, the line.
func Load(folder string) ([]Reference, error) {
	return load(folder, func(r *Reference) error {
		r.Folder = folder
		if r.Path == "" || r.Model == "" {
			return errors.New("want an answer with path and model")
		}
		return nil
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

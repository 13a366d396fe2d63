package agreement

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"litmuscope/solver"
)

// ProgramReference is one reference answer for a C program.
type ProgramReference struct {
	Folder   string            `json:"-"`    // of reference.jsonl
	Path     string            `json:"path"` // relative to the folder
	Model    string            `json:"model"`
	Defines  map[string]string `json:"defines"`
	Includes []string          `json:"include_dirs"` // relative to the folder
	Unroll   *int              `json:"unroll"`       // bound on loops within which the verdict holds; nil: none
	Verdict  string            `json:"verdict"`      // safe, unsafe, or unknown: no failure within the bound
	Property string            `json:"property"`     // joined by +

	Executions *int   `json:"executions"`
	CountKind  string `json:"count_kind"` // graphs, or rf-classes; "": no comparison
	CountNote  string `json:"count_note"` // what the count leaves out

	DataModel string `json:"data_model"` // ILP32; else LP64
	Progress  string `json:"progress"`   // of threads: "" is fair
	Option    string `json:"option"`

	Disputed bool `json:"disputed"` // others say otherwise: the tally leaves it out
}

// Counts of the same kind: by reads-from and coherence, or by reads-from alone.
const (
	Graphs    = "graphs"
	RFClasses = "rf-classes"
)

// ProgramFolders are the folders below one, or itself, that have reference answers for C
// programs; none where it has some for tests.
func ProgramFolders(folder string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*", "reference.jsonl"))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range append(files, filepath.Join(folder, "reference.jsonl")) {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // Load reports the error
		}
		var first struct{ Path string }
		line, _, _ := strings.Cut(string(text), "\n")
		if json.Unmarshal([]byte(line), &first) == nil && path.Ext(first.Path) == ".c" {
			out = append(out, filepath.Dir(f))
		}
	}
	return out, nil
}

// LoadPrograms reads folder/reference.jsonl, as Load does.
func LoadPrograms(folder string) ([]ProgramReference, error) {
	all, err := load(folder, func(r *ProgramReference) error {
		r.Folder = folder
		if r.Path == "" || r.Model == "" || r.Property == "" {
			return errors.New(`want a line with "path", "model" and "property"`)
		}
		switch r.Verdict {
		case "safe", "unsafe", "unknown":
			return nil
		}
		return fmt.Errorf("got verdict %q, want safe, unsafe or unknown", r.Verdict)
	})
	return slices.DeleteFunc(all, func(r ProgramReference) bool { return r.Disputed }), err
}

// Counted reports whether the request counts and compares executions. It does not compare counts that ignore the order
// in which threads reach a barrier: for us that is part of an execution.
func (r ProgramReference) Counted() bool {
	return r.Executions != nil && (r.CountKind == Graphs || r.CountKind == RFClasses) &&
		r.CountNote != "barrier waits not counted as events"
}

// Macros are the macro definitions, as NAME=VALUE, by name.
func (r ProgramReference) Macros() []string {
	var out []string
	for name, value := range r.Defines {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}

// Label tells the reference from others of the same program.
func (r ProgramReference) Label() string {
	out := []string{r.Path}
	if len(r.Includes) > 0 {
		out = append(out, r.Includes[0])
	}
	return strings.Join(append(out, r.Macros()...), " ")
}

// Open reports whether an answer leaves something open that a larger bound on loops may show:
// a failure, or a count.
func (r ProgramReference) Open(v *solver.Verification) bool {
	return r.Unroll == nil && v.Status == solver.OK && !v.Complete &&
		(r.Verdict == "unsafe" && v.Verdict == solver.Safe || r.Counted() && v.Verdict != solver.Unsafe)
}

// CountVerdict is how a count of executions compares.
type CountVerdict int

// The verdicts on counts.
const (
	NotCounted CountVerdict = iota
	Equal
	Different
)

// CompareProgram holds an answer against the reference. Safe within the reference's bound is
// all that a reference says that has one.
func CompareProgram(r ProgramReference, v *solver.Verification) Finding {
	f := Finding{
		Group: filepath.Base(r.Folder), Label: r.Label(), Path: path.Join(filepath.Base(r.Folder), r.Path),
		Model:    r.Model,
		Complete: v.Complete, Seconds: v.MS / 1000,
	}
	decided := v.Verdict == solver.Unsafe || v.Verdict == solver.Safe
	if no, detail, answered := unanswered(v); !answered && !(no == Undecided && decided) {
		f.Verdict, f.Detail = no, detail
		return f
	}
	unsafe := v.Verdict == solver.Unsafe
	switch {
	case unsafe && r.Verdict != "unsafe":
		f.Verdict, f.Detail = Disagreed, fmt.Sprintf("got unsafe, reference %s", r.Verdict)
		if at := v.Failure; at != nil {
			f.Detail += fmt.Sprintf(" (%s:%d: %s: %s)", at.File, at.Line, at.Property, at.Text)
		}
	case !unsafe && r.Verdict == "unsafe" && r.Unroll == nil && !v.Complete:
		f.Verdict, f.Detail = Undecided, "the bound on loops may hide the failure"
	case !unsafe && r.Verdict == "unsafe":
		f.Verdict, f.Detail = Disagreed, "got safe, reference unsafe"
	}
	if f.Verdict == Agreed && r.Counted() && v.Status == solver.OK && v.Executions != nil &&
		(v.Complete || r.Unroll != nil) {
		f.Count = Equal
		if *v.Executions != *r.Executions {
			f.Count = Different
			f.Detail = fmt.Sprintf("got %d executions, reference %d", *v.Executions, *r.Executions)
			if r.CountNote != "" {
				f.Detail += " (" + r.CountNote + ")"
			}
		}
	}
	return f
}

package witness

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
)

// Task is the question.
type Task struct {
	Files   []solver.SourceFile
	Entry   string // "" is main
	ILP32   bool
	Created time.Time
}

// Formats are the endings of the files that each format has.
var Formats = []string{".graphml", ".yml"}

// FormatOf is the format that a file's name asks for; "" where there is none.
func FormatOf(file string) string {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".graphml":
		return ".graphml"
	case ".yml", ".yaml":
		return ".yml"
	}
	return ""
}

// Write writes the witness of an answer, which has to have the execution where it is unsafe.
func Write(w io.Writer, format string, t Task, v *solver.Verification) error {
	told := telling{Task: t, v: v}
	switch {
	case v.Status != solver.OK:
		return errors.New("an undecided answer has no witness")
	case v.Verdict == solver.Safe && !v.Complete:
		return errors.New("a program that is only safe within bounds has no witness")
	case v.Verdict == solver.Unsafe:
		if v.Failure == nil || v.Failure.Graph == nil {
			return errors.New("a witness needs an execution")
		}
		var err error
		if told.steps, err = steps(v.Failure.Graph); err != nil {
			return err
		}
		told.dropTarget()
	}
	var b strings.Builder
	if format == ".graphml" {
		told.graphML(&b)
	} else {
		told.yaml(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// telling writes one witness.
type telling struct {
	Task
	v     *solver.Verification
	steps []step
}

// specifications are SV-COMP's properties.
var specifications = map[ir.Property]string{
	ir.Assertion:   "G ! call(reach_error())",
	ir.DataRace:    "G ! data-race",
	ir.Memory:      "G valid-deref",
	ir.Overflow:    "G ! overflow",
	ir.Leak:        "G valid-memcleanup",
	ir.Termination: "F end",
}

// specification is the checked property, in SV-COMP's words: of several properties the one that fails, or the first.
func (t *telling) specification() string {
	first, _, _ := strings.Cut(t.v.Property, "+")
	p := ir.Property(first)
	if t.v.Failure != nil {
		p = t.v.Failure.Property
	}
	return fmt.Sprintf("CHECK( init(%s()), LTL(%s) )", t.entry(), specifications[p])
}

func (t *telling) entry() string { return cmp.Or(t.Entry, "main") }

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// uuid is an id for the witness, a hash of its parts.
func (t *telling) uuid() string {
	all := t.v.Path + "\n" + t.v.Model + "\n" + t.specification() + "\n" + t.Created.String()
	for _, f := range t.Files {
		all += f.Name + "\n" + f.Text
	}
	sum := sha256.Sum256([]byte(all))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// created is the time of the witness.
func (t *telling) created() string { return t.Created.UTC().Format("2006-01-02T15:04:05Z") }

// dropTarget takes out the last step where it is the statement that fails, which comes by itself.
func (t *telling) dropTarget() {
	thread, f := t.target()
	if n := len(t.steps); n > 0 && t.steps[n-1].thread == thread && t.steps[n-1].place.File == f.File &&
		t.steps[n-1].place.Line == f.Line {
		t.steps = t.steps[:n-1]
	}
}

// target is the statement that fails, in a thread of the given number, 0 for main if it has none.
func (t *telling) target() (thread int, f *solver.Failure) {
	f = t.v.Failure
	for i, th := range f.Graph.Threads {
		if th.Name == f.Thread {
			thread = i
		}
	}
	return thread, f
}

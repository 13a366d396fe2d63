package solver

import (
	"context"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// Verdicts on a program and its properties.
const (
	Unsafe Verdict = "unsafe" // some execution fails
	Safe   Verdict = "safe"   // none does, within the bounds
)

// Verifier is an engine that checks properties of programs.
type Verifier interface {
	Engine
	// Verify answers a query about an unrolled program whose operations say what can fail. Limits and errors are as for
	// Explore. If the engine cannot decide a property, the answer is Unknown and says so.
	Verify(ctx context.Context, q Query, want Verify) (*Verification, error)
}

// Verify says what to check of a program.
type Verify struct {
	Properties []ir.Property `json:"properties,omitempty"` // none: assertions
	Count      bool          `json:"count,omitempty"`      // count executions as well
	// ByReads counts executions that differ only in co once.
	ByReads bool `json:"by_reads,omitempty"`
	// Minimise asks for a witness with as few context switches, or relaxed pairs, as possible.
	Minimise bool `json:"minimise,omitempty"`
}

// Verification is an engine's answer for one program, one model and one or more properties.
type Verification struct {
	Path     string `json:"path"`
	Name     string `json:"name"`
	Model    string `json:"model"`
	Engine   string `json:"engine"`
	Property string `json:"property"` // joined by +

	Status Status  `json:"status"`
	Error  string  `json:"error,omitempty"`  // "file:line:col: message", when Status is Failed
	Faults []Fault `json:"faults,omitempty"` // … each by itself, if places are known
	Reason string  `json:"reason,omitempty"` // why Status is Unknown
	// Cut is as a [Result]'s.
	Cut string `json:"cut,omitempty" doc:"the time or memory limit that ended the work early; the answer is correct, but never cached"`

	Verdict Verdict `json:"verdict,omitempty"` // Unsafe, Safe or Undecided
	// Complete: an unsafe or safe verdict holds whatever the bounds.
	Complete bool           `json:"complete"`
	Bounds   map[string]int `json:"bounds,omitempty"` // by option; none if loops ran to their ends
	// SettledBy names the argument that decided without a formula: "locksets", because locks, starts and joins of
	// threads order all accesses that could race, and nothing else can fail.
	SettledBy string `json:"settled_by,omitempty"`
	// Loops: the program has loops or recursion, which bounds are about.
	Loops bool `json:"loops,omitempty"`
	// Short are those of them that may hide a failure, of a safe verdict that is not Complete.
	Short []string `json:"short,omitempty"`
	// Executions counts those in which every thread ends, within the bounds, distinct in rf and co, or in rf alone with
	// ByReads; nil without a count. It omits those in which a weak compare-and-exchange fails for no reason.
	Executions *int     `json:"executions,omitempty"`
	Failure    *Failure `json:"failure,omitempty"` // of an unsafe program
	// Undefined is undefined behaviour in some run, if nothing else fails: the program may do anything then, so that
	// the answer is Undecided.
	Undefined *Failure `json:"undefined,omitempty"`
	// Race is a data race of the program, under a model of a language that makes behaviour undefined then: whatever the
	// verdict, the program may do anything. It is absent if the question is about data races.
	Race    *Failure `json:"race,omitempty"`
	Remarks []Remark `json:"remarks,omitempty"`
	// Part is the answer about a part.
	Part *PartAnswer `json:"part,omitempty"`
	// SoFar is the progress of a partial answer, in words. Such an answer has no status and nothing else, unless its
	// verdict is final; then only the questions in Open are undecided: remarks that lack a reason.
	SoFar string   `json:"so_far,omitempty"`
	Open  []Remark `json:"open,omitempty"`
	// DataModel and Char say what long, pointers and plain char are like, if that is not lp64 and signed, or the task
	// chose it.
	DataModel string `json:"data_model,omitempty"`
	Char      string `json:"char,omitempty"`
	// Mapping says how the front end compiled C's atomics, if there are other usual ways and it may matter: a line for
	// each choice.
	Mapping []string `json:"mapping,omitempty"`

	Stats *Stats  `json:"stats,omitempty"`
	MS    float64 `json:"ms"`
	// Version is the engine's version, which changes when its answers may change.
	Version int  `json:"engine_version,omitempty"`
	Cached  bool `json:"cached,omitempty"`
}

// Fault is a thing that is wrong with a program, or with a model of the user's own.
type Fault struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// Failure is where and how a program fails.
type Failure struct {
	File     string      `json:"file"`
	Line     int         `json:"line"`
	Column   int         `json:"column,omitempty"`
	Thread   string      `json:"thread,omitempty"`
	Property ir.Property `json:"property"`
	Text     string      `json:"text"`
	// Object is the object that is in a data race, as the program's locations are named: "flag", "q.next", "a[3]". It
	// is empty for another failure, and where the end of a lifetime is in the race.
	Object string `json:"object,omitempty" doc:"the object that is in a data race, such as flag, q.next or a[3]"`
	// Others are further places that are part of it: the other access of a race.
	Others []Failure `json:"others,omitempty"`
	// Reordered are pairs of accesses of one thread that take effect the other way round,
	// which SC forbids, in words; empty where the program fails under SC as well.
	Reordered []string `json:"reordered,omitempty"`

	// Graph is the execution up to the failure, and Trace the steps of it where the model has a machine; if the task
	// asks for witnesses.
	Graph *models.Graph `json:"graph,omitempty"`
	Trace []TraceStep   `json:"trace,omitempty"`
}

// NewVerification returns an engine's answer that says Safe, for the engine to correct.
func NewVerification(q Query, by Engine) *Verification {
	return &Verification{
		Path: q.Program.File, Name: q.Program.Name, Model: q.Model.Name, Engine: by.Name(), Version: by.Version(),
		Status: OK, Verdict: Safe,
	}
}

// ABI describes the widths of long and pointers and the sign of plain char, if they are unusual or the task chose them;
// else it is "".
func (v *Verification) ABI() string {
	var out []string
	switch v.DataModel {
	case "ilp32":
		out = append(out, "long and pointers have 32 bits")
	case "lp64":
		out = append(out, "long and pointers have 64 bits")
	}
	if v.Char != "" {
		out = append(out, "plain char is "+v.Char)
	}
	return strings.Join(out, ", ")
}

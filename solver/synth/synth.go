package synth

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/change"
	"litmuscope/solver"
)

// Question asks for the repairs of a test. Its text has not been parsed.
type Question struct {
	Path   string `json:"path"`
	Source string `json:"source"`
	// Under has the models that must all forbid the outcome; only the model fields of each task count. If empty, the
	// search uses the test's own model.
	Under []solver.Task `json:"under,omitempty"`
	// Weaken asks what a test that forbids the outcome does not need. Otherwise the search asks what to add.
	Weaken bool `json:"weaken,omitempty"`
	// Anyhow: undefined behaviour does not count, only the outcome does.
	Anyhow bool `json:"anyhow,omitempty"`
	// State replaces the condition's outcome, unless it is nil.
	State   solver.State   `json:"state,omitempty"`
	Costs   string         `json:"costs,omitempty"` // a table that extends the built-in one
	Options solver.Options `json:"options"`         // the timeout applies to the whole question
}

// Question and Reply cross a process boundary as JSON. Nothing in them refers to parsed tests, so that a malformed
// test can only harm the child process that parses it.

// Reply is the answer to a Question.
type Reply struct {
	Path   string        `json:"path"`
	Name   string        `json:"name"`
	Arch   string        `json:"arch"`
	Model  string        `json:"model" doc:"the models, joined by +"`
	Status solver.Status `json:"status" enum:"ok,unknown,error"`
	Error  string        `json:"error,omitempty"`
	// BadTest has the errors of the test, if they are the reason of Error.
	BadTest litmus.ErrorList `json:"bad_test,omitempty" hidden:"true"`
	Reason  string           `json:"reason,omitempty" doc:"why the status is unknown, why it is impossible, or why it is not known to be minimal"`

	Verdict solver.
		Verdict `json:"verdict,omitempty" enum:"allowed,forbidden,unknown" doc:"the verdict on the outcome in the unchanged test"`
	Already    bool `json:"already" doc:"repair: the unchanged test is already correct"`
	Impossible bool `json:"impossible" doc:"the available changes do not help, not even all together: reason says why"`
	// Remarks say which plain accesses of a program count as relaxed atomics.
	Remarks []string `json:"remarks,omitempty" doc:"program: which plain accesses count as relaxed atomics"`
	// Repairs are the cheapest ones; for a weakening, all minimal remainders.
	Repairs []Repair `json:"repairs"`
	More    bool     `json:"more,omitempty" doc:"more answers with the same cost exist"`
	Minimal bool     `json:"minimal" doc:"proved minimal: no cheaper choice of changes is sufficient"`
	Asked   int      `json:"asked" doc:"number of questions to the engine"`
	MS      float64  `json:"ms"`
}

// A search that a limit has cut still has a reply: Repairs may be sufficient without being minimal, and Reason says
// why the search ended.

// Public returns the reply in its public form, without the fields that only the next question needs.
func (r *Reply) Public() *Reply {
	told := *r
	told.BadTest = nil // Error repeats it
	told.Repairs = slices.Clone(r.Repairs)
	for i := range told.Repairs {
		a := &told.Repairs[i]
		a.Files, a.Changes = nil, slices.Clone(a.Changes)
		for j := range a.Changes {
			a.Changes[j].Without, a.Changes[j].FailsUnder = nil, ""
		}
	}
	return &told
}

// Repair is a set of changes that forbids the outcome.
type Repair struct {
	Cost    int      `json:"cost" doc:"cost of the changes; weaken: cost of the remaining barriers and orders"`
	Saved   int      `json:"saved,omitempty" doc:"weaken: cost that the changes save"`
	Changes []Change `json:"changes"`
	// Kept are the barriers and orders that a weakened test still has; it does not forbid the outcome without any of
	// them.
	Kept   []Kept `json:"kept,omitempty" doc:"weaken: the remaining barriers and orders, each of which is needed"`
	Source string `json:"source" doc:"the changed test; for a program of several files, the last changed file: diff has all of them"`
	// Files are the changed files of a program, with their new texts.
	Files []solver.SourceFile `json:"files,omitempty" hidden:"true"`
	Diff  string              `json:"diff" doc:"unified diff from the test to source"`
	// Certified: a checker confirmed all refutations on which the answer relies.
	Certified   *bool               `json:"certified,omitempty"`
	Certificate *solver.Certificate `json:"certificate,omitempty"`
}

// Kept is a barrier or order that a weakening keeps.
type Kept struct {
	Thread   int    `json:"thread" doc:"the thread's number in the test"`
	File     string `json:"file,omitempty" doc:"program: the file"`
	Function string `json:"function,omitempty" doc:"program: the function"`
	Line     int    `json:"line" doc:"its line in the unchanged test"`
	Text     string `json:"text" doc:"as the weakened test has it"`
	Cost     int    `json:"cost"`
	Why      string `json:"why,omitempty" doc:"program: what fails without it, or why it stays"`
}

// Change is one change of a test.
type Change struct {
	Thread   int         `json:"thread" doc:"the thread's number in the test"`
	File     string      `json:"file,omitempty" doc:"program: the changed file"`
	Function string      `json:"function,omitempty" doc:"program: the function that contains the change"`
	Line     int         `json:"line" doc:"line in the unchanged test of the statement that is changed or that follows an inserted fence"`
	Step     int         `json:"step,omitempty" doc:"the change's number among several insertions before one statement"`
	Kind     change.Kind `json:"kind" enum:"fence,order,dependency,atomic"`
	Text     string      `json:"text" doc:"the new text; empty for a removed fence"`
	Cost     int         `json:"cost" doc:"the cost that the change adds; negative if it saves cost"`
	Place    string      `json:"place" doc:"the statement, before the change"`
	// Breaks says what the change is for: which axiom it breaks in an execution that all other changes allow.
	Breaks *Broken `json:"breaks,omitempty"`
	Fails  string  `json:"fails,omitempty" doc:"program: what fails without the change, and under which model"`
	// Without has the changed files of a program with all other changes; FailsUnder is the model under which it fails
	// then.
	Without    []solver.SourceFile `json:"without,omitempty" hidden:"true"`
	FailsUnder string              `json:"fails_under,omitempty" hidden:"true"`
}

// Broken is a violated axiom of an execution, with its cycle if it has one.
type Broken struct {
	Model  string `json:"model"`
	Axiom  string `json:"axiom"`
	Cycle  string `json:"cycle,omitempty" doc:"the cycle's events and the relations between them"`
	Events string `json:"events,omitempty" doc:"a description of the events"`
}

// The JSON of Question, Reply and Repair is an interface of the server and of the command line. Fields with
// hidden:"true" are for the next question only, and Told removes them.

// mostRepairs bounds the number of listed repairs.
const mostRepairs = 24

package synth

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/change"
	"litmuscope/solver"
)

// Question is what is asked of a test. Nobody has read anything of it.
type Question struct {
	Path   string `json:"path"`
	Source string `json:"source"`
	// Under are the models, all of which are to forbid the outcome; of each task, what it says of its model alone
	// counts. None is the test's own.
	Under []solver.Task `json:"under,omitempty"`
	// Weaken asks what can go of a test that is forbidden, not what is missing of one that is allowed.
	Weaken bool `json:"weaken,omitempty"`
	// Anyhow: behaviour that is undefined is no matter, but the outcome alone.
	Anyhow bool `json:"anyhow,omitempty"`
	// State, unless nil, is the outcome, in the place of what the condition asks about.
	State   solver.State   `json:"state,omitempty"`
	Costs   string         `json:"costs,omitempty"` // a table that goes on from the published one
	Options solver.Options `json:"options"`         // the time is for all of it
}

// Reply is the answer.
type Reply struct {
	Path   string        `json:"path"`
	Name   string        `json:"name"`
	Arch   string        `json:"arch"`
	Model  string        `json:"model" doc:"the models, joined by +"`
	Status solver.Status `json:"status" enum:"ok,unknown,error"`
	Error  string        `json:"error,omitempty"`
	// BadTest is what is wrong with the test, where that is what the error is about.
	BadTest litmus.ErrorList `json:"bad_test,omitempty" hidden:"true"`
	Reason  string           `json:"reason,omitempty" doc:"why the status is unknown, why it is impossible, or why it is not known to be minimal"`

	Verdict solver.
		Verdict `json:"verdict,omitempty" enum:"allowed,forbidden,unknown" doc:"the verdict on the outcome in the unchanged test"`
	Already    bool `json:"already" doc:"repair: the unchanged test is already correct"`
	Impossible bool `json:"impossible" doc:"the available changes do not help, not even all together: reason says why"`
	// Repairs are the cheapest; of a weakening, all remainders that are enough and of which nothing more can go.
	Repairs []Repair `json:"repairs"`
	More    bool     `json:"more,omitempty" doc:"more answers with the same cost exist"`
	Minimal bool     `json:"minimal" doc:"proved minimal: no cheaper choice of changes is sufficient"`
	Asked   int      `json:"asked" doc:"number of questions to the engine"`
	MS      float64  `json:"ms"`
}

// Told is the reply as others are told of it, without what is there to go on from.
func (r *Reply) Told() *Reply {
	told := *r
	told.BadTest = nil // the error says it
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
	Source  string   `json:"source" doc:"the changed test; for a program of several files, the last changed file: diff has all of them"`
	// Files are those of a program that are changed, with the changes.
	Files []solver.SourceFile `json:"files,omitempty" hidden:"true"`
	Diff  string              `json:"diff" doc:"unified diff from the test to source"`
	// Certified: every refutation that the answer about it rests on was checked.
	Certified   *bool               `json:"certified,omitempty"`
	Certificate *solver.Certificate `json:"certificate,omitempty"`
}

// Change is one change of a test.
type Change struct {
	Thread   int         `json:"thread" doc:"the thread's number in the test"`
	File     string      `json:"file,omitempty" doc:"program: the changed file"`
	Function string      `json:"function,omitempty" doc:"program: the function that contains the change"`
	Line     int         `json:"line" doc:"line in the unchanged test of the statement that is changed or that follows an inserted fence"`
	Kind     change.Kind `json:"kind" enum:"fence,order,dependency,atomic"`
	Text     string      `json:"text" doc:"the new text; empty for a removed fence"`
	Cost     int         `json:"cost" doc:"the cost that the change adds; negative if it saves cost"`
	Place    string      `json:"place" doc:"the statement, before the change"`
	// Breaks is what it is there for: an execution that all other changes allow, and what it fails with this one.
	Breaks *Broken `json:"breaks,omitempty"`
	Fails  string  `json:"fails,omitempty" doc:"program: what fails without the change, and under which model"`
	// Without are the files of a program that are changed, with all other changes, and FailsUnder is the model that has
	// it fail then.
	Without    []solver.SourceFile `json:"without,omitempty" hidden:"true"`
	FailsUnder string              `json:"fails_under,omitempty" hidden:"true"`
}

// Broken is the cycle, or what else the model forbids, of an execution.
type Broken struct {
	Model  string `json:"model"`
	Axiom  string `json:"axiom"`
	Cycle  string `json:"cycle,omitempty" doc:"the cycle's events and the relations between them"`
	Events string `json:"events,omitempty" doc:"a description of the events"`
}

// mostRepairs bounds those that are listed.
const mostRepairs = 24

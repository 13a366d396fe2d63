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
	Model  string        `json:"model" doc:"several are joined by +"`
	Status solver.Status `json:"status" enum:"ok,unknown,error"`
	Error  string        `json:"error,omitempty"`
	// BadTest is what is wrong with the test, where that is what the error is about.
	BadTest litmus.ErrorList `json:"bad_test,omitempty" hidden:"true"`
	Reason  string           `json:"reason,omitempty" doc:"why the status is unknown, why it is impossible, or why it is not known to be minimal"`

	Verdict solver.
		Verdict `json:"verdict,omitempty" enum:"allowed,forbidden,unknown" doc:"of the outcome, in the test as it is"`
	Already    bool `json:"already" doc:"of a repair: the test is correct as it is"`
	Impossible bool `json:"impossible" doc:"no change on offer helps, nor do all of them: reason says why"`
	// Repairs are the cheapest; of a weakening, all remainders that are enough and of which nothing more can go.
	Repairs []Repair `json:"repairs"`
	More    bool     `json:"more,omitempty" doc:"there are more that cost as much"`
	Minimal bool     `json:"minimal" doc:"nothing cheaper is enough; of a weakening, nothing less"`
	Asked   int      `json:"asked" doc:"how often the engine was asked"`
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
	Cost    int      `json:"cost" doc:"of the changes; of a weakening, of the remaining barriers and orders"`
	Saved   int      `json:"saved,omitempty" doc:"of a weakening: what the changes save"`
	Changes []Change `json:"changes"`
	Source  string   `json:"source" doc:"the test with them; of a program of several files, the last one that is changed: diff has them all"`
	// Files are those of a program that are changed, with the changes.
	Files []solver.SourceFile `json:"files,omitempty" hidden:"true"`
	Diff  string              `json:"diff" doc:"from the test to that"`
	// Certified: every refutation that the answer about it rests on was checked.
	Certified   *bool               `json:"certified,omitempty"`
	Certificate *solver.Certificate `json:"certificate,omitempty"`
}

// Change is one change of a test.
type Change struct {
	Thread   int         `json:"thread" doc:"as numbered in the test"`
	File     string      `json:"file,omitempty" doc:"of a program: the file that is changed"`
	Function string      `json:"function,omitempty" doc:"of a program, which has no threads in its text"`
	Line     int         `json:"line" doc:"of the test as it is: of the statement that is changed, or in front of which something is put"`
	Kind     change.Kind `json:"kind" enum:"fence,order,dependency"`
	Text     string      `json:"text" doc:"what is put there; empty for a fence that goes"`
	Cost     int         `json:"cost" doc:"what it adds; what it takes off is negative"`
	Place    string      `json:"place" doc:"the statement, as it is"`
	// Breaks is what it is there for: an execution that all other changes allow, and what it fails with this one.
	Breaks *Broken `json:"breaks,omitempty"`
	Fails  string  `json:"fails,omitempty" doc:"of a program: what fails without the change, and under which model"`
	// Without are the files of a program that are changed, with all other changes, and FailsUnder is the model that has
	// it fail then.
	Without    []solver.SourceFile `json:"without,omitempty" hidden:"true"`
	FailsUnder string              `json:"fails_under,omitempty" hidden:"true"`
}

// Broken is the cycle, or what else the model forbids, of an execution.
type Broken struct {
	Model  string `json:"model"`
	Axiom  string `json:"axiom"`
	Cycle  string `json:"cycle,omitempty" doc:"events and the relations between them"`
	Events string `json:"events,omitempty" doc:"what the events are"`
}

// mostRepairs bounds those that are listed.
const mostRepairs = 24

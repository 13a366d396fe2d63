package suites

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Model is a model that a suite's tests run under: a built-in one by its name alone, or "" for each
// test's own.
type Model = solver.OwnModel

// Request says how to run a suite.
type Request struct {
	Name    string            `json:"name,omitempty"`
	Labels  map[string]string `json:"labels,omitempty"`
	Models  []Model           `json:"models"` // at least one
	Engine  string            `json:"engine"`
	Options solver.Options    `json:"options"`
	// Program, unless nil, has the suite be an exploration of its executions: its tests are parts of that, by their
	// paths, and what a part leaves becomes tests of the suite as well.
	Program *solver.VerifyTask `json:"program,omitempty"`
}

// Task is a test under the request's model of an index.
func (r *Request) Task(model int, path, source string) solver.Task {
	m := r.Models[model]
	t := solver.Task{Path: path, Source: source, Model: m.Name, Engine: r.Engine, Options: r.Options}
	if !models.IsBuiltIn(m.Name) {
		t.ModelText, t.ModelFiles = m.Text, m.Files
	}
	if r.Program != nil {
		p, part := *r.Program, solver.Part{}
		if p.Part != nil {
			part = *p.Part
		}
		part.Path, part.Time = strings.TrimPrefix(source, PartSource), engines.PartTime
		p.Part, p.Model, p.Engine, p.Options = &part, m.Name, r.Engine, r.Options
		t.Source, t.Program = "", &p
	}
	return t
}

// PartSource is what a test's text begins with that is a part of an exploration; its path follows.
const PartSource = "part "

// ModelNames are the names of the request's models.
func (r *Request) ModelNames() []string {
	names := make([]string, len(r.Models))
	for i, m := range r.Models {
		names[i] = m.Name
	}
	return names
}

// State says how far a suite is.
type State string

// The states of a suite.
const (
	Receiving State = "receiving" // its tests are still coming in; no user can see it yet
	Running   State = "running"
	Done      State = "done"
	Cancelled State = "cancelled"
)

// Suite is a suite as its ledger has it.
type Suite struct {
	Number  int64  // the ledger's own
	ID      string // as users know it
	Owner   string // who submitted it; "" for an anonymous submission
	Version string // of the engines: engines.Fingerprint
	Request Request
	State   State

	Created, Finished time.Time // Finished is zero until then
	Tests             int
	Done              int   // rows there are
	Unknown, Failed   int   // … of which
	Cached, SetAside  int   // … of which
	Seq               int64 // of the row recorded last; 0 = none
	Totals            []ModelTotals
}

// Rows is how many rows the suite has in the end.
func (s *Suite) Rows() int { return s.Tests * len(s.Request.Models) }

// ModelTotals are a suite's rows under one of its models.
type ModelTotals struct {
	Model     string `json:"model"`
	Allowed   int    `json:"allowed"`
	Forbidden int    `json:"forbidden"`
	Undecided int    `json:"undecided"`
	Failed    int    `json:"failed"`
	Holds     int    `json:"holds"` // the condition does
}

// Test is one test of a suite.
type Test struct {
	N      int    `json:"n"` // its place, from 0
	Path   string `json:"path"`
	Name   string `json:"-"` // from its header
	Source string `json:"source,omitempty"`
	Err    string `json:"error,omitempty"` // why it has no source
	// Program is the litmus.ProgramHash of the source; nil where that is no litmus test.
	Program []byte `json:"-"`
}

// Bounds on what a suite may be, for all that say nothing else.
const (
	MaxName   = 200 // bytes of a suite's name
	MaxLabels = 32
	MaxLabel  = 200 // bytes of a label's key, and of its value
	MaxModels = 32
	// MaxModelText bounds the size of a suite's own models together, in bytes.
	MaxModelText = 1 << 20
	MaxPath      = 1024      // bytes of a test's path
	MaxTest      = 256 << 10 // bytes of a test
)

// ErrNoSuite is the error for an id that no suite has.
var ErrNoSuite = errors.New("no such suite")

// ErrKeyReused is the error for an idempotency key of another submission.
var ErrKeyReused = errors.New("another submission has used this idempotency key")

// A Refusal says why the coordinator rejects a submission.
type Refusal struct {
	Msg      string
	TooLarge bool // it is beyond a limit of the server
}

// Error is the message for the user.
func (r *Refusal) Error() string { return r.Msg }

func refuse(format string, args ...any) error { return &Refusal{Msg: fmt.Sprintf(format, args...)} }

// Ledger keeps suites. [store.Store] is one.
type Ledger interface {
	// CreateSuite makes a suite in the state Receiving and sets its Number.
	CreateSuite(ctx context.Context, s *Suite) error
	// AddTests adds tests, whose places follow those already there.
	AddTests(ctx context.Context, suite int64, tests []Test) error
	// SealSuite makes a suite Running. If another suite has its idempotency key, SealSuite removes the new suite and
	// returns the other's id if their digests are equal, or else ErrKeyReused.
	SealSuite(ctx context.Context, suite int64, key string, digest []byte) (other string, err error)
	// DropSuite removes a suite and all that belongs to it.
	DropSuite(ctx context.Context, suite int64) error
	// DropUnsealed removes suites that were still being received when the program ended.
	DropUnsealed(ctx context.Context) error
	// CancelSuite makes a running suite Cancelled.
	CancelSuite(ctx context.Context, suite int64) error

	// Suite finds a sealed suite by its id; ErrNoSuite.
	Suite(ctx context.Context, id string) (*Suite, error)
	// RunningSuites are all that run, the oldest first.
	RunningSuites(ctx context.Context) ([]*Suite, error)
	// RestartSuite forgets a suite's rows, as engines of another version gave them.
	RestartSuite(ctx context.Context, suite int64, version string) error
	// Pending lists tests that lack rows, from a place on.
	Pending(ctx context.Context, s *Suite, from, limit int) ([]JobTest, error)
	// Record adds rows of running suites, except those that the ledger already has. It returns the suites that these
	// rows complete.
	Record(ctx context.Context, rows []Row) (done []int64, err error)
	// ExpireSuites removes suites that finished before a time; how many.
	ExpireSuites(ctx context.Context, before time.Time) (int, error)
	// Answers looks answers up in the result cache; those that it has not are not there.
	Answers(ctx context.Context, keys []solver.Key, witnesses bool) (map[solver.Key]*solver.Result, error)
}

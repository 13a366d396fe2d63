package suites

import (
	"encoding/json"

	"litmuscope/solver"
)

// Code is what became of a test under a model, in a letter.
type Code byte

// The codes.
const (
	Allowed   Code = 'a'
	Forbidden Code = 'f'
	Undecided Code = 'u'
	Failed    Code = 'e'
)

// Row is the answer for one test of a suite under one of its models.
type Row struct {
	Suite    int64   `json:"-"`
	Version  string  `json:"-"` // of the engines that gave it
	Test     int     `json:"t"`
	Model    int     `json:"m"` // by index
	Code     Code    `json:"c"`
	Holds    bool    `json:"h,omitempty"` // the condition does
	Cached   bool    `json:"r,omitempty"`
	SetAside bool    `json:"s,omitempty"` // given up: its workers died of it
	MS       float64 `json:"ms"`
	Cause    string  `json:"w,omitempty"` // of a failure, or of not knowing: one line, without places
	// Body is a solver.Result as JSON. In a queue it travels beside the row.
	Body []byte `json:"-"`
	// ForCache: the answer is for the result cache.
	ForCache bool `json:"keep,omitempty"`
	// RestPaths are the paths of the rest of a part, which become tests of the suite.
	RestPaths []string `json:"more,omitempty"`
	// Key is the answer's there; nil if the cache must not keep the answer. The coordinator sets it.
	Key *solver.Key `json:"-"`
	// Seq numbers rows in the order of their recording; the ledger sets it.
	Seq int64 `json:"-"`
}

// NewRow takes down a result.
func NewRow(test, model int, r *solver.Result, witnesses bool) (Row, error) {
	keep := *r
	keep.Stats = nil
	if !witnesses {
		keep.Outcomes = nil
	}
	var more []string
	if v := r.Part; v != nil && v.Part != nil {
		part, answer := *v, *v.Part
		more, answer.Rest = answer.Rest, []string{}
		part.Part = &answer
		keep.Part = &part
	}
	body, err := json.Marshal(&keep)
	if err != nil {
		return Row{}, err
	}
	row := Row{Test: test, Model: model, Cached: r.Cached, MS: r.MS, Body: body, Cause: r.Cause(), RestPaths: more}
	row.Holds = r.ConditionHolds != nil && *r.ConditionHolds
	switch {
	case r.Status == solver.Failed:
		row.Code = Failed
	case r.Status == solver.Unknown || r.Verdict == solver.Undecided:
		row.Code = Undecided
	case r.Verdict == solver.Allowed:
		row.Code = Allowed
	default:
		row.Code = Forbidden
	}
	return row, nil
}

// Job is tests of a suite for one worker.
type Job struct {
	ID      string    `json:"id"`
	Server  string    `json:"server"` // to whom to report
	Suite   string    `json:"suite"`  // its id
	Number  int64     `json:"number"`
	Version string    `json:"version"`
	Request Request   `json:"request"`
	Tests   []JobTest `json:"tests"`
}

// JobTest is a test with the models to run it under.
type JobTest struct {
	Test
	Models []int `json:"models"`
}

// size is how many rows a job asks for.
func (j *Job) size() int {
	n := 0
	for _, t := range j.Tests {
		n += len(t.Models)
	}
	return n
}

// Report is what a worker has to say of a job.
type Report struct {
	Job     string `json:"job"`
	Suite   string `json:"suite"`
	Number  int64  `json:"number"`
	Version string `json:"version"`
	Worker  string `json:"worker"`
	Rows    []Row  `json:"rows,omitempty"`
	// Finished: the worker has finished the job. Tests without a row by then need another job.
	Finished bool `json:"over,omitempty"`
	// LostWorkers: so many workers have vanished over the job that no worker begins it again.
	LostWorkers int `json:"deadly,omitempty"`
}

// Beat is a worker's sign of life.
type Beat struct {
	Worker  string `json:"worker"`
	Version string `json:"version"` // of its engines
	Slots   int    `json:"slots"`
	Busy    int    `json:"busy"`
	Rows    int64  `json:"rows"`    // since it started
	Started int64  `json:"started"` // child processes, those that took another's place included
	Leaving bool   `json:"leaving,omitempty"`
}

// Package rest defines the JSON bodies of the REST interface that its server and its client share: a [Submission] of
// tests, the [Suite] that the server returns, a [Program], and a [Problem], which describes an error. Options are typed
// differently on each side: the server has all of them, a client only those that it changes.
//
// It imports solver and solver/suites.
package rest

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/suites"
)

// Suite is a suite as a server tells of it, with options as O.
type Suite[O any] struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Labels   map[string]string `json:"labels"`
	Owner    string            `json:"owner,omitempty"`
	State    suites.State      `json:"state" enum:"running,done,cancelled"`
	Created  time.Time         `json:"created"`
	Finished *time.Time        `json:"finished,omitempty"`
	Models   []string          `json:"models" doc:"names; an empty one stands for the model of each test's architecture"`
	Engine   string            `json:"engine"`
	Options  O                 `json:"options"`
	Version  string            `json:"version" doc:"of the engines and the built-in models: answers of one version are comparable"`

	Tests    int                  `json:"tests"`
	Rows     int                  `json:"rows" doc:"one for each test and model, in the end"`
	Done     int                  `json:"done" doc:"rows that there are"`
	Unknown  int                  `json:"unknown"`
	Failed   int                  `json:"failed"`
	Cached   int                  `json:"cached"`
	SetAside int                  `json:"set_aside" doc:"tests given up because workers died of them"`
	Totals   []suites.ModelTotals `json:"totals" doc:"by model"`

	Rate float64  `json:"rate,omitempty" doc:"rows a second, lately"`
	Left *float64 `json:"left_seconds,omitempty" doc:"estimated"`
	Seq  int64    `json:"seq" doc:"of the row that was recorded last"`
}

// Submission is how a suite is to be run, with options as O, and which tests it has beside those of an
// upload.
type Submission[O any] struct {
	Name       string            `json:"name,omitempty" limit:"suite-name"`
	Labels     map[string]string `json:"labels,omitempty" limit:"suite-labels,suite-label"`
	Models     []string          `json:"models,omitempty" limit:"models,name" doc:"names of built-in models, or of model_text; MODEL~AXIOM is one without that axiom; when absent, model_text, or else each test's own"`
	ModelText  string            `json:"model_text,omitempty" limit:"suite-models" doc:"a model in the cat language, for the name in models that is not built in"`
	ModelFiles map[string]string `json:"model_files,omitempty" limit:"model-files,suite-models" doc:"what model_text includes, by name"`
	// Own are several models of one's own, each with a name of its own.
	Own []solver.
		OwnModel `json:"own_models,omitempty" limit:"models" doc:"more models in the cat language, by the names that models has them under"`
	Engine  string `json:"engine,omitempty" limit:"name"`
	Options O      `json:"options,omitempty"`
	Tests   []Test `json:"tests,omitempty" limit:"max-tests"`
	// Program has the suite explore a program's executions in parts.
	Program   *Program `json:"program,omitempty" doc:"instead of tests of their own: a program whose executions the engine graphs explores in parts; each test is a part, whose source is part and its path, and what a part leaves becomes tests of the suite"`
	Catalogue []string `json:"catalogue,omitempty" limit:"suite-catalogue,suite-path" doc:"classic tests by their ids, which may have * and ?: X86/SB, X86/*" example:"[\"X86/SB\"]"`
	Family    *Family  `json:"family,omitempty"`
}

// Test is a test of a submission; an upload has one a line.
type Test struct {
	Path   string `json:"path" limit:"suite-path"`
	Source string `json:"source,omitempty" limit:"test"`
	Error  string `json:"error,omitempty" limit:"suite-path" doc:"why there is no source: the test is a failed row"`
}

// Family is a family of tests that grow, or of all cycles over some relaxations.
type Family struct {
	Name        string `json:"name,omitempty" limit:"name" doc:"a family of tests that grow: ring, fib …"`
	Arch        string `json:"arch,omitempty" limit:"name" doc:"with relaxations: the dialect of the tests"`
	Relaxations string `json:"relaxations,omitempty" limit:"cycle-text" doc:"instead of a name: the tests of all critical cycles over these" example:"Rfe Fre Wse Pod**"`
	From        int    `json:"from" doc:"the least size; of cycles, in accesses"`
	To          int    `json:"to" doc:"the greatest size"`
}

// Problem is a problem document (RFC 9457), the REST interface's one form of error.
type Problem struct {
	Title  string          `json:"title" doc:"the status in words"`
	Status int             `json:"status" doc:"HTTP status"`
	Detail string          `json:"detail,omitempty" doc:"what is wrong"`
	Errors []ProblemDetail `json:"errors,omitempty" doc:"each thing that is wrong, where places are known"`
	// Request is given where the server is at fault.
	Request string `json:"request,omitempty" doc:"the request's id, under which the server's log has more"`
}

// Words are what is wrong, with each place below.
func (p *Problem) Words() string {
	text := cmp.Or(p.Detail, p.Title)
	for _, d := range p.Errors {
		if strings.Contains(p.Detail, d.Message) {
			continue // it has been said
		}
		text += "\n  "
		switch {
		case d.Line > 0:
			text += fmt.Sprintf("%s:%d:%d: ", d.File, d.Line, d.Column)
		case d.Location != "":
			text += d.Location + ": "
		}
		text += d.Message
	}
	return text
}

// ProblemDetail is one thing that is wrong. File, Line and Column are a place in
// the test or the model, counted from 1, columns in bytes; Location is one in the request.
type ProblemDetail struct {
	Message  string `json:"message"`
	Location string `json:"location,omitempty" doc:"in the request, such as body.models"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty" doc:"in the test or the model, from 1"`
	Column   int    `json:"column,omitempty" doc:"in the line, in bytes from 1"`
}

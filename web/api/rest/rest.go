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

// Suite describes a suite and its progress. O is the type of its options.
type Suite[O any] struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Labels   map[string]string `json:"labels"`
	Owner    string            `json:"owner,omitempty"`
	State    suites.State      `json:"state" enum:"running,done,cancelled"`
	Created  time.Time         `json:"created"`
	Finished *time.Time        `json:"finished,omitempty"`
	Models   []string          `json:"models" doc:"names of models; an empty name stands for the model of each test's architecture"`
	Engine   string            `json:"engine"`
	Options  O                 `json:"options"`
	Version  string            `json:"version" doc:"version of the engines and the built-in models; answers of the same version are comparable"`

	Tests    int                  `json:"tests"`
	Rows     int                  `json:"rows" doc:"expected rows: one for each test and model"`
	Done     int                  `json:"done" doc:"rows that exist so far"`
	Unknown  int                  `json:"unknown"`
	Failed   int                  `json:"failed"`
	Cached   int                  `json:"cached"`
	SetAside int                  `json:"set_aside" doc:"tests that were abandoned because workers crashed on them"`
	Totals   []suites.ModelTotals `json:"totals" doc:"totals for each model"`

	Rate float64  `json:"rate,omitempty" doc:"recent rate in rows per second"`
	Left *float64 `json:"left_seconds,omitempty" doc:"estimated remaining time in seconds"`
	Seq  int64    `json:"seq" doc:"sequence number of the most recently recorded row"`
}

// Submission describes a new suite: how to run it, and its tests except uploaded ones. O is the type of its options.
type Submission[O any] struct {
	Name       string            `json:"name,omitempty" limit:"suite-name"`
	Labels     map[string]string `json:"labels,omitempty" limit:"suite-labels,suite-label"`
	Models     []string          `json:"models,omitempty" limit:"models,name" doc:"names of models: built-in, or of model_text or own_models; MODEL~AXIOM is a model without that axiom; default: model_text, else the model of each test's architecture"`
	ModelText  string            `json:"model_text,omitempty" limit:"suite-models" doc:"text in the cat language of the one model in models that is neither built-in nor in own_models"`
	ModelFiles map[string]string `json:"model_files,omitempty" limit:"model-files,suite-models" doc:"files that model_text includes, by name"`
	// Own has several own models, each with its name.
	Own []solver.
		OwnModel `json:"own_models,omitempty" limit:"models" doc:"further models in the cat language, with the names by which models refers to them"`
	Engine  string `json:"engine,omitempty" limit:"name"`
	Options O      `json:"options,omitempty"`
	Tests   []Test `json:"tests,omitempty" limit:"max-tests"`
	// Program is set if the suite explores a program's executions in parts.
	Program   *Program `json:"program,omitempty" doc:"a program whose executions the engine graphs explores in parts, instead of litmus tests; each test is a part, with the source \"part PATH\"; parts that an exploration leaves over become further tests of the suite"`
	Catalogue []string `json:"catalogue,omitempty" limit:"suite-catalogue,suite-path" doc:"ids of classic tests; * and ? are wildcards: X86/SB, X86/*" example:"[\"X86/SB\"]"`
	Family    *Family  `json:"family,omitempty"`
}

// Test is a test of a submission. An upload has one per line.
type Test struct {
	Path   string `json:"path" limit:"suite-path"`
	Source string `json:"source,omitempty" limit:"test"`
	Error  string `json:"error,omitempty" limit:"suite-path" doc:"why the source is missing; the test becomes a failed row"`
}

// Family names a family of tests of growing size, or the critical cycles of some relaxations.
type Family struct {
	Name        string `json:"name,omitempty" limit:"name" doc:"a family of tests of growing size, such as ring or fib"`
	Arch        string `json:"arch,omitempty" limit:"name" doc:"dialect of the tests; only with relaxations"`
	Relaxations string `json:"relaxations,omitempty" limit:"cycle-text" doc:"relaxations, instead of a name: the family has a test for each critical cycle of these" example:"Rfe Fre Wse Pod**"`
	From        int    `json:"from" doc:"smallest size; for cycles, in accesses"`
	To          int    `json:"to" doc:"largest size"`
}

// Problem is a problem document (RFC 9457), the REST interface's one form of error.
type Problem struct {
	Title  string          `json:"title" doc:"text of the HTTP status"`
	Status int             `json:"status" doc:"HTTP status"`
	Detail string          `json:"detail,omitempty" doc:"what is wrong"`
	Errors []ProblemDetail `json:"errors,omitempty" doc:"the single errors, with their places if known"`
	// Request is set if the server is at fault.
	Request string `json:"request,omitempty" doc:"the request's id; the server's log has more details under it"`
}

// Words returns the problem as text: the detail, then a line for each error with its place.
func (p *Problem) Words() string {
	text := cmp.Or(p.Detail, p.Title)
	for _, d := range p.Errors {
		if strings.Contains(p.Detail, d.Message) {
			continue // the detail contains it
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

// ProblemDetail is one error of a problem. File, Line and Column are its place in the test or the model: both count
// from 1, columns in bytes. Location is its place in the request.
type ProblemDetail struct {
	Message  string `json:"message"`
	Location string `json:"location,omitempty" doc:"place in the request, such as body.models"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty" doc:"line in the test or the model, from 1"`
	Column   int    `json:"column,omitempty" doc:"column in the line, in bytes from 1"`
}

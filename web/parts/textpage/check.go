package textpage

import (
	"litmuscope/web/server"
)

// Checked has the messages about a question while the visitor types it.
type Checked struct {
	Errors  []server.Mark `json:"errors"`  // all that is wrong with the test
	Remarks []server.Mark `json:"remarks"` // what its author should know
	Arch    string        `json:"arch,omitempty"`
	Doc     *string       `json:"doc,omitempty"`    // what a test says of itself; nil where it cannot be read
	Models  []string      `json:"models,omitempty"` // that go with the architecture
	Own     []OwnCheck    `json:"own,omitempty"`    // the visitor's own models, in the order of the form
}

// OwnCheck has the errors in one of the visitor's own models.
type OwnCheck struct {
	Name   string      `json:"name"`
	Errors []ModelMark `json:"errors"`
}

// ModelMark is a mark in a model's text, or in a file that it includes.
type ModelMark struct {
	File string `json:"file,omitempty"` // "": the model's own text
	server.Mark
}

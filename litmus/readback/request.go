package readback

import (
	"errors"

	"litmuscope/litmus"
	"litmuscope/litmus/compile"
)

// Request asks a child process for a test's C file or, with a listing, for the test that the listing is.
type Request struct {
	File      string `json:"file"` // for places
	Source    string `json:"source"`
	To        string `json:"to"`
	Listing   string `json:"listing,omitempty"`
	KeepStack bool   `json:"keep_stack,omitempty"`
}

// ListingFile is the listing's name in the places of errors.
const ListingFile = "listing"

// Reply has the C file and the compiler's options, or the test that was read, or the reason why there is none.
type Reply struct {
	C       string           `json:"c,omitempty"`
	Options []string         `json:"options,omitempty"`
	Made    *compile.Test    `json:"made,omitempty"`
	Errors  litmus.ErrorList `json:"errors,omitempty"`  // at their places in the test
	Listing litmus.ErrorList `json:"listing,omitempty"` // at their places in the listing
	Why     string           `json:"why,omitempty"`     // the error in the name of the architecture
}

// Answer answers a request. Its error is an internal one; those in the texts and the name are part of the reply.
func Answer(r Request) (*Reply, error) {
	m, err := Find(r.To)
	if err != nil {
		return &Reply{Why: err.Error()}, nil
	}
	t, err := litmus.Parse(r.File, r.Source)
	var p *Program
	if err == nil {
		p, err = Source(t)
	}
	if err != nil {
		return &Reply{Errors: litmus.Errors(err)}, nil
	}
	if r.Listing == "" {
		return &Reply{C: p.Text, Options: m.Options()}, nil
	}
	read := m.Read
	if r.KeepStack {
		read = m.ReadKeepingStack
	}
	made, err := read(p, ListingFile, r.Listing)
	if err != nil {
		var placed *litmus.Error
		if !errors.As(err, &placed) {
			err = &litmus.Error{Pos: litmus.Pos{File: ListingFile, Line: 1, Col: 1}, Msg: err.Error()}
		}
		return &Reply{Listing: litmus.Errors(err)}, nil
	}
	return &Reply{Made: made}, nil
}

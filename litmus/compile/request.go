package compile

import "litmuscope/litmus"

// Request asks a child process to compile a test.
type Request struct {
	File    string `json:"file"` // for places
	Source  string `json:"source"`
	To      string `json:"to"`
	Variant string `json:"variant"`
}

// Reply has the compiled test, or the reason why there is none.
type Reply struct {
	Compiled *Test            `json:"made,omitempty"`
	Errors   litmus.ErrorList `json:"errors,omitempty"` // at their places in the test
	Why      string           `json:"why,omitempty"`    // the error in the names
}

// Answer answers a request. Its error is an internal one; errors in the test and the names are part of the reply.
func Answer(r Request) (*Reply, error) {
	a, err := Find(r.To)
	if err == nil {
		err = a.Check(r.Variant)
	}
	if err != nil {
		return &Reply{Why: err.Error()}, nil
	}
	t, err := litmus.Parse(r.File, r.Source)
	var made *Test
	if err == nil {
		made, err = Compile(t, r.To, r.Variant)
	}
	if err != nil {
		return &Reply{Errors: litmus.Errors(err)}, nil
	}
	return &Reply{Compiled: made}, nil
}

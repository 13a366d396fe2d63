package wasm

import (
	"fmt"
	"strconv"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
)

// Request asks for a test in WebAssembly or, with Values, for the outcomes that observed numbers are.
type Request struct {
	File   string     `json:"file"` // for places
	Source string     `json:"source"`
	Values [][]string `json:"values"` // of cells, in the order of Test.Observed, in decimal
}

// Reply is the answer to a Request.
type Reply struct {
	Errors litmus.ErrorList `json:"errors,omitempty"`
	Test   *Test            `json:"test,omitempty"`
	Names  []string         `json:"names,omitempty"`  // of the columns of outcomes
	States [][]string       `json:"states,omitempty"` // by Values, then by Names; empty for cells that the filter leaves out
}

// Answer answers a request. Errors in a test, and the reason why it cannot run, are part of the reply.
func Answer(r Request) (*Reply, error) {
	p, err := dialect.Parse(r.File, r.Source)
	var t *Test
	if err == nil {
		t, err = Assemble(p)
	}
	if err != nil {
		return &Reply{Errors: litmus.Errors(err)}, nil
	}
	if len(r.Values) == 0 {
		return &Reply{Test: t}, nil
	}
	reply := &Reply{}
	for i, values := range r.Values {
		if len(values) != len(t.Observed) {
			return nil, fmt.Errorf("cell %d has %d numbers, and the test observes %d", i, len(values), len(t.Observed))
		}
		numbers := make([]uint64, len(values))
		for k, v := range values {
			if numbers[k], err = strconv.ParseUint(v, 10, 64); err != nil {
				return nil, fmt.Errorf("cell %d: %w", i, err)
			}
		}
		state := t.State(numbers)
		var printed []string
		reply.Names, printed = p.Format(p.Visible(state))
		if p.Filter != nil && !p.Satisfies(p.Filter, state) {
			printed = []string{}
		}
		reply.States = append(reply.States, printed)
	}
	return reply, nil
}

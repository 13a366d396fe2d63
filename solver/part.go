package solver

import (
	"encoding/json"
	"time"
)

// Part names a part of a program's executions, for an engine that visits them one by one.
type Part struct {
	// Path leads to the part; "" is all of them.
	Path string `json:"path"`
	// Time is how long to explore before returning the rest as paths; 0 means until the end.
	Time time.Duration `json:"time,omitempty"`
	// Known is what the answer to the first part established, for all others.
	Known json.RawMessage `json:"known,omitempty"`
	// Symmetric: the exploration may exchange equal threads. Apart: the exploration found that the program
	// distinguishes them.
	Symmetric bool `json:"symmetric,omitempty"`
	Apart     bool `json:"apart,omitempty"`
	// Lives: the exploration tracks the lifetimes of memory.
	Lives bool `json:"lives,omitempty"`
	// Lowered: the exploration found that it must lower the program before running it.
	Lowered bool `json:"lowered,omitempty"`
}

// PartAnswer is the answer about a part, except for its failures, which are in the Verification.
type PartAnswer struct {
	Executions         int    `json:"executions"`
	Bounded            bool   `json:"bounded,omitempty"`
	Garbage            string `json:"garbage,omitempty"` // reads not explored in all ways, so that nothing is safe
	UncheckedLifetimes bool   `json:"mortal,omitempty"`  // the program may have accessed memory after its lifetime
	Late               bool   `json:"late,omitempty"`    // a limit came first: the count of executions is incomplete
	Seeks              bool   `json:"seeks,omitempty"`   // a data race that makes behaviour undefined is still open
	// Rest are the paths of the unexplored parts.
	Rest []string `json:"rest"`
	// Again: the exploration found something that all parts need: explore them again with Known, Symmetric, Apart and
	// Lowered. Whole: the first part must run to its end.
	Again     bool            `json:"again,omitempty"`
	Whole     bool            `json:"whole,omitempty"`
	Known     json.RawMessage `json:"known,omitempty"`
	Symmetric bool            `json:"symmetric,omitempty"`
	Apart     bool            `json:"apart,omitempty"`
	Lowered   bool            `json:"lowered,omitempty"`
}

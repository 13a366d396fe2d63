package solver

import (
	"encoding/json"
	"time"
)

// Part asks about a part of a program's executions alone, of an engine that visits them one by one.
type Part struct {
	// Path leads to the part; "" is all of them.
	Path string `json:"path"`
	// Time is how long to go on before what is left is left to others; 0 is until the end.
	Time time.Duration `json:"time,omitempty"`
	// What the answer to the first part has said, for all others.
	Known json.RawMessage `json:"known,omitempty"`
	// Symmetric: threads that are alike change places. Apart: it has turned out that the program tells them apart.
	Symmetric bool `json:"symmetric,omitempty"`
	Apart     bool `json:"apart,omitempty"`
	// Lives: memory is followed to the end of its life.
	Lives bool `json:"lives,omitempty"`
	// Lowered: it has turned out that it does not do to run the program as it is.
	Lowered bool `json:"lowered,omitempty"`
}

// PartAnswer is what there is to say of a part beside its failures, which stand where they always do.
type PartAnswer struct {
	Executions int    `json:"executions"`
	Bounded    bool   `json:"bounded,omitempty"`
	Garbage    string `json:"garbage,omitempty"` // what was not followed in all ways, so that nothing is safe
	Mortal     bool   `json:"mortal,omitempty"`  // memory may have been accessed after the end of its life
	Late       bool   `json:"late,omitempty"`    // a limit came before its end: not all executions are counted
	Seeks      bool   `json:"seeks,omitempty"`   // a data race that leaves all undefined is still to be found
	// Rest are the paths of what is left.
	Rest []string `json:"rest"`
	// Again: something has come to be known that all parts should have: they are to be explored again, with Known,
	// Symmetric, Apart and Lowered. With Whole, the first part is to go on until the end.
	Again     bool            `json:"again,omitempty"`
	Whole     bool            `json:"whole,omitempty"`
	Known     json.RawMessage `json:"known,omitempty"`
	Symmetric bool            `json:"symmetric,omitempty"`
	Apart     bool            `json:"apart,omitempty"`
	Lowered   bool            `json:"lowered,omitempty"`
}

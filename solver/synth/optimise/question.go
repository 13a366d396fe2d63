package optimise

import (
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/orders"
	"litmuscope/solver"
)

// Question asks how far the orders of programs can be relaxed.
//
// A pair is one question to an engine: whether a property of a client holds under a model. An answer must make all
// pairs safe at once, since the orders are one text for all models.
type Question struct {
	// Pairs are the clients under each model and property. The path identifies a client.
	Pairs []solver.VerifyTask
	orders.Options
	// Strongest starts from the strongest possible orders instead of the written ones.
	Strongest bool

	Runner  solver.Runner
	Workers int
	Asked   func(n int) // receives the number of questions so far, unless nil
}

// Answer is the result of [Find].
type Answer struct {
	Status solver.Status `json:"status" doc:"ok; unknown if it is undecided whether the clients are safe"`
	Error  string        `json:"error,omitempty"`
	Reason string        `json:"reason,omitempty" doc:"why the status is unknown"`
	// Unsafe is the answer of a client that fails from the start: then the search changes nothing.
	Unsafe *solver.Verification `json:"unsafe,omitempty"`
	From   string               `json:"from" doc:"where the search starts: written or seq_cst"`

	// Remarks say which plain accesses count as relaxed atomics.
	Remarks []string `json:"remarks,omitempty" doc:"which plain accesses count as relaxed atomics"`

	Places []Place `json:"places"`
	Left   []Left  `json:"left" doc:"operations that order memory and stay unchanged"`
	// Clients are the answers of all clients, under all models, with the new orders.
	Clients []*solver.Verification `json:"clients"`
	Diff    string                 `json:"diff" doc:"unified diff of all changed files"`
	Asked   int                    `json:"asked" doc:"number of questions to the engine"`
	MS      float64                `json:"ms"`

	Files map[string]string `json:"-"` // new texts of the changed files
}

// Place is a place of an order in the text, with its result.
type Place struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	Function  string `json:"function,omitempty"`
	Operation string `json:"operation" doc:"the operation's name in the text"`
	Failure   bool   `json:"failure,omitempty" doc:"the order is a compare-and-exchange's failure order"`
	Was       string `json:"was" doc:"relaxed, consume, acquire, release, acq_rel, seq_cst; none for a missing fence"`
	Is        string `json:"is"`
	Why       Why    `json:"why"`
	// Weaker has the orders that are one step weaker, and what each leads to.
	Weaker []Weaker `json:"weaker,omitempty"`

	was, is c.Order
}

// Why is the reason for an order.
type Why string

// The reasons.
const (
	Free      Why = "free"      // already the weakest order
	Needed    Why = "needed"    // every weaker order fails
	Undecided Why = "undecided" // no verdict on whether a weaker order fails
	Unreached Why = "unreached" // no client executes the place
)

// Weaker is an order one step weaker, in a program that is otherwise as in the answer.
type Weaker struct {
	Order string `json:"order"`
	// Reason says why there is no verdict.
	Reason string `json:"reason,omitempty"`
	// Fails is the answer of the client that fails with it.
	Fails *solver.Verification `json:"fails,omitempty"`
}

// The JSON of Answer and Place is an interface. Orders have C's names, without the prefix memory_order_.

// Left is an operation that orders memory and that the search cannot change.
type Left struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	Operation string `json:"operation"`
	Why       string `json:"why"`
}

// An order that stays because of an unknown verdict may be unnecessary: a higher limit or another engine may still
// weaken it.

// Open reports whether some order stays only because a verdict is unknown.
func (a *Answer) Open() bool {
	for _, p := range a.Places {
		if p.Why == Undecided {
			return true
		}
	}
	return false
}

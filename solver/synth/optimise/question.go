package optimise

import (
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/orders"
	"litmuscope/solver"
)

// Question is what is asked, of which.
type Question struct {
	// Pairs are the clients, each under each model and property. Clients are told apart by their paths.
	Pairs []solver.VerifyTask
	orders.Options
	// Strongest begins with the strongest orders that there are, in the place of those that are written.
	Strongest bool

	Runner  solver.Runner
	Workers int
	Asked   func(n int) // is told how many questions have been asked, unless nil
}

// Answer is what comes of it.
type Answer struct {
	Status solver.Status `json:"status" doc:"ok; unknown if it is undecided whether the clients are safe"`
	Error  string        `json:"error,omitempty"`
	Reason string        `json:"reason,omitempty" doc:"why the status is unknown"`
	// Unsafe is a client that fails as it is: nothing is changed then.
	Unsafe *solver.Verification `json:"unsafe,omitempty"`
	From   string               `json:"from" doc:"where the search starts: written or seq_cst"`

	Places []Place `json:"places"`
	Left   []Left  `json:"left" doc:"operations that order memory and stay unchanged"`
	// Clients are what each says under each model of the orders that are found.
	Clients []*solver.Verification `json:"clients"`
	Diff    string                 `json:"diff" doc:"unified diff of all changed files"`
	Asked   int                    `json:"asked" doc:"number of questions to the engine"`
	MS      float64                `json:"ms"`

	Files map[string]string `json:"-"` // those that are changed, as they are to be
}

// Place is where an order is written, and what has become of it.
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
	// Weaker are the orders one step weaker, and what comes of each.
	Weaker []Weaker `json:"weaker,omitempty"`

	was, is c.Order
}

// Why is why an order is what it is.
type Why string

// Why an order is what it is.
const (
	Free      Why = "free"      // already the weakest order
	Needed    Why = "needed"    // each weaker one fails
	Undecided Why = "undecided" // of a weaker one it is not decided whether it fails
	Unreached Why = "unreached" // no client comes to it
)

// Weaker is an order one step weaker, in a program that is otherwise as the answer has it.
type Weaker struct {
	Order string `json:"order"`
	// Reason says why it is not decided.
	Reason string `json:"reason,omitempty"`
	// Fails is the client that fails with it, and how.
	Fails *solver.Verification `json:"fails,omitempty"`
}

// Left is something that orders memory, and is no place.
type Left struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	Operation string `json:"operation"`
	Why       string `json:"why"`
}

// Open reports whether some order stays only because a question was not decided.
func (a *Answer) Open() bool {
	for _, p := range a.Places {
		if p.Why == Undecided {
			return true
		}
	}
	return false
}

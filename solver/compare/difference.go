package compare

import (
	"slices"

	"litmuscope/solver"
)

// Kind is a kind of difference.
type Kind string

// The kinds of differences.
const (
	SeenForbidden Kind = "seen-forbidden"
	Verdict       Kind = "verdict"
	StatesA       Kind = "states-a"
	StatesB       Kind = "states-b"
	ErrorA        Kind = "error-a"
	ErrorB        Kind = "error-b"
	LimitA        Kind = "limit-a"
	LimitB        Kind = "limit-b"
	PendingA      Kind = "pending-a"
	PendingB      Kind = "pending-b"
	MissingA      Kind = "missing-a"
	MissingB      Kind = "missing-b"
	ModelA        Kind = "model-a"
	ModelB        Kind = "model-b"
	Question      Kind = "question"
	Unseen        Kind = "unseen"
	Unanswered    Kind = "unanswered"
)

// Pending is the status of a row that a suite lists but has not answered yet. Logs have no such rows.
const Pending solver.Status = "pending"

// Kinds are all kinds, the gravest first.
var Kinds = []struct {
	Kind Kind
	Text string
	// Remark: it appears in the output, and does not make the two different. A machine need not show all that its model
	// allows.
	Remark bool
}{
	{SeenForbidden, "the hardware showed an outcome that the model forbids", false},
	{Verdict, "the answers differ", false},
	{StatesA, "only A has these states", false},
	{StatesB, "only B has these states", false},
	{ErrorA, "only A refused the test", false},
	{ErrorB, "only B refused the test", false},
	{LimitA, "only A was cut by a limit", false},
	{LimitB, "only B was cut by a limit", false},
	{PendingA, "only A has not answered yet", false},
	{PendingB, "only B has not answered yet", false},
	{MissingA, "the test is missing in A", false},
	{MissingB, "the test is missing in B", false},
	{ModelA, "A has the test, but not under the compared model", false},
	{ModelB, "B has the test, but not under the compared model", false},
	{Question, "the questions differ", false},
	{Unseen, "the model allows an outcome that the hardware did not show", true},
	{Unanswered, "neither has an answer", true},
}

// partOf has the kinds that another kind includes: a filter for error-a also selects limit-a.
var partOf = map[Kind]Kind{LimitA: ErrorA, LimitB: ErrorB}

// In reports whether some kinds include a kind. No kinds include all.
func (k Kind) In(kinds []Kind) bool {
	return len(kinds) == 0 || slices.Contains(kinds, k) || slices.Contains(kinds, partOf[k])
}

// rank is a kind's place in Kinds.
var rank = map[Kind]int{}

// Find reports whether there is a kind of a name.
func Find(name string) (Kind, bool) {
	_, ok := rank[Kind(name)]
	return Kind(name), ok
}

func init() {
	for i, k := range Kinds {
		rank[k.Kind] = i
	}
}

// Difference is one respect in which a row and its counterpart differ.
type Difference struct {
	Kind Kind    `json:"kind"`
	Test string  `json:"test"`
	A    *Answer `json:"a,omitempty"` // absent where it is missing
	B    *Answer `json:"b,omitempty"`
	// States are those that the kind speaks of, with their counts where a machine has
	// seen them.
	States []State `json:"states,omitempty"`
	Runs   *uint64 `json:"runs,omitempty"` // of the machine, in all
	Detail string  `json:"detail,omitempty"`

	at int // its place in the order of A, or that of B if A has none
}

// State is a final state as a log has it.
type State struct {
	State solver.State `json:"state"`
	Count *uint64      `json:"count,omitempty"`
}

// Answer is one side of a difference.
type Answer struct {
	Path           string             `json:"path,omitempty"`
	Arch           string             `json:"arch,omitempty"`
	Model          string             `json:"model,omitempty"`
	Engine         string             `json:"engine,omitempty"`
	Hardware       bool               `json:"hardware,omitempty"`
	Status         solver.Status      `json:"status"`
	Verdict        solver.Verdict     `json:"verdict,omitempty"`
	Observation    solver.Observation `json:"observation,omitempty"`
	ConditionHolds *bool              `json:"condition_holds,omitempty"`
	Condition      string             `json:"condition,omitempty"`
	States         int                `json:"states"`
	Error          string             `json:"error,omitempty"`
}

func (p pair) difference(k Kind) Difference {
	d := Difference{Kind: k, A: p.a.answer(), B: p.b.answer()}
	for _, r := range []*record{p.b, p.a} {
		if r != nil {
			d.Test, d.at = r.name(), r.at
		}
	}
	return d
}

func (r *record) answer() *Answer {
	if r == nil {
		return nil
	}
	return &Answer{
		Path: r.Path, Arch: r.Arch, Model: r.Model, Engine: r.Engine, Hardware: r.Hardware, Status: r.Status,
		Verdict: r.Verdict, Observation: r.Observation, ConditionHolds: r.ConditionHolds, Condition: r.Condition,
		States: len(r.states), Error: r.Error,
	}
}

// Tally counts rows, pairs of them, and differences by kind. Side 0 is A and side 1 is B. Rows - Alone rows of a side
// are in pairs. Pairs that are neither Same nor OneSided nor Unanswered have different answers.
type Tally struct {
	Rows       [2]int       `json:"rows" doc:"rows that are compared, in a and b; once for each pair of models"`
	Hardware   [2]int       `json:"hardware" doc:"of them, rows of a machine"`
	Pending    [2]int       `json:"pending" doc:"of them, rows that the suite has not answered yet"`
	Alone      [2]int       `json:"alone" doc:"of them, rows without a counterpart"`
	Skipped    [2]int       `json:"skipped" doc:"rows under models or from engines that are not compared"`
	Pairs      int          `json:"pairs"`
	Same       int          `json:"same" doc:"pairs with an answer on both sides, and none different"`
	OneSided   int          `json:"one_sided" doc:"pairs with an answer on one side"`
	Unanswered int          `json:"unanswered" doc:"pairs with no answer on either side"`
	Kinds      map[Kind]int `json:"kinds"`
}

// Differing is how many pairs have answers on both sides that differ.
func (t *Tally) Differing() int { return t.Pairs - t.Same - t.OneSided - t.Unanswered }

func (t *Tally) pair(p pair, differences []Difference) {
	t.Pairs++
	switch a, b := p.a.Status == solver.OK, p.b.Status == solver.OK; {
	case !a && !b:
		t.Unanswered++
	case a != b:
		t.OneSided++
	case !slices.ContainsFunc(differences, func(d Difference) bool { return !Kinds[rank[d.Kind]].Remark }):
		t.Same++
	}
}

// Different reports whether there is a difference that is more than a remark, or, with
// kinds named, one of those.
func (t Tally) Different(only ...Kind) bool {
	for _, k := range Kinds {
		if counts := k.Kind.In(only) && (len(only) > 0 || !k.Remark); counts && t.Kinds[k.Kind] > 0 {
			return true
		}
	}
	return false
}

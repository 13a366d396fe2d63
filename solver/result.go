package solver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// Status says whether a test ran to its end.
type Status string

// The statuses of a Result.
const (
	OK      Status = "ok"
	Unknown Status = "unknown" // Reason says why
	Failed  Status = "error"   // Error says where and what
)

// Verdict says whether the model allows an outcome that satisfies the test's
// proposition, the quantifier set aside.
type Verdict string

// The verdicts.
const (
	Allowed   Verdict = "allowed"
	Forbidden Verdict = "forbidden"
	Undecided Verdict = "unknown"
)

// Observation says in how many of the allowed outcomes the proposition holds.
type Observation string

// The observations, as herd prints them.
const (
	Always    Observation = "Always"
	Sometimes Observation = "Sometimes"
	Never     Observation = "Never"
)

// Result is an engine's answer for one test and one model.
type Result struct {
	Path   string `json:"path"`
	Name   string `json:"name"`
	Arch   string `json:"arch"`
	Model  string `json:"model"`
	Engine string `json:"engine"`

	Status Status `json:"status"`
	Error  string `json:"error,omitempty"`  // "file:line:col: message", when Status is Failed
	Reason string `json:"reason,omitempty"` // why Status is Unknown
	// Cut names the time or memory limit, or the interruption, that ended some of the work: "time limit of 1s reached".
	// The answer is correct, but could say more with more time. No cache keeps it.
	Cut string `json:"cut,omitempty" doc:"the time or memory limit that ended the work early; the answer is correct, but never cached"`

	Verdict        Verdict     `json:"verdict,omitempty"`
	Observation    Observation `json:"observation,omitempty"` // absent while undecided
	ConditionHolds *bool       `json:"condition_holds,omitempty"`
	Condition      string      `json:"condition,omitempty"` // as written, with its quantifier

	// Deadlock: no execution ends, so that the condition holds of none. Remarks say which thread waits for what.
	Deadlock bool `json:"deadlock,omitempty"`
	// Termination says whether all executions end, with Options.Progress.
	Termination *Termination `json:"termination,omitempty"`
	// Remarks warn about parts of the test that may not mean what they seem to.
	Remarks []Remark `json:"remarks,omitempty"`

	States         []State `json:"states"`
	StatesComplete *bool   `json:"states_complete,omitempty"` // false when Options.States shortens States
	// Satisfying is how many of States satisfy the proposition; nil where not known.
	Satisfying *int `json:"satisfying,omitempty"`
	// Flags are all of the model's, in its order.
	Flags []Flag `json:"flags,omitempty"`
	// Positive and Negative count distinct executions, (rf, co) over the consistent
	// ones, as herd does: those that satisfy the proposition and those that do not,
	// the other way round for ~exists. They are nil where not counted.
	Positive *int `json:"positive,omitempty"`
	Negative *int `json:"negative,omitempty"`
	// Complete: no bound of the engine (unroll, rounds …) can hide an outcome.
	Complete bool `json:"complete"`
	// Bounds are the engine's bounds other than unroll.
	Bounds []Bound `json:"bounds,omitempty"`
	// SettledBy names the engine that decided what a bound of Engine left open.
	SettledBy string `json:"settled_by,omitempty"`
	// Certified: with Options.Certify, whether a checker confirmed every refutation on which the answer relies. An
	// answer is not certified if a bound may hide outcomes, or if an engine without proofs decided it.
	Certified   *bool        `json:"certified,omitempty"`
	Certificate *Certificate `json:"certificate,omitempty"` // of a certified answer
	MS          float64      `json:"ms"`
	// Version is the engine's version, which changes when its answers may change.
	Version int `json:"engine_version,omitempty"`
	// Cached: the answer comes from a result cache; MS is what finding it took.
	Cached bool `json:"cached,omitempty"`

	Outcomes []Outcome `json:"outcomes,omitempty"` // with Options.Witnesses: one for each state
	// Executions are some that satisfy the proposition, by their states: with Options.List, at most so many. They are
	// distinct like the counted ones, in rf and co, or in the choice of an instruction that may do either of two
	// things. ExecutionsComplete: there are no others, but that a loop which only waits may repeat more often.
	Executions         []Outcome `json:"executions,omitempty"`
	ExecutionsComplete *bool     `json:"executions_complete,omitempty"`
	Stats              *Stats    `json:"stats,omitempty"`
	// Explanation: with Options.Explain, why the proposition is forbidden. An engine
	// gives it within its bounds; it counts once the verdict is forbidden.
	Explanation *Explanation `json:"explanation,omitempty"`
	// Machines is what machines have shown of the test, where a database has it. No cache keeps it.
	Machines []MachineRuns `json:"machines,omitempty" doc:"what machines have shown of the test, if the database has it; only in the results of suites and of run --db"`
	// Part is the answer about a part of a program's executions, if the question was about one.
	Part *Verification `json:"part,omitempty"`
}

// Remark is a remark on a place in the test, or in another file: the model's, or what that includes.
type Remark struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// String is the remark with its place in front, "3:1: text", and the file's name if it has one.
func (r Remark) String() string {
	place := fmt.Sprintf("%d:%d", r.Line, r.Column)
	if r.File != "" {
		place = r.File + ":" + place
	}
	return place + ": " + r.Message
}

// Remarks are a program's remarks, and a model's on it, in the order of its text.
func Remarks(p *ir.Program, m *models.Model) []Remark {
	all := slices.Concat(p.Remarks, m.Remarks(p))
	slices.SortStableFunc(all, func(x, y litmus.Remark) int { return x.Pos.Compare(y.Pos) })
	var out []Remark
	for _, r := range all {
		remark := Remark{Line: r.Pos.Line, Column: r.Pos.Col, Message: r.Msg}
		if r.Pos.File != p.File {
			remark.File = r.Pos.File
		}
		out = append(out, remark)
	}
	return out
}

// Bound is a limit on the executions that an engine looks at.
type Bound struct {
	Name   string `json:"name"` // its option's
	Value  int    `json:"value"`
	Enough int    `json:"enough"` // with so much, the engine loses no execution
	// Least is a value that shows the condition's proposition, together with those of the other bounds, such that no
	// single one can be smaller; with Options.Least, where the proposition can hold.
	Least *int `json:"least,omitempty"`
}

// Outcome is an allowed final state with its evidence.
type Outcome struct {
	State     State         `json:"state"`
	Satisfies bool          `json:"satisfies"` // the test's proposition holds in it
	Graph     *models.Graph `json:"graph,omitempty"`
	Trace     []TraceStep   `json:"trace,omitempty"`
}

// TraceStep is one step of a run over store buffers, and the state after it.
type TraceStep struct {
	Thread int    `json:"thread"` // as numbered in the test
	Source int    `json:"source"` // index of the instruction in the thread's column; -1 for a flush
	Action string `json:"action"` // "x:=1 into buffer", "EAX:=x (0 from memory)", "flush x:=1" …
	// Events are the events of the outcome's graph that the step carries out, by ID: of
	// an instruction its own, of a flush the write that reaches memory.
	Events []int `json:"events,omitempty"`
	// Buffers are the pending stores after the step, oldest first, per thread.
	Buffers [][]BufferEntry `json:"buffers"`
	// Memory is the value of each location after the step, in the program's order.
	Memory []Binding `json:"memory"`
	// Round is the round of the schedule that the step belongs to, from 1, where the
	// engine has rounds.
	Round int `json:"round,omitempty"`
	// Clock is the time after the step, where the engine keeps one.
	Clock *int `json:"clock,omitempty"`
	// Lists are the write lists after the step, one per location, where the engine keeps
	// them.
	Lists []WriteList `json:"lists,omitempty"`
}

// BufferEntry is a store waiting in a store buffer.
type BufferEntry struct {
	Loc   string `json:"loc"`
	Value string `json:"value"`
	// Stamp is the time at which it will reach memory, if the engine guesses it.
	Stamp *int `json:"stamp,omitempty"`
}

// WriteList is the temporal circular list of a location's writes (T-CDLL,
// tomasco-2016): its nodes from the sentinel's successor to the sentinel.
type WriteList struct {
	Loc   string     `json:"loc"`
	Nodes []ListNode `json:"nodes"`
}

// ListNode is a node of a write list.
type ListNode struct {
	Node  int    `json:"node"` // index into the list's arrays
	Value string `json:"value,omitempty"`
	Stamp int    `json:"stamp"`
	// Place is "free" for a node that the next write may take, "head" for the value
	// that memory has, "waiting" for a store in a buffer, "sentinel" for the last.
	Place string `json:"place"`
}

// Binding is a register or location with its printed value.
type Binding struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// State is a final state, in the order herd prints it. As JSON it is an object.
type State []Binding

// MarshalJSON writes {"0:EAX":"0","x":"1"}.
func (s State) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 16*len(s)+2)
	b = append(b, '{')
	for i, e := range s {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, e.Name)
		b = append(b, ':')
		b = appendString(b, e.Value)
	}
	return append(b, '}'), nil
}

// appendString appends a JSON string. States are most of a result, and their names
// and values rarely need an escape.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := json.Marshal(s)
			if err != nil {
				panic("BUG: a string has no JSON: " + err.Error())
			}
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// UnmarshalJSON keeps the order of the object's members.
func (s *State) UnmarshalJSON(data []byte) error {
	if s.unmarshalPlain(data) {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("state: want an object")
	}
	*s = State{}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return err
		}
		var v string
		if err := d.Decode(&v); err != nil {
			return err
		}
		*s = append(*s, Binding{k.(string), v})
	}
	return nil
}

// unmarshalPlain reads what MarshalJSON writes when no string needs an escape.
func (s *State) unmarshalPlain(data []byte) bool {
	text := string(data)
	if strings.ContainsRune(text, '\\') || len(text) < 2 || text[0] != '{' || text[len(text)-1] != '}' {
		return false
	}
	fields := strings.Split(text[1:len(text)-1], `"`) // "", key, ":", value, ",", key … value, ""
	if len(fields)%4 != 1 || fields[0] != "" || fields[len(fields)-1] != "" {
		return false
	}
	out := make(State, 0, len(fields)/4)
	for i := 1; i < len(fields); i += 4 {
		if fields[i+1] != ":" || i > 1 && fields[i-1] != "," {
			return false
		}
		out = append(out, Binding{fields[i], fields[i+2]})
	}
	*s = out
	return true
}

// Stats says what an answer cost. Times are in milliseconds.
type Stats struct {
	Vars        int            `json:"vars"`
	Clauses     int            `json:"clauses"`
	Constraints map[string]int `json:"constraints,omitempty"` // by kind: rf, ws, fr, ppo, ab …
	Solves      int            `json:"solves"`
	Explored    int            `json:"explored,omitempty"` // states of a machine
	Parse       float64        `json:"parse_ms"`
	Encode      float64        `json:"encode_ms"`
	Solve       float64        `json:"solve_ms"`
	Check       float64        `json:"check_ms"`
	// Events are those of the formula.
	Events int `json:"events,omitempty" doc:"accesses and fences in the formula"`
	// ForecastMiB is the memory that the engine reserved before it took it.
	ForecastMiB float64 `json:"forecast_mib,omitempty" doc:"the memory that the engine expected to need, in MiB"`
	// PeakMiB is the memory that the child process had at its peak while it answered. It is absent if the question was
	// answered in the process that asked, which has memory for other things, too. If a limit ended the process from
	// outside, nothing else is known, and the other figures are 0.
	PeakMiB float64 `json:"peak_mib,omitempty" doc:"the largest memory of the process that answered, in MiB; absent if the question was too small for a process of its own"`
}

// NewResult starts the answer to a query: its header, with nothing decided.
func NewResult(q Query, engine string) *Result {
	p := q.Program
	return &Result{
		Path: p.File, Name: p.Name, Arch: p.Arch, Model: q.Model.Name, Engine: engine,
		Status: OK, Verdict: Undecided, States: []State{}, Complete: true,
		Condition: p.Question, Remarks: Remarks(p, q.Model),
	}
}

// Keepable implements [Answer].
func (r *Result) Keepable(o Options) bool {
	cut := r.StatesComplete != nil && !*r.StatesComplete && len(r.States) < o.States
	// A list that a bound leaves open is as long as it gets.
	short := r.ExecutionsComplete != nil && !*r.ExecutionsComplete && len(r.Executions) < o.List && r.Complete &&
		r.SettledBy == ""
	return r.Status == OK && r.Cut == "" && !cut && !short && r.Part == nil
}

// PrintState returns the visible part of an outcome of p as results print it.
func PrintState(p *ir.Program, s ir.State) State {
	names, values := p.Format(p.Visible(s))
	out := make(State, len(names))
	for i, name := range names {
		out[i] = Binding{name, values[i]}
	}
	return out
}

// Decide fills in verdict, observation and the condition's answer, from whether some allowed outcome satisfies the
// proposition, whether some violates it, and whether the flags say that behaviour is undefined, in which case the
// condition is false. An answer that a bound or a limit leaves open stays undecided.
func (r *Result) Decide(q litmus.Quantifier, some, someNot Truth) {
	if some == Yes {
		r.Verdict = Allowed
	} else if some == No {
		r.Verdict = Forbidden
	}
	r.Deadlock = some == No && someNot == No
	switch {
	case some == Yes && someNot == Yes:
		r.Observation = Sometimes
	case some == Yes && someNot == No:
		r.Observation = Always
	case some == No && someNot != Open:
		r.Observation = Never
	}
	asks, when := some, Yes // exists: holds when some
	switch q {
	case litmus.NotExists:
		when = No
	case litmus.Forall:
		asks, when = someNot, No
	}
	holds := asks == when
	switch undefined := r.Undefined(); {
	case undefined == Yes:
		holds = false
		fallthrough
	case asks != Open && (!holds || undefined == No):
		r.ConditionHolds = &holds
	}
}

// Truth is yes, no or unknown.
type Truth int

// The truths.
const (
	Open Truth = iota
	Yes
	No
)

// SetOutcomes records the allowed outcomes, sorted as numbers, with their evidence when there is any.
func (r *Result) SetOutcomes(p *ir.Program, found []Found, witnesses bool) {
	slices.SortFunc(found, func(a, b Found) int { return p.CompareStates(a.State, b.State) })
	satisfying, told := 0, false
	for _, f := range found {
		s := PrintState(p, f.State)
		satisfies := p.Satisfies(p.Condition.Prop, f.State)
		if satisfies {
			satisfying++
		}
		if o, wider := p.Wider(f.State); wider && !told {
			told = true
			pos := p.Condition.Pos
			r.Remarks = append(slices.Clip(r.Remarks), Remark{Line: pos.Line, Column: pos.Col, Message: fmt.Sprintf(
				"%s has no type, and its final value takes more than 32 bits: tools that assume a 32-bit register "+
					"answer differently. Give it a type in the init block, as in uint64_t %s;", o.Name, o.Name)})
		}
		r.States = append(r.States, s)
		if witnesses {
			r.Outcomes = append(r.Outcomes, Outcome{
				State: s, Satisfies: satisfies, Graph: f.Graph, Trace: f.Trace,
			})
		}
	}
	r.Satisfying = &satisfying
}

// Found is an allowed final state as an engine found it.
type Found struct {
	State ir.State
	Graph *models.Graph
	Trace []TraceStep
}

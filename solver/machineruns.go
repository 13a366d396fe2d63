package solver

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Computer is a machine whose processor has run tests.
type Computer struct {
	Name      string `json:"machine" doc:"the machine's name"`
	Arch      string `json:"arch,omitempty" doc:"architecture of the machine, as in the headers of tests"`
	Processor string `json:"processor,omitempty" doc:"the processor's own name"`
	System    string `json:"system,omitempty" doc:"operating system"`
	Cores     int    `json:"cores,omitempty" doc:"processors that the runs could use"`
}

// MachineRuns is what a machine has shown of a test, over all sessions that ran it there.
type MachineRuns struct {
	Computer
	Runs     int64     `json:"runs" doc:"how often the test ran, all sessions together"`
	Sessions int       `json:"sessions" doc:"sessions that the runs come from: a log, or a suite"`
	First    time.Time `json:"first" doc:"date of the first session"`
	Last     time.Time `json:"last" doc:"date of the last session"`
	// Outcomes are sorted by their values. Their counts add up to Runs, unless the test's filter leaves some out.
	Outcomes []SeenState `json:"outcomes" doc:"outcomes that the machine has shown, with their counts"`
}

// SeenState is an outcome with the number of runs that ended in it.
type SeenState struct {
	State State `json:"state"`
	Count int64 `json:"count"`
	// ForbiddenBy names the models that forbid the state. A model forbids it only if its list of states is complete and
	// no bound can hide one.
	ForbiddenBy []string `json:"forbidden_by,omitempty" doc:"models of this answer that forbid the state"`
}

// Key is a state as text that does not depend on the order of its bindings.
func (s State) Key() string {
	texts := make([]string, len(s))
	for i, b := range s {
		texts[i] = b.Name + "=" + b.Value + ";"
	}
	slices.Sort(texts)
	return strings.Join(texts, "")
}

// sameNames reports whether two states bind the same registers and locations.
func sameNames(a, b State) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if !slices.ContainsFunc(b, func(y Binding) bool { return x.Name == y.Name }) {
			return false
		}
	}
	return true
}

// ListsAll reports whether the result has all states that the model allows: the list is not cut, no bound can hide a
// state, and behaviour is defined.
func (r *Result) ListsAll() bool {
	return r.Status == OK && r.Complete && (r.StatesComplete == nil || *r.StatesComplete) && len(r.States) > 0 &&
		r.Undefined() == No
}

// Excludes reports whether the model forbids a state. It is false where the result cannot tell: if it does not list all
// states, or they have other registers and locations.
func (r *Result) Excludes(s State) bool {
	if !r.ListsAll() || !sameNames(r.States[0], s) {
		return false
	}
	key := s.Key()
	return !slices.ContainsFunc(r.States, func(t State) bool { return t.Key() == key })
}

// Against returns copies of what machines have shown, with the models of some results that forbid it. labels has the
// name of each result's model.
func Against(machines []MachineRuns, results []*Result, labels []string) []MachineRuns {
	allowed := make([]map[string]bool, len(results)) // by result; nil where it cannot tell
	out := slices.Clone(machines)
	for i := range out {
		out[i].Outcomes = slices.Clone(out[i].Outcomes)
		for j := range out[i].Outcomes {
			seen := &out[i].Outcomes[j]
			seen.ForbiddenBy = nil
			for k, r := range results {
				if allowed[k] == nil {
					allowed[k] = map[string]bool{}
					for _, s := range r.States {
						allowed[k][s.Key()] = true
					}
				}
				if !allowed[k][seen.State.Key()] && r.Excludes(seen.State) {
					seen.ForbiddenBy = append(seen.ForbiddenBy, labels[k])
				}
			}
		}
	}
	return out
}

// Forbidden is the number of runs that ended in a state that a model forbids, as [Against] has it, and those models.
func (m *MachineRuns) Forbidden() (runs int64, models []string) {
	for _, s := range m.Outcomes {
		if len(s.ForbiddenBy) == 0 {
			continue
		}
		runs += s.Count
		for _, name := range s.ForbiddenBy {
			if !slices.Contains(models, name) {
				models = append(models, name)
			}
		}
	}
	return runs, models
}

// Line says in a line what a machine has shown: how often each outcome, and which are forbidden, as [Against] has it.
func (m *MachineRuns) Line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "machine %s: %d runs", m.Name, m.Runs)
	for i, s := range m.Outcomes {
		if i == maxLineOutcomes {
			fmt.Fprintf(&b, ", and %s", Count(len(m.Outcomes)-i, "further outcome"))
			break
		}
		fmt.Fprintf(&b, ", %d × %s", s.Count, strings.TrimSpace(s.State.text()))
		if len(s.ForbiddenBy) > 0 {
			fmt.Fprintf(&b, " (SEEN, BUT FORBIDDEN by %s)", strings.Join(s.ForbiddenBy, ", "))
		}
	}
	return b.String()
}

// maxLineOutcomes bounds the outcomes of a line.
const maxLineOutcomes = 16

// text is a state as herd prints it.
func (s State) text() string {
	var b strings.Builder
	for _, e := range s {
		b.WriteString(e.Name + "=" + e.Value + "; ")
	}
	return b.String()
}

package compare

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"litmuscope/solver"
	"litmuscope/solver/report"
)

// state is an outcome as text that does not depend on the order of its bindings, "0:EAX=0;1:EAX=1;x=2;", with the
// number of runs that ended in it.
type state struct {
	text  string
	count *uint64
}

func newRecord(row *report.Row, at int) *record {
	r := &record{Row: *row, at: at}
	r.States = nil
	names := map[string]bool{}
	for _, seen := range row.States {
		for _, b := range seen.State {
			if !names[b.Name] {
				names[b.Name] = true
				r.names = append(r.names, strings.Clone(b.Name))
			}
		}
		r.states = append(r.states, state{textOf(seen.State), seen.Count})
	}
	slices.SortFunc(r.names, compareNames)
	r.sum()
	return r
}

// sumLater is sum where there are many new states, so that runs that come one by one take no square of their number: it
// sorts states whenever their number has doubled, and once more before anything reads them.
func (r *record) sumLater() {
	if len(r.states) >= 2*r.summed {
		r.sum()
	}
}

// sum sorts the states and makes one of those that are the same.
func (r *record) sum() {
	slices.SortStableFunc(r.states, func(x, y state) int { return strings.Compare(x.text, y.text) })
	out := r.states[:0]
	for _, s := range r.states {
		if last := len(out) - 1; last >= 0 && out[last].text == s.text {
			out[last].count = added(out[last].count, s.count)
		} else {
			out = append(out, s)
		}
	}
	r.states, r.summed = out, len(out)
}

// added adds counts, and stays at the largest number that there is.
func added(x, y *uint64) *uint64 {
	if x == nil || y == nil {
		return cmp.Or(x, y)
	}
	n := *x + *y
	if n < *x {
		n = ^uint64(0)
	}
	return &n
}

// addRuns adds what another run of the same test on a machine has seen, unless it asked
// something else.
func (r *record) addRuns(o *record) bool {
	if r.Status != solver.OK || o.Status != solver.OK || !slices.Equal(r.names, o.names) ||
		!sameQuestion(r.Condition, o.Condition) {
		return false
	}
	r.states = append(r.states, o.states...)
	r.sumLater()
	switch {
	case r.Observation == "" || o.Observation == "":
		r.Observation = ""
	case r.Observation != o.Observation:
		r.Observation = solver.Sometimes
	}
	if r.ConditionHolds == nil || o.ConditionHolds == nil || *r.ConditionHolds != *o.ConditionHolds {
		r.ConditionHolds = nil
	}
	return true
}

// recordSize is about how many bytes a record takes beside its texts and states.
const recordSize = 512

// size is about how many bytes a record takes.
func (r *record) size() int {
	n := recordSize + len(r.Test) + len(r.Path) + len(r.Condition) + len(r.Error)
	for _, s := range r.states {
		n += 48 + len(s.text)
	}
	return n
}

// textOf is a state's text.
func textOf(s solver.State) string {
	if !slices.IsSortedFunc(s, compareBindings) {
		s = slices.SortedFunc(slices.Values(s), compareBindings)
	}
	var b strings.Builder
	for _, e := range s {
		b.WriteString(e.Name)
		if e.Value != "" {
			b.WriteString("=" + e.Value)
		}
		b.WriteByte(';')
	}
	return b.String()
}

// bindings are the pairs in the text.
func bindings(text string) solver.State {
	out := solver.State{}
	for part := range strings.SplitSeq(strings.TrimSuffix(text, ";"), ";") {
		if name, value, _ := strings.Cut(part, "="); name != "" {
			out = append(out, solver.Binding{Name: name, Value: value})
		}
	}
	return out
}

// project leaves in a text what binds one of the names.
func project(text string, names map[string]bool) string {
	s := bindings(text)
	return textOf(slices.DeleteFunc(s, func(b solver.Binding) bool { return !names[b.Name] }))
}

// setOf are names as a set.
func setOf(names []string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, n := range names {
		out[n] = true
	}
	return out
}

func compareBindings(x, y solver.Binding) int { return compareNames(x.Name, y.Name) }

// compareNames puts registers first, by thread.
func compareNames(x, y string) int {
	return cmp.Or(cmp.Compare(thread(x), thread(y)), strings.Compare(x, y))
}

func thread(name string) int {
	id, _, ok := strings.Cut(name, ":")
	if !ok {
		return 1 << 30
	}
	if n, err := strconv.Atoi(id); err == nil {
		return n
	}
	return 1 << 30
}

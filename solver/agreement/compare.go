package agreement

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"litmuscope/solver"
)

// Verdict is how an answer compares.
type Verdict int

// The verdicts, in the order of a table's columns.
const (
	Agreed Verdict = iota
	Disagreed
	Unsupported // there is no answer, for a reason that the detail gives
	Undecided   // the answer is unknown, for the reason in the detail
	Known       // disagreed, and listed among the known differences
)

// String is the verdict's name, as in the table's head.
func (v Verdict) String() string {
	return [...]string{"agreed", "disagreed", "unsupported", "unknown", "known"}[v]
}

// Compare holds a result against its reference. detail says what differs, or why there is no answer. If the list of
// states in a result is shortened, the states in it must be among the reference's.
func Compare(ref Reference, r *solver.Result) (v Verdict, detail string) {
	if ref.Property == ofTermination && r.Termination != nil {
		return compareTermination(ref, r.Termination)
	}
	if v, detail, answered := unanswered(r); !answered {
		return v, detail
	}
	if ref.Property != "" {
		return compareProperty(ref, r)
	}
	want := map[string]bool{}
	for _, s := range ref.States {
		want[key(s)] = true
	}
	if len(want) == 0 && len(r.States) == 1 && len(r.States[0]) == 0 {
		want[key(nil)] = true // the test observes nothing, and the reference leaves out that it has an outcome
	}
	var d differences
	d.note("observation", r.Observation, ref.Observation)
	d.note("condition holds", holds(r), fmt.Sprint(ref.ConditionHolds))
	d.states(r, stateKeys(r), nil, want)
	if ref.Flags != nil {
		all := flags(r)
		for name := range all {
			all[name] = slices.Contains(ref.Flags, name) || slices.Contains(ref.Flags, sameFlags[name])
		}
		d.flags(flags(r), all)
	}
	if counted(r.Positive, r.Negative) && counted(ref.Positive, ref.Negative) {
		d.note("executions", counts(r.Positive, r.Negative), counts(ref.Positive, ref.Negative))
	}
	return d.verdict("got %s, reference %s")
}

// raceFlags are the names of flags for data races in our models and in published ones.
var raceFlags = []string{"data-race", "racy", "data_race"}

// compareProperty holds a result against a reference of one property.
func compareProperty(ref Reference, r *solver.Result) (v Verdict, detail string) {
	var d differences
	switch ref.Property {
	case ofCondition:
		d.note("condition holds", holds(r), fmt.Sprint(ref.Holds))
	case ofRaces:
		i := slices.IndexFunc(r.Flags, func(f solver.Flag) bool { return slices.Contains(raceFlags, f.Name) })
		switch {
		case i < 0:
			return Unsupported, "the model has no flag for data races"
		case r.Flags[i].Raised == nil:
			return Undecided, "whether there is a data race is unknown"
		}
		d.note("no data race", !*r.Flags[i].Raised, fmt.Sprint(ref.Holds))
	}
	return d.verdict("got %s, reference %s")
}

// compareTermination holds an answer about termination against its reference.
func compareTermination(ref Reference, t *solver.Termination) (v Verdict, detail string) {
	if t.Holds == nil {
		return Undecided, t.Reason
	}
	var d differences
	d.note("all executions end", *t.Holds, fmt.Sprint(ref.Holds))
	v, detail = d.verdict("got %s, reference %s")
	if v == Disagreed {
		detail += " (" + t.Sentence() + ")"
	}
	return v, detail
}

// CompareEngines holds the results of two engines for one test and model against each other. If one engine answered in
// the other's place, the two results are not comparable.
func CompareEngines(a, b *solver.Result) (v Verdict, detail string) {
	for _, r := range []*solver.Result{a, b} {
		if v, detail, answered := unanswered(r); !answered {
			return v, r.Engine + ": " + detail
		}
	}
	if a.SettledBy == b.Engine || b.SettledBy == a.Engine {
		return Undecided, "a bound left it open for one engine, and the other engine decided it"
	}
	var d differences
	d.note("observation", a.Observation, string(b.Observation))
	d.note("condition holds", holds(a), holds(b))
	d.states(a, stateKeys(a), b, stateKeys(b))
	d.flags(flags(a), flags(b))
	if counted(a.Positive, a.Negative) && counted(b.Positive, b.Negative) {
		d.note("executions", counts(a.Positive, a.Negative), counts(b.Positive, b.Negative))
	}
	return d.verdict(a.Engine + " %s, " + b.Engine + " %s")
}

// CompareModels checks that the second result, of a weaker model, allows every state that the first allows.
func CompareModels(strong, weak *solver.Result) (v Verdict, detail string) {
	for _, r := range []*solver.Result{strong, weak} {
		if v, detail, answered := unanswered(r); !answered {
			return v, r.Model + ": " + detail
		}
	}
	if cut(weak) {
		return Undecided, "not all states were listed: raise --states"
	}
	var d differences
	allowed := stateKeys(weak)
	for _, s := range slices.Sorted(maps.Keys(stateKeys(strong))) {
		if !allowed[s] {
			d = append(d, [3]string{"state " + s, "present", "absent"})
		}
	}
	return d.verdict(strong.Model + " %s, " + weak.Model + " %s")
}

// unanswered is what to say of an answer that has no answer. A bug that an engine has
// found in itself counts as a disagreement: it must not pass as a missing feature.
func unanswered(a solver.Answer) (v Verdict, detail string, answered bool) {
	h := a.Head()
	switch {
	case *h.Status == solver.Failed && strings.Contains(*h.Error, "BUG"):
		return Disagreed, *h.Error, false
	case *h.Status == solver.Failed:
		return Unsupported, *h.Error, false
	case *h.Status == solver.Unknown:
		return Undecided, *h.Reason, false
	}
	return Agreed, "", true
}

// differences collects what two answers have different: what, the first's, the second's.
type differences [][3]string

func (d *differences) note(what string, a any, b string) {
	if a := fmt.Sprint(a); a != b {
		*d = append(*d, [3]string{what, a, b})
	}
}

// states records the states that only one side has, unless the other side's list is shortened. b is nil for a
// reference, whose list is whole.
func (d *differences) states(a *solver.Result, inA map[string]bool, b *solver.Result, inB map[string]bool) {
	for _, s := range slices.Sorted(maps.Keys(inA)) {
		if !inB[s] && !cut(b) {
			*d = append(*d, [3]string{"state " + s, "present", "absent"})
		}
	}
	for _, s := range slices.Sorted(maps.Keys(inB)) {
		if !inA[s] && !cut(a) {
			*d = append(*d, [3]string{"state " + s, "absent", "present"})
		}
	}
}

// flags notes what one side raises and the other does not, of the flags that both know.
func (d *differences) flags(a, b map[string]bool) {
	say := map[bool]string{true: "raised", false: "not raised"}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if inB, known := b[name]; known && inB != a[name] {
			*d = append(*d, [3]string{"flag " + name, say[a[name]], say[inB]})
		}
	}
}

// sameFlags has the names in references of flags that say the same.
var sameFlags = map[string]string{"break-before-make": "Warning-BBM-expected"}

// flags are the decided flags of a result, by herd's names.
func flags(r *solver.Result) map[string]bool {
	out := map[string]bool{}
	for _, f := range r.Flags {
		if f.Raised != nil {
			out[f.HerdName()] = out[f.HerdName()] || *f.Raised
		}
	}
	return out
}

func cut(r *solver.Result) bool {
	return r != nil && r.StatesComplete != nil && !*r.StatesComplete
}

// verdict gives the verdict, each difference put into words by format.
func (d differences) verdict(format string) (Verdict, string) {
	if len(d) == 0 {
		return Agreed, ""
	}
	var lines []string
	for _, e := range d {
		lines = append(lines, e[0]+": "+fmt.Sprintf(format, e[1], e[2]))
	}
	return Disagreed, strings.Join(lines, "; ")
}

func holds(r *solver.Result) string {
	if r.ConditionHolds == nil {
		return "undecided"
	}
	return fmt.Sprint(*r.ConditionHolds)
}

func counted(positive, negative *int) bool { return positive != nil && negative != nil }

func counts(positive, negative *int) string {
	return fmt.Sprintf("%d positive and %d negative", *positive, *negative)
}

// stateKeys are the states of a result, each as text that does not depend on the
// order of its parts.
func stateKeys(r *solver.Result) map[string]bool {
	out := map[string]bool{}
	for _, s := range r.States {
		m := map[string]string{}
		for _, e := range s {
			addPart(m, e.Name, e.Value)
		}
		out[key(m)] = true
	}
	return out
}

func key(state map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(state)) {
		parts = append(parts, name+"="+state[name])
	}
	return "{" + strings.Join(parts, " ") + "}"
}

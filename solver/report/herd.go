package report

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"litmuscope/solver"
)

// herd writes the log that herd7 writes, less the hash of the test. The readers
// of such logs (mcompare7, mlog2cond7 …) go from one line that begins with "Test"
// to the next and pass over what they do not know, so that remarks can stand
// between tests as long as no line of theirs begins that way.
//
// herd7 counts executions. Where the engine did not, it counts each state once; where nobody knows their number either,
// such as after a cut loop, the log leaves out the counts.
type herd struct {
	w io.Writer
	o Options
}

// cutStates is the remark of litmuscope on a shortened list of states.
const cutStates = "not all states are listed"

func newHerd(w io.Writer, o Options) Writer { return &herd{w, o} }

// Close does nothing.
func (h *herd) Close() error { return nil }

// Result writes a result as herd7's log; a result without an answer is a comment.
func (h *herd) Result(r *solver.Result) error {
	var b bytes.Buffer
	if r.Status != solver.OK {
		h.remark(&b, r)
	} else {
		h.log(&b, r)
	}
	_, err := h.w.Write(b.Bytes())
	return err
}

// remark says why a test has no log.
func (h *herd) remark(b *bytes.Buffer, r *solver.Result) {
	text := string(r.Status)
	if why := complaint(r); why != "" {
		text += ": " + why
	}
	where := r.Path
	if r.Name != "" {
		where += ", " + r.Name
	}
	if r.Model != "" {
		where += ", " + r.Model
	}
	text = strings.ReplaceAll(printable(text), "\n", "\n   ")
	if r.Termination != nil {
		text += "\n   " + oneLine(r.Termination.Sentence())
	}
	fmt.Fprintf(b, "(* %s: %s *)\n\n", oneLine(where), text)
}

// log writes a result as herd7 does. What herd7's log has no line for goes into comments, (* … *), that its readers
// skip.
func (h *herd) log(b *bytes.Buffer, r *solver.Result) {
	path, name, model := oneLine(r.Path), oneLine(r.Name), oneLine(r.Model)
	for _, m := range r.Remarks {
		fmt.Fprintf(b, "(* %s: %s *)\n", path, oneLine("remark: "+m.String()))
	}
	if r.Termination != nil {
		fmt.Fprintf(b, "(* %s: %s *)\n", path, oneLine(r.Termination.Sentence()))
	}
	if len(r.States) > 0 && r.StatesComplete != nil && !*r.StatesComplete {
		fmt.Fprintf(b, "(* %s: %s *)\n", path, cutStates)
	}
	if h.o.Models {
		fmt.Fprintf(b, "(* %s *)\n", model)
	}
	fmt.Fprintf(b, "Test %s %s\n", name, kind(r.Condition))
	fmt.Fprintf(b, "States %d\n", len(r.States))
	for _, s := range r.States {
		b.WriteString(oneLine(stateText(s)) + "\n")
	}
	if !r.Complete {
		b.WriteString("Loop ") // herd7's word for a run that a bound has cut
	}
	flags := r.RaisedFlags()
	switch {
	case slices.Contains(flags, solver.Undef):
		b.WriteString("Undef\n")
	case r.ConditionHolds == nil:
		b.WriteString("??\n")
	case *r.ConditionHolds:
		b.WriteString("Ok\n")
	default:
		b.WriteString("No\n")
	}
	satisfy, violate, counted := counts(r)
	if counted {
		positive, negative := witnesses(r, satisfy, violate)
		fmt.Fprintf(b, "Witnesses\nPositive: %d Negative: %d\n", positive, negative)
	}
	for _, f := range flags {
		fmt.Fprintf(b, "Flag %s\n", oneLine(f))
	}
	fmt.Fprintf(b, "Condition %s\n", oneLine(brackets(r.Condition)))
	if r.Observation != "" {
		fmt.Fprintf(b, "Observation %s %s", name, r.Observation)
		if counted {
			fmt.Fprintf(b, " %d %d", satisfy, violate)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "Time %s %.2f\n\n", name, r.MS/1000)
	if r.Explanation != nil {
		lines := append([]string{name + ", " + model}, r.Explanation.Lines()...)
		fmt.Fprintf(b, "(* %s *)\n\n", printable(strings.Join(lines, "\n   ")))
	}
	if lines := r.ExecutionLines(); lines != nil {
		lines[0] = name + ", " + model + ": " + lines[0]
		fmt.Fprintf(b, "(* %s *)\n\n", printable(strings.Join(lines, "\n   ")))
	}
}

// kind is herd7's word for a condition's quantifier.
func kind(condition string) string {
	switch {
	case strings.HasPrefix(condition, "forall"):
		return "Required"
	case strings.HasPrefix(condition, "~"), strings.HasPrefix(condition, "not"):
		return "Forbidden"
	}
	return "Allowed"
}

// witnesses turns the counts of what satisfies and violates the proposition into
// herd7's witnesses for and against the condition, and back: they are the other
// way round where the condition denies the proposition.
func witnesses(r *solver.Result, a, b int) (int, int) {
	if kind(r.Condition) == "Forbidden" {
		return b, a
	}
	return a, b
}

// counts are the executions, else the states, that satisfy and violate the
// proposition.
func counts(r *solver.Result) (satisfy, violate int, ok bool) {
	if !r.Complete {
		return 0, 0, false
	}
	if r.Positive != nil && r.Negative != nil {
		satisfy, violate = witnesses(r, *r.Positive, *r.Negative)
		return satisfy, violate, true
	}
	if r.Satisfying == nil || len(r.States) == 0 || r.StatesComplete != nil && !*r.StatesComplete {
		return 0, 0, false
	}
	return *r.Satisfying, len(r.States) - *r.Satisfying, true
}

// stateText is a state as herd7 prints it: "0:EAX=0; [x]=1;".
func stateText(s solver.State) string {
	parts := make([]string, len(s))
	for i, e := range s {
		switch {
		case e.Value == "": // a fault, or that there is none
			parts[i] = e.Name + ";"
		case strings.HasPrefix(e.Name, "Fault("): // the faults of a pattern, or that there is none
			parts[i] = e.Value + ";"
		case strings.ContainsAny(e.Name, ":[,"): // a register, an element or a signed pointer
			parts[i] = e.Name + "=" + e.Value + ";"
		default:
			parts[i] = "[" + e.Name + "]=" + e.Value + ";"
		}
	}
	return strings.Join(parts, " ")
}

// A location on the left of a comparison; registers have a colon in front.
var location = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[ (~])([A-Za-z_$][\w.$]*)(!?=)`) })

// brackets writes the locations of a condition as herd7 does: x=1 becomes [x]=1.
func brackets(condition string) string {
	return location().ReplaceAllString(condition, "$1[$2]$3")
}

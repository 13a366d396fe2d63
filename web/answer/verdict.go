package answer

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/web/ask"
)

// ColumnVerdict is what a model makes of a test.
type ColumnVerdict struct {
	Column, Label string
	Verdict       solver.Verdict
}

// VerdictsOf are what the columns say of the condition's proposition.
func VerdictsOf(a *ask.Answers) []ColumnVerdict {
	var out []ColumnVerdict
	for i, r := range a.Results {
		verdict := r.Verdict
		if verdict == "" {
			verdict = solver.Undecided
		}
		out = append(out, ColumnVerdict{a.Columns[i].String(), a.Columns[i].Label(), verdict})
	}
	return out
}

// VerdictLine is what some models say to the condition: "No" of "SC", which "forbids it".
type VerdictLine struct {
	Holds   string         // "Ok", "No", or "?"; "" of a test without a condition
	Verdict solver.Verdict // of the outcome that the question is about
	Models  string         // "TSO, PSO and 4 more"
	All     string         // each of them by name; "" where Models has them
	Says    string         // "allow it."
}

func (l VerdictLine) String() string {
	said := l.Models + " " + l.Says
	if l.Holds == "" {
		return said
	}
	return l.Holds + ": " + said
}

// VerdictLines groups the models by their answers to the condition: those that hold it, those
// that do not, and each one that has no answer. What they say is of the outcome that decides
// it: the proposition's for exists and ~exists, one that violates it for forall.
func VerdictLines(a *ask.Answers) []VerdictLine {
	var holds, fails, undefinedBy []string
	var out, open []VerdictLine
	for i, r := range a.Results {
		label := a.Columns[i].Label()
		switch {
		case r.Status == solver.Failed:
			open = append(open, VerdictLine{Holds: "?", Verdict: solver.Undecided, Models: label, Says: a.Fault(i)})
		case r.ConditionHolds == nil:
			says := "has no answer."
			if r.Reason != "" {
				says = "has no answer: " + strings.TrimSuffix(r.Reason, ".") + "."
			}
			open = append(open, VerdictLine{Holds: "?", Verdict: solver.Undecided, Models: label, Says: says})
		case undefined(r):
			undefinedBy = append(undefinedBy, label)
		case *r.ConditionHolds:
			holds = append(holds, label)
		default:
			fails = append(fails, label)
		}
	}
	add := func(answer string, verdict solver.Verdict, models []string, one, many string) {
		if len(models) == 0 {
			return
		}
		says := many
		if len(models) == 1 {
			says = one
		}
		l := VerdictLine{Holds: answer, Verdict: verdict, Says: says}
		l.Models, l.All = Enumerate(models)
		if l.All != "" && len(models) == len(a.Results) {
			l.Models = fmt.Sprintf("All %d models", len(models))
		}
		out = append(out, l)
	}
	switch {
	case a.Unasked():
		for i, r := range a.Results {
			if r.Status == solver.OK {
				out = append(out, VerdictLine{Models: a.Columns[i].Label(), Verdict: solver.Allowed, Says: "allows " + solver.Count(len(r.States), "outcome") + "."})
			}
		}
	case a.Test.Quantifier == litmus.Exists:
		add("No", solver.Forbidden, fails, "forbids it.", "forbid it.")
		add("Ok", solver.Allowed, holds, "allows it.", "allow it.")
	case a.Test.Quantifier == litmus.NotExists:
		add("Ok", solver.Forbidden, holds, "forbids it.", "forbid it.")
		add("No", solver.Allowed, fails, "allows it.", "allow it.")
	default:
		add("Ok", solver.Forbidden, holds, "forbids whatever else.", "forbid whatever else.")
		add("No", solver.Allowed, fails, "allows an outcome that violates it.", "allow an outcome that violates it.")
	}
	add("No", solver.Undecided, undefinedBy, "finds undefined behaviour, so that no condition holds.", "find undefined behaviour, so that no condition holds.")
	return append(out, open...)
}

// undefined tells whether undefined behaviour decides a result.
func undefined(r *solver.Result) bool {
	for _, f := range r.Flags {
		if f.Undefined && f.Raised != nil && *f.Raised {
			return true
		}
	}
	return false
}

// Enumerate names things in a sentence, two of them if they are more than three, and all in
// full where the sentence leaves any out.
func Enumerate(names []string) (text, all string) {
	switch n := len(names); {
	case n == 1:
		return names[0], ""
	case n <= 3:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1], ""
	default:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:2], ", "), n-2), strings.Join(names, ", ")
	}
}

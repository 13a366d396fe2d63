package answer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/web/parts/question"
)

// ColumnVerdict is a model's verdict on a test.
type ColumnVerdict struct {
	Column, Label string
	Verdict       solver.Verdict
}

// VerdictsOf lists the columns' verdicts on the condition's proposition.
func VerdictsOf(a *question.Answers) []ColumnVerdict {
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

// VerdictLine is one answer to the condition and the models that give it: "Yes" under "TSO".
type VerdictLine struct {
	Holds string // "Yes", "No", "Undefined", or "?"; "" of a test without a condition
	// what it looks like: "holds", "fails", "undefined", "unknown", "waiting"; "" of a test without a condition
	Is     string
	Models string // "TSO, PSO and 4 more"
	All    string // each of them by name; "" where Models has them
	Says   string // what follows the models
	// Own tells that this is what the model of the test's own architecture or language says, by itself and before all
	// others: "TSO: yes, this can happen."
	Own bool
}

// Under returns the word between the answer and its models.
func (l VerdictLine) Under() string {
	if l.Holds == "" || l.Holds == "?" {
		return ""
	}
	return "under "
}

// Answer returns the answer, in lower case if it follows the model.
func (l VerdictLine) Answer() string {
	if l.Own {
		return strings.ToLower(l.Holds)
	}
	return l.Holds
}

// String returns the line as one sentence.
func (l VerdictLine) String() string {
	switch {
	case l.Is == "waiting":
		return l.Models + " not answered yet."
	case l.Own:
		return l.Models + ": " + l.Answer() + l.Says
	case l.Holds == "":
		return l.Models + l.Says
	}
	return l.Holds + " " + l.Under() + l.Models + l.Says
}

// ownLine returns the answer of the default model of the test's dialect, if it is a column and has an answer.
func ownLine(a *question.Answers) (line VerdictLine, column int, ok bool) {
	own := models.Default(a.Test.Tongue)
	column = slices.IndexFunc(a.Columns, func(c question.Column) bool { return c.String() == own })
	if column < 0 || a.Waiting[column] || a.Unasked() {
		return line, column, false
	}
	r := a.Results[column]
	if r.Status == solver.Failed || r.ConditionHolds == nil || undefined(r) != "" {
		return line, column, false
	}
	line = VerdictLine{Holds: "No", Is: "fails", Models: a.Columns[column].Label(), Own: true}
	if *r.ConditionHolds {
		line.Holds, line.Is = "Yes", "holds"
	}
	switch {
	case a.Test.Quantifier == litmus.Exists && *r.ConditionHolds,
		a.Test.Quantifier == litmus.NotExists && !*r.ConditionHolds:
		line.Says = ", this can happen."
	case a.Test.Quantifier == litmus.Exists:
		line.Says = ", this cannot happen."
	case a.Test.Quantifier == litmus.NotExists:
		line.Says = ", this never happens."
	case *r.ConditionHolds:
		line.Says = ", this always holds."
	default:
		line.Says = ", this does not always hold."
	}
	return line, column, true
}

// VerdictLines groups the models by their answers. The default model of the test's dialect comes first, then the models
// under which the condition holds, under which it does not, and under which behaviour is undefined. Models without an
// answer come last, those for the same reason in one line.
func VerdictLines(a *question.Answers) []VerdictLine {
	var holds, fails, flags []string
	under := map[string][]string{} // flags of undefined behaviour
	var out []VerdictLine
	var open reasons
	var coming []string
	own, ownColumn, first := ownLine(a)
	if first {
		out = append(out, own)
	}
	for i, r := range a.Results {
		label, flag := a.Columns[i].Label(), undefined(r)
		switch {
		case first && i == ownColumn:
		case a.Waiting[i]:
			coming = append(coming, label)
		case r.Status == solver.Failed:
			open.add(label, a.Fault(i))
		case r.ConditionHolds == nil:
			says := "has no answer."
			if r.Reason != "" {
				says = "has no answer: " + strings.TrimSuffix(r.Reason, ".") + "."
			}
			open.add(label, says)
		case flag != "":
			if under[flag] == nil {
				flags = append(flags, flag)
			}
			under[flag] = append(under[flag], label)
		case a.Unasked() && r.Status == solver.OK:
			out = append(out,
				VerdictLine{Models: label, Says: " allows " + solver.Count(len(r.States), "outcome") + "."})
		case *r.ConditionHolds:
			holds = append(holds, label)
		default:
			fails = append(fails, label)
		}
	}
	add := func(answer, is string, models []string, says string) {
		if len(models) == 0 {
			return
		}
		l := VerdictLine{Holds: answer, Is: is, Says: says}
		l.Models, l.All = Enumerate(models)
		switch {
		case l.All == "":
		case len(models) == len(a.Results):
			l.Models = fmt.Sprintf("all %d models", len(models))
		case first && len(models) == len(a.Results)-1:
			l.Models = fmt.Sprintf("all %d other models", len(models))
		}
		out = append(out, l)
	}
	add("Yes", "holds", holds, ".")
	add("No", "fails", fails, ".")
	for _, f := range flags {
		add("Undefined", "undefined", under[f], ": "+f+".")
	}
	add("", "waiting", coming, "")
	return append(out, open.lines()...)
}

// reasons are why models have no answer, each with the models that say so of themselves.
type reasons []reason

type reason struct {
	says   string // with this at the place of the model's name
	labels []string
}

const thisModel = "\x00"

func (rs *reasons) add(label, says string) {
	own := regexp.MustCompile(`(^|[ (“])` + regexp.QuoteMeta(label) + `($|[ .,:;)”])`) // SC is also in RISC-V
	says = own.ReplaceAllString(says, "${1}"+thisModel+"${2}")
	for i := range *rs {
		if (*rs)[i].says == says {
			(*rs)[i].labels = append((*rs)[i].labels, label)
			return
		}
	}
	*rs = append(*rs, reason{says, []string{label}})
}

// lines has a line for each reason. What it says of one of several models, it says of “the model”.
func (rs reasons) lines() (out []VerdictLine) {
	for _, r := range rs {
		l := VerdictLine{Holds: "?", Is: "unknown", Says: " " + strings.ReplaceAll(r.says, thisModel, r.labels[0])}
		if l.Models, l.All = Enumerate(r.labels); len(r.labels) > 1 {
			says := strings.ReplaceAll(r.says, thisModel, "the model")
			l.Says = " have" + strings.TrimPrefix(says, "has")
		}
		out = append(out, l)
	}
	return out
}

// undefined returns the reason for which a result has undefined behaviour, such as "data race"; "" if it has none.
func undefined(r *solver.Result) string {
	for _, f := range r.Flags {
		if f.Undefined && f.Raised != nil && *f.Raised {
			return strings.ReplaceAll(f.Name, "-", " ")
		}
	}
	return ""
}

// Enumerate lists names in a sentence. If there are more than three, text has only two of them and their number, and
// all has the full list.
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

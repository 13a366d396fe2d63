package textpage

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"litmuscope/solver"
	"litmuscope/solver/synth"
	"litmuscope/web/server"
)

// Repairs shows the repairs of a text, as differences.
type Repairs struct {
	Title   string
	Says    string
	Proof   string // what the answer rests on; "" while there is none
	Remarks []string
	Next    string // what to do with the result; "" for nothing
	Costs   string // the address of the table of costs
	Repairs []Repaired
	Address server.Address // of this result
	Opens   *Opens         // the page that takes a text by a form; nil where each has an address
}

// Repaired is one repair: a set of changes.
type Repaired struct {
	Cost    int
	Take    string // the text with the changes, for scripts: as it is, or the files that are others, as JSON
	URL     string // of the page with it; "" of a program
	Files   []solver.SourceFile
	Changes []Changed
	Kept    []Remaining
	Lines   []DiffLine
}

// Remaining is a barrier or an order that a weakened text still has, with the reason.
type Remaining struct {
	Where, Text string
	Line        int
	Cost        int    // 0 if it has no price
	Why         string // "" if nothing in the text says so
}

// Changed is a change with its reason.
type Changed struct {
	Where, Text   string
	Line          int
	Cost          int
	Cycle, Events string // what it breaks, in words; "" for nothing
	Fails         string // what fails without it
	Under         string // … under which model
	Files         []solver.SourceFile
	Without       string // the files without it, for scripts, as JSON
}

// Opens is a form that opens a program. Fields has its fields except texts and models, and Files the unchanged files.
type Opens struct {
	URL    string
	Models []string // that it is asked about under
	Fields []OpensField
	Files  []solver.SourceFile
}

// OpensField is a field of the form, as the visitor sent it.
type OpensField struct{ Name, Value string }

// With returns the files with some of them replaced.
func (o *Opens) With(changed []solver.SourceFile) []solver.SourceFile {
	out := make([]solver.SourceFile, len(o.Files))
	for i, f := range o.Files {
		out[i] = f
		for _, c := range changed {
			if c.Name == f.Name {
				out[i] = c
			}
		}
	}
	return out
}

// DiffLine is a line of a difference with its sign.
type DiffLine struct{ Sign, Text string }

// CostTable returns the address of the table of costs for what a test of an architecture is written in.
func CostTable(tongue string) string {
	return "/docs/barriers#costs-in-" + strings.ReplaceAll(strings.ToLower(tongue), "_", "-")
}

// ViewWeakened returns the view of what a test does not need. url is as for ViewRepairs.
func ViewWeakened(title, tongue string, r *synth.Reply, url func(source string) string) Repairs {
	v := ViewRepairs(title, tongue, r, url)
	v.Proof = ""
	if r.Minimal && len(r.Repairs) > 0 {
		v.Proof = "Dependencies stay as they are. " + fmt.Sprintf(
			"An engine has checked that each weaker test still forbids the outcome, and that it does not with any "+
				"further barrier or order removed or weakened: %s, %s ms.",
			solver.Count(r.Asked, "question"),
			strconv.FormatFloat(r.MS, 'f', 1, 64),
		)
	}
	for i, a := range r.Repairs {
		for _, k := range a.Kept {
			v.Repairs[i].Kept = append(v.Repairs[i].Kept,
				Remaining{Where: fmt.Sprintf("P%d", k.Thread), Text: k.Text, Line: k.Line, Cost: k.Cost})
		}
	}
	switch {
	case r.Impossible:
		v.Says = Sentence(r.Reason)
	case r.Status != solver.OK:
	case len(r.Repairs) == 1 && len(r.Repairs[0].Changes) == 0 && len(r.Repairs[0].Kept) == 0:
		v.Says = "Nothing can go: the test has no barriers and no orders that cost anything, and the model forbids " +
			"the outcome all the same."
		v.Repairs, v.Proof = nil, ""
	case len(r.Repairs) == 1 && len(r.Repairs[0].Changes) == 0:
		v.Says = "Every barrier and order is needed:"
		v.Repairs[0].Take, v.Repairs[0].URL = "", ""
	default:
		v.Says = solver.Count(len(r.Repairs), "weaker test") + " still forbid"
		if len(r.Repairs) == 1 {
			v.Says += "s"
		}
		v.Says += " the outcome."
		if !r.Minimal {
			v.Says += " There may be others: " + r.Reason + "."
		}
	}
	return v
}

// ViewWeakenedProgram returns the view of the orders that a program does not need.
func ViewWeakenedProgram(title string, r *synth.Reply) Repairs {
	v := ViewRepairs(title, "C", r, nil)
	v.Proof, v.Says = "", ""
	switch {
	case r.Impossible:
		v.Says = Sentence(r.Reason)
		return v
	case r.Status != solver.OK || len(r.Repairs) == 0:
		v.Says = Sentence("unknown: " + r.Reason)
		return v
	}
	a := r.Repairs[0]
	for _, k := range a.Kept {
		where := k.Function
		if where == "" {
			where = "outside of functions"
		}
		v.Repairs[0].Kept = append(v.Repairs[0].Kept,
			Remaining{Where: where, Text: k.Text, Line: k.Line, Cost: k.Cost, Why: k.Why})
	}
	switch n := len(a.Changes); {
	case n == 0 && len(a.Kept) == 0:
		v.Says = "Nothing can go: the program has no barriers and no orders that cost anything."
		v.Repairs = nil
	case n == 0:
		v.Says = "Every barrier and order is needed:"
		v.Repairs[0].Take = ""
	default:
		v.Says = solver.Count(n, "order") + " can be weaker. The program stays safe."
	}
	v.Proof = fmt.Sprintf(
		"An engine has checked the program with the weaker orders, and each remaining order one step "+
			"weaker: %s, %s ms.",
		solver.Count(r.Asked, "question"),
		strconv.FormatFloat(r.MS, 'f', 1, 64),
	)
	if !r.Minimal {
		v.Proof += " " + Sentence(r.Reason)
	}
	return v
}

// ViewRepairs returns the view of repairs. tongue is what the text is written in. url returns the address of a
// repaired test; it is not called for programs.
func ViewRepairs(title, tongue string, r *synth.Reply, url func(source string) string) Repairs {
	v := Repairs{Title: title, Says: Sentence(r.Summary(false)), Costs: CostTable(tongue)}
	v.Remarks = r.Remarks
	if r.Minimal && len(r.Repairs) > 0 {
		v.Proof = fmt.Sprintf("An engine has checked each repair and shown that no cheaper one exists: %s, %s ms.",
			solver.Count(r.Asked, "question"), strconv.FormatFloat(r.MS, 'f', 1, 64))
	}
	for _, a := range r.Repairs {
		one := Repaired{Cost: a.Cost, Take: a.Source, Files: a.Files, Lines: Difference(a.Diff)}
		if len(a.Files) > 0 {
			one.Take = filesJSON(a.Files)
		} else if url != nil {
			one.URL = url(a.Source)
		}
		for _, c := range a.Changes {
			change := Changed{
				Where: c.Where(), Text: c.Words(), Line: c.Line, Cost: c.Cost, Fails: c.Fails,
				Under: c.FailsUnder, Files: c.Without,
			}
			if c.Breaks != nil {
				change.Cycle, change.Events = c.Breaks.Cycle, c.Breaks.Events
			}
			if len(c.Without) > 0 {
				change.Without = filesJSON(c.Without)
			}
			one.Changes = append(one.Changes, change)
		}
		v.Repairs = append(v.Repairs, one)
	}
	return v
}

func filesJSON(files []solver.SourceFile) string {
	text, err := json.Marshal(files)
	if err != nil {
		panic("BUG: files have no JSON: " + err.Error())
	}
	return string(text)
}

// Sentence turns words into a sentence, with a capital letter and a full stop.
func Sentence(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:] + "."
}

// Difference splits a unified diff into lines. If it has several files, their names are among the lines.
func Difference(diff string) (out []DiffLine) {
	lines := strings.Split(diff, "\n")
	names := 0
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case line == "" || line[0] == '\\':
		case strings.HasPrefix(line, "--- ") && i+2 < len(lines) && strings.HasPrefix(lines[i+1], "+++ ") &&
			strings.HasPrefix(lines[i+2], "@@"):
			out = append(out, DiffLine{fileSign, line[len("--- "):]})
			names++
			i += 2 // the first part of a file begins with it
		case line[0] == '@':
			if len(out) > 0 {
				out = append(out, DiffLine{"…", ""})
			}
		default:
			out = append(out, DiffLine{line[:1], line[1:]})
		}
	}
	if names == 1 {
		return out[1:]
	}
	return out
}

// fileSign is the sign of a line that names a file.
const fileSign = "@"

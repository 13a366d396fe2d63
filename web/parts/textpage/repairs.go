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
	Lines   []DiffLine
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

// ViewRepairs returns the view of repairs. url returns the address of a repaired test; it is not called for programs.
func ViewRepairs(title string, r *synth.Reply, url func(source string) string) Repairs {
	v := Repairs{Title: title, Says: Sentence(r.Summary(false))}
	if r.Minimal && len(r.Repairs) > 0 {
		v.Proof = fmt.Sprintf("An engine has checked each repair and shown that no cheaper one exists: %s, %s ms.",
			solver.Count(r.Asked, "question"), strconv.FormatFloat(r.MS, 'f', 1, 64))
	}
	for _, a := range r.Repairs {
		one := Repaired{Cost: a.Cost, Take: a.Source, Files: a.Files, Lines: Difference(a.Diff)}
		if len(a.Files) > 0 {
			one.Take = filesJSON(a.Files)
		} else {
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

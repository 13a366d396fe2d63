// Package report writes results and reads logs. [Formats] lists the formats of results: herd7's log, JSON lines, CSV, a
// table, an HTML page, and JUnit XML for CI systems; a new one is a file and a line there. [Verifications] writes
// answers about C programs, [Tour] explorations, and [WriteBadge] a badge.
//
//	w := format.New(os.Stdout, report.Options{})
//	err := w.Result(r) // for each result, in the order of the output
//	err = w.Close()
//
// A format that needs a total at its beginning stores the rest in a temporary file; no writer keeps results in memory.
// A [Reader] reads such logs, and those of herd7 and litmus7, as a [Row] per test and model.
//
// It imports litmus/ir, models and solver: no engine.
package report

import (
	"cmp"
	"io"
	"strings"
	"unicode"

	"litmuscope/solver"
)

// Writer writes results one after the other. It is for one goroutine.
type Writer interface {
	Result(*solver.Result) error
	// Close writes what ends the output. It does not close the underlying writer.
	Close() error
}

// Options are what a format may take into account.
type Options struct {
	Colour    bool // the output is a terminal that shows colours
	Models    bool // results of several models follow one another: say which is which
	Witnesses bool // give outcomes with their evidence, where the format can
	Stats     bool // give statistics, where the format can
	// Machines are those whose runs the results have: formats that need their columns ahead of the first result have
	// them from here.
	Machines []solver.Computer
	// Title is the title of the document, if the format has one; "" for litmuscope.
	Title string
}

func (o Options) title() string { return cmp.Or(o.Title, "litmuscope") }

// Format is one way to write results.
type Format struct {
	Name      string // as on the command line
	Media     string // type, as HTTP has it
	Extension string // of a file
	New       func(io.Writer, Options) Writer
}

// Formats are all formats, the default first.
var Formats = []Format{
	{"herd", plainText, "log", newHerd}, // herd7's log, which log-comparing tools read
	{"jsonl", "application/x-ndjson", "jsonl", newJSONL},
	{"csv", "text/csv; charset=utf-8", "csv", newCSV},
	{"table", plainText, "log", newTable},
	{"junit", "application/xml", "xml", newJUnit},
	{"html", "text/html; charset=utf-8", "html", newHTML},
}

const plainText = "text/plain; charset=utf-8"

// Find returns the format with a name.
func Find(name string) (Format, bool) {
	for _, f := range Formats {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// Names lists the formats' names.
func Names() []string {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = f.Name
	}
	return names
}

// complaint is what kept a result from being an answer, or "".
func complaint(r *solver.Result) string {
	if r.Error != "" {
		return r.Error
	}
	return r.Reason
}

// title is the name of a result's test: its own name or, if the parser did not get that far, its path.
func title(r *solver.Result) string {
	if r.Name == "" {
		return r.Path
	}
	return r.Name
}

// printable takes control characters out of text that comes from a test, all but line
// ends: a terminal would obey them, those that turn the direction of writing among them.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c)) {
			return '\uFFFD'
		}
		return c
	}, s)
}

// oneLine is printable text without line ends.
func oneLine(s string) string { return strings.ReplaceAll(printable(s), "\n", "\uFFFD") }

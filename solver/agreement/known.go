package agreement

import (
	"bufio"
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"litmuscope/solver"
)

//go:embed known.txt
var knownText string

// Difference is a known one between an answer and its reference.
type Difference struct {
	Path   string // of the test, or the end of it; or a folder of the path and /*, for all that is in it
	Model  string
	Reason string // why the reference is wrong
	// With is an option with which the answer agrees with the reference; "" if there is none. The comparison checks
	// that for each test.
	With string
}

// KnownDifferences reads the embedded list.
func KnownDifferences() ([]Difference, error) { return ParseDifferences("known.txt", knownText) }

// ParseDifferences reads a difference a line: path, model, perhaps an option as in "with unroll:", reason. It skips
// lines that are empty or start with #.
func ParseDifferences(file, text string) ([]Difference, error) {
	var out []Difference
	for n, line := range content(text) {
		path, rest, _ := strings.Cut(line, " ")
		model, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
		reason = strings.TrimSpace(reason)
		if reason == "" {
			return nil, fmt.Errorf("%s:%d: want a path, a model and a reason", file, n)
		}
		d := Difference{Path: path, Model: model, Reason: reason}
		if option, why, ok := strings.Cut(strings.TrimPrefix(reason, "with "), ": "); ok &&
			strings.HasPrefix(reason, "with ") && !strings.Contains(option, " ") {
			d.With, d.Reason = option, why
			if !slices.ContainsFunc(solver.OptionTable,
				func(o solver.Option) bool { return o.Name == option && o.Default == false }) {
				return nil, fmt.Errorf("%s:%d: unknown option %q: want an option that is on or off", file, n, option)
			}
		}
		out = append(out, d)
	}
	return out, nil
}

// Find gives the known difference of a test and a model.
func Find(known []Difference, path, model string) (Difference, bool) {
	path = "/" + filepath.ToSlash(path)
	for _, d := range known {
		folder, all := strings.CutSuffix(d.Path, "*")
		if d.Model == model && (strings.HasSuffix(path, "/"+d.Path) || all && strings.Contains(path, "/"+folder)) {
			return d, true
		}
	}
	return Difference{}, false
}

// content yields the lines that say something, with their numbers.
func content(text string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		lines := bufio.NewScanner(strings.NewReader(text))
		for n := 1; lines.Scan(); n++ {
			line := strings.TrimSpace(lines.Text())
			if line != "" && line[0] != '#' && !yield(n, line) {
				return
			}
		}
	}
}

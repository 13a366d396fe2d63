package engines_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// newModel has TestVerdictColumns write what that model says into the catalogue's tables: go test ./solver/engines -run
// VerdictColumns -model NAME. Task model does so.
var newModel = flag.String("model", "", "a model whose verdicts are to be written into the catalogue's tables")

// A table that has no column for a model gets one, behind that of the model before it in the order of models; a table
// that has one stays as it is.
func TestVerdictColumns(t *testing.T) {
	if *newModel == "" {
		t.Skip("no -model")
	}
	if _, ok := models.Find(*newModel); !ok {
		t.Fatalf("there is no model %s: add it to models/library and models/table.go first", *newModel)
	}
	files, err := filepath.Glob("../../litmus/catalogue/verdicts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		arch := strings.TrimSuffix(filepath.Base(file), ".txt")
		made, err := withColumn(string(text), *newModel,
			func(name string) (string, error) { return letterOf(t, arch+"/"+name, *newModel) })
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if made == string(text) {
			continue
		}
		t.Logf("%s has a column of %s now", file, *newModel)
		if err := os.WriteFile(file, []byte(made), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// letterOf is what the axiomatic engine says of a classic test under a model: A or F, "-" if the model says nothing of
// such tests, and "" if the table omits them.
func letterOf(t *testing.T, id, model string) (string, error) {
	t.Helper()
	e, ok := catalogue.Find(id)
	if !ok {
		return "", fmt.Errorf("no test %s", id)
	}
	if !slices.Contains(models.For(dialect.Tongue(e.Source)), model) {
		return "", nil
	}
	options := solver.DefaultOptions()
	options.States, options.Executions, options.Timeout = 0, 1, 0
	r, err := engines.Run(t.Context(),
		solver.Task{Path: e.Name, Source: e.Source, Model: model, Engine: "axiomatic", Options: options})
	switch {
	case err != nil:
		return "", err
	case strings.Contains(r.Error, "mixed size"):
		return "-", nil
	case r.Status != solver.OK || !r.Complete && r.Verdict != solver.Allowed:
		return "", fmt.Errorf("%s under %s: %s, complete %v, %s%s", id, model, r.Status, r.Complete, r.Reason, r.Error)
	case r.Verdict == solver.Allowed:
		return "A", nil
	}
	return "F", nil
}

// withColumn adds a column to a table of verdicts. A table has parts, each with a line of its models. letter returns
// the entry in a test's line; "" for tests outside the model's table, whose part stays as it is.
func withColumn(text, model string, letter func(name string) (string, error)) (string, error) {
	var out []string
	var pending []string // the lines of models whose first test has not come yet
	at := -1             // where in a line the column goes; -1: the part gets none
	header := ""
	for _, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		switch {
		case len(f) > 0 && f[0] == "models":
			at, header = -1, ""
			if !slices.Contains(f, model) {
				header = line
			}
			pending = append(pending, line)
			continue
		case len(f) == 0 || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "= "):
			if len(pending) > 0 {
				pending = append(pending, line)
			} else {
				out = append(out, line)
			}
			continue
		}
		l := ""
		if header != "" {
			var err error
			if l, err = letter(f[0]); err != nil {
				return "", err
			}
		}
		if len(pending) > 0 {
			if l != "" {
				at = columnOf(header, model)
				pending[0] = insert(pending[0], at, " "+model)
			}
			out, pending = append(out, pending...), nil
		}
		if at >= 0 {
			line = insert(line, at, " "+l+strings.Repeat(" ", len(model)-len(l)))
		}
		out = append(out, strings.TrimRight(line, " "))
	}
	return strings.Join(append(out, pending...), "\n"), nil
}

// columnOf is where in the line of models the column of a model begins: behind the last of those before it.
func columnOf(header, model string) int {
	before := models.Names()
	before = before[:slices.Index(before, model)]
	end := len("models")
	for _, name := range strings.Fields(header)[1:] {
		if i := strings.Index(header+" ", " "+name+" "); slices.Contains(before, name) {
			end = max(end, i+1+len(name))
		}
	}
	return end
}

// insert puts a part into a line at a column, and fills the line with blanks up to it.
func insert(line string, at int, part string) string {
	line += strings.Repeat(" ", max(at-len(line), 0))
	return line[:at] + part + line[at:]
}

func TestWithColumn(t *testing.T) {
	const table = "# Verdicts\nmodels   sc tso rc11\n\n= First\nSB       F  A   A *\nMP       F  F   A\n"
	got, err := withColumn(table, "pso",
		func(name string) (string, error) { return map[string]string{"SB": "A", "MP": "-"}[name], nil })
	const want = "# Verdicts\nmodels   sc tso pso rc11\n\n= First\nSB       F  A   A   A *\nMP       F  F   -   A\n"
	if err != nil || got != want {
		t.Errorf("got\n%s%v, want\n%s", got, err, want)
	}
	for _, letter := range []string{"", "A"} { // the model does not apply to them, or has an entry already
		model := map[string]string{"": "pso", "A": "tso"}[letter]
		if got, err := withColumn(table, model, func(string) (string, error) { return letter, nil }); err != nil ||
			got != table {
			t.Errorf("%s: got\n%s%v", model, got, err)
		}
	}
}

package catalogue

import (
	"embed"
	"fmt"
	"strings"
)

const allowed, forbidden = "allowed", "forbidden"

// tests reads a table of tests of an architecture with their verdicts: a line "models" with the models of the columns;
// "= TITLE" or "= TITLE | large" before a family; and for each test its name and a letter for each model, A (allowed),
// F (forbidden), or - if the model does not apply. A * at the end puts the test into the core.
func tests(arch, table string) []Entry {
	name := "verdicts/" + table + ".txt"
	if _, err := files.Open(name); err != nil {
		return nil // there are none
	}
	var out []Entry
	var models []string
	var family string
	var large bool
	for n, line := range numbered(name) {
		fail := func(what string) { panic(fmt.Sprintf("BUG: %s:%d: %s", name, n, what)) }
		title, isTitle := strings.CutPrefix(line, "= ")
		line, core := strings.CutSuffix(line, " *")
		f := strings.Fields(line)
		switch {
		case isTitle:
			family, large = strings.CutSuffix(title, " | large")
		case f[0] == "models":
			models = f[1:]
		case len(f) != len(models)+1:
			fail(fmt.Sprintf("want a verdict for each of %d models", len(models)))
		default:
			e, err := load(arch, f[0])
			if err != nil {
				fail(err.Error())
			}
			e.Family, e.Large, e.core, e.system = family, large, core, table != arch
			if s := shapeOf(e.Name); s == nil {
				fail("there is no shape with the test " + e.Name)
			} else {
				e.Shape = s.Name
			}
			for i, m := range models {
				v := Verdict{Model: m, Verdict: allowed}
				switch f[i+1] {
				case "A":
				case "F":
					v.Verdict = forbidden
				case "-":
					continue
				default:
					fail(fmt.Sprintf("got %q, want A, F or -", f[i+1]))
				}
				e.Verdicts = append(e.Verdicts, v)
			}
			out = append(out, e)
		}
	}
	return out
}

// numbered iterates over the lines of an embedded file with their numbers. It skips empty lines and comments, which
// begin with #.
func numbered(name string) func(yield func(int, string) bool) { return numberedIn(files, name) }

func numberedIn(in embed.FS, name string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		n := 0
		for line := range strings.Lines(read(in, name)) {
			n++
			line = strings.TrimSpace(line)
			if line != "" && !strings.HasPrefix(line, "#") && !yield(n, line) {
				return
			}
		}
	}
}

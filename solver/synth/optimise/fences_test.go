package optimise_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/synth/optimise"
)

var update = flag.Bool("update", false, "write the golden file")

// twice has each thread of a lock's program come twice, which the paths to come back need.
var twice = strings.NewReplacer(
	"static void *visitor(void *arg)", "static void *once(void *arg)",
	"int main(void)",
	"static void *visitor(void *arg)\n{\n\tonce(arg);\n\tonce(arg);\n\treturn 0;\n}\n\nint main(void)",
	"visits == 2", "visits == 4",
)

// The table of fences: the remaining fences of the catalogue's programs under some models, each use of a fence by
// itself. Where tests are to be short, TSO is enough.
func TestFences(t *testing.T) {
	path := filepath.Join("testdata", "fences.txt")
	golden, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	var all strings.Builder
	all.WriteString(
		`# What is left of the fences and orders of the catalogue's programs (with -D FENCES) under models, one by one: the line, what is called there,
# and its order; each that is left fails with a weaker one. "Within" says of a model that it holds with loops cut after so many
# jumps back alone. Of "twice", each thread comes twice. Published is the program. Of locks by loads and stores alone Attiya and
# others (“Laws of Order”, POPL 2011) have proved that some store before a load has to be kept in order: a seq_cst fence is
# left under every model; for aarch64 a release is compiled to the same DMB ISH. go test ./solver/synth/optimise -run Fences -short=false -update writes it.
`)
	for _, test := range []struct {
		program string
		twice   bool
		raw     bool // a lock by loads and stores alone
		models  string
	}{
		{"store-buffering", false, true, "tso pso power aarch64 rc11"},
		{"peterson", false, true, "tso pso power aarch64 rc11"},
		{"dekker", false, true, "tso pso power aarch64 rc11"},
		{"dekker", true, true, "tso pso"},
		{"lamport", false, true, "tso pso power aarch64 rc11"},
		{"szymanski", false, true, "tso pso power aarch64 rc11"},
		{"parker", false, false, "tso pso power aarch64 rc11"},
		{"work-stealing", false, false, "tso pso power aarch64 rc11"},
		{"treiber-stack", false, false, "tso pso power aarch64 rc11"},
		{"ms-queue", false, false, "tso pso power aarch64 rc11"},
	} {
		p, ok := catalogue.FindProgram(test.program)
		if !ok {
			t.Fatalf("there is no program %s", test.program)
		}
		text, name := p.Source, test.program
		if test.twice {
			text, name = twice.Replace(text), name+" twice"
		}
		unroll, weak := solver.DefaultOptions().Unroll, map[string]bool{}
		fmt.Fprintf(&all, "\n%s\n", name)
		for _, b := range p.Builds {
			if slices.Contains(b.Defines, "FENCES") && b.Unroll > 0 {
				unroll = b.Unroll
			}
			for _, k := range b.Known {
				weak[k.Model] = weak[k.Model] || len(b.Defines) == 0 && k.Verdict == string(solver.Unsafe)
			}
		}
		fmt.Fprintf(&all, "  published: %s\n", p.Published)
		for model := range strings.FieldsSeq(test.models) {
			if testing.Short() && model != "tso" {
				continue
			}
			q := question(map[string]string{p.File(): text}, model)
			q.Each = true
			q.Pairs[0].Defines, q.Pairs[0].Engine = []string{"FENCES"}, "auto"
			q.Pairs[0].Options.Unroll, q.Pairs[0].Options.Timeout, q.Pairs[0].Options.Witnesses = unroll, 0, false
			a := find(t, q)
			if a.Unsafe != nil || a.Open() || len(a.Clients) != 1 {
				t.Fatalf("%s under %s: %s", name, model, a.Summary())
			}
			var left []string
			full := false
			for _, place := range a.Places {
				if place.Is == "none" || place.Is == "relaxed" {
					continue
				}
				order := place.Is
				if place.Why == optimise.Unreached {
					order += " (not reached)"
				}
				left = append(left, fmt.Sprintf("%d %s %s", place.Line, place.Operation, order))
				full = full || place.Is == "seq_cst" || model == "aarch64" && place.Is == "release"
			}
			if weak[model] && len(left) == 0 {
				t.Errorf("%s under %s: nothing is left, and without fences it fails", name, model)
			}
			if test.raw && !full {
				t.Errorf("%s under %s: nothing keeps a store before a load: %v", name, model, left)
			}
			line := fmt.Sprintf("  %s: %s", model, strings.Join(left, "; "))
			if len(left) == 0 {
				line = "  " + model + ": nothing"
			}
			if v := a.Clients[0]; !v.Complete {
				line += fmt.Sprintf(" (within %d)", v.Bounds["unroll"])
			}
			all.WriteString(line + "\n")
			if block := find1(string(golden), "\n\n"+name+"\n"); !*update && !strings.Contains(block, line+"\n") {
				t.Errorf("%s: got\n%s\nwant one of\n%s", name, line, block)
			}
		}
	}
	if *update && !testing.Short() {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// find1 is the text between a heading and the next one.
func find1(text, heading string) string {
	_, rest, _ := strings.Cut(text, heading)
	block, _, _ := strings.Cut(rest+"\n", "\n\n")
	return block + "\n"
}

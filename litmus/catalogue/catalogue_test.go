package catalogue

import (
	"cmp"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/pool"
)

func TestEveryFileIsListedOnce(t *testing.T) {
	listed := map[string]int{}
	for _, e := range Every() {
		listed["tests/"+e.Arch+"/"+e.Name+".litmus"]++
	}
	paths, err := fs.Glob(files, "tests/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if n := listed[path]; n != 1 {
			t.Errorf("%s is listed %d times, want once", path, n)
		}
	}
	if len(paths) != len(Every()) {
		t.Errorf("%d files, %d entries", len(paths), len(Every()))
	}
}

func TestEntries(t *testing.T) {
	for _, e := range Every() {
		if e.Note == "" || strings.Contains(e.Note, "\n") || len(e.Note) > 140 {
			t.Errorf("%s: the note must be one short line, got %q", e.ID(), e.Note)
		}
		if e.Arch == "" || e.Family == "" || !strings.HasSuffix(e.Source, "\n") {
			t.Errorf("%s: incomplete: %+v", e.ID(), e)
		}
	}
}

func TestFind(t *testing.T) {
	for _, want := range Every() {
		if e, ok := Find(want.ID()); !ok || e != want {
			t.Errorf("Find(%s) = %+v, %v", want.ID(), e, ok)
		}
	}
	for id, arch := range map[string]string{"IRIW": "X86", "X86/IRIW": "X86", "PPC/SB": "PPC", "fib5": "X86"} {
		if e, ok := Find(id); !ok || e.Arch != arch {
			t.Errorf("Find(%s) = %+v, %v", id, e, ok)
		}
	}
	for _, id := range []string{"nothing", "PPC/nothing", "", "VAX/SB"} {
		if _, ok := Find(id); ok {
			t.Errorf("found %q, which is not there", id)
		}
	}
}

// Each size asks for the number that so many rounds reach, which its note names.
func TestFibonacci(t *testing.T) {
	a, b := 1, 1
	for n := 1; n <= 5; n++ {
		a, b = a+b, a+2*b
		for kind, jump := range map[string]string{"": "JL ", "-never": "JLE "} {
			e, _ := Find(fmt.Sprintf("fib%d%s", n, kind))
			bound := fmt.Sprintf("CMP EAX,$%d ", b)
			if strings.Count(e.Source, "ADD EAX") != 2*n || strings.Count(e.Source, bound) != 2 || strings.Count(e.Source, jump) != 2 {
				t.Errorf("%d rounds, %q: want %s and %s in\n%s", n, kind, bound, jump, e.Source)
			}
			if want := fmt.Sprintf(" %d, Fibonacci number %d?", b, 2*n+2); !strings.Contains(e.Note, want) {
				t.Errorf("%s: want %q in the note, got %q", e.ID(), want, e.Note)
			}
		}
	}
}

// What the note of a whole program promises, the engines find, and unwind its loops far
// enough to be sure.
func TestWholePrograms(t *testing.T) {
	promise := regexp.MustCompile(`(Allowed|Forbidden) under sc(, (allowed|forbidden) under tso and pso|, tso and pso)\.$`)
	options := solver.DefaultOptions()
	options.States, options.Executions = 0, 0
	for _, e := range Every() {
		if slices.Contains(All(), e) {
			continue
		}
		m := promise.FindStringSubmatch(e.Note)
		if m == nil {
			t.Errorf("%s: the note does not say what the models say: %q", e.ID(), e.Note)
			continue
		}
		sc := strings.ToLower(m[1])
		weak := cmp.Or(m[3], sc)
		for model, want := range map[string]string{"sc": sc, "tso": weak, "pso": weak} {
			for _, engine := range []string{"axiomatic", "machine"} {
				r, err := pool.Local{}.Run(t.Context(), solver.Task{Path: e.ID(), Source: e.Source, Model: model, Engine: engine, Options: options})
				if err != nil {
					t.Fatal(err)
				}
				if string(r.Verdict) != want || !r.Complete || r.SettledBy != "" {
					t.Errorf("%s under %s by %s: %s (%s%s), complete %v, settled by %q, want %s",
						e.ID(), model, engine, r.Verdict, r.Reason, r.Error, r.Complete, r.SettledBy, want)
				}
			}
		}
	}
}

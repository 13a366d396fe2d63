package catalogue

import (
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
)

func TestEveryFileIsListedOnce(t *testing.T) {
	listed := map[string]int{}
	for _, e := range All() {
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
	if len(paths) != len(All()) {
		t.Errorf("%d files, %d entries", len(paths), len(All()))
	}
}

func TestEntries(t *testing.T) {
	for _, e := range All() {
		if e.Note == "" || strings.Contains(e.Note, "\n") || len(e.Note) > 140 {
			t.Errorf("%s: the note must be one short line, got %q", e.ID(), e.Note)
		}
		if e.Arch == "" || e.Family == "" || !strings.HasSuffix(e.Source, "\n") {
			t.Errorf("%s: incomplete: %+v", e.ID(), e)
		}
	}
}

func TestFind(t *testing.T) {
	for _, want := range All() {
		if e, ok := Find(want.ID()); !ok || !reflect.DeepEqual(e, want) {
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
			if strings.Count(e.Source, "ADD EAX") != 2*n || strings.Count(e.Source, bound) != 2 ||
				strings.Count(e.Source, jump) != 2 {
				t.Errorf("%d rounds, %q: want %s and %s in\n%s", n, kind, bound, jump, e.Source)
			}
			if want := fmt.Sprintf(" %d, Fibonacci number %d?", b, 2*n+2); !strings.Contains(e.Note, want) {
				t.Errorf("%s: want %q in the note, got %q", e.ID(), want, e.Note)
			}
		}
	}
}

// The note of a whole program says under which models it may fail.
func TestNotesOfWholePrograms(t *testing.T) {
	for _, e := range All() {
		if !e.Large {
			continue
		}
		verdicts := [3]string{}
		for i, m := range []string{"sc", "tso", "pso"} {
			v, _ := e.Under(m)
			verdicts[i] = v.Verdict
		}
		says := map[[3]string]string{
			{allowed, allowed, allowed}:       "Allowed under sc, tso and pso.",
			{forbidden, allowed, allowed}:     "Forbidden under sc, allowed under tso and pso.",
			{forbidden, forbidden, forbidden}: "Forbidden under sc, tso and pso.",
		}[verdicts]
		if says == "" || !strings.HasSuffix(e.Note, " "+says) {
			t.Errorf("%s: %q, want it to end with %q", e.ID(), e.Note, says)
		}
	}
}

// A shape has its words, and tests of every shape are there; of the critical cycles, the
// plain test in every architecture. C and LISA have no plain accesses that may race.
func TestShapes(t *testing.T) {
	of := map[string]int{}
	for _, e := range All() {
		of[e.Shape]++
	}
	seen := map[string]bool{}
	for _, s := range Shapes() {
		if s.Title == "" || len(s.Text) < 40 || of[s.Name] == 0 || seen[s.Name] {
			t.Errorf("%s is incomplete, has no tests or is there twice: %+v", s.Name, s)
		}
		seen[s.Name] = true
		if !strings.HasPrefix(s.Cycle, "Pod") && !strings.Contains(s.Cycle, " Pod") {
			continue
		}
		for _, arch := range dialect.Archs() {
			if dialect.HasScopes(arch) { // where a test also says which threads are where
				continue
			}
			if _, ok := Find(arch + "/" + s.Name); !ok && s.Name != "n6" && arch != "C" && arch != "LISA" {
				t.Errorf("%s has no plain test in %s", s.Name, arch)
			}
		}
	}
}

// Sources are for all models that have any literature, and say what the table says: else nothing would read them.
func TestSources(t *testing.T) {
	sourced := map[string]int{}
	for _, e := range All() {
		for _, v := range e.Verdicts {
			if v.Source != "" {
				sourced[v.Model]++
			}
		}
	}
	for model, least := range map[string]int{
		"sc": 770, "tso": 50, "pso": 40, "rmo": 35, "alpha": 40, "power": 45,
		"arm": 30, "aarch64": 12, "riscv": 13, "rc11": 30, "c11": 25, "c11-psc": 20, "imm": 6, "lkmm": 29,
		"ptx": 6, "ptx-v6.0": 7, "vulkan": 4, "vulkan-nochains": 3, "opencl": 6,
	} {
		if sourced[model] < least {
			t.Errorf("%d verdicts of %s have a source, want %d", sourced[model], model, least)
		}
	}
	t.Logf("verdicts with a source, of %d each: %v", len(All()), sourced)
}

package catalogue

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
)

// withoutCycle finds tests of Arm's system side whose names say, after a shape, what cycles do not have: exceptions,
// break-before-make, updates by hardware and signed pointers.
var withoutCycle = regexp.MustCompile(`\+(svc|ctrl-svc|ctrl-eret|fault|bbm|dirty|aut)\b`)

// own are names that do not come from a test's cycle: older than the convention, or those of programs and of idioms.
func own(e Entry) bool {
	return slices.Contains(
		[]string{
			"Early reads", "Locks and mutual exclusion", "The language and the kernel", "Several sizes",
			"Whole programs", "Arm's system side",
		}, shapeOf(e.Name).Group) || withoutCycle.MatchString(e.Name) ||
		slices.Contains([]string{"n5", "n4b", "CoRR2"}, e.Name) || strings.HasSuffix(e.Name, "+WW") ||
		strings.Contains(e.Name, "xchg") || strings.Contains(e.Name, "swp") || strings.Contains(e.Name, "swap") ||
		strings.Contains(e.Name, "atomic_")
}

var update = flag.Bool("update", false, "write cycles.txt anew; then read the difference")

// The cycle found in each test's text gives the test its name.
func TestCycles(t *testing.T) {
	if *update {
		writeCycles(t)
		return
	}
	named := 0
	for _, e := range All() {
		if e.Cycle == "" {
			if !own(e) {
				t.Errorf("%s has no cycle", e.ID())
			}
			continue
		}
		text, err := litmus.Parse(e.Name, e.Source)
		if err != nil {
			t.Fatal(err)
		}
		c, err := cycle.Of(text)
		if err != nil || c.String() != e.Cycle {
			t.Errorf("%s: cycles.txt has %s, the test %s, %v", e.ID(), e.Cycle, c, err)
		}
		if !own(e) {
			named++
			if c.Name() != e.Name {
				t.Errorf("%s would be named %s after its cycle %s", e.ID(), c.Name(), c)
			}
		}
	}
	if named < 700 {
		t.Errorf("%d tests are named after their cycles", named)
	}
}

// writeCycles looks for the cycle of every test for which that is no long search.
func writeCycles(t *testing.T) {
	var b strings.Builder
	b.WriteString("# The cycle that each test asks about, in diy's words, where it asks about one: ID | CYCLE.\n")
	arch := ""
	for _, e := range All() {
		text, err := litmus.Parse(e.Name, e.Source)
		if err != nil {
			t.Fatal(err)
		}
		if e.Large || e.Shape == "Fibonacci" || e.Shape == "Peterson" || e.Shape == "n5" ||
			strings.HasSuffix(e.Name, "+dirty") { // its cycle leads through an update by hardware
			continue
		}
		c, err := cycle.Of(text)
		if err != nil {
			continue
		}
		if e.Arch != arch {
			arch = e.Arch
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s/%s | %s\n", e.Arch, e.Name, c)
	}
	if err := os.WriteFile("cycles.txt", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The cycle of a shape is that of its plain test.
func TestCyclesOfShapes(t *testing.T) {
	for _, s := range Shapes() {
		if s.Cycle == "" {
			continue
		}
		arch := "X86"
		if strings.Contains(s.Cycle, "Sync") {
			arch = "PPC"
		}
		c, err := cycle.ParseCycle(arch, s.Cycle)
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		e, ok := Find(arch + "/" + s.Name)
		if !ok || c.Canonical().String() != e.Cycle {
			t.Errorf("%s: shapes.txt has %s, the test %s", s.Name, c.Canonical(), e.Cycle)
		}
	}
}

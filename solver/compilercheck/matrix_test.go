package compilercheck_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"litmuscope/litmus/c"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/readback"
	"litmuscope/litmus/toolchain"
	"litmuscope/solver"
	"litmuscope/solver/compilercheck"
	"litmuscope/solver/engines"
	"litmuscope/solver/mappingcheck"
)

var matrixOf = flag.String("matrix", "",
	"check C tests with compilers, and write the manual's page: all, or rows that begin so, as 'riscv gcc -O2'")

// cTest is a test of the matrix.
type cTest struct{ name, source string }

// cTests returns the C11 tests of the catalogue and of the corpus, all cycles of four and five accesses over the
// standard relaxations, and those of four in which each store is an exchange whose result is not used, or each load an
// addition of 0.
func cTests(t *testing.T) (all []cTest) {
	for _, e := range catalogue.All() {
		if e.Arch == "C" && !c.IsKernel(e.Source) {
			all = append(all, cTest{"catalogue " + e.Name, e.Source})
		}
	}
	const corpus = "../../../shared/corpus/c11"
	_ = filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".litmus" {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all = append(all, cTest{"corpus " + d.Name(), string(text)})
		}
		return nil
	})
	relaxations, err := cycle.ParseRelaxations("C", cycle.Standard("C"))
	if err != nil {
		t.Fatal(err)
	}
	stores := regexp.MustCompile(`atomic_store(_explicit)?\(`)
	loads := regexp.MustCompile(`atomic_load_explicit\((\w+), `)
	names := make(cycle.Names)
	err = cycle.Family(context.Background(), relaxations, 4, 5, func(cy cycle.Cycle) error {
		name := names.Of(cy)
		test, err := cycle.Generate("C", cy, name)
		if err != nil {
			return err
		}
		all = append(all, cTest{"cycle " + name, test})
		if len(strings.Fields(cy.String())) > 4 {
			return nil
		}
		if swap := stores.ReplaceAllString(test, "atomic_exchange$1("); swap != test {
			all = append(all, cTest{"exchange " + name, swap})
		}
		if add := loads.ReplaceAllString(test, "atomic_fetch_add_explicit($1, 0, "); add != test {
			all = append(all, cTest{"addition " + name, add})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return append(all, unusedResults()...)
}

// unusedResults returns tests in which an atomic operation whose result is not used acquires: it has an acquire order,
// or an acquire fence behind it. Compilers that drop the read of the operation break them.
func unusedResults() (all []cTest) {
	for _, operation := range []string{
		"exchange_explicit(y, 2", "fetch_add_explicit(y, 1", "fetch_sub_explicit(y, -1", "fetch_xor_explicit(y, 3",
		"fetch_or_explicit(y, 2", "fetch_and_explicit(y, 0",
	} {
		name, _, _ := strings.Cut(operation, "_explicit")
		final := map[string]int{"fetch_or": 3, "fetch_and": 0}[name]
		if name != "fetch_or" && name != "fetch_and" {
			final = 2
		}
		for order, fence := range map[string]string{
			"relaxed": "  atomic_thread_fence(memory_order_acquire);\n", "acquire": "", "acq_rel": "", "seq_cst": "",
		} {
			all = append(all, cTest{"unused " + name + " " + order, fmt.Sprintf(`C MP+rel+unused
{}
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_release);
}
P1 (atomic_int* x, atomic_int* y) {
  atomic_%s, memory_order_%s);
%s  int r0 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (y=%d /\ 1:r0=0)
`, operation, order, fence, final)})
		}
	}
	return all
}

// cell counts the answers of a compiler, a level and an architecture.
type cell struct {
	Tests     int `json:"tests"`
	Right     int `json:"right,omitempty"`
	Undefined int `json:"undefined,omitempty"`
	ThinAir   int `json:"thinAir,omitempty"`
	Unknown   int `json:"unknown,omitempty"`

	Version string         `json:"version"`           // of the compiler, as it says
	Wrong   []string       `json:"wrong,omitempty"`   // tests
	Refused map[string]int `json:"refused,omitempty"` // listings by reason
}

func (c *cell) refuse(why string) {
	if c.Refused == nil {
		c.Refused = map[string]int{}
	}
	c.Refused[why]++
}

func (c *cell) String() string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(c.Right, "right")
	add(c.Undefined, "undefined")
	add(c.ThinAir, "thin air")
	add(len(c.Wrong), "**wrong**")
	add(c.Unknown, "unknown")
	refused := 0
	for _, n := range c.Refused {
		refused += n
	}
	add(refused, "refused")
	return strings.Join(parts, ", ")
}

// place is the beginning of an error that has a place.
var place = regexp.MustCompile(`^[^ ]*( listing)?:\d+:\d+: |^cannot read "[^"]*" back: `)

// matrixFile has what TestMatrix has found.
const matrixFile = "testdata/matrix.json"

// matrixPage is the manual's page of it.
const matrixPage = "../../static/docs/results/compilers.md"

// The levels of optimisation, and flags, with which each compiler is asked.
var matrixLevels = []string{"-O0", "-O1", "-O2", "-O3", "-Os", "-O2 -march=armv8.1-a"}

// TestMatrix checks each C test with each installed compiler, at each level, for each architecture. Each row that is
// done replaces the one that the file had, so that a run can be continued, and architectures be added.
func TestMatrix(t *testing.T) {
	if *matrixOf == "" {
		t.Skip("run it with -matrix all")
	}
	tests := cTests(t)
	run := &matrix{
		languages: map[string]*solver.Result{}, verdicts: map[string]mappingcheck.Verdict{}, thin: map[string]bool{},
	}
	cells := readMatrix(t)
	for _, m := range readback.Machines() {
		for _, program := range []string{"gcc", "clang"} {
			for _, level := range matrixLevels {
				key := m.Names[0] + " " + program + " " + level
				if strings.Contains(level, "-march=arm") && m.Arch != "AArch64" ||
					*matrixOf != "all" && !strings.HasPrefix(key, *matrixOf) {
					continue
				}
				if counts := run.row(t, tests, m, program, level); counts != nil {
					cells[key] = counts
					writeMatrix(t, cells)
				}
			}
		}
	}
	if err := os.WriteFile(matrixPage, []byte(pageOf(tests, cells)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The manual shows what the file has.
func TestMatrixPage(t *testing.T) {
	if _, err := os.Stat("../../../shared/corpus/c11"); err != nil {
		t.Skip("the page counts the corpus's tests, and there is no corpus")
	}
	text, err := os.ReadFile(matrixPage)
	if err != nil {
		t.Fatal(err)
	}
	if want := pageOf(cTests(t), readMatrix(t)); string(text) != want {
		t.Errorf("%s is stale: ./task compilers writes it", matrixPage)
	}
}

func readMatrix(t *testing.T) map[string]*cell {
	cells := map[string]*cell{}
	text, err := os.ReadFile(matrixFile)
	if err == nil {
		err = json.Unmarshal(text, &cells)
	}
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

func writeMatrix(t *testing.T, cells map[string]*cell) {
	text, err := json.MarshalIndent(cells, "", "\t")
	if err == nil {
		err = os.WriteFile(matrixFile, append(text, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// matrix remembers answers, of which many rows have the same.
type matrix struct {
	mutex     sync.Mutex
	languages map[string]*solver.Result
	verdicts  map[string]mappingcheck.Verdict // by test and its code
	thin      map[string]bool                 // the same
}

// row checks all tests with one compiler at one level; nil if it is not installed.
func (m *matrix) row(t *testing.T, tests []cTest, machine *readback.Machine, program, level string) *cell {
	if program == "gcc" {
		program = machine.Clang + "-gcc"
	}
	compiler, err := toolchain.Parse(program + " " + level)
	if err != nil {
		return nil
	}
	target, err := compilercheck.TargetOf(t.Context(), compiler, machine.Names[0])
	if err != nil {
		t.Fatal(err)
	}
	version, err := compiler.Print(t.Context(), "--version")
	if err != nil {
		t.Fatal(err)
	}
	start, counts := time.Now(), &cell{Tests: len(tests)}
	counts.Version, _, _ = strings.Cut(version, "\n")
	var wait sync.WaitGroup
	work := make(chan cTest)
	for range runtime.NumCPU() {
		wait.Go(func() {
			for test := range work {
				m.check(t, test, target, counts, program+" "+level)
			}
		})
	}
	for _, test := range tests {
		work <- test
	}
	close(work)
	wait.Wait()
	slices.Sort(counts.Wrong)
	t.Logf("%s %s %s: %s in %s", machine.Names[0], program, level, counts, time.Since(start).Round(time.Second))
	return counts
}

// check checks one test.
func (m *matrix) check(t *testing.T, test cTest, target compilercheck.Target, counts *cell, command string) {
	task := solver.Task{Path: "test.litmus", Source: test.source, Options: solver.DefaultOptions()}
	q := compilercheck.Question{Source: task, Target: target}
	built, err := compilercheck.Build(t.Context(), q)
	var failure *toolchain.Failure
	switch {
	case errors.As(err, &failure):
		t.Errorf("%s: %v\n%s", test.name, err, built.Program)
		return
	case err != nil:
		m.mutex.Lock()
		defer m.mutex.Unlock()
		why := err.Error()
		for place.MatchString(why) {
			why = place.ReplaceAllString(why, "")
		}
		counts.refuse(why)
		return
	}
	key := test.source + "\n" + built.Compiled.Text // two tests may have the same code, and mean others
	m.mutex.Lock()
	verdict, known := m.verdicts[key]
	thin := m.thin[key]
	q.Language = m.languages[test.source]
	m.mutex.Unlock()
	if !known {
		got, err := compilercheck.Check(t.Context(), engines.Local{}, q)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			return
		}
		verdict, thin = got.Verdict, got.ThinAir
		m.mutex.Lock()
		m.languages[test.source] = got.Language
		m.mutex.Unlock()
		if verdict == mappingcheck.Unknown {
			t.Logf("%s %s %s: %s", target.Machine.Names[0], command, test.name, got.Text())
		}
		if got.Bug() {
			t.Logf("%s %s %s: %s %v", target.Machine.Names[0], command, test.name, got.Text(), got.Unsound)
		}
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.verdicts[key], m.thin[key] = verdict, thin
	switch {
	case verdict == mappingcheck.Right:
		counts.Right++
	case verdict == mappingcheck.Undefined:
		counts.Undefined++
	case verdict == mappingcheck.Unknown:
		counts.Unknown++
	case thin:
		counts.ThinAir++
	default:
		counts.Wrong = append(counts.Wrong, test.name)
	}
}

// explained says why a test is wrong, where somebody has looked into it.
func explained(key string) string {
	switch {
	case strings.Contains(key, "`unused exchange relaxed`"):
		return "clang makes a store of the exchange, and an acquire fence does not order what follows after a store"
	case strings.Contains(key, "`unused fetch_and relaxed`"):
		return "clang makes an exchange of the operation, which always writes 0, and a store of the exchange"
	case strings.HasPrefix(key, "ppc | `unused ") || key == "ppc | `catalogue lock+exchange`":
		return "the branch before isync depends on stwcx. alone; the model orders what follows isync after that " +
			"write, not after the load"
	case strings.Contains(key, "| `exchange "):
		return "clang makes a store of the exchange, which then reads from no release"
	case strings.Contains(key, "| `addition "):
		return "clang makes a load of the addition of 0, which then is no part of the order of writes"
	}
	return "not explained yet"
}

// pageOf is the manual's page.
func pageOf(tests []cTest, cells map[string]*cell) string {
	var b strings.Builder
	kinds, versions, columns := map[string]int{}, map[string]bool{}, []string{}
	for _, test := range tests {
		kind, _, _ := strings.Cut(test.name, " ")
		kinds[kind]++
	}
	wrong, refused := map[string][]string{}, map[string]int{}
	for _, key := range slices.Sorted(maps.Keys(cells)) {
		c := cells[key]
		arch, command, _ := strings.Cut(key, " ")
		if versions[c.Version] = true; !slices.Contains(columns, arch) {
			columns = append(columns, arch)
		}
		for _, test := range c.Wrong {
			row := arch + " | `" + test + "`"
			wrong[row] = append(wrong[row], command)
		}
		for why, n := range c.Refused {
			refused[why] += n
		}
	}
	fmt.Fprintf(&b, `# What compilers make of %d C tests

This table counts, for each compiler, level and architecture, what [compile --cc](../compilers.md) answers.

The tests are %d of the catalogue, %d of the corpus, and generated cycles: %d over C's standard relaxations with four or
five accesses, %d in which each store is an exchange whose result is not used, and %d in which each load is an addition
of 0; in %d tests, an atomic operation whose result is not used acquires a message. The compilers are:
%s. `+"`./task compilers`"+` writes this page.

- *right*: C allows every outcome that the architecture allows.
- *undefined*: the test has a data race, so that any code is right.
- *thin air*: only the axiom no-thin-air of rc11 forbids an outcome. The C standard allows it, so it is no
  bug.
- *wrong*: the architecture allows an outcome that C forbids. The next table lists each one.
- *unknown*: a bound or a limit came first.
- *refused*: the test cannot be written in C, or the listing cannot be read back; the last table says why.
- –: the compiler has not been asked at this level, or has it for another architecture only.

| compiler |`, len(tests), kinds["catalogue"], kinds["corpus"], kinds["cycle"], kinds["exchange"], kinds["addition"],
		kinds["unused"], strings.Join(slices.Sorted(maps.Keys(versions)), ", "))
	for _, c := range columns {
		fmt.Fprintf(&b, " %s |", c)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for _, compiler := range []string{"gcc", "clang"} {
		for _, level := range matrixLevels {
			fmt.Fprintf(&b, "| `%s %s` |", compiler, level)
			for _, c := range columns {
				counts := cells[c+" "+compiler+" "+level]
				if counts == nil {
					b.WriteString(" – |")
					continue
				}
				fmt.Fprintf(&b, " %s |", counts)
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("\n## Wrong code\n\n")
	if len(wrong) == 0 {
		b.WriteString("No compiler made wrong code of these tests.\n")
	} else {
		b.WriteString("| architecture | test | compilers | why |\n|---|---|---|---|\n")
	}
	for _, key := range slices.Sorted(maps.Keys(wrong)) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", key, strings.Join(slices.Sorted(slices.Values(wrong[key])), ", "),
			explained(key))
	}
	b.WriteString("\n## Refused\n\n| reason | listings |\n|---|---|\n")
	for _, why := range slices.Sorted(maps.Keys(refused)) {
		fmt.Fprintf(&b, "| %s | %d |\n", strings.ReplaceAll(why, "|", `\|`), refused[why])
	}
	return b.String()
}

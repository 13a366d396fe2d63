package pool

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// corpus reads the tests of one architecture of the reference corpus, without those that are out of scope.
func corpus(b *testing.B, arch string) []solver.Task {
	dir := os.Getenv("LITMUSCOPE_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	var tasks []solver.Task
	err := filepath.WalkDir(filepath.Join(dir, arch), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".litmus") {
			return err
		}
		text, err := os.ReadFile(path)
		if _, outOfScope := dialect.Parse(path, string(text)); outOfScope != nil {
			return err
		}
		tasks = append(tasks, solver.Task{Path: path, Source: string(text), Options: solver.DefaultOptions()})
		return err
	})
	if err != nil {
		b.Fatalf("the benchmark runs over the reference corpus (LITMUSCOPE_CORPUS): %v", err)
	}
	return tasks
}

// BenchmarkCorpus runs every test of an architecture in one process, and reports
// tests a second and the share of time in each phase.
func BenchmarkCorpus(b *testing.B) {
	for _, name := range strings.Fields(
		"x86/sc x86/tso x86/pso x86_64/tso ppc/tso ppc/power arm/arm aarch64/aarch64 mips/mips riscv/sc riscv/tso " +
			"riscv/riscv c11/sc c11/rc11 lkmm/sc lkmm/lkmm") {
		arch, model, _ := strings.Cut(name, "/")
		for _, acyclicity := range []string{"order", "clocks"} {
			b.Run(name+"/"+acyclicity, func(b *testing.B) {
				tasks := corpus(b, arch)
				var sum solver.Stats
				var total float64
				for b.Loop() {
					for _, t := range tasks {
						t.Model, t.Options.Acyclicity = model, acyclicity
						r, err := engines.Run(context.Background(), t)
						if err != nil || r.Status != solver.OK {
							b.Fatal(t.Path, err, r)
						}
						total += r.MS
						sum.Parse += r.Stats.Parse
						sum.Encode += r.Stats.Encode
						sum.Solve += r.Stats.Solve
						sum.Check += r.Stats.Check
					}
				}
				b.ReportMetric(float64(b.N*len(tasks))/b.Elapsed().Seconds(), "tests/s")
				for _, p := range []struct {
					name string
					ms   float64
				}{{"parse", sum.Parse}, {"encode", sum.Encode}, {"solve", sum.Solve}, {"check", sum.Check}} {
					b.ReportMetric(100*p.ms/total, p.name+"%")
				}
			})
		}
	}
}

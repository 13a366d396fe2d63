package engines_test

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// BenchmarkFolders measures the cost of a test of each folder of the reference corpus, in microseconds of processor
// time, with all states and with the verdict alone, in this process. The command line adds to that reading the files
// and its own start.
func BenchmarkFolders(b *testing.B) {
	corpus := os.Getenv("LITMUSCOPE_CORPUS")
	if corpus == "" {
		corpus = "../../../shared/corpus"
	}
	for _, folder := range []string{"x86", "x86_64", "ppc", "arm", "mips", "riscv", "aarch64", "bpf", "c11", "lkmm"} {
		tests := slices.Collect(suite.Collect(b.Context(), []string{filepath.Join(corpus, folder)}, nil))
		if len(tests) == 0 || tests[0].Err != nil {
			b.Skip("there is no reference corpus: LITMUSCOPE_CORPUS says where it is")
		}
		for _, what := range []string{"full", "verdict"} {
			b.Run(folder+"/"+what, func(b *testing.B) {
				options := solver.DefaultOptions()
				if what == "verdict" {
					options.States = 0
				}
				began := processorTime(b)
				b.ReportAllocs()
				for b.Loop() {
					for _, t := range tests {
						if _, err := solver.Ask(b.Context(), engines.Local{},
							solver.Task{Path: t.Path, Source: t.Source, Options: options}); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportMetric((processorTime(b)-began)*1e6/float64(b.N*len(tests)), "us/test")
			})
		}
	}
}

// processorTime is the processor time of this process, in seconds.
func processorTime(b *testing.B) float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

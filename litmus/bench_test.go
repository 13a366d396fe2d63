package litmus_test

import (
	"os"
	"path/filepath"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
)

// The classic tests, each once a round.
func classics(b *testing.B) []string {
	paths, err := filepath.Glob("catalogue/tests/*/*.litmus")
	if err != nil || len(paths) == 0 {
		b.Fatal("no tests", err)
	}
	var sources []string
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		sources = append(sources, string(text))
	}
	return sources
}

func BenchmarkParse(b *testing.B) {
	sources := classics(b)
	for b.Loop() {
		for _, s := range sources {
			if _, err := litmus.Parse("", s); err != nil {
				b.Fatal(err)
			}
		}
	}
	perTest(b, len(sources))
}

func BenchmarkParseAndLower(b *testing.B) {
	sources := classics(b)
	for b.Loop() {
		for _, s := range sources {
			if _, err := dialect.Parse("", s); err != nil {
				b.Fatal(err)
			}
		}
	}
	perTest(b, len(sources))
}

func perTest(b *testing.B, tests int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*tests), "ns/test")
}

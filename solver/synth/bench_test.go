package synth

import (
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
)

// Repairs of the classic tests under their own models: ms a test, and questions to the engine for each.
func BenchmarkRepair(b *testing.B) {
	tests := map[string][]catalogue.Entry{}
	var dialects []string
	for _, e := range catalogue.All() {
		if tests[e.Arch] == nil {
			dialects = append(dialects, e.Arch)
		}
		tests[e.Arch] = append(tests[e.Arch], e)
	}
	options := solver.DefaultOptions()
	options.Timeout = 0
	for _, arch := range dialects {
		b.Run(arch, func(b *testing.B) {
			asked := 0
			for b.Loop() {
				for _, e := range tests[arch] {
					r, err := Answer(b.Context(), Question{Path: e.ID(), Source: e.Source, Options: options})
					if err != nil {
						b.Fatal(err)
					}
					asked += r.Asked
				}
			}
			n := float64(len(tests[arch])) * float64(b.N)
			b.ReportMetric(b.Elapsed().Seconds()*1e3/n, "ms/test")
			b.ReportMetric(float64(asked)/n, "questions/test")
		})
	}
}

package suites_test

import (
	"fmt"
	"testing"
	"time"

	"litmuscope/solver/suites"
)

// BenchmarkScale runs a suite whose tests cost a fixed time that takes no processor, on more
// and more workers of 16 slots each: where the rows per second stop growing with them, the
// queue, the store or the processors that they need are the limit.
func BenchmarkScale(b *testing.B) {
	for _, cost := range []time.Duration{10 * time.Millisecond, time.Millisecond} {
		for _, workers := range []int{1, 2, 4, 8} {
			b.Run(fmt.Sprintf("cost=%v/workers=%d", cost, workers), func(b *testing.B) {
				h := open(b, b.TempDir(), version)
				for i := range workers {
					h.work(fmt.Sprint("w", i), version, 16, at(cost))
				}
				tests := int(3 * time.Second / cost * 16 * time.Duration(workers))
				for b.Loop() {
					s := h.submit(suites.Submission{Request: request("tso"), Tests: numbered(min(tests, 100_000))})
					began := time.Now()
					s = h.finish(s.ID)
					b.ReportMetric(float64(s.Rows())/time.Since(began).Seconds(), "rows/s")
					if err := h.Delete(b.Context(), s.ID); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(workers*16)/cost.Seconds(), "at-most/s")
			})
		}
	}
}

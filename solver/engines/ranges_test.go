package engines_test

import (
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// A value outside the range of x that no gate over its bits excludes: all engines handle a branch that no execution
// takes, and the code behind it.
func TestBranchesThatRangesExclude(t *testing.T) {
	const text = `C excluded
{ x = 0; y = 0; }
P0 (atomic_int* x) { atomic_fetch_sub_explicit(x, 1, memory_order_relaxed); }
P1 (atomic_int* x) { atomic_fetch_sub_explicit(x, 1, memory_order_relaxed); }
P2 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  if (r0 == 1) {
    int r1 = atomic_fetch_add_explicit(y, 1, memory_order_relaxed);
    atomic_store_explicit(y, r1 + 2, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
  }
}
exists (y = 0)
`
	for _, model := range []string{"sc", "tso", "pso", "power", "rc11"} {
		for _, e := range engines.All() {
			if !e.AnswersFor(model) || model == "power" && e.Name == "machine" {
				continue // the machine of Power refuses atomic instructions that are no pairs
			}
			r, err := engines.Run(t.Context(), solver.Task{
				Path: "excluded.litmus", Source: text, Model: model, Engine: e.Name,
				Options: e.Heeded(solver.DefaultOptions()),
			})
			if err != nil || r.Status != solver.OK || r.Observation != solver.Always {
				t.Errorf("under %s by %s: %+v, error %v", model, e.Name, r, err)
			}
		}
	}
}

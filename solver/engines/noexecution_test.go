package engines

import (
	"strings"
	"testing"

	"litmuscope/solver"
)

// A test without an execution that ends says so, and which thread waits; one whose filter or model excludes all says
// that.
func TestNoExecution(t *testing.T) {
	const locks = "C lock\n{ }\nP0(int *a, spinlock_t *l) {\n spin_lock(l);\n WRITE_ONCE(*a, 1);\n}\n" +
		"P1(int *b, spinlock_t *l) {\n spin_lock(l);\n WRITE_ONCE(*b, 1);\n}\nexists (a=1 /\\ b=1)\n"
	const again = "C again\n{ }\nP0(int *a) {\n WRITE_ONCE(*a, 1);\n}\nP1(spinlock_t *l) {\n spin_lock(l);\n" +
		" spin_lock(l);\n}\nforall (true)\n"
	const spins = "C spins\n{ }\nP0(atomic_int *f) {\n while (atomic_load(f) == 0) { }\n}\nP1(atomic_int *g) {\n" +
		" atomic_store(g, 1);\n}\nexists (g=1)\n"
	const filtered = "X86 filtered\n{ }\nP0;\nMOV [x],$1;\nfilter x=2\nexists (x=1)\n"
	const ordinary = "X86 ordinary\n{ }\nP0;\nMOV [x],$1;\nexists (x=2)\n"
	for _, c := range []struct {
		source, engine, model, text string
		deadlock                    bool
		remark                      string
	}{
		{locks, "axiomatic", "lkmm", "", true, "waits for lock l, which P"},
		{locks, "graphs", "lkmm", "", true, "waits for lock l, which P"},
		{again, "axiomatic", "lkmm", "", true, "P1 waits for lock l, which it holds and does not release"},
		{spins, "axiomatic", "rc11", "", true, "P0 loops forever, waiting for another value of f"},
		{filtered, "axiomatic", "tso", "", false, "the filter excludes every execution"},
		{filtered, "graphs", "tso", "", false, "the filter excludes every execution"},
		{filtered, "machine", "tso", "", false, "the filter excludes every execution"},
		{
			ordinary, "axiomatic", "own.cat", "\"own\"\nempty W as none\n", false,
			"own.cat forbids every execution of the test",
		},
		{ordinary, "axiomatic", "tso", "", false, ""},
	} {
		for _, states := range []int{0, 100} {
			o := solver.DefaultOptions()
			o.States = states
			r, err := Run(t.Context(),
				solver.Task{Source: c.source, Engine: c.engine, Model: c.model, ModelText: c.text, Options: o})
			if err != nil {
				t.Fatal(err)
			}
			var remarks []string
			for _, m := range r.Remarks {
				remarks = append(remarks, m.String())
			}
			all := strings.Join(remarks, "\n")
			if r.Status != solver.OK || r.Deadlock != c.deadlock || !strings.Contains(all, c.remark) ||
				c.remark == "" && all != "" {
				t.Errorf("%s by %s, %d states: %s %s, deadlock %v, remarks\n%s", r.Name, c.engine, states, r.Status,
					r.Reason+r.Error, r.Deadlock, all)
			}
		}
	}
}

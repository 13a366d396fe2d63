package engines

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"litmuscope/solver"
)

// The answers of C's models to tests that differ in one thing, with the raised flags. The tests have P0 … without
// parameters: they are the locations that they name.
func TestModelsOfLanguages(t *testing.T) {
	const (
		lib = "P0: rcu_read_lock(); r1 = READ_ONCE(*y); r2 = READ_ONCE(*x); rcu_read_unlock(); P1: " +
			"WRITE_ONCE(*x, 1); synchronize_rcu(); WRITE_ONCE(*y, 1); exists (0:r1=1 /\\ 0:r2=0)"
		srcu = "P0: i = srcu_read_lock(s); r1 = READ_ONCE(*y); r2 = READ_ONCE(*x); srcu_read_unlock(s, i); " +
			"P1: WRITE_ONCE(*x, 1); synchronize_srcu(s); WRITE_ONCE(*y, 1); exists (0:r1=1 /\\ 0:r2=0)"
		handover = "P0: spin_lock(l); WRITE_ONCE(*x, 1); WRITE_ONCE(*y, 1); spin_unlock(l); P1: spin_lock(l); r0 " +
			"= READ_ONCE(*y); WRITE_ONCE(*z, 1); spin_unlock(l); P2: WRITE_ONCE(*z, 2); smp_mb(); r1 = " +
			"READ_ONCE(*x); exists (1:r0=1 /\\ z=2 /\\ 2:r1=0)"
		sbRMW = "P0: WRITE_ONCE(*x, 1); r9 = OP; r0 = READ_ONCE(*y); P1: WRITE_ONCE(*y, 1); smp_mb(); r1 = " +
			"READ_ONCE(*x); exists (0:r0=0 /\\ 1:r1=0)"
		publish = "P0: *x = 1; smp_store_release(y, 1); P1: r1 = READ(y); if (r1) { r2 = *x; } exists (1:r1=1 " +
			"/\\ 1:r2=0)"
		mpNA = "P0: *x = 1; atomic_store_explicit(y, 1, STORE); P1: r1 = atomic_load_explicit(y, LOAD); if " +
			"(r1) { r2 = *x; } exists (1:r1=1 /\\ 1:r2=0)"
		rseq = "P0: *x = 1; atomic_store_explicit(y, 1, memory_order_release); NEXT P1: r1 = " +
			"atomic_load_explicit(y, memory_order_acquire); if (r1 == 2) { r2 = *x; } exists (1:r1=2 /\\ 1:r2=0)"
		iriw = "P0: atomic_store(x, 1); P1: r1 = atomic_load_explicit(x, memory_order_acquire); r2 = " +
			"atomic_load(y); P2: atomic_store(y, 1); P3: r3 = atomic_load_explicit(y, memory_order_acquire); r4 = " +
			"atomic_load(x); exists (1:r1=1 /\\ 1:r2=0 /\\ 3:r3=1 /\\ 3:r4=0)"
		iriwFences = "P0: atomic_store_explicit(x, 1, memory_order_relaxed); P1: r1 = atomic_load_explicit(x, " +
			"memory_order_relaxed); atomic_thread_fence(memory_order_seq_cst); r2 = atomic_load_explicit(y, " +
			"memory_order_relaxed); P2: atomic_store_explicit(y, 1, memory_order_relaxed); P3: r3 = " +
			"atomic_load_explicit(y, memory_order_relaxed); atomic_thread_fence(memory_order_seq_cst); r4 = " +
			"atomic_load_explicit(x, memory_order_relaxed); exists (1:r1=1 /\\ 1:r2=0 /\\ 3:r3=1 /\\ 3:r4=0)"
		lb = "P0: r0 = atomic_load_explicit(x, memory_order_relaxed); atomic_store_explicit(y, E0, " +
			"memory_order_relaxed); P1: r1 = atomic_load_explicit(y, memory_order_relaxed); if (r1) { " +
			"atomic_store_explicit(x, 1, memory_order_relaxed); } exists (0:r0=1 /\\ 1:r1=1)"
		mpFences = "P0: *x = 1; atomic_thread_fence(memory_order_release); WRITE; P1: r1 = READ; " +
			"atomic_thread_fence(memory_order_acquire); if (r1) { r2 = *x; } exists (1:r1=1 /\\ 1:r2=0)"
		handOn = "P0: *x = 1; atomic_store_explicit(y, 1, memory_order_release); P1: r1 = " +
			"atomic_fetch_add_explicit(y, 1, memory_order_relaxed); NEXT P2: r2 = atomic_load_explicit(y, " +
			"memory_order_acquire); if (r2 == 3) { r3 = *x; } exists (1:r1=1 /\\ 2:r2=3 /\\ 2:r3=0)"
		lbUpdate = "P0: r0 = atomic_load_explicit(y, memory_order_relaxed); atomic_store_explicit(z, r0, " +
			"memory_order_relaxed); P1: r1 = atomic_load_explicit(z, memory_order_relaxed); r2 = " +
			"atomic_fetch_add_explicit(x, 1, memory_order_release); atomic_store_explicit(y, r2 + 1, " +
			"memory_order_relaxed); exists (0:r0=1 /\\ 1:r1=1 /\\ 1:r2=0)"
		mutex = "P0: mtx_lock(m); *x = 1; *y = 1; UNLOCK; P1: mtx_lock(m); r1 = *y; r2 = *x; mtx_unlock(m); " +
			"exists (1:r1=1 /\\ 1:r2=0)"
	)
	with := func(text string, replacements ...string) string {
		return strings.NewReplacer(replacements...).Replace(text)
	}
	for _, c := range []struct {
		name, source, models string
		want                 solver.Observation
		flags                string
	}{
		{
			"plain data behind a release", with(mpNA, "STORE", "memory_order_release", "LOAD", "memory_order_acquire"),
			"rc11 c11 c11-psc imm", solver.Never, "",
		},
		{
			"plain data behind nothing", with(mpNA, "STORE", "memory_order_relaxed", "LOAD", "memory_order_acquire"),
			"rc11 c11 c11-psc", solver.Sometimes, "data-race",
		},
		{
			"a consume that nothing depends on",
			with(mpNA, "STORE", "memory_order_release", "LOAD", "memory_order_consume"), "rc11 imm", solver.Never, "",
		},
		{
			"a release sequence of an update",
			with(rseq, "NEXT", "P2: r3 = atomic_fetch_add_explicit(y, 1, memory_order_relaxed);", "P1", "P1"),
			"rc11 c11 c11-psc", solver.Never, "",
		},
		{
			"a release sequence of the own thread",
			with(rseq, "NEXT", "atomic_store_explicit(y, 2, memory_order_relaxed);"), "rc11 c11", solver.Never, "",
		},
		{
			"another thread's write is in no release sequence",
			with(rseq, "NEXT", "P2: atomic_store_explicit(y, 2, memory_order_relaxed);"), "rc11", solver.Sometimes,
			"data-race",
		},
		{"acquires between sequentially consistent accesses", iriw, "rc11 imm", solver.Sometimes, ""},
		{"acquires between sequentially consistent accesses", iriw, "sc tso c11 c11-psc", solver.Never, ""},
		{"sequentially consistent fences between relaxed accesses", iriwFences, "sc tso rc11 imm", solver.Never, ""},
		{"sequentially consistent fences between relaxed accesses", iriwFences, "c11 c11-psc", solver.Sometimes, ""},
		{"load buffering", with(lb, "E0", "1"), "c11 c11-psc imm", solver.Sometimes, ""},
		{"load buffering", with(lb, "E0", "1"), "sc tso rc11", solver.Never, ""},
		{"load buffering with dependencies", with(lb, "E0", "r0"), "rc11 imm", solver.Never, ""},
		{"plain accesses between fences", with(mpFences, "WRITE", "*y = 1", "READ", "*y"), "imm", solver.Never, ""},
		{
			"plain accesses between fences", with(mpFences, "WRITE", "*y = 1", "READ", "*y"), "rc11", solver.Sometimes,
			"data-race",
		},
		{
			"relaxed accesses between fences",
			with(mpFences, "WRITE", "atomic_store_explicit(y, 1, memory_order_relaxed)", "READ",
				"atomic_load_explicit(y, memory_order_relaxed)"), "rc11 c11 imm", solver.Never, "",
		},
		{
			"a release sequence that an update's thread goes on with",
			with(handOn, "NEXT", "atomic_store_explicit(y, 3, memory_order_relaxed);"), "imm", solver.Never, "",
		},
		{
			"a release sequence that an update's thread goes on with",
			with(handOn, "NEXT", "atomic_store_explicit(y, 3, memory_order_relaxed);"), "rc11", solver.Sometimes,
			"data-race",
		},
		{
			"a release sequence that another thread goes on with",
			with(handOn, "NEXT", "P3: atomic_store_explicit(y, 3, memory_order_relaxed);"), "imm",
			solver.Sometimes, "",
		},
		{"load buffering past an update", lbUpdate, "rc11 imm", solver.Never, ""},
		{"load buffering past an update", lbUpdate, "c11", solver.Sometimes, ""},
		{"a mutex", with(mutex, "UNLOCK", "mtx_unlock(m)"), "rc11 c11 c11-psc imm", solver.Never, ""},
		{
			"a mutex that is unlocked twice", with(mutex, "UNLOCK", "mtx_unlock(m); mtx_unlock(m)"), "rc11 c11",
			solver.Never, "bad-unlock",
		},

		{"RCU's guarantee", lib, "lkmm", solver.Never, ""},
		{"no section", with(lib, "rcu_read_lock();", "", "rcu_read_unlock();", ""), "lkmm", solver.Sometimes, ""},
		{
			"a section within a section",
			with(lib, "r1 = READ_ONCE(*y);", "rcu_read_lock(); r1 = READ_ONCE(*y); rcu_read_unlock();"), "lkmm",
			solver.Never, "",
		},
		{
			"a section without an end", with(lib, "rcu_read_unlock();", ""), "lkmm", solver.Sometimes,
			"unmatched-rcu-lock",
		},
		{
			"a section without a beginning", with(lib, "rcu_read_lock();", ""), "lkmm", solver.Sometimes,
			"unmatched-rcu-unlock",
		},
		{"SRCU's guarantee", srcu, "lkmm", solver.Never, ""},
		{
			"SRCU of another domain", with(srcu, "synchronize_srcu(s)", "synchronize_srcu(t)"), "lkmm",
			solver.Sometimes, "",
		},
		{
			"SRCU without an end", with(srcu, "srcu_read_unlock(s, i);", ""), "lkmm", solver.Sometimes,
			"unmatched-srcu-lock",
		},
		{"SRCU with another index", with(srcu, "(s, i)", "(s, i + 1)"), "lkmm", solver.Never, "srcu-bad-value-match"},
		{
			"SRCU with an index of nobody's", with(srcu, "(s, i)", "(s, 0)"), "lkmm", solver.Sometimes,
			"unmatched-srcu-lock unmatched-srcu-unlock",
		},
		{
			"SRCU that is ended twice",
			with(srcu, "srcu_read_unlock(s, i);", "srcu_read_unlock(s, i); srcu_read_unlock(s, i);"), "lkmm",
			solver.Never, "multiple-srcu-matches",
		},
		{
			"SRCU's domain is read", with(srcu, "P1: ", "P1: r3 = READ_ONCE(*s); "), "lkmm", solver.Never,
			"mixed-lock-accesses",
		},
		{
			"SRCU's grace period in a section of RCU",
			with(lib, "r2 = READ_ONCE(*x);", "synchronize_srcu(s); r2 = READ_ONCE(*x);"), "lkmm", solver.Never,
			"invalid-sleep",
		},

		{"a lock that is handed over", handover, "lkmm", solver.Sometimes, ""},
		{
			"a lock with smp_mb__after_spinlock",
			with(handover, "spin_lock(l); r0", "spin_lock(l); smp_mb__after_spinlock(); r0"), "lkmm", solver.Never, "",
		},
		{
			"a lock that is handed over with smp_mb__after_unlock_lock",
			with(handover, "spin_lock(l); r0", "spin_lock(l); smp_mb__after_unlock_lock(); r0"),
			"lkmm", solver.Never, "",
		},
		{
			"a lock that is not held", with(handover, "P2: ", "P2: spin_unlock(l); "), "lkmm", solver.Sometimes,
			"unmatched-unlock",
		},
		{
			"a lock that is written", with(handover, "P2: ", "P2: WRITE_ONCE(*l, 0); "), "lkmm", solver.Sometimes,
			"mixed-lock-accesses",
		},
		{"a lock that is asked for", with(handover, "z=2", "z=2 /\\ l=0"), "lkmm", solver.Sometimes, "lock-final"},

		{"an xchg is a full barrier", with(sbRMW, "OP", "xchg(z, 1)"), "lkmm", solver.Never, ""},
		{"so is a cmpxchg that succeeds", with(sbRMW, "OP", "cmpxchg(z, 0, 1)"), "lkmm", solver.Never, ""},
		{"not one that fails", with(sbRMW, "OP", "cmpxchg(z, 1, 2)"), "lkmm", solver.Sometimes, ""},
		{"nor an ordered one", with(sbRMW, "OP", "xchg_acquire(z, 1)"), "lkmm", solver.Sometimes, ""},
		{
			"but with smp_mb__after_atomic", with(sbRMW, "r9 = OP;", "atomic_inc(z); smp_mb__after_atomic();"), "lkmm",
			solver.Never, "",
		},

		{
			"plain data behind a release of the kernel's", with(publish, "READ(y)", "smp_load_acquire(y)"), "lkmm",
			solver.Never, "",
		},
		{
			"plain data behind a control dependency", with(publish, "READ(y)", "READ_ONCE(*y)"), "lkmm",
			solver.Sometimes,
			"data-race",
		},
		{
			"plain data in one region with marked",
			with(publish, "*x = 1;", "*x = 1; WRITE_ONCE(*x, 1);", "READ(y)", "smp_load_acquire(y)"), "lkmm",
			solver.Never, "mixed-accesses",
		},
	} {
		source := inC(c.source)
		for _, model := range strings.Fields(c.models) {
			task := solver.Task{Path: c.name, Source: source, Model: model, Options: solver.DefaultOptions()}
			r, err := Run(t.Context(), task)
			if err != nil || r.Status != solver.OK {
				t.Errorf("%s under %s: %+v, %v\n%s", c.name, model, r, err, source)
				continue
			}
			var raised []string
			undefined := false
			for _, f := range r.Flags {
				if f.Raised != nil && *f.Raised {
					raised = append(raised, f.Name)
					undefined = undefined || f.Undefined
				}
			}
			if got := strings.Join(raised, " "); r.Observation != c.want || got != c.flags || undefined &&
				*r.ConditionHolds {
				t.Errorf("%s under %s: %s with flags %q, want %s with %q\n%s", c.name, model, r.Observation, got,
					c.want, c.flags, source)
			}
		}
	}
}

var (
	ofThreads = regexp.MustCompile(`P\d: `)
	locations = regexp.MustCompile(`\b[lmst]\b`)
)

// inC writes a test out: every thread takes every location.
func inC(text string) string {
	body, condition, _ := strings.Cut(text, "exists")
	params := "(int *x, int *y, int *z"
	for _, typed := range []string{"spinlock_t *l", "mtx_t *m", "struct srcu_struct *s", "struct srcu_struct *t"} {
		if slices.Contains(locations.FindAllString(body, -1), typed[len(typed)-1:]) {
			params += ", " + typed
		}
	}
	threads := ofThreads.ReplaceAllStringFunc(body,
		func(head string) string { return "}\n" + head[:2] + params + ") {\n" })
	return "C T\n{}\n" + strings.TrimPrefix(threads, "}\n") + "}\nexists" + condition + "\n"
}

package engines_test

import (
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
)

// A run that reaches abort() fails, as one does that reaches assert(0), but in programs that say by verifiers'
// functions what fails. Other ends of a program are no failures, and get a remark where they say that something is
// wrong.
func TestAbort(t *testing.T) {
	const check = "#include <stdlib.h>\nstatic int c; static void *f(void *p) { c++; return 0; }\n"
	const given = "extern void assume_abort_if_not(int);\n"
	for _, c := range []struct{ name, text, want, says, remark string }{
		{
			"abort", check + "int main(void) { both(f); if (c != 2) abort(); return 0; }", "unsafe",
			"abort() is called", "",
		},
		{
			"a trap", check + "int main(void) { both(f); if (c != 2) __builtin_trap(); return 0; }", "unsafe",
			"__builtin_trap() is called", "",
		},
		{"abort that is not reached", check + "int main(void) { if (c) abort(); return 0; }", "safe", "", ""},
		{
			"an exit", check + "int main(void) { both(f); if (c != 2) exit(1); return 0; }", "safe", "",
			"exit(1) ends a run without failure",
		},
		{
			"an exit at once", check + "int main(void) { both(f); if (c != 2) _Exit(EXIT_FAILURE); return 0; }", "safe",
			"", "ends a run without failure",
		},
		{"a success", check + "int main(void) { both(f); exit(0); }", "safe", "", ""},
		{"a verifier's program", check + "extern _Bool __VERIFIER_nondet_bool(void); int main(void) { if " +
			"(__VERIFIER_nondet_bool()) abort(); return 0; }", "safe", "", "abort() ends a run without failure"},
		{"an assumption of a verifier's program", check + "extern _Bool __VERIFIER_nondet_bool(void); static void " +
			"assume_abort_if_not(int c) { if (!c) abort(); } int main(void) { int x = __VERIFIER_nondet_bool(); " +
			"assume_abort_if_not(x == 1); assert(x == 1); return 0; }", "safe", "", ""},
		{"the same, given", check + given + "int main(void) { both(f); int seen = c; assume_abort_if_not(seen == 2); " +
			"assert(seen == 2); return 0; }", "safe", "", ""},
		{"given, too weak", check + given + "int main(void) { both(f); int seen = c; assume_abort_if_not(seen); " +
			"assert(seen == 2); return 0; }", "unsafe", "seen == 2", ""},
		{"given, after the failure", check + given + "int main(void) { both(f); int seen = c; assert(seen == 2); " +
			"assume_abort_if_not(seen == 2); return 0; }", "unsafe", "seen == 2", ""},
		{"not declared", check + "int main(void) { both(f); int seen = c; assume_abort_if_not(seen == 2); " +
			"assert(seen == 2); return 0; }", "safe", "", ""},
		{"the program's own, which does something else", check +
			"static void assume_abort_if_not(int c) { assert(c); } " +
			"int main(void) { both(f); assume_abort_if_not(c == 2); return 0; }", "unsafe", "c", ""},
		{
			"the program's own, by abort alone", check +
				"static void assume_abort_if_not(int c) { if (!c) abort(); } " +
				"int main(void) { both(f); int seen = c; assume_abort_if_not(seen == 2); assert(seen == 2); " +
				"return 0; }",
			"safe", "", "",
		},
		{
			"another abort beside it", check + given + "int main(void) { both(f); int seen = c; " +
				"assume_abort_if_not(seen > 0); if (seen != 2) abort(); assert(seen == 2); return 0; }", "safe", "",
			"abort() ends a run without failure",
		},
	} {
		for _, by := range [][2]string{
			{"rc11", "axiomatic"},
			{"sc", "graphs"},
			{"tso", "machine"},
			{"sc", "lazy-cseq"},
		} {
			v := held(t, threads+c.text, by[0], by[1], ir.Assertion, nil)
			if answer(v) != c.want || c.says != "" && (v.Failure == nil || v.Failure.Text != c.says) {
				t.Errorf("%s, under %s by %s: %s %s %+v", c.name, by[0], by[1], answer(v), v.Reason, v.Failure)
			}
			told := func(r solver.Remark) bool { return strings.Contains(r.Message, "ends a run") }
			var remarks []string
			for _, r := range v.Remarks {
				if told(r) {
					remarks = append(remarks, r.Message)
				}
			}
			if all := strings.Join(remarks, "\n"); !strings.Contains(all, c.remark) || c.remark == "" && all != "" {
				t.Errorf("%s, under %s by %s: remarks %q, want %q", c.name, by[0], by[1], all, c.remark)
			}
		}
	}
}

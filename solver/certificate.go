package solver

import (
	"cmp"
	"fmt"
)

// Certificate is the evidence for what a result rules out: an outcome that the proposition holds in or fails in, a
// further state, a further execution, one that raises a flag, an access that leaves the locations, a loop that the
// unwinding bound cuts short. A proof refutes each, and each proof has passed a checker that shares no code with the
// solver.
//
// It counts none where there was nothing to refute: if the engine found outcomes that satisfy the proposition and
// outcomes that violate it, and the question wants no list of states, or the list is shortened.
type Certificate struct {
	Refutations int     `json:"refutations"`
	Lemmas      int     `json:"lemmas"`
	Bytes       int64   `json:"bytes"` // of the proofs
	CheckMS     float64 `json:"check_ms"`
}

// CertificateText says what certifies a result, or why nothing does, in a line:
//
//	certified: 3 refutations, 214 lemmas, 5.1 KiB, checked in 0.42 ms
//	not certified: a bound may hide outcomes
//
// It is "" if the question did not ask for that.
func (r *Result) CertificateText() string {
	if r.Certified == nil {
		return ""
	}
	if c := r.Certificate; *r.Certified && c != nil {
		if c.Refutations == 0 {
			return "certified: there was nothing to refute"
		}
		return fmt.Sprintf("certified: %s, %s, %s, checked in %.2f ms",
			Count(c.Refutations, "refutation"), Count(c.Lemmas, "lemma"), size(c.Bytes), c.CheckMS)
	}
	why := r.Reason
	if r.SettledBy != "" {
		why = "decided by the " + r.SettledBy + ", which writes no proof"
	}
	return "not certified: " + cmp.Or(why, "a bound may hide outcomes")
}

// Count is "1 lemma", "3 lemmas".
func Count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func size(bytes int64) string {
	switch {
	case bytes < 1<<10:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

package dialect

// fences are the barriers that one may be asked to place in a program of a tongue, as its
// dialect writes them: a full one first, then weaker ones.
var fences = map[string][]string{
	"X86":     {"MFENCE"},
	"X86_64":  {"mfence"},
	"PPC":     {"sync", "lwsync", "eieio"},
	"ARM":     {"DMB", "DMB ST"},
	"AArch64": {"DMB SY", "DMB LD", "DMB ST"},
	"RISCV":   {"fence rw,rw", "fence r,rw", "fence rw,w"},
	"MIPS":    {"sync"},
	"C":       {"atomic_thread_fence(memory_order_seq_cst);", "atomic_thread_fence(memory_order_acq_rel);"},
	Kernel:    {"smp_mb();", "smp_wmb();", "smp_rmb();"},
}

// Fences are the barriers of a tongue that order the accesses around them, a full one first.
func Fences(tongue string) []string { return fences[tongue] }

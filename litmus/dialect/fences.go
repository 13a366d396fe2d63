package dialect

// fences are the barriers that one may be asked to place in a program of an architecture, as
// its dialect writes them: a full one first, then weaker ones.
var fences = map[string][]string{
	"X86":     {"MFENCE"},
	"X86_64":  {"mfence"},
	"PPC":     {"sync", "lwsync", "eieio"},
	"ARM":     {"DMB", "DMB ST"},
	"AArch64": {"DMB SY", "DMB LD", "DMB ST"},
	"RISCV":   {"fence rw,rw", "fence r,rw", "fence rw,w"},
	"MIPS":    {"sync"},
}

// Fences are the barriers that order the accesses around them, a full one first.
func Fences(arch string) []string { return fences[arch] }

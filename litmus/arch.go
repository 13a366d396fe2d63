package litmus

import "strings"

// archs are the architectures of tests, as headers and answers spell them.
var archs = []string{
	"X86", "X86_64", "PPC", "ARM", "AArch64", "RISCV", "MIPS", "BPF", "C", "PTX", "VULKAN", "OPENCL",
	"LISA",
}

// aliases are other names of architectures, in lower case.
var aliases = map[string]string{
	"arm64": "AArch64", "armv8": "AArch64", "arm32": "ARM", "armv7": "ARM",
	"x86-64": "X86_64", "x64": "X86_64", "amd64": "X86_64", "i386": "X86", "ia32": "X86", "x86-32": "X86",
	"x86_32": "X86",
	"power":  "PPC", "powerpc": "PPC", "ppc64": "PPC", "ppc64le": "PPC",
	"risc-v": "RISCV", "riscv64": "RISCV", "riscv32": "RISCV", "ebpf": "BPF", "c11": "C",
}

// unsupported are architectures of other tools' tests, with a description.
var unsupported = map[string]string{
	"ASL": "Arm's specification language", "JAVA": "Java", "CPP": "C++", "HSA": "GPUs, with scopes",
}

// ArchName returns the name of an architecture as litmuscope spells it, given the name in any case or an alias: "arm64"
// is AArch64, "x86-64" is X86_64. It returns an unknown name unchanged.
func ArchName(name string) string {
	for _, a := range archs {
		if strings.EqualFold(a, name) {
			return a
		}
	}
	for a := range unsupported {
		if strings.EqualFold(a, name) {
			return a
		}
	}
	if a, ok := aliases[strings.ToLower(name)]; ok {
		return a
	}
	return name
}

// isArch reports whether a word that is not an identifier, such as x86-64, names an architecture.
func isArch(word string) bool { return ArchName(word) != word }

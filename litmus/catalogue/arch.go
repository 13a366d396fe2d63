package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// archAliases are other names of the architectures of classic tests, in lower case.
var archAliases = map[string]string{
	"arm64": "AArch64", "armv8": "AArch64", "aarch32": "ARM", "armv7": "ARM",
	"i386": "X86", "ia32": "X86", "x86-32": "X86", "amd64": "X86_64", "x64": "X86_64", "x86-64": "X86_64",
	"power": "PPC", "powerpc": "PPC", "ppc64": "PPC", "risc-v": "RISCV", "riscv64": "RISCV", "ebpf": "BPF", "c11": "C",
}

// Arch returns the architecture of classic tests for a name in any case or an alias; "" for "". The error lists the
// architectures.
func Arch(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	var known []string
	for _, e := range All() {
		if strings.EqualFold(e.Arch, name) {
			return e.Arch, nil
		}
		if !slices.Contains(known, e.Arch) {
			known = append(known, e.Arch)
		}
	}
	if arch := archAliases[strings.ToLower(name)]; slices.Contains(known, arch) {
		return arch, nil
	}
	if len(name) > litmus.MaxName {
		name = name[:litmus.MaxName] + "…"
	}
	return "", fmt.Errorf("there are no classic tests of %q%s; want one of %s", name, litmus.DidYouMean(name, known),
		strings.Join(known, ", "))
}

// Package dialect is the table of dialects: a new architecture is one package and
// one line here. It may import litmus, its two rooms and the dialects.
package dialect

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/aarch64"
	"litmuscope/litmus/arm"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
	"litmuscope/litmus/mips"
	"litmuscope/litmus/ppc"
	"litmuscope/litmus/riscv"
	"litmuscope/litmus/x86"
)

var dialects = []lower.Dialect{
	x86.Dialect{},
	ppc.Dialect{},
	mips.Dialect{},
	riscv.Dialect{},
	aarch64.Dialect{},
	arm.Dialect{},
}

// modelOf names the model of each architecture that runs when none is asked for.
var modelOf = map[string]string{
	"X86":    "tso",
	"X86_64": "tso",
	"PPC":    "power",
	"MIPS":   "mips",
	"RISCV":  "riscv",

	"AArch64": "aarch64",
	"ARM":     "arm",
}

// DefaultModel is the name of the architecture's own memory model.
func DefaultModel(arch string) string { return modelOf[arch] }

// Archs lists the architectures that Lower knows.
func Archs() []string {
	var all []string
	for _, d := range dialects {
		all = append(all, d.Archs()...)
	}
	return all
}

// Lower turns a test into a program, by its architecture's dialect.
func Lower(t *litmus.Test) (*ir.Program, error) {
	for _, d := range dialects {
		if slices.Contains(d.Archs(), t.Arch) {
			return d.Lower(t)
		}
	}
	return nil, litmus.Errorf(litmus.Pos{File: t.File, Line: 1, Col: 1},
		"architecture %s is not supported: want one of %s", t.Arch, strings.Join(Archs(), ", "))
}

// Parse reads a test and lowers it.
func Parse(file, source string) (*ir.Program, error) {
	t, err := litmus.Parse(file, source)
	if err != nil {
		return nil, err
	}
	return Lower(t)
}

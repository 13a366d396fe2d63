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

// dialects is the table: a dialect, and the model that its tests run under when none is
// asked for.
var dialects = []struct {
	lower.Dialect
	model string
}{
	{x86.Dialect{}, "tso"},
	{ppc.Dialect{}, "power"},
	{mips.Dialect{}, "mips"},
	{riscv.Dialect{}, "riscv"},
	{aarch64.Dialect{}, "aarch64"},
	{arm.Dialect{}, "arm"},
}

func init() {
	for _, d := range dialects {
		ir.Declare(d.Tags())
	}
}

// DefaultModel is the name of the architecture's own memory model, "" for one that is not
// in the table.
func DefaultModel(arch string) string {
	for _, d := range dialects {
		if slices.Contains(d.Archs(), arch) {
			return d.model
		}
	}
	return ""
}

// ArchOf is the architecture whose own memory model it is, the first if there are more;
// "" if it is none's.
func ArchOf(model string) string {
	for _, d := range dialects {
		if d.model == model {
			return d.Archs()[0]
		}
	}
	return ""
}

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

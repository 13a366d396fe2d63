package cprog

import (
	"context"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/builtins"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/codegen"
	"litmuscope/litmus/c/cprog/elaborate"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/run"
	"litmuscope/litmus/ir"
)

// Version changes whenever the programs that Lower makes may; answers that were kept under another
// are never used.
const Version = 16

// HeadersKey identifies the headers that programs may include without bringing them along.
func HeadersKey() string { return read.HeadersKey() }

// What is read, and what is made of it.
type (
	Source  = read.Source
	File    = read.File
	Options = elaborate.Options
	Target  = elaborate.Target
	Word    = builtins.Word
	ABI     = read.ABI
)

// The targets.
const (
	Language = elaborate.Language
	Generic  = elaborate.Generic
	Kernel   = elaborate.Kernel
	Machine  = elaborate.Machine
)

// Check reads a program without running anything of it, and fails as Lower does.
func Check(_ context.Context, s Source, o Options) error {
	_, err := made(s, o)
	return err
}

// Operated are the places where a program's operators, and no functions, access atomic objects. It fails as Check does.
func Operated(s Source, o Options) ([]litmus.Pos, error) {
	u, err := made(s, o)
	if err != nil {
		return nil, err
	}
	return u.Operated, nil
}

// Lower makes a program of threads without loops. It fails, with a place, where the source has
// a mistake, or something that is not supported.
func Lower(ctx context.Context, s Source, o Options) (*ir.Program, error) {
	u, err := made(s, o)
	if err != nil {
		return nil, err
	}
	return elaborate.Run(ctx, u, o)
}

// Run makes a program ready to be run as it is, on numbers that are known. It fails as Lower does, but for what running
// it would come to.
func Run(s Source, o Options) (*run.Program, error) {
	u, err := made(s, o)
	if err != nil {
		return nil, err
	}
	return run.New(u, o)
}

func made(s Source, o Options) (*code.Unit, error) {
	wanted := codegen.Options{
		Entry: o.Entry, Overflow: slices.Contains(o.Properties, ir.Overflow),
		Termination: slices.Contains(o.Properties, ir.Termination),
	}
	if o.Mapping != nil {
		wanted.Arch = o.Mapping.Arch
	}
	return codegen.Make(s, wanted)
}

// Preprocessed are the tokens that the preprocessor makes of a program.
func Preprocessed(s Source) ([]string, error) { return codegen.Preprocessed(s) }

// ABIOf returns the ABI of Linux programs on an architecture.
func ABIOf(arch string) ABI { return read.ABIOf(arch) }

// DataModels are the widths of long and of pointers that there are.
func DataModels() []string { return read.DataModels }

// Chars are the kinds of plain char that there are.
func Chars() []string { return read.Chars }

// Undefine is what a definition begins with that takes a macro away.
const Undefine = read.Undefine

// IncludesKernel tells whether a program includes a header of the Linux kernel's. It is quick on any text.
func IncludesKernel(s Source) bool { return read.IncludesKernel(s) }

// Words are what programs can call without having defined it.
func Words() []Word { return builtins.Words() }

// Types are the words that their types are made of.
func Types() []string { return builtins.Types() }

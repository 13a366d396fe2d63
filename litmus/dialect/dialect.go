// Package dialect lists the dialects of litmus tests. [Parse] reads a test of any dialect and lowers it to an
// ir.Program; [Lower] lowers one that is parsed. [Archs] lists the architectures. [Words], [Fences], [Alternatives],
// [Cycles] and [Vocabulary] return what the dialects declare about themselves. A tongue ([Tongue]) is what the text of
// a test is written in: the architecture, or [Kernel] for C with the Linux kernel's primitives.
//
// A new dialect is one package that implements lower.Dialect, and one line here. [Version] goes into the keys of cached
// answers: increment it if the same test lowers to another program.
//
// BARRIERS.md lists the tags of each barrier, atomic and ordered access, and what each model forbids with them; the
// tests of this package check that.
//
// It imports litmus, litmus/ir, litmus/lower and the dialects: no model and no solver.
package dialect

import (
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/aarch64"
	"litmuscope/litmus/isa/arm"
	"litmuscope/litmus/isa/bpf"
	"litmuscope/litmus/isa/lisa"
	"litmuscope/litmus/isa/mips"
	"litmuscope/litmus/isa/ppc"
	"litmuscope/litmus/isa/ptx"
	"litmuscope/litmus/isa/riscv"
	"litmuscope/litmus/isa/vulkan"
	"litmuscope/litmus/isa/x86"
	"litmuscope/litmus/lower"
)

// Version is part of the keys of cached answers. Increment it when the parser, a dialect or the lowering changes the
// program of any test.
const Version = 9

// dialects are all dialects, in the order of lists and pages.
var dialects = []lower.Dialect{
	x86.Dialect{},
	ppc.Dialect{},
	arm.Dialect{},
	aarch64.Dialect{},
	riscv.Dialect{},
	mips.Dialect{},
	bpf.Dialect{},
	c.Dialect{},
	ptx.Dialect{},
	vulkan.Dialect{},
	c.OpenCL{},
	lisa.Dialect{},
}

// Kernel is the tongue of C tests with the Linux kernel's primitives, as in diy.
const Kernel = "LKMM"

// Tongue returns the language of a test according to its text: its architecture, or Kernel.
func Tongue(source string) string {
	const blanks = " \t\n\v\f\r" // as in the parser
	source = strings.TrimLeft(litmus.Uncommented(source), blanks)
	arch := litmus.ArchName(source[:strings.IndexAny(source+" ", blanks)])
	if arch == "C" && c.IsKernel(source) {
		return Kernel
	}
	return arch
}

// Vocabulary returns the tags that events of any dialect can have. Models are resolved against it.
var Vocabulary = sync.OnceValue(func() ir.Vocabulary {
	var tags ir.Tags
	for _, d := range dialects {
		tags = append(tags, d.Tags()...)
	}
	return ir.NewVocabulary(tags, c.Unread)
})

// Archs lists the architectures that Lower supports.
func Archs() []string {
	var all []string
	for _, d := range dialects {
		all = append(all, d.Archs()...)
	}
	return all
}

// Tongues lists the architectures that Lower supports, and Kernel.
func Tongues() []string { return append(Archs(), Kernel) }

// Lower lowers a test to a program, with its architecture's dialect.
func Lower(t *litmus.Test) (*ir.Program, error) {
	for _, d := range dialects {
		if slices.Contains(d.Archs(), t.Arch) {
			return d.Lower(t)
		}
	}
	return nil, litmus.Errorf(litmus.Pos{File: t.File, Line: 1, Col: 1},
		"architecture %s is not supported: want one of %s", t.Arch, strings.Join(Archs(), ", "))
}

// Parse reads a test for a run.
func Parse(file, source string) (*ir.Program, error) {
	return ParseFor(file, source, litmus.Processor{})
}

// ParseFor is like Parse, for processors with the given properties.
func ParseFor(file, source string, on litmus.Processor) (*ir.Program, error) {
	t, err := litmus.Parse(file, source)
	if err != nil {
		return nil, err
	}
	t.Processor = on
	return Runnable(t)
}

// Runnable lowers a test and checks that it can run: Lower also accepts tests in which registers that are addresses
// have no value.
func Runnable(t *litmus.Test) (*ir.Program, error) {
	p, err := Lower(t)
	if err == nil {
		err = p.Unset.Err()
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Errors lists all errors in a test that Parse rejects: in its header, init block and condition and, if these can be
// read, in its instructions. Registers without a value are errors only if all of the test can be read: an init item
// with an error may be the one that sets them.
func Errors(file, source string) litmus.ErrorList {
	t, errs := litmus.ParseAll(file, source)
	if t == nil {
		return errs
	}
	p, err := Lower(t)
	if err == nil && len(errs) == 0 {
		err = p.Unset.Err()
	}
	return append(errs, litmus.Errors(err)...).Sorted()
}

// Tagging lists the architectures with instructions that carry a tag.
func Tagging(tag ir.Tag) []string {
	var archs []string
	for _, d := range dialects {
		if slices.Contains(d.Tags(), tag) {
			archs = append(archs, d.Archs()...)
		}
	}
	return archs
}

// Instruction is a form of an instruction, with its kind.
type Instruction struct {
	lower.Form
	Kind Kind
}

// Kind is the effect of an instruction that the thread or other threads can observe.
type Kind string

// The kinds of instructions.
const (
	Access Kind = "access" // of memory
	Atomic Kind = "atomic" // a read-modify-write, or half of one
	Fence  Kind = "fence"
	Jump   Kind = "jump"
	Value  Kind = "value" // none of the others
)

// Words returns what an architecture or tongue declares; ok is false for an unknown one. The caller must not change it.
func Words(tongue string) (w lower.Words, ok bool) {
	w = words(tongue)
	return w, w.Forms != nil
}

// Instructions returns the instructions of an architecture or tongue, with their kinds: it lowers each of them.
func Instructions(tongue string) (instructions []Instruction) {
	w, ok := Words(tongue)
	if !ok {
		return nil
	}
	for _, f := range w.Forms() {
		t, err := litmus.Parse("example", lower.Example(archOf(tongue), f))
		if err != nil {
			panic("BUG: " + err.Error())
		}
		p, err := Lower(t)
		if err != nil {
			panic("BUG: " + f.Mnemonic + " is listed, but not read: " + err.Error())
		}
		instructions = append(instructions, Instruction{f, kindOf(p.Threads[0].Code)})
	}
	return instructions
}

// kindOf returns the kind of an instruction, according to its first observable operation.
func kindOf(code []ir.Step) Kind {
	jumps := false
	for _, s := range code {
		switch op := s.Op.(type) {
		case ir.RMW, ir.StoreCond:
			return Atomic
		case ir.Load:
			if op.Reserve {
				return Atomic
			}
			return Access
		case ir.Store:
			return Access
		case ir.Fence:
			return Fence
		case ir.Branch:
			jumps = true
		}
	}
	if jumps {
		return Jump
	}
	return Value
}

package cprog

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/builtins"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/codegen"
	"litmuscope/litmus/c/cprog/elaborate"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/run"
	"litmuscope/litmus/c/llvm"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/ir"
)

// Version changes whenever the programs that Lower makes may change. Cached answers of other versions are not used.
const Version = 23

// HeadersKey is a hash of the built-in headers.
func HeadersKey() string { return read.HeadersKey() }

// What the front end reads, and its result.
type (
	Source  = read.Source
	File    = read.File
	Options = elaborate.Options
	Target  = elaborate.Target
	Word    = builtins.Word
	ABI     = read.ABI
	// RelaxedOptions say which plain accesses count as relaxed atomics.
	RelaxedOptions = read.RelaxedOptions
)

// The targets.
const (
	Language = elaborate.Language
	Generic  = elaborate.Generic
	Kernel   = elaborate.Kernel
	Machine  = elaborate.Machine
)

// Check parses a program without running it, and returns the same errors as Lower.
func Check(_ context.Context, s Source, o Options) error {
	_, err := made(s, o)
	return err
}

// Operated returns the positions where a program's operators, not functions, access atomic objects. It returns the same
// errors as Check.
func Operated(s Source, o Options) ([]litmus.Pos, error) {
	u, err := made(s, o)
	if err != nil {
		return nil, err
	}
	return u.Operated, nil
}

// Code is a program as code, before it is lowered or run.
type Code struct{ unit *code.Unit }

// Read makes the code of a program. Of the options, it uses Entry, Properties, Relaxed and Mapping. Its errors have
// positions: the source is wrong or uses something that is not supported.
func Read(s Source, o Options) (*Code, error) {
	u, err := made(s, o)
	if err != nil {
		return nil, err
	}
	return &Code{u}, nil
}

// Lower makes a program of threads without loops. The options are those of Read but for Lives, Bytes, Unroll and
// Numbers. It returns the errors that only execution finds.
func (c *Code) Lower(ctx context.Context, o Options) (*ir.Program, error) {
	p, err := elaborate.Run(ctx, c.unit, o)
	if err == nil {
		p.Remarks = slices.Clip(p.Remarks)
		p.Loops = c.unit.HasLoops()
	}
	return p, err
}

// Run makes a program that runs on concrete numbers. The options are as in Lower.
func (c *Code) Run(o Options) (*run.Program, error) { return run.New(c.unit, o) }

// Lower is Read and Code.Lower.
func Lower(ctx context.Context, s Source, o Options) (*ir.Program, error) {
	c, err := Read(s, o)
	if err != nil {
		return nil, err
	}
	return c.Lower(ctx, o)
}

// Run is Read and Code.Run.
func Run(s Source, o Options) (*run.Program, error) {
	c, err := Read(s, o)
	if err != nil {
		return nil, err
	}
	return c.Run(o)
}

func made(s Source, o Options) (*code.Unit, error) {
	if IsLLVM(s) {
		return madeOfLLVM(s, o)
	}
	wanted := codegen.Options{
		Entry: o.Entry, Overflow: slices.Contains(o.Properties, ir.Overflow),
		Termination: slices.Contains(o.Properties, ir.Termination), Relaxed: o.Relaxed,
	}
	if o.Mapping != nil {
		wanted.Arch = o.Mapping.Arch
	}
	return cached(s, wanted)
}

// IsLLVM reports whether a program is a module of LLVM IR: the name of its only file ends in .ll.
func IsLLVM(s Source) bool { return len(s.Files) > 0 && strings.HasSuffix(s.Files[0].Name, ".ll") }

// madeOfLLVM translates a module of LLVM IR.
func madeOfLLVM(s Source, o Options) (*code.Unit, error) {
	if len(s.Files) > 1 {
		return nil, litmus.Errorf(litmus.Pos{File: s.Files[1].Name, Line: 1, Col: 1},
			"a program of several modules is not supported: link them with llvm-link")
	}
	m, err := assembly.Parse(s.Files[0].Name, s.Files[0].Text)
	if err != nil {
		return nil, err
	}
	sources := map[string]string{}
	for _, name := range llvm.Files(m) {
		if s.Include == nil {
			break
		}
		names := []string{name}
		for _, dir := range llvm.Folders(m) {
			names = append(names, path.Join(dir, name))
		}
		for _, name := range names {
			if text, err := fs.ReadFile(s.Include, path.Clean(name)); err == nil {
				sources[name] = string(text)
				break
			}
		}
	}
	arch := ""
	if o.Mapping != nil {
		arch = o.Mapping.Arch
	}
	return llvm.Make(m, llvm.Options{
		Sources: sources, Entry: o.Entry, Arch: arch, Overflow: slices.Contains(o.Properties, ir.Overflow),
		Termination: slices.Contains(o.Properties, ir.Termination),
	})
}

// Declared is a plain object that threads can share.
type Declared = read.Declared

// DeclaredBy lists the plain objects that a program declares by a name. It fails if the program cannot be read.
func DeclaredBy(s Source, name string) ([]Declared, error) { return codegen.DeclaredBy(s, name) }

// Preprocessed returns the tokens of a program after preprocessing.
func Preprocessed(s Source) ([]string, error) { return codegen.Preprocessed(s) }

// ABIOf returns the ABI of Linux programs on an architecture.
func ABIOf(arch string) ABI { return read.ABIOf(arch) }

// DataModels returns the names of the data models: the widths of long and of pointers.
func DataModels() []string { return read.DataModels }

// Chars returns the kinds of plain char.
func Chars() []string { return read.Chars }

// Undefine is the prefix of a definition that removes a macro.
const Undefine = read.Undefine

// IncludesKernel reports whether a program includes a header of the Linux kernel. It is fast on any text.
func IncludesKernel(s Source) bool { return read.IncludesKernel(s) }

// Words returns the functions that programs can call without defining them.
func Words() []Word { return builtins.Words() }

// Types returns the words that types consist of.
func Types() []string { return builtins.Types() }

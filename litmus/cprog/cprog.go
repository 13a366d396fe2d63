package cprog

import (
	"context"
	"io/fs"

	"litmuscope/litmus/compile"
	"litmuscope/litmus/ir"
)

// Version changes whenever the programs that Lower makes may; answers that were kept under another
// are never used.
const Version = 5

// Source is a program's text. Nothing else is read.
type Source struct {
	// Files are the translation units, in order.
	Files []File
	// Include holds what they may include, beside the headers of the front end's own: Dirs, within it, are
	// searched in order, after the including file's own directory. Nil: nothing.
	Include fs.FS
	Dirs    []string
	Defines []string // NAME or NAME=VALUE
	// ILP32: long and pointers have 32 bits; else 64.
	ILP32 bool
}

// File is one file of a program.
type File struct{ Name, Text string }

// Options say what is made of it.
type Options struct {
	Entry      string // function to begin with; "" is main
	Unroll     int    // rounds of a loop whose end is not known beforehand
	Properties []ir.Property
	Target     Target
	// Strong: where it is compiled to, a weak compare-and-exchange fails for no other reason than a strong one.
	Strong  bool
	Mapping *compile.Mapping // of a machine; else nil
	// Waits says which loops that only wait are cut.
	Waits ir.Waits
	// Ahead: the model lets branches run ahead of what they depend on, so that both ways may be
	// taken though only one value is ever read.
	Ahead bool
}

// Target is what C's atomics become.
type Target string

// The targets. On a machine, they become what a mapping makes of them.
const (
	// Language: themselves, for a model of the language.
	Language Target = "c"
	// Generic: accesses that say what they keep in order in terms of every model, and
	// read-modify-writes that are one instruction, whether they succeed or not.
	Generic Target = "generic"
	Kernel  Target = "lkmm"
	Machine Target = "machine"
)

// Check reads a program without running anything of it, and fails as Lower does.
func Check(_ context.Context, s Source, o Options) error {
	_, err := parse(s, o)
	return err
}

// Lower makes a program of threads without loops. It fails, with a place, where the source has
// a mistake, or something that is not supported.
func Lower(ctx context.Context, s Source, o Options) (*ir.Program, error) {
	u, err := parse(s, o)
	if err != nil {
		return nil, err
	}
	return elaborate(ctx, u, o)
}

package cmd

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"litmuscope/litmus/cycle"
	"litmuscope/solver"
)

// familyFlags are the flags of the gen command for families: the tests of all critical cycles over some relaxations.
type familyFlags struct {
	relaxations string
	size        string
	out         string
}

// ownFamily is the value of --family and --over for the architecture's own list of relaxations.
const ownFamily = "standard"

func (f *familyFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.relaxations, "family", "",
		"make the tests of all critical cycles over these relaxations; "+ownFamily+" for the architecture's own list")
	flags.StringVar(&f.size, "size", "4..5", "with --family, number of accesses in a cycle, 2 to 20: 4, or 4..6")
	flags.StringVar(&f.out, "out", "", "with --family, write the tests to this folder or .zip file, or as a zip to "+
		"standard output if - (default: only list names and cycles)")
}

// sizes reads N or N..M.
func (f *familyFlags) sizes() (least, most int, err error) {
	from, to, isRange := strings.Cut(f.size, "..")
	if !isRange {
		to = from
	}
	least, err = strconv.Atoi(from)
	if err == nil {
		most, err = strconv.Atoi(to)
	}
	if err != nil || least < 2 || most < least || most > 20 {
		return 0, 0, fmt.Errorf("gen: --size: got %q, want a number of accesses from 2 to 20, or a range, as in 4 or "+
			"4..6", f.size)
	}
	return least, most, nil
}

// make writes a family of tests. Every error except errNotAll is for the user to fix.
func (f *familyFlags) make(ctx context.Context, out io.Writer, arch string) error {
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	least, most, err := f.sizes()
	if err != nil {
		return err
	}
	text := f.relaxations
	if text == ownFamily {
		text = cycle.Standard(arch)
	}
	relaxations, err := cycle.ParseRelaxations(arch, text)
	if err != nil {
		return err
	}
	sink, err := f.open(out)
	if err != nil {
		return err
	}
	names := make(cycle.Names)
	made, failed := 0, 0
	err = cycle.Family(ctx, relaxations, least, most, func(c cycle.Cycle) error {
		name := names.Of(c)
		test, err := cycle.Generate(arch, c, name)
		if err != nil {
			fmt.Fprintf(os.Stderr, "litmuscope: %s: %s: %v\n", name, c, err)
			failed++
			return nil
		}
		made++
		return sink.add(name, test, c)
	})
	if closing := sink.close(err == nil); err == nil {
		err = closing
	}
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(os.Stderr, "litmuscope: interrupted after %d tests\n", made)
		return errNotAll
	case err != nil:
		return err
	case failed > 0:
		fmt.Fprintf(os.Stderr, "litmuscope: no test for %d of %s\n", failed, solver.Count(made+failed, "cycle"))
		return errNotAll
	case made == 0:
		return fmt.Errorf("gen: no cycle of %[2]s accesses over %[1]s: a cycle needs communications between threads "+
			"(Rfe, Fre, Wse) and relaxations within a thread (Pod**) whose ends match", f.relaxations, f.size)
	}
	return nil
}

// sink receives the tests of a family.
type sink interface {
	add(name, test string, c cycle.Cycle) error
	// close ends the family. whole is false if tests are missing; an archive file is then not created.
	close(whole bool) error
}

// open returns the sink that --out names.
func (f *familyFlags) open(out io.Writer) (sink, error) {
	switch {
	case f.out == "":
		return listing{out}, nil
	case f.out == "-":
		if o, ok := out.(*os.File); ok && term.IsTerminal(int(o.Fd())) {
			return nil, fmt.Errorf("gen: --out -: standard output is a terminal: redirect it to a file or a pipe")
		}
		return &zipFile{w: zip.NewWriter(out)}, nil
	case strings.HasSuffix(strings.ToLower(f.out), ".zip"):
		part, err := os.CreateTemp(filepath.Dir(f.out), ".gen-*.zip")
		if err != nil {
			return nil, err
		}
		return &zipFile{zip.NewWriter(part), part, f.out}, nil
	}
	return newFolder(f.out)
}

// listing prints names and cycles.
type listing struct{ out io.Writer }

func (l listing) add(name, _ string, c cycle.Cycle) error {
	_, err := fmt.Fprintf(l.out, "%s\t%s\n", name, c)
	return err
}

func (listing) close(bool) error { return nil }

// folder has a file for each test, and their list in @all, in order.
type folder struct {
	path string
	list *os.File
}

func newFolder(path string) (*folder, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	list, err := os.Create(filepath.Join(path, "@all"))
	return &folder{path, list}, err
}

func (f *folder) add(name, test string, _ cycle.Cycle) error {
	file := name + ".litmus"
	if err := os.WriteFile(filepath.Join(f.path, file), []byte(test), 0o666); err != nil {
		return err
	}
	_, err := fmt.Fprintln(f.list, file)
	return err
}

func (f *folder) close(bool) error { return f.list.Close() }

// zipFile writes an archive, to a stream or to a file that gets its name only when it is complete.
type zipFile struct {
	w    *zip.Writer
	part *os.File // the temporary file; nil for a stream
	path string
}

func (z *zipFile) add(name, test string, _ cycle.Cycle) error {
	w, err := z.w.Create(name + ".litmus")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, test)
	return err
}

func (z *zipFile) close(whole bool) error {
	if z.part == nil {
		return z.w.Close()
	}
	err := z.w.Close()
	if closing := z.part.Close(); err == nil {
		err = closing
	}
	if !whole || err != nil {
		_ = os.Remove(z.part.Name())
		return err
	}
	if err := os.Chmod(z.part.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(z.part.Name(), z.path)
}

// Package suite reads collections of litmus tests: files, folders, lists and archives. [Collect] iterates over the
// tests, always in the same order and one at a time, so that only one is in memory. [Programs] iterates over C
// programs, and [Includes] finds the files that programs include. An [Upload] is a collection that a visitor sends,
// within [UploadLimits].
//
//	for e := range suite.Collect(ctx, []string{"tests", "@all", "more.zip"}, os.Stdin) {
//		// e.Path names the test, e.Source is its text, e.Err says why it has none
//	}
//
// A file that does not parse becomes an [Entry] with an error and does not end the collection.
//
// It imports only the standard library.
package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Bounds on the input, so that none exhausts memory or time.
const (
	MaxTest     = 1 << 20   // bytes of one test
	MaxArchive  = 1 << 30   // bytes of one archive, unpacked
	maxUpload   = 256 << 20 // bytes of an archive on standard input
	maxListLine = 1 << 16
	maxDepth    = 32 // lists within lists
)

// Entry is one test of a collection, or the error in its place.
type Entry struct {
	Path   string // as shown to the user
	Source string
	Err    error // names the path
}

// Collect yields the tests that the paths name, in the order of the paths. It stops early, without an entry, when the
// context ends. A path is one of
//
//	SB.litmus         a test; any other file is read as one too
//	tests             a folder, walked in lexical order for files ending in .litmus
//	@all              a list: a path a line, relative to the list's folder; # starts a comment
//	all.zip, all.tgz  an archive (.zip, .tar.gz, .tgz): its entries ending in .litmus, in its order
//	-                 standard input: one test, or an archive
//
// A list may name anything but standard input, other lists included. The path of an [Entry] is the given path followed
// by the path below it: tests/x86/SB.litmus, all.zip/x86/SB.litmus.
func Collect(ctx context.Context, paths []string, stdin io.Reader) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		w := walker{ctx: ctx, yield: yield, stdin: stdin, read: true, suffix: testSuffix}
		w.paths(paths)
	}
}

// Programs is like Collect, for programs in C: in folders, it yields files that end in .c. It does not read archives,
// because programs include files beside them.
func Programs(ctx context.Context, paths []string, stdin io.Reader) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		w := walker{ctx: ctx, yield: yield, stdin: stdin, read: true, suffix: ".c"}
		w.paths(paths)
	}
}

// Count returns how many entries Collect will yield, without reading the tests. Standard input counts as one, because
// it can be read only once.
func Count(ctx context.Context, paths []string) int {
	n := 0
	w := walker{ctx: ctx, yield: func(Entry) bool { n++; return true }, suffix: testSuffix}
	w.paths(paths)
	return n
}

// walker iterates over a collection. Its methods return false when the iteration must stop.
type walker struct {
	ctx   context.Context
	yield func(Entry) bool
	stdin io.Reader
	read  bool     // false: entries carry no source, and Count does not touch standard input
	lists []string // the lists being read, outermost first

	buffer []byte // for the text of one test

	suffix string // of the files in a folder that count
}

func (w *walker) paths(paths []string) {
	for _, p := range paths {
		if !w.path(p) {
			return
		}
	}
}

func (w *walker) path(p string) bool {
	if w.ctx.Err() != nil {
		return false
	}
	if p == "-" {
		if len(w.lists) > 0 {
			return w.fail(w.lists[len(w.lists)-1], "a list cannot name standard input")
		}
		return w.standardInput()
	}
	if list, ok := strings.CutPrefix(p, "@"); ok {
		return w.list(list)
	}
	info, err := os.Stat(p)
	switch {
	case err != nil:
		return w.fail(p, "%s", reason(err))
	case info.IsDir():
		return w.folder(p)
	case info.Mode().IsRegular() && isArchive(p):
		return w.archiveFile(p)
	}
	return w.file(p, p, info.Mode().IsRegular())
}

// folder yields the tests below a folder in lexical order. An error for one file becomes an entry; pipes and devices
// are skipped, because reading them may block.
func (w *walker) folder(root string) bool {
	over := errors.New("over")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		shown := below(root, name)
		switch {
		case w.ctx.Err() != nil:
			return over
		case err != nil:
			if !w.fail(shown, "%s", reason(err)) {
				return over
			}
			return nil
		case d.IsDir() || !strings.HasSuffix(name, w.suffix):
			return nil
		}
		// A link to a test is a test; a pipe or a device is not, and may block.
		regular := d.Type().IsRegular()
		if !regular {
			if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
				return nil
			}
		}
		if !w.file(name, shown, regular) {
			return over
		}
		return nil
	})
	return err == nil
}

// below replaces root at the beginning of name by root as the user wrote it, because WalkDir may have cleaned it.
func below(root, name string) string {
	rel, err := filepath.Rel(root, name)
	if err != nil || rel == "." {
		return root
	}
	if os.IsPathSeparator(root[len(root)-1]) {
		return root + rel
	}
	return root + string(filepath.Separator) + rel
}

func (w *walker) file(name, shown string, regular bool) bool {
	if !w.read {
		return w.yield(Entry{Path: shown})
	}
	if regular {
		text, err := w.regularFile(name)
		return w.text(text, err, shown)
	}
	f, err := os.Open(name)
	if err != nil {
		return w.fail(shown, "%s", reason(err))
	}
	defer f.Close()
	return w.test(f, shown)
}

// test yields the text of r as a test.
func (w *walker) test(r io.Reader, shown string) bool {
	text, err := io.ReadAll(io.LimitReader(r, MaxTest+1))
	return w.text(text, err, shown)
}

func (w *walker) text(text []byte, err error, shown string) bool {
	switch {
	case err != nil:
		return w.fail(shown, "%s", reason(err))
	case len(text) > MaxTest:
		return w.fail(shown, "longer than %d bytes, the limit for a test", MaxTest)
	}
	return w.yield(Entry{Path: shown, Source: string(text)})
}

func (w *walker) fail(path, format string, args ...any) bool {
	if w.ctx.Err() != nil {
		return false // the context has ended, which is no error of the file
	}
	return w.yield(Entry{Path: path, Err: fmt.Errorf("%s: %s", path, fmt.Sprintf(format, args...))})
}

// reason returns the message of a file operation without the path, which the entry has already.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

const testSuffix = ".litmus"

func isTest(name string) bool { return strings.HasSuffix(name, testSuffix) }

package suite

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"strings"
)

// Upload is a collection that comes from elsewhere, in one stream: a zip archive, a tar.gz
// archive, or lines of JSON, gzipped or not, each of them
//
//	{"path":"SB.litmus","source":"X86 SB …"}
//	{"path":"MP.litmus","error":"why there is no source"}
//
// Its first bytes tell which. Of an archive's entries those that end in .litmus are tests, by their paths in it, which
// cannot climb out of it; it skips links and the like. A single test is a collection, too.
//
// A test with an error is an entry that says so. An error of the stream ends it, and Err returns it.
type Upload struct {
	// Kind is the declared kind of the stream: zip, gzip or lines; "" where its first bytes are to decide.
	Kind string

	r      io.Reader
	limits UploadLimits
	err    error
}

// UploadLimits bound what an upload unpacks to. Set all numbers.
type UploadLimits struct {
	Bytes   int64 // of all unpacked text, and of a zip archive itself
	Entries int   // tests or not
	Test    int   // bytes of one test
	// Turn waits until the upload may read the directory of a zip archive, which is large; it calls over at the end.
	// nil: at once.
	Turn func(context.Context) (over func(), err error)
}

// NewUpload returns the collection in r.
func NewUpload(r io.Reader, l UploadLimits) *Upload { return &Upload{r: r, limits: l} }

// Err returns the reason why Tests ended early, after it has ended.
func (u *Upload) Err() error { return u.err }

// Tests yields the tests. Call it once.
func (u *Upload) Tests(ctx context.Context) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		w := &uploadWalk{ctx: ctx, Upload: u, yield: yield, left: u.limits.Bytes}
		if err := w.walk(); err != nil && !errors.Is(err, errOver) {
			u.err = err
		}
	}
}

// errOver stops a walk when the caller's loop ends.
var errOver = errors.New("over")

type uploadWalk struct {
	*Upload
	ctx     context.Context
	yield   func(Entry) bool
	left    int64
	entries int
}

func (w *uploadWalk) walk() error {
	r := bufio.NewReader(w.r)
	head, err := r.Peek(4)
	switch zipped, gzipped := isZip(head), bytes.HasPrefix(head, gzipMagic); {
	case len(head) == 0 && err != nil:
		return fmt.Errorf("the upload is empty: %w", err)
	case w.Kind == "zip" && !zipped, w.Kind == "gzip" && !gzipped:
		return fmt.Errorf("the upload is declared as %s but is not", w.Kind)
	case zipped:
		return w.zip(r)
	case gzipped:
		return w.gzip(r)
	}
	return w.text(r)
}

// text reads an upload that is not an archive.
func (w *uploadWalk) text(r *bufio.Reader) error {
	for {
		c, err := r.ReadByte()
		if err != nil {
			return fmt.Errorf("the upload is empty: %w", err)
		}
		if strings.ContainsRune(" \t\r\n", rune(c)) {
			continue
		}
		_ = r.UnreadByte() // this cannot fail after reading a byte
		if c == '{' || w.Kind == "lines" {
			return w.lines(r)
		}
		return w.test("test.litmus", r)
	}
}

func (w *uploadWalk) gzip(r io.Reader) error {
	gz, err := gzip.NewReader(r)
	if err != nil {
		return fmt.Errorf("the upload is not a gzip stream: %w", err)
	}
	plain := bufio.NewReaderSize(&budget{r: gz, left: &w.left}, 1024)
	// The first header of a tar archive has its magic number here.
	if head, _ := plain.Peek(262); len(head) == 262 && string(head[257:]) == "ustar" {
		return w.tar(plain)
	}
	return w.text(plain)
}

// count counts an entry against the limit.
func (w *uploadWalk) count() error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if w.entries++; w.entries > w.limits.Entries {
		return tooManyEntries(w.limits.Entries)
	}
	return nil
}

func (w *uploadWalk) emit(e Entry) error {
	if !w.yield(e) {
		return errOver
	}
	return nil
}

// test yields the text of r. An error of r ends the stream.
func (w *uploadWalk) test(name string, r io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(r, int64(w.limits.Test)+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case len(text) > w.limits.Test:
		return w.emit(
			Entry{Path: name, Err: fmt.Errorf("%s: longer than %d bytes, the limit for a test", name, w.limits.Test)})
	}
	return w.emit(Entry{Path: name, Source: string(text)})
}

func (w *uploadWalk) tar(r io.Reader) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = w.count()
		}
		if err != nil {
			return fmt.Errorf("the archive: %w", err)
		}
		if h.Typeflag != tar.TypeReg || !isTestEntry(h.Name) {
			continue
		}
		if err := w.test(inner(h.Name), t); err != nil {
			return err
		}
	}
}

// zip reads an archive. A zip's directory is at its end, so the archive is stored in a temporary file first.
func (w *uploadWalk) zip(r io.Reader) error {
	f, err := os.CreateTemp("", "litmuscope-*.zip")
	if err != nil {
		return err
	}
	defer f.Close()
	defer os.Remove(f.Name())
	size, err := io.Copy(f, io.LimitReader(r, w.limits.Bytes+1))
	if err != nil {
		return err
	}
	if size > w.limits.Bytes {
		return fmt.Errorf("the archive is longer than %d MiB, the limit", w.limits.Bytes>>20)
	}
	if w.limits.Turn != nil {
		over, err := w.limits.Turn(w.ctx)
		if err != nil {
			return err
		}
		defer over()
	}
	directory := &zipDirectory{ReaderAt: f, most: w.limits.Entries}
	z, err := zip.NewReader(directory, size)
	if err != nil {
		return fmt.Errorf("the archive: %w", err)
	}
	directory.whole = true
	for _, entry := range z.File {
		if err := w.count(); err != nil {
			return err
		}
		if !entry.Mode().IsRegular() || !isTestEntry(entry.Name) {
			continue
		}
		if err := w.zipped(entry); err != nil {
			return err
		}
	}
	return nil
}

func (w *uploadWalk) zipped(entry *zip.File) error {
	c, err := entry.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", inner(entry.Name), err)
	}
	defer c.Close()
	return w.test(inner(entry.Name), &budget{r: c, left: &w.left})
}

// lines reads lines of JSON.
func (w *uploadWalk) lines(r io.Reader) error {
	scanner := bufio.NewScanner(&budget{r: r, left: &w.left})
	scanner.Buffer(nil, 8*w.limits.Test+(64<<10)) // the text may spell a character \u0041
	n := 0
	for scanner.Scan() && scanner.Err() == nil { // the text before an error may not be a complete line
		n++
		if len(bytes.TrimSpace(scanner.Bytes())) == 0 {
			continue
		}
		if err := w.count(); err != nil {
			return err
		}
		var line struct {
			Path   *string `json:"path"`
			Source string  `json:"source"`
			Error  string  `json:"error"`
		}
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			want := "want a JSON object with path and source"
			if bad := (*json.SyntaxError)(nil); errors.As(err, &bad) {
				return fmt.Errorf("line %d, column %d: %s: %w", n, bad.Offset, want, err)
			}
			return fmt.Errorf("line %d: %s, both of them text", n, want)
		}
		if line.Path == nil {
			return fmt.Errorf("line %d: the test has no path", n)
		}
		e := Entry{Path: *line.Path, Source: line.Source}
		switch {
		case line.Error != "":
			e.Source, e.Err = "", errors.New(line.Error)
		case len(e.Source) > w.limits.Test:
			e.Source, e.Err = "", fmt.Errorf("%s: longer than %d bytes, the limit for a test", e.Path, w.limits.Test)
		}
		if err := w.emit(e); err != nil {
			return err
		}
	}
	if err := scanner.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("line %d: longer than the limit for a test", n+1)
	} else if err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return nil
}

// inner returns an entry's name for display. It cannot lead out of its archive.
func inner(name string) string { return path.Clean("/" + strings.ReplaceAll(name, `\`, "/"))[1:] }

package suite

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"strings"
)

func isArchive(name string) bool {
	name = strings.ToLower(name)
	for _, ext := range []string{".zip", ".tar.gz", ".tgz"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}

// The bytes that archives begin with; an empty zip has only its directory.
var (
	gzipMagic = []byte{0x1f, 0x8b}
	zipMagic  = []byte("PK\x03\x04")
	zipEmpty  = []byte("PK\x05\x06")
)

func isZip(head []byte) bool {
	return bytes.HasPrefix(head, zipMagic) || bytes.HasPrefix(head, zipEmpty)
}

func (w *walker) archiveFile(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return w.fail(name, "%s", reason(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return w.fail(name, "%s", reason(err))
	}
	return w.archive(f, info.Size(), name)
}

func (w *walker) archive(r io.ReaderAt, size int64, name string) bool {
	if w.suffix != testSuffix {
		return w.fail(name, "archives of programs are not supported: want files or folders")
	}
	head := make([]byte, 4)
	n, _ := r.ReadAt(head, 0)
	switch head = head[:n]; {
	case isZip(head):
		return w.zip(r, size, name)
	case bytes.HasPrefix(head, gzipMagic):
		return w.tarball(io.NewSectionReader(r, 0, size), name)
	}
	return w.fail(name, "not a zip or tar.gz archive")
}

func (w *walker) standardInput() bool {
	if !w.read {
		return w.yield(Entry{Path: "-"})
	}
	if w.stdin == nil {
		return w.fail("-", "no standard input is available")
	}
	r := bufio.NewReader(w.stdin)
	head, _ := r.Peek(4)
	switch {
	case isZip(head):
		// A zip's directory is at its end, so memory must hold the whole archive.
		all, err := io.ReadAll(io.LimitReader(r, maxUpload+1))
		if err != nil {
			return w.fail("-", "%s", reason(err))
		}
		if len(all) > maxUpload {
			return w.fail("-", "longer than %d bytes, the limit for a zip archive on standard input", maxUpload)
		}
		return w.zip(bytes.NewReader(all), int64(len(all)), "-")
	case bytes.HasPrefix(head, gzipMagic):
		return w.tarball(r, "-")
	}
	return w.test(r, "-")
}

// zip yields the tests of a zip archive, in the order of its directory. It stops when the archive unpacks to more than
// [MaxArchive].
func (w *walker) zip(r io.ReaderAt, size int64, name string) bool {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return w.fail(name, "%s", reason(err))
	}
	left := int64(MaxArchive)
	for _, f := range z.File {
		if w.ctx.Err() != nil {
			return false
		}
		if !f.Mode().IsRegular() || !isTestEntry(f.Name) {
			continue
		}
		shown := name + "/" + inner(f.Name)
		if !w.read {
			if !w.yield(Entry{Path: shown}) {
				return false
			}
			continue
		}
		c, err := f.Open()
		if err != nil {
			if !w.fail(shown, "%s", reason(err)) {
				return false
			}
			continue
		}
		bounded := &budget{r: c, left: &left}
		more := w.test(bounded, shown)
		c.Close()
		if bounded.spent || !more {
			return more
		}
	}
	return true
}

// tarball yields the tests of a tar.gz archive, in its order. It stops when the archive unpacks to more than
// [MaxArchive].
func (w *walker) tarball(r io.Reader, name string) bool {
	gz, err := gzip.NewReader(r)
	if err != nil {
		return w.fail(name, "%s", reason(err))
	}
	left := int64(MaxArchive)
	bounded := &budget{r: gz, left: &left}
	t := tar.NewReader(bounded)
	for {
		if w.ctx.Err() != nil {
			return false
		}
		h, err := t.Next()
		if err == io.EOF {
			return true
		}
		if err != nil {
			return w.fail(name, "%s", reason(err))
		}
		if h.Typeflag != tar.TypeReg || !isTestEntry(h.Name) {
			continue
		}
		shown := name + "/" + inner(h.Name)
		more := false
		if w.read {
			more = w.test(t, shown)
		} else {
			more = w.yield(Entry{Path: shown})
		}
		if bounded.spent || !more {
			return more
		}
	}
}

// isTestEntry reports whether an archive's entry is a test. It excludes the "._" companions that macOS adds.
func isTestEntry(name string) bool {
	return isTest(name) && !strings.HasPrefix(path.Base(name), "._")
}

// budget reads at most *left bytes. All readers of an archive share left.
type budget struct {
	r     io.Reader
	left  *int64
	spent bool
}

var errTooLarge = errors.New("the archive unpacks to more than the limit")

func (b *budget) Read(p []byte) (int, error) {
	if *b.left <= 0 {
		b.spent = true
		return 0, errTooLarge
	}
	if int64(len(p)) > *b.left {
		p = p[:*b.left]
	}
	n, err := b.r.Read(p)
	*b.left -= int64(n)
	return n, err
}

package suite

import (
	"bytes"
	"fmt"
	"io"
)

// zipEntry is the signature of each entry in a zip archive's directory (APPNOTE 4.3.12).
var zipEntry = []byte("PK\x01\x02")

// directoryBytes bounds the average size of a directory entry, in bytes, including its path.
const directoryBytes = 192

// zipDirectory is a zip archive whose directory must not have more entries than a limit. zip.NewReader reads the whole
// directory first. zipDirectory counts the entries in what is read sequentially, because the numbers in the archive may
// be wrong.
type zipDirectory struct {
	io.ReaderAt
	most  int
	whole bool // the caller has read all of it

	next    int64 // where the last read ended
	read    int64 // bytes read one after another so far
	tail    []byte
	entries int
}

// ReadAt implements [io.ReaderAt], for one reader.
func (d *zipDirectory) ReadAt(p []byte, at int64) (int, error) {
	n, err := d.ReaderAt.ReadAt(p, at)
	if d.whole {
		return n, err
	}
	if at != d.next {
		d.read, d.tail, d.entries = 0, nil, 0
	}
	seen := append(d.tail, p[:n]...)
	d.entries += bytes.Count(seen, zipEntry)
	d.tail = bytes.Clone(seen[max(0, len(seen)-len(zipEntry)+1):])
	d.next, d.read = at+int64(n), d.read+int64(n)
	switch {
	case d.entries > d.most:
		return 0, tooManyEntries(d.most)
	case d.read > int64(d.most)*directoryBytes+64<<10:
		return 0, fmt.Errorf("the archive's directory is longer than %d KiB, the limit: shorten its paths",
			d.most*directoryBytes>>10)
	}
	return n, err
}

func tooManyEntries(most int) error {
	return fmt.Errorf("the upload has more than %d entries, the limit", most)
}

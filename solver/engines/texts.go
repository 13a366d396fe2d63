package engines

import (
	"io/fs"
	"path"
	"strings"
	"time"
)

// texts are files in memory, by the names that whoever sent them has for them: as an [fs.FS]
// they may begin with a / or lead out of the folder, for nothing else is behind them.
type texts map[string]string

// Open implements [fs.FS].
func (t texts) Open(name string) (fs.File, error) {
	text, ok := t[name]
	if !ok {
		text, ok = t[path.Clean(name)]
	}
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &textFile{strings.NewReader(text), path.Base(name)}, nil
}

// textFile is one of them; it is its own description, too.
type textFile struct {
	*strings.Reader
	name string
}

// Stat, with the methods below, implements fs.File and fs.FileInfo for a text in memory.
func (f *textFile) Stat() (fs.FileInfo, error) { return f, nil }

// Close does nothing.
func (f *textFile) Close() error { return nil }

// Name is the file's name without its folder.
func (f *textFile) Name() string { return f.name }

// Mode is that of a file that all may read.
func (f *textFile) Mode() fs.FileMode { return 0o444 }

// ModTime is the zero time.
func (f *textFile) ModTime() time.Time { return time.Time{} }

// IsDir is false.
func (f *textFile) IsDir() bool { return false }

// Sys is nil.
func (f *textFile) Sys() any { return nil }

// Each calls f on every file's text.
func (t texts) Each(f func(text string)) {
	for _, text := range t {
		f(text)
	}
}

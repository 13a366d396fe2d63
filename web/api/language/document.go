package language

import (
	"cmp"
	"net/url"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"litmuscope/litmus"
	"litmuscope/web/parts/question"
)

// tongue is what a document is written in.
type tongue int

const (
	none tongue = iota
	ofTests
	ofModels // a .bell file too
	ofPrograms
)

// document is a text as an editor has it; it stays as it is, and a change makes another.
type document struct {
	uri     string
	version int
	tongue  tongue
	text    string
	utf8    bool // how positions count: by bytes, or UTF-16 units
	lines   []int

	verdicts *verdicts                    // of a test
	problems atomic.Pointer[[]diagnostic] // as published last

	lock    sync.Mutex
	columns *litmus.UTF16 // made when it is first asked for

	once   sync.Once
	tokens []token
}

// tongueOf goes by a file's name, and else by what the editor says: "litmus", "cat", "bell" or "c".
func tongueOf(uri, languageID, text string) tongue {
	ext := strings.ToLower(path.Ext(uri))
	switch {
	case ext == ".litmus", ext == "" && languageID == "litmus":
		if question.IsProgram(text) {
			return ofPrograms
		}
		return ofTests
	case ext == ".cat", ext == ".bell", ext == "" && (languageID == "cat" || languageID == "bell"):
		return ofModels
	case ext == ".c", ext == ".h", ext == ".i", ext == "" && languageID == "c":
		return ofPrograms
	case languageID == "litmus":
		return ofTests
	}
	return none
}

func newDocument(uri string, version int, t tongue, text string, utf8 bool) *document {
	return &document{uri: uri, version: version, tongue: t, text: text, utf8: utf8, lines: lineStarts(text)}
}

func lineStarts(text string) []int {
	lines := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// line is the text of a line, counted from 0, without its end.
func (d *document) line(n int) string {
	if n < 0 || n >= len(d.lines) {
		return ""
	}
	end := len(d.text)
	if n+1 < len(d.lines) {
		end = d.lines[n+1]
	}
	return strings.TrimRight(d.text[d.lines[n]:end], "\r\n")
}

// offset is the byte at a position; one that is not there is the nearest that is.
func (d *document) offset(p position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(d.lines):
		return len(d.text)
	}
	line, start := d.line(p.Line), d.lines[p.Line]
	if d.utf8 {
		return start + max(0, min(p.Character, len(line)))
	}
	units := 0
	for at, r := range line {
		if units >= p.Character {
			return start + at
		}
		units += litmus.LenUTF16(string(r))
	}
	return start + len(line)
}

// position is that of a byte.
func (d *document) position(offset int) position {
	offset = max(0, min(offset, len(d.text)))
	n := sort.SearchInts(d.lines, offset+1) - 1
	if d.utf8 {
		return position{n, offset - d.lines[n]}
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.columns == nil {
		d.columns = litmus.NewUTF16(d.text)
	}
	column, _ := d.columns.Column(litmus.Pos{Line: n + 1, Col: offset - d.lines[n] + 1})
	return position{n, column}
}

func (d *document) span(from, to int) textRange { return textRange{d.position(from), d.position(to)} }

// at is the byte at a place as readers of tests and models tell it.
func (d *document) at(p litmus.Pos) int {
	n := max(0, p.Line-1)
	if n >= len(d.lines) {
		return len(d.text)
	}
	return d.lines[n] + max(0, min(p.Col-1, len(d.line(n))))
}

// marks are the document's tokens, made when they are first asked for.
func (d *document) marks() []token {
	d.once.Do(func() {
		if len(d.text) > maxFile { // nobody writes it by hand
			return
		}
		switch d.tongue {
		case ofTests:
			d.tokens = testTokens(d.text)
		case ofModels:
			d.tokens = modelTokens(path.Base(d.uri), d.text)
		case ofPrograms:
			d.tokens = programTokens(d.text)
		}
	})
	return d.tokens
}

// file is the path of the document's file, "" where it has none.
func (d *document) file() string { return fileOf(d.uri) }

func fileOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return ""
	}
	return filepath.FromSlash(u.Path)
}

func uriOf(file string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
}

// name stands for the document in places: its file, as a reader of errors knows it.
func (d *document) name() string {
	u, err := url.Parse(d.uri)
	if err != nil {
		return path.Base(d.uri)
	}
	return path.Base(cmp.Or(u.Path, u.Opaque)) // untitled:SB.litmus has no path
}

// view is all open documents at one time, by URI. It stays as it is.
type view map[string]*document

package read

import (
	"errors"
	"io/fs"
	"path"
	"sort"
	"strconv"
	"strings"

	"litmuscope/litmus"
)

// A preprocessed file says by lines of the form # 12 "file.c" where the next line comes from. cc would take these
// places for its own, but edits of the text, and the text of a statement that a witness shows, go by where a line is in
// the file that is at hand. So the lines are hidden from cc, and places are translated at the end ([Markers.Presumed]).
//
// In a file that includes others, or that asks for its line or its name, #line stays what it is: the program would see
// it.

var (
	marked = litmus.Pattern(`^[ \t]*#[ \t]*(?:line[ \t]+)?([0-9]+)(?:[ \t]+"((?:[^"\\]|\\.)*)"[^\n]*)?[ \t\r]*$`)
	asking = litmus.Pattern(`\b__(?:LINE|FILE|FILE_NAME)__\b|(?m:^[ \t]*#[ \t]*(?:include|line[ \t]+[A-Za-z_]))`)
)

// marker says that the lines behind one come from elsewhere.
type marker struct {
	behind int // a line, from 1
	file   string
	line   int // that the next one is
}

// hideMarkers is a text without its markers, and these. Where they cannot be hidden, they are written as #line.
func hideMarkers(name, text string) (string, []marker) {
	if !strings.Contains(text, "#") {
		return text, nil
	}
	hide := !asking().MatchString(text)
	lines := strings.Split(text, "\n")
	var out []marker
	comment := false
	for i, line := range lines {
		m := marked().FindStringSubmatch(line)
		if m == nil || comment {
			comment = ends(line, comment)
			continue
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			continue
		}
		if m[2] != "" {
			name = strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(m[2])
		}
		out = append(out, marker{i + 1, name, n})
		lines[i] = ""
		if !hide {
			lines[i] = "#line " + m[1] + " " + strconv.Quote(name)
		}
	}
	if !hide {
		out = nil
	}
	return strings.Join(lines, "\n"), out
}

// Markers are the markers of a program's files.
type Markers struct {
	source Source
	files  map[string][]marker
}

// NewMarkers finds them as places ask for them.
func NewMarkers(s Source) *Markers { return &Markers{s, map[string][]marker{}} }

// Presumed is where the markers say that a place comes from; the place itself where they say nothing.
func (m *Markers) Presumed(pos litmus.Pos) litmus.Pos {
	all, known := m.files[pos.File]
	if !known {
		_, all = hideMarkers(pos.File, m.text(pos.File))
		m.files[pos.File] = all
	}
	i := sort.Search(len(all), func(i int) bool { return all[i].behind >= pos.Line }) - 1
	if i < 0 {
		return pos
	}
	pos.File, pos.Line = all[i].file, all[i].line+pos.Line-all[i].behind-1
	return pos
}

// text is that of a file of the program; "" where there is none.
func (m *Markers) text(name string) string {
	for _, f := range m.source.Files {
		if f.Name == name {
			return f.Text
		}
	}
	if m.source.Include == nil {
		return ""
	}
	text, err := fs.ReadFile(m.source.Include, path.Clean(name))
	if err != nil {
		return ""
	}
	return string(text)
}

// Error is an error with all its places presumed.
func (m *Markers) Error(err error) error {
	if err == nil {
		return nil
	}
	var list litmus.ErrorList
	var one *litmus.Error
	if !errors.As(err, &list) && !errors.As(err, &one) {
		return err
	}
	var out litmus.ErrorList
	for _, e := range litmus.Errors(err) {
		moved := *e
		moved.Pos = m.Presumed(e.Pos)
		out = append(out, &moved)
	}
	return out.Err()
}

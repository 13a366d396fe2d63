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

// Line markers. A preprocessed file has lines of the form # 12 "file.c" that state where the next line comes from. The
// C parser would use these positions, but edits of the text, and the statements that witnesses show, need positions in
// the given file. So the markers are hidden from the parser, and positions are translated at the end
// ([Markers.Presumed]).
//
// In a file that includes others, or that uses its line number or its name, markers become #line directives, because
// the program can observe them.

var (
	marked = litmus.Pattern(`^[ \t]*#[ \t]*(?:line[ \t]+)?([0-9]+)(?:[ \t]+"((?:[^"\\]|\\.)*)"[^\n]*)?[ \t\r]*$`)
	asking = litmus.Pattern(`\b__(?:LINE|FILE|FILE_NAME)__\b|(?m:^[ \t]*#[ \t]*(?:include|line[ \t]+[A-Za-z_]))`)
)

// marker says that the lines after it come from elsewhere.
type marker struct {
	behind int // line of the marker, from 1
	file   string
	line   int // line number of the next line
}

// hideMarkers returns a text without its markers, and the markers. If they cannot be hidden, it writes them as #line.
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
			comment = endsInComment(line, comment)
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

// NewMarkers returns the markers of a source. Files are searched when positions in them are translated.
func NewMarkers(s Source) *Markers { return &Markers{s, map[string][]marker{}} }

// Presumed returns the position that the markers state for a position, or the position itself without markers.
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

// text returns the text of a file of the program, or "".
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

// Error returns an error with all its positions translated.
//
// Other errors, without positions, are returned as they are.
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

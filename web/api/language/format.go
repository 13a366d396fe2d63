package language

import (
	"slices"
	"strings"
	"unicode/utf8"

	"litmuscope/litmus"
	"litmuscope/models/cat"
)

// formatting lays a text out anew: the columns of a test, the bodies of one in C; of a model blanks and empty lines
// alone, since its author has aligned it. Comments stay. What cannot be read stays as it is, and so does a text that
// would say anything else.
func (r *request) formatting(p named) (any, error) {
	d, err := r.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	out := []textEdit{}
	text := strings.ReplaceAll(d.text, "\r\n", "\n")
	laid, same := text, false
	switch d.tongue {
	case ofTests:
		laid = layOutTest(text)
		same = sameTest(text, laid)
	case ofModels:
		laid = tidy(text)
		same = sameModel(text, laid)
	}
	if !same || laid == text {
		return out, nil
	}
	if strings.Contains(d.text, "\r\n") {
		laid = strings.ReplaceAll(laid, "\n", "\r\n")
	}
	return append(out, d.difference(laid)...), nil
}

// difference is an edit for the lines in which a text differs from another.
func (d *document) difference(other string) []textEdit {
	same := 0
	for same < len(d.text) && same < len(other) && d.text[same] == other[same] {
		same++
	}
	same = strings.LastIndexByte(d.text[:same], '\n') + 1
	end := 0
	for end < len(d.text)-same && end < len(other)-same && d.text[len(d.text)-1-end] == other[len(other)-1-end] {
		end++
	}
	if n := strings.IndexByte(d.text[len(d.text)-end:], '\n'); n >= 0 {
		end -= n + 1
	} else {
		end = 0
	}
	return []textEdit{{d.span(same, len(d.text)-end), other[same : len(other)-end]}}
}

// sameTest tells whether two texts are of one test, which can be read, and have the same comments.
func sameTest(a, b string) bool {
	x, err := litmus.Parse("", a)
	if err != nil {
		return false
	}
	y, err := litmus.Parse("", b)
	return err == nil && litmus.Print(x) == litmus.Print(y) &&
		strings.Join(strings.Fields(a), "") == strings.Join(strings.Fields(b), "")
}

func sameModel(a, b string) bool {
	if _, err := cat.Parse("", a); err != nil {
		return false
	}
	x, y := cat.Marks("", a), cat.Marks("", b)
	return len(x) == len(y) && !slices.ContainsFunc(x, func(m cat.Mark) bool {
		other := y[0]
		y = y[1:]
		return m.Kind != other.Kind || strings.Join(strings.Fields(a[m.From:m.To]),
			" ") != strings.Join(strings.Fields(b[other.From:other.To]), " ")
	})
}

// tidy takes blanks off the ends of lines, and empty lines that follow another, and ends the text with its last line.
func tidy(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, line)
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n") + "\n"
}

// layOutTest aligns the columns of a test, or indents its bodies.
func layOutTest(text string) string {
	s := &testScanner{vocabulary: vocabularyFor(text)}
	s.read(text)
	if s.closed == len(s.plain) {
		return text
	}
	from, to := s.closed+1, s.end
	before, threads, behind := text[:from], text[from:to], text[to:]
	if s.isC() {
		threads = indent(threads, s.plain[from:to])
	} else {
		threads = align(threads, s.plain[from:to])
	}
	return tidy(before + threads + behind)
}

// cell is one of a column, with the comments in it.
type cell struct {
	text string
	own  bool // it has a row to itself: comments
}

// align lays rows of cells out side by side, each in its column, as wide as the widest that is no wider than most are.
func align(text, plain string) string {
	var rows [][]cell
	var widths []int
	row, start := []cell{}, 0
	add := func(end int) {
		c := strings.TrimSpace(text[start:end])
		if len(row) == 0 { // comments above a row stay there
			for strings.TrimSpace(plain[start:end]) != "" {
				n := strings.IndexByte(text[start:end], '\n')
				if n < 0 || strings.TrimSpace(plain[start:start+n]) != "" {
					break
				}
				if above := strings.TrimSpace(text[start : start+n]); above != "" {
					rows = append(rows, []cell{{above, true}})
				}
				start += n + 1
			}
			c = strings.TrimSpace(text[start:end])
		}
		row = append(row, cell{text: c})
		if i := len(row) - 1; i == len(widths) {
			widths = append(widths, 0)
		}
		if n := utf8.RuneCountInString(c); n <= maxCell {
			widths[len(row)-1] = max(widths[len(row)-1], n)
		}
	}
	for i := range len(plain) {
		switch plain[i] {
		case '|':
			add(i)
			start = i + 1
		case ';':
			add(i)
			start = i + 1
			rows = append(rows, row)
			row = nil
		}
	}
	rest := strings.TrimSpace(text[start:])
	var b strings.Builder
	b.WriteByte('\n')
	for _, row := range rows {
		for i, c := range row {
			if c.own {
				b.WriteString(c.text)
				continue
			}
			if i > 0 {
				b.WriteString(" |")
			}
			b.WriteString(" " + c.text)
			for n := utf8.RuneCountInString(c.text); n < widths[i]; n++ {
				b.WriteByte(' ')
			}
		}
		if !row[0].own {
			b.WriteString(" ;")
		}
		b.WriteByte('\n')
	}
	if rest != "" {
		b.WriteString(rest + "\n")
	}
	return b.String()
}

// maxCell is the width of a column in which cells are aligned; longer ones stick out.
const maxCell = 60

// indent has each line of bodies stand as far in as braces are open.
func indent(text, plain string) string {
	var b strings.Builder
	depth, at := 0, 0
	for line := range strings.Lines(text) {
		code := plain[at : at+len(line)]
		at += len(line)
		closes := len(strings.TrimSpace(code)) - len(strings.TrimLeft(strings.TrimSpace(code), "}"))
		line = strings.TrimSpace(line)
		if line != "" {
			b.WriteString(strings.Repeat("  ", max(0, depth-closes)) + line)
		}
		b.WriteByte('\n')
		depth = max(0, depth+strings.Count(code, "{")-strings.Count(code, "}"))
	}
	return b.String()
}

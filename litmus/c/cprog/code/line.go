package code

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/read"
)

// maxCell bounds what is shown of a statement, in bytes.
const maxCell = 80

// at says that what comes next is of the statement n.
func (p *position) at(n cc.Node) {
	if !p.isFixed {
		p.build.line = p.lines.lineOf(n)
	}
}

// lines numbers the lines of a program that statements are on.
type lines struct {
	unit   *Unit
	source read.Source
	texts  map[string][]string // of files, by line
	lineAt map[litmus.Pos]int
}

// lineOf is the number of the line that shows a statement.
func (ls *lines) lineOf(n cc.Node) int {
	pos := read.Place(n)
	if i, ok := ls.lineAt[pos]; ok {
		return i
	}
	text := statementText(ls.textAt(pos))
	if text == "" {
		if text = squeeze(cc.NodeSource(n)); text == "" {
			text = "…"
		}
	}
	ls.unit.Lines = append(ls.unit.Lines, litmus.Cell{Pos: pos, Text: shorten(text)})
	ls.lineAt[pos] = len(ls.unit.Lines) - 1
	return len(ls.unit.Lines) - 1
}

// textAt is the source from a place on; "" where the file is not at hand.
func (ls *lines) textAt(pos litmus.Pos) string {
	lines, ok := ls.texts[pos.File]
	if !ok {
		lines = strings.SplitAfter(ls.fileText(pos.File), "\n")
		ls.texts[pos.File] = lines
	}
	if pos.Line < 1 || pos.Line > len(lines) || pos.Col < 1 || pos.Col > len(lines[pos.Line-1]) {
		return ""
	}
	const enough = 40 // lines
	rest := slices.DeleteFunc(slices.Clone(lines[pos.Line:min(len(lines), pos.Line+enough)]), func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line), "#") // of the preprocessor
	})
	return lines[pos.Line-1][pos.Col-1:] + strings.Join(rest, "")
}

func (ls *lines) fileText(name string) string {
	for _, f := range ls.source.Files {
		if f.Name == name {
			return f.Text
		}
	}
	if ls.source.Include == nil {
		return ""
	}
	text, err := fs.ReadFile(ls.source.Include, path.Clean(name))
	if err != nil {
		return ""
	}
	return string(text)
}

// statementText is the statement that text begins with: up to its semicolon, but of a loop or a choice, and of a function,
// the head alone.
func statementText(text string) string {
	word := text[:len(text)-len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz"))]
	head := word == "if" || word == "while" || word == "for" || word == "switch"
	depth := 0
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		ch := text[i]
		switch {
		case strings.HasPrefix(text[i:], "//"):
			end := strings.IndexByte(text[i:]+"\n", '\n')
			i += end - 1
			continue
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:]+"*/", "*/")
			i += end + 3
			out.WriteByte(' ')
			continue
		case ch == '"' || ch == '\'':
			end := i + 1
			for end < len(text) && text[end] != ch && text[end] != '\n' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			out.WriteString(text[i:end])
			i = end - 1
			continue
		case ch == '\\' && strings.HasPrefix(text[i+1:], "\n"):
			continue
		case ch == '(' || ch == '[':
			depth++
		case ch == ')' || ch == ']':
			depth--
			if depth < 0 {
				return squeeze(out.String())
			}
			if depth == 0 && head {
				out.WriteByte(ch)
				return squeeze(out.String())
			}
		case depth == 0 && (ch == '{' || ch == '}'):
			if before := squeeze(out.String()); !strings.HasSuffix(before, "=") {
				return before
			}
			depth++ // an initialiser
		case ch == '{':
			depth++
		case ch == '}':
			depth--
		case ch == ';' && depth == 0:
			out.WriteByte(ch)
			return squeeze(out.String())
		}
		out.WriteByte(ch)
	}
	return squeeze(out.String())
}

// squeeze leaves one blank where there are several.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

func shorten(s string) string {
	if len(s) <= maxCell {
		return s
	}
	return strings.ToValidUTF8(s[:maxCell], "") + "…"
}

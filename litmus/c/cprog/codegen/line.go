package codegen

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/syntax"
)

// position tracks the source line of the next steps.
type position struct {
	lines   *lines
	build   *code.Builder
	isFixed bool // all steps have one line, because they are of a library function
}

// at sets the line of the next steps to that of statement n.
func (p *position) at(n cc.Node) {
	if !p.isFixed {
		p.build.Line = p.lines.lineOf(n)
	}
}

// lines numbers the source lines with statements.
type lines struct {
	unit   *code.Unit
	source read.Source
	texts  map[string][]string // source lines by file
	lineAt map[litmus.Pos]int
}

// lineOf returns the number of the line that shows a statement.
func (ls *lines) lineOf(n cc.Node) int {
	pos := read.Place(n)
	if i, ok := ls.lineAt[pos]; ok {
		return i
	}
	text := syntax.StatementText(ls.textAt(pos))
	if text == "" {
		if text = syntax.Squeeze(cc.NodeSource(n)); text == "" {
			text = "…"
		}
	}
	ls.unit.Lines = append(ls.unit.Lines, litmus.Cell{Pos: pos, Text: syntax.Shorten(text)})
	ls.lineAt[pos] = len(ls.unit.Lines) - 1
	return len(ls.unit.Lines) - 1
}

// textAt returns the source text from a position on, or "" if the file is not available.
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

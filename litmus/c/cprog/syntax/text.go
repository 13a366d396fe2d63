package syntax

import (
	"strings"

	"modernc.org/cc/v4"
)

// maxCell is the maximum number of bytes of a statement that are shown.
const maxCell = 80

// StatementText returns the statement at the beginning of text: up to its semicolon, or only the head of a loop, a
// selection or a function.
func StatementText(text string) string {
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
				return Squeeze(out.String())
			}
			if depth == 0 && head {
				out.WriteByte(ch)
				return Squeeze(out.String())
			}
		case depth == 0 && (ch == '{' || ch == '}'):
			if before := Squeeze(out.String()); !strings.HasSuffix(before, "=") {
				return before
			}
			depth++ // inside an initialiser
		case ch == '{':
			depth++
		case ch == '}':
			depth--
		case ch == ';' && depth == 0:
			out.WriteByte(ch)
			return Squeeze(out.String())
		}
		out.WriteByte(ch)
	}
	return Squeeze(out.String())
}

// SourceOf returns the source of a node on one line, for messages.
func SourceOf(n cc.Node) string { return Shorten(Squeeze(cc.NodeSource(n))) }

// Squeeze replaces white space by single spaces.
func Squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// Shorten truncates a text that is too long to show.
func Shorten(s string) string {
	if len(s) <= maxCell {
		return s
	}
	return strings.ToValidUTF8(s[:maxCell], "") + "…"
}

package litmus

import "strings"

// Fix is a correction of a text: it replaces Was, on one line at a place, by Text, which may be "".
type Fix struct {
	Pos       Pos
	Was, Text string
}

// String describes the correction: "Replace LDARR by LDAR", "Add 1:X3=x;".
func (f Fix) String() string {
	if text := strings.TrimSpace(f.Text); f.Was == "" {
		return "Add " + text
	}
	return "Replace " + f.Was + " by " + f.Text
}

// Apply corrects a text. It returns false, and the text unchanged, if the text does not have Was at the place.
func (f Fix) Apply(text string) (string, bool) {
	at, lines := 0, unixLines(text)
	for range f.Pos.Line - 1 {
		n := strings.IndexByte(lines[at:], '\n')
		if n < 0 {
			return text, false
		}
		at += n + 1
	}
	line, _, _ := strings.Cut(lines[at:], "\n")
	if f.Text == "" || f.Pos.Col < 1 || f.Pos.Col-1 > len(line) || !strings.HasPrefix(line[f.Pos.Col-1:], f.Was) {
		return text, false
	}
	at += f.Pos.Col - 1
	return text[:at] + f.Text + text[at+len(f.Was):], true
}

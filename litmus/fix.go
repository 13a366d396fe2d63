package litmus

import "strings"

// Fix is a correction of a text: it replaces Was at a place, which may have several lines, by Text, which may be "".
type Fix struct {
	Pos       Pos
	Was, Text string
	Title     string `json:",omitempty"` // what the correction does, if String would quote too much
	// Opens, if not "", names the page that reads this text: such a Fix changes nothing.
	Opens Page `json:",omitempty"`
}

// Page is a page of the explorer that reads texts.
type Page string

// The pages.
const (
	Programs Page = "Programs" // C programs
	Explorer Page = "Explorer" // litmus tests
)

// String describes the correction: "Replace LDARR by LDAR", "Add 1:X3=x;".
func (f Fix) String() string {
	switch text := strings.TrimSpace(f.Text); {
	case f.Opens != "":
		return "Open in " + string(f.Opens)
	case f.Title != "":
		return f.Title
	case f.Was == "":
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
	if f.Text == "" || f.Pos.Col < 1 || f.Pos.Col-1 > len(line) || !strings.HasPrefix(lines[at+f.Pos.Col-1:], f.Was) {
		return text, false
	}
	if at += f.Pos.Col - 1; strings.Contains(f.Was, "\n") {
		text = lines // its line ends may differ from those of Was
	}
	return text[:at] + f.Text + text[at+len(f.Was):], true
}

package class

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// ErrLong is the error for a text that is longer than MaxText.
var ErrLong = fmt.Errorf("an answer has at most %d characters", MaxText)

// ReadText is what somebody has written as it is kept: a line of text. Spaces and ends of lines in a row are one space;
// control characters are left out, and those that would have text run the other way, or not be seen. Its errors are
// ErrBallot, where nothing is left, and ErrLong.
func ReadText(written string) (string, error) {
	const joiners = "\u200c\u200d" // without which words of some scripts, and some pictures, are others
	text := strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case c == unicode.ReplacementChar || unicode.In(c, unicode.C) && !strings.ContainsRune(joiners, c):
			return -1
		}
		return c
	}, written)
	text = strings.Join(strings.Fields(text), " ")
	switch {
	case strings.Trim(text, joiners+" ") == "":
		return "", ErrBallot
	case len(utf16.Encode([]rune(text))) > MaxText: // as browsers count
		return "", ErrLong
	}
	return text, nil
}

// Fold is the same for texts that are the same answer: they differ in upper and lower case alone.
func Fold(text string) string { return strings.ToLower(strings.ToUpper(text)) }

// Written is an answer that some have written.
type Written struct {
	Text   string // as most of them have
	Votes  int
	Hidden bool // it is for the teacher alone
}

// written groups texts that are the same answer, those that most have first. Those that are hidden are named by what
// Fold makes of them.
func written(votes map[Voter]Vote, hidden []string) []Written {
	spelled := map[string]map[string]int{} // by what is the same, and by how it is written
	for _, v := range votes {
		key := Fold(v.Text)
		if spelled[key] == nil {
			spelled[key] = map[string]int{}
		}
		spelled[key][v.Text]++
	}
	out := make([]Written, 0, len(spelled))
	for key, texts := range spelled {
		w := Written{Hidden: slices.Contains(hidden, key)}
		most := 0
		for text, n := range texts {
			if n > most || n == most && text > w.Text { // of as many, not the one in capitals
				w.Text, most = text, n
			}
			w.Votes += n
		}
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b Written) int {
		return cmp.Or(cmp.Compare(b.Votes, a.Votes), cmp.Compare(Fold(a.Text), Fold(b.Text)))
	})
	return out
}

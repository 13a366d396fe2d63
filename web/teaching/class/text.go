package class

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// ErrLong is the error for a text longer than MaxText.
var ErrLong = fmt.Errorf("an answer has at most %d characters", MaxText)

// ReadText normalises a written answer to one line of text. It joins consecutive spaces and line ends to one space, and
// removes control characters and characters that are invisible or reverse the direction of text. Its errors are
// ErrBallot if no text is left, and ErrLong.
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

// Fold maps texts that count as the same answer to the same text: they differ only in case.
func Fold(text string) string { return strings.ToLower(strings.ToUpper(text)) }

// Written is an answer that one or more voters wrote.
type Written struct {
	Text   string // as most of them have
	Votes  int
	Hidden bool // it is for the teacher alone
}

// written groups equal answers, the most frequent first. hidden lists the hidden answers in the form that Fold returns.
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

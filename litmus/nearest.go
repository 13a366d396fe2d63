package litmus

import "strings"

// Nearest is the known word that one which is not was meant to be, "" where none comes near: it
// differs in case alone, or in one letter in four, two that have changed places being one. Of
// those that come equally near it is the first.
func Nearest(word string, known []string) string {
	best, least := "", max(1, len(word)/4)+1
	switch {
	case len(word) > MaxName:
		return ""
	case len(word) < 2:
		least = 1
	}
	lower := strings.ToLower(word)
	for _, k := range known {
		if max(len(k)-len(word), len(word)-len(k)) >= least {
			continue
		}
		if d := distance(strings.ToLower(k), lower); d < least {
			best, least = k, d
		}
	}
	return best
}

// Guess is the known word that one which is not was meant to be, as far as one can tell. In a message it asks so, at
// the end; an error at the place of the word can then be mended by it, see [Errorf].
type Guess struct{ Word, Near string } // Near is "" where none comes near

func (g Guess) String() string {
	if g.Near == "" {
		return ""
	}
	return ": did you mean " + g.Near + "?"
}

// DidYouMean is the known word that comes nearest. To a word in small letters of a table in capitals the answer is in
// small letters.
func DidYouMean(word string, known []string) Guess {
	near := Nearest(word, known)
	if word == strings.ToLower(word) && near == strings.ToUpper(near) {
		near = strings.ToLower(near)
	}
	return Guess{word, near}
}

// distance counts the bytes to insert, delete, replace or exchange with the next one to make one word
// the other.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			replaced := last[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

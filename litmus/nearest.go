package litmus

import "strings"

// Nearest returns the known word that an unknown word is probably a misspelling of, or "". The words may differ in
// case, or in one letter in four, where two swapped letters count as one. Among equally near words, Nearest returns the
// first.
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

// Guess is an unknown word and the known one that was probably meant. As an argument of a message, it prints as a
// question at the end; an error at the place of the word then gets a correction, see [Errorf].
type Guess struct{ Word, Near string } // Near is "" if no known word is near

// String returns ": did you mean NEAR?", or "" if no known word is near.
func (g Guess) String() string {
	if g.Near == "" {
		return ""
	}
	return ": did you mean " + g.Near + "?"
}

// DidYouMean returns the nearest known word. For a word in lower case and a table in upper case, the answer is in lower
// case.
func DidYouMean(word string, known []string) Guess {
	near := Nearest(word, known)
	if word == strings.ToLower(word) && near == strings.ToUpper(near) {
		near = strings.ToLower(near)
	}
	return Guess{word, near}
}

// distance returns the number of bytes to insert, delete, replace or swap with the next one to turn one word into the
// other.
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

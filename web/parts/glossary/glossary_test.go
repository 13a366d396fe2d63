package glossary

import "testing"

// What a text gets wrong is found when the program is built, with the line.
func TestReadGlossaryRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"words\n":                                `line 1: text outside of a term: "words"`,
		": a | A\nwords\n":                       `line 1: invalid term: want a new ID and a name, in a group: ": a | A"`,
		"= G\n: a | A\nx\n: a | B\ny\n":          `line 4: invalid term: want a new ID and a name, in a group: ": a | B"`,
		"= G\n: a\nx\n":                          `line 2: invalid term: want a new ID and a name, in a group: ": a"`,
		"= G\n: a | A\n":                         "a has no text",
		"= G\n: a | A\nsee [b]\n":                "a links to b, which is not a term",
		"= G\n: a | A\nsee {NOSUCH}\n":           "a: NOSUCH is not a classic test",
		"= G\n: a | A\nsee {SB|tso forbidden}\n": `a: "SB|tso forbidden": the catalogue has "allowed"`,
		"= G\n: a | A\nx\n> a paper\nmore x\n":   `line 5: text after the sources: "more x"`,
	} {
		if _, err := readGlossary(text); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

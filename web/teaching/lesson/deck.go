package lesson

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// Limits of a deck, which a stranger may have written: its bytes, the bytes of a line, the lists and quotations that a
// line begins, its blocks, and the choices of a question. Reading Markdown with deep nesting or very many brackets
// takes time quadratic in its length.
const (
	MaxDeck       = 128 << 10
	maxDeckLine   = 4000
	maxDeckNest   = 8
	maxDeckSigns  = 2000 // of those that may begin a link or an emphasis, in a paragraph
	maxDeckBlocks = 200
	maxDeckPicks  = 12
	// maxDeckCells limits the cells of all tables together. Markdown fills short rows with empty cells, and each takes
	// 300 bytes.
	maxDeckCells = 10_000
)

// deckWords are the kinds of blocks that a deck may have.
var deckWords = []string{"litmus", "question", "exercise"}

// Deck reads questions for a class: a lesson without front matter that contains tests, questions and exercises. Its
// questions need no explanations and no right answer. Unlike a lesson's, its text may come from anybody, and it has no
// images.
func (r *Reader) Deck(file string, source []byte) (*Lesson, error) {
	in := r.begin(file, source)
	in.deck, in.lesson.deck = true, true
	if len(source) > MaxDeck {
		in.errorAt(1, 1, "the file is longer than %d KiB", MaxDeck>>10)
		return in.lesson, in.errs
	}
	if i := bytes.IndexByte(source, 0); i >= 0 {
		in.fail(in.at(i), "got a zero byte, want text")
		return in.lesson, in.errs
	}
	if in.tangled(); len(in.errs) > 0 {
		return in.lesson, in.errs.Sorted().Err()
	}
	if bytes.HasPrefix(in.source, []byte("---\n")) {
		in.front()
	}
	in.body()
	for _, l := range in.lesson.Links {
		if l.Image {
			in.fail(l.Pos, "a deck is one file and has no images")
		}
	}
	if len(in.errs) == 0 && len(in.lesson.Items()) == 0 {
		in.errorAt(1, 1, "the file has no questions: want question or exercise blocks, or litmus blocks with predict")
	}
	return in.lesson, in.errs.Sorted().Err()
}

// tangled reports text that would take long to read.
func (in *reading) tangled() {
	signs, columns, cells := 0, 0, 0
	for n, line := range strings.Split(string(in.source), "\n") {
		rest := strings.TrimLeft(line, " \t>+-*0123456789.)")
		nest := len(strings.FieldsFunc(line[:len(line)-len(rest)], func(c rune) bool { return c == ' ' || c == '\t' }))
		nest = max(nest, strings.Count(line[:len(line)-len(rest)], ">"))
		if signs += len(line) - len(strings.Map(func(c rune) rune {
			if strings.ContainsRune("[]*_`~$!<", c) {
				return -1
			}
			return c
		}, line)); strings.TrimSpace(line) == "" {
			signs, columns = 0, 0
		}
		if cells += columns; strings.Trim(line, "|:- \t>") == "" && strings.Contains(line, "-") {
			// the line below a table's header
			columns = strings.Count(line, "|") + 1
			cells += 2 * columns
		}
		switch {
		case len(line) > maxDeckLine:
			in.errorAt(n+1, maxDeckLine+1, "the line is longer than %d bytes", maxDeckLine)
		case nest > maxDeckNest:
			in.errorAt(n+1, 1, "the line begins more than %d lists or quotations", maxDeckNest)
		case cells > maxDeckCells:
			in.errorAt(n+1, 1, "the tables have more than %d cells", maxDeckCells)
		case signs > maxDeckSigns:
			in.errorAt(n+1, 1, "the paragraph has more than %d brackets, stars, backquotes and the like", maxDeckSigns)
		default:
			continue
		}
		return
	}
}

// lessonItem names an item of a lesson by the lesson's name and the item's.
var lessonItem = litmus.Pattern(`^[a-z][a-z0-9-]*#[a-z]+-[0-9]+$`)

// more reads the option that names the lesson which an item of a deck comes from.
func (in *reading) more(f fence, name string, opts map[string]string) {
	from, ok := opts["more"]
	switch {
	case !ok:
	case !lessonItem().MatchString(from):
		in.fail(f.at, "got more=%q, want a lesson and the block's name there: more=\"fences#question-2\"",
			litmus.Shorten(from))
	default:
		if in.lesson.More == nil {
			in.lesson.More = map[string]string{}
		}
		in.lesson.More[name] = from
	}
}

// DeckText returns an item of a lesson or deck as text of a deck: its block, and before a question the block of its
// test.
func (l *Lesson) DeckText(i Item) string {
	with := ""
	if !l.deck {
		with = fmt.Sprintf("more=%q", l.Slug+"#"+i.Name())
	}
	switch i := i.(type) {
	case *Test:
		return l.block(i.Pos, "", with)
	case *Exercise:
		return l.block(i.Pos, "", with)
	case *Question:
		if i.About != nil {
			return l.block(i.About.Pos, "predict", "") + "\n" + l.block(i.Pos, "", with)
		}
		return l.block(i.Pos, "", with)
	}
	return ""
}

// block returns the text of the fenced block whose word is at a place, without one of its options and with another
// added.
func (l *Lesson) block(pos litmus.Pos, without, with string) string {
	lines := strings.Split(l.Text, "\n")
	head := lines[pos.Line-1]
	fence := strings.TrimSpace(head[:pos.Col-1])
	var words []string
	for rest := strings.TrimSpace(head[pos.Col-1:]); rest != ""; {
		word, err := option(rest)
		if err != nil {
			word = rest // it is an error's, which another message has
		}
		if word != without || len(words) == 0 {
			words = append(words, word)
		}
		rest = strings.TrimSpace(rest[len(word):])
	}
	if with != "" {
		words = append(words, with)
	}
	out := []string{fence + strings.Join(words, " ")}
	for _, line := range lines[pos.Line:] {
		out = append(out, line)
		if end := strings.TrimSpace(line); strings.HasPrefix(end, fence) && strings.Trim(end, fence[:1]) == "" {
			break
		}
	}
	return strings.Join(out, "\n") + "\n"
}

// Plain is a question without markup.
type Plain struct {
	Text    string
	Answers []string
	Right   int    // the answer that is; -1 for none
	Test    string // that it is about; "" for none
	Picture string // the column whose execution of the test is shown; "" for none
	Verdict string // … whose verdict on it is the answer, in place of Answers
	Written bool   // everybody writes an answer, in place of Answers
}

// DeckText returns the question as text of a deck. A test begins in its second line.
func (p Plain) DeckText() string {
	var b strings.Builder
	about := ""
	if p.Test != "" {
		fence, shows := "```", ""
		for strings.Contains(p.Test, fence) {
			fence += "`"
		}
		about = " about"
		if p.Picture != "" {
			shows = fmt.Sprintf(" models=\"%s\" picture=\"%[1]s\"", p.Picture)
			about += " picture"
		}
		if p.Verdict != "" {
			about += fmt.Sprintf(" verdict=\"%s\"", p.Verdict)
		}
		fmt.Fprintf(&b, "%slitmus%s\n%s\n%s\n\n", fence, shows, strings.TrimRight(p.Test, "\n"), fence)
	}
	if p.Written {
		about += " text"
	}
	fmt.Fprintf(&b, "```question%s\n%s\n", about, escaped(p.Text))
	for n, a := range p.Answers {
		box := "( )"
		if n == p.Right {
			box = "(x)"
		}
		fmt.Fprintf(&b, "\n%s %s", box, escaped(a))
	}
	return strings.TrimRight(b.String(), "\n") + "\n```\n"
}

// escaped escapes a text so that Markdown shows it unchanged. It keeps line breaks.
func escaped(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		var b strings.Builder
		for _, c := range strings.TrimSpace(line) {
			if strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", c) {
				b.WriteByte('\\')
			}
			b.WriteRune(c)
		}
		lines = append(lines, b.String())
	}
	for n := range lines[:max(len(lines)-1, 0)] {
		if lines[n] != "" && lines[n+1] != "" {
			lines[n] += "\\"
		}
	}
	return strings.Join(lines, "\n")
}

func (in *reading) inDeck(word string) bool { return !in.deck || slices.Contains(deckWords, word) }

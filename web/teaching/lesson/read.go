package lesson

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"go.yaml.in/yaml/v3"

	"litmuscope/litmus"
)

// Reader reads lessons.
type Reader struct {
	// Terms maps the glossary's terms, in lower case, to their anchors. Words in brackets, such as [store buffer], link
	// there.
	Terms map[string]string
}

// maxLesson limits a file, in bytes.
const maxLesson = 1 << 20

// fileName matches the name of a lesson's file: its order and its slug.
var fileName = litmus.Pattern(`^(?:([0-9]+)-)?([a-z][a-z0-9-]*)\.md$`)

// reading holds the state while a lesson is read.
type reading struct {
	*Reader
	lesson *Lesson
	source []byte // with blanks for the front matter, so that places stay
	lines  []int  // where they begin
	errs   litmus.ErrorList
	count  map[string]int // blocks so far, by kind
	deck   bool           // of a class: see Reader.Deck
}

// Read reads a lesson. Its error is a [litmus.ErrorList] of all faults. If there are faults, the lesson still contains
// the parts that could be read, and its links.
func (r *Reader) Read(file string, source []byte) (*Lesson, error) {
	in := r.begin(file, source)
	l, base := in.lesson, path.Base(file)
	if m := fileName().FindStringSubmatch(base); m == nil {
		in.errorAt(1, 1, "a lesson's file is named by its number and its name in the address, such as "+
			"03-fences.md: got %q",
			base)
	} else {
		l.Slug = m[2]
		l.Order, _ = strconv.Atoi(m[1]) // no number comes first
	}
	if len(in.source) > maxLesson {
		in.errorAt(1, 1, "the file is longer than %d KiB", maxLesson>>10)
		return l, in.errs
	}
	in.front()
	in.body()
	return l, in.errs.Sorted().Err()
}

// begin returns the initial state for a file.
func (r *Reader) begin(file string, source []byte) *reading {
	base := path.Base(file)
	sum := sha256.Sum256(source)
	source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
	l := &Lesson{
		File: file, Text: string(source), Version: hex.EncodeToString(sum[:6]),
		Slug: strings.TrimSuffix(base, ".md"), Title: base,
	}
	in := &reading{Reader: r, lesson: l, source: bytes.Clone(source), count: map[string]int{}}
	in.lines = []int{0}
	for i, c := range in.source {
		if c == '\n' {
			in.lines = append(in.lines, i+1)
		}
	}
	return in
}

func (in *reading) errorAt(line, col int, format string, args ...any) {
	in.errs = append(in.errs, litmus.Errorf(litmus.Pos{File: in.lesson.File, Line: line, Col: col}, format, args...))
}

// at returns the position of an offset.
func (in *reading) at(offset int) litmus.Pos {
	line := 0
	for line+1 < len(in.lines) && in.lines[line+1] <= offset {
		line++
	}
	return litmus.Pos{File: in.lesson.File, Line: line + 1, Col: offset - in.lines[line] + 1}
}

func (in *reading) fail(pos litmus.Pos, format string, args ...any) {
	in.errs = append(in.errs, litmus.Errorf(pos, format, args...))
}

// shift adds the errors of a text that begins at a line of the lesson.
func (in *reading) shift(err error, line int) {
	for _, e := range litmus.Errors(err) {
		pos := litmus.Pos{File: in.lesson.File, Line: line + max(e.Pos.Line, 1) - 1, Col: max(e.Pos.Col, 1)}
		in.fail(pos, "%s", e.Msg)
	}
}

// front reads the front matter, and replaces it with blanks.
func (in *reading) front() {
	rest, ok := bytes.CutPrefix(in.source, []byte("---\n"))
	end := bytes.Index(rest, []byte("\n---\n"))
	if !ok || end < 0 {
		in.errorAt(1, 1, "got no front matter, want lines between two lines of ---: title, summary, minutes")
		return
	}
	matter := rest[:end]
	var doc yaml.Node
	if err := yaml.Unmarshal(matter, &doc); err != nil {
		var line int
		msg := strings.TrimPrefix(err.Error(), "yaml: ")
		if n, _ := fmt.Sscanf(msg, "line %d:", &line); n == 1 {
			_, msg, _ = strings.Cut(msg, ": ")
		}
		in.errorAt(line+1, 1, "front matter: %s", msg)
	} else if len(doc.Content) == 1 {
		in.fields(doc.Content[0])
	}
	for i := range in.source[:len("---\n")+end+len("\n---\n")] {
		if in.source[i] != '\n' {
			in.source[i] = ' '
		}
	}
	l := in.lesson
	for _, want := range []struct {
		name string
		ok   bool
	}{{"title", l.Title != path.Base(l.File)}, {"summary", l.Summary != ""}, {"minutes", l.Minutes > 0}} {
		if !want.ok && len(in.errs) == 0 {
			in.errorAt(1, 1, "front matter: %s is missing", want.name)
		}
	}
}

// fields reads the front matter's fields into the lesson. Unknown fields and values of a wrong type are faults.
func (in *reading) fields(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		in.errorAt(n.Line+1, n.Column, "front matter: got no fields, want title, summary, minutes")
		return
	}
	l := in.lesson
	fields := map[string]any{
		"title": &l.Title, "summary": &l.Summary, "order": &l.Order, "minutes": &l.Minutes,
		"track": &l.Track, "needs": &l.Needs,
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		to, ok := fields[key.Value]
		if !ok {
			in.errorAt(key.Line+1, key.Column,
				"front matter: got %q, want title, summary, order, minutes, track or needs", litmus.Shorten(key.Value))
			continue
		}
		if err := value.Decode(to); err != nil {
			want := map[string]string{
				"order": "a number", "minutes": "a number",
				"needs": "a list of lessons, [a, b]",
			}[key.Value]
			if want == "" {
				want = "a text"
			}
			in.errorAt(value.Line+1, value.Column, "front matter: %s wants %s", key.Value, want)
		}
	}
	if l.Minutes < 0 || l.Minutes > 600 {
		in.errorAt(n.Line+1, n.Column, "front matter: want minutes from 1 to 600")
	}
}

// live returns the function that reads a block of a kind; nil for plain code.
func (in *reading) live(word string) func(fence) {
	switch word {
	case "litmus":
		return in.test
	case "question":
		return in.question
	case "exercise":
		return in.exercise
	case "cat":
		return in.model
	case "tour":
		return in.tour
	case "compile":
		return in.mappings
	case "log":
		return in.log
	case "slide":
		return in.slide
	}
	return nil
}

// slide reads the text of a slide, Markdown without blocks of a lesson.
func (in *reading) slide(f fence) {
	in.options(f)
	in.lesson.Blocks = append(in.lesson.Blocks, Slide{HTML: in.prose(f.text, f.line)})
}

// fence is a fenced block.
type fence struct {
	word string
	info string // behind the word
	at   litmus.Pos
	text string
	line int // of the text's first
}

// plainCode are the words of blocks that are shown unchanged.
var plainCode = strings.Fields("text c cpp asm console sh diff go rust java python ocaml lisp json yaml")

func (in *reading) fence(n *ast.FencedCodeBlock) (f fence, ok bool) {
	if n.Info == nil {
		return f, false
	}
	seg := n.Info.Segment
	f.at = in.at(seg.Start)
	f.word, f.info, _ = strings.Cut(strings.TrimSpace(string(seg.Value(in.source))), " ")
	f.line = f.at.Line + 1
	f.text = string(n.Lines().Value(in.source))
	return f, in.live(f.word) != nil
}

// body reads the blocks after the front matter: fenced blocks of a known kind become blocks of the lesson, and the text
// between two of them becomes one Prose.
func (in *reading) body() {
	md := in.markdown()
	doc := md.parse(in.source)
	prose := &bytes.Buffer{}
	flush := func() {
		if prose.Len() > 0 {
			in.lesson.Blocks = append(in.lesson.Blocks, Prose{HTML: prose.String()})
			prose.Reset()
		}
	}
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if code, is := n.(*ast.FencedCodeBlock); is {
			if f, is := in.fence(code); is {
				flush()
				if in.deck && len(in.lesson.Blocks) >= maxDeckBlocks {
					in.fail(f.at, "a deck has at most %d blocks", maxDeckBlocks)
					break
				}
				if !in.inDeck(f.word) {
					in.fail(f.at, "a deck accepts %s blocks, not %s", strings.Join(deckWords, ", "), f.word)
					continue
				}
				in.live(f.word)(f)
				continue
			}
		}
		in.look(n)
		if h, is := n.(*ast.Heading); is {
			in.heading(h)
		}
		if err := md.render(prose, in.source, n); err != nil {
			in.fail(litmus.Pos{File: in.lesson.File, Line: 1, Col: 1}, "Markdown: %v", err)
		}
	}
	flush()
}

func (in *reading) heading(h *ast.Heading) {
	pos := litmus.Pos{File: in.lesson.File, Line: 1, Col: 1}
	if h.Lines().Len() > 0 {
		pos = in.at(h.Lines().At(0).Start)
	}
	if h.Level == 1 {
		in.fail(pos, "the lesson's title is in the front matter: begin sections with ##")
	}
	if id, ok := h.AttributeString("id"); ok && h.Level == 2 {
		if id, ok := id.([]byte); ok {
			in.lesson.Sections = append(in.lesson.Sections, Section{ID: string(id), Title: plain(h, in.source)})
		}
	}
}

// look reports faults within a piece of prose: blocks in lists or quotations, and HTML.
func (in *reading) look(n ast.Node) {
	err := ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			if f, ok := in.fence(n); ok {
				in.fail(f.at, "a %s block must not be in a list or a quotation", f.word)
			} else if f.word != "" && !contains(plainCode, f.word) {
				in.fail(f.at, "there are no %q blocks: want litmus, question, exercise, cat, tour, compile, log or "+
					"slide, or for plain code %s or no word", litmus.Shorten(f.word),
					strings.Join(plainCode, ", "))
			}
		case *ast.HTMLBlock:
			in.fail(in.at(n.Lines().At(0).Start), "HTML is not allowed: write Markdown")
		case *ast.RawHTML:
			in.fail(in.at(n.Segments.At(0).Start),
				"HTML is not allowed: write Markdown, or put code in `backquotes`")
		case *formula:
			in.formula(n)
		case *ast.CodeSpan:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if i := bytes.IndexByte(n.Segment.Value(in.source), '['); i >= 0 && len(in.Terms) > 0 &&
				openLink().Match(in.source[n.Segment.Start+i:]) {
				in.fail(in.at(n.Segment.Start+i), "the link leads nowhere: want a term of the glossary, "+
					"[store buffer], or [words][store-buffer]")
			}
		case *ast.Link:
			in.asserted(n)
			in.lesson.Links = append(in.lesson.Links, Link{To: string(n.Destination), Pos: in.placeOf(n)})
		case *ast.Image:
			in.lesson.Links = append(in.lesson.Links, Link{To: string(n.Destination), Image: true, Pos: in.placeOf(n)})
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		in.errs = append(in.errs, litmus.Errors(err)...)
	}
}

// openLink matches brackets that look like a link to the glossary. Others, such as [x] and [EAX], are notation.
var openLink = litmus.Pattern(`^\[[a-z][a-z -]+[\]|]`)

// placeOf returns where the text of an inline node begins.
func (in *reading) placeOf(n ast.Node) litmus.Pos {
	for c := n.FirstChild(); c != nil; c = c.FirstChild() {
		if t, ok := c.(*ast.Text); ok {
			return in.at(max(t.Segment.Start-1, 0))
		}
	}
	return in.at(0)
}

// plain returns a heading's text.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	err := ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(source))
		case *ast.String:
			b.Write(n.Value)
		}
		return ast.WalkContinue, nil
	})
	return map[bool]string{true: b.String()}[err == nil]
}

// prose renders a piece of Markdown that begins at a line of the lesson's.
func (in *reading) prose(markdown string, line int) string {
	if strings.TrimSpace(markdown) == "" {
		return ""
	}
	// With blank lines before it, places are the lesson's.
	whole := []byte(strings.Repeat("\n", line-1) + markdown)
	part := *in
	part.source = whole
	part.lines = []int{0}
	for i, c := range whole {
		if c == '\n' {
			part.lines = append(part.lines, i+1)
		}
	}
	md := part.markdown()
	doc := md.parse(whole)
	var b bytes.Buffer
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		part.look(n)
		if err := md.render(&b, whole, n); err != nil {
			part.errs = append(part.errs, litmus.Errors(err)...)
		}
	}
	in.errs = part.errs
	return b.String()
}

// inline renders one paragraph without its tags.
func (in *reading) inline(markdown string, line int) string {
	html := strings.TrimSpace(in.prose(markdown, line))
	if inner, ok := strings.CutPrefix(html, "<p>"); ok && strings.Count(html, "<p>") == 1 {
		if inner, ok := strings.CutSuffix(inner, "</p>"); ok {
			return inner
		}
	}
	return html
}

// name returns the next name for a kind of block.
func (in *reading) name(kind string) string {
	in.count[kind]++
	return fmt.Sprintf("%s-%d", kind, in.count[kind])
}

// options reads the words after a block's kind: names, names with values, and values in quotes.
func (in *reading) options(f fence, known ...string) map[string]string {
	out := map[string]string{}
	if in.deck {
		known = append(known, "more")
	}
	col := f.at.Col + len(f.word) + 1
	for rest := f.info; ; {
		trimmed := strings.TrimLeft(rest, " ")
		col += len(rest) - len(trimmed)
		if rest = trimmed; rest == "" {
			return out
		}
		word, err := option(rest)
		if err != nil {
			in.errorAt(f.at.Line, col, "%v", err)
			return out
		}
		name, value, _ := strings.Cut(word, "=")
		if !contains(known, name) {
			in.errorAt(f.at.Line, col, "%s blocks have no option %q: want one of %s", f.word, litmus.Shorten(name),
				strings.Join(known, ", "))
		} else if _, twice := out[name]; twice {
			in.errorAt(f.at.Line, col, "option %s is given twice", name)
		}
		out[name] = strings.Trim(value, `"`)
		col += len(word)
		rest = rest[len(word):]
	}
}

// option returns the first word of a text, including a part in quotes.
func option(text string) (string, error) {
	quoted := false
	for i, c := range text {
		switch {
		case c == '"':
			quoted = !quoted
		case c == ' ' && !quoted:
			return text[:i], nil
		}
	}
	if quoted {
		return "", errors.New("the quotes are not closed")
	}
	return text, nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

package class

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"

	"golang.org/x/net/html"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
	"litmuscope/web/teaching/lesson"
)

// maxFaults is the maximum number of errors in a deck that one message lists.
const maxFaults = 10

// saveDeck sends the class's questions as a deck file, which another class can load.
func (s *page) saveDeck(w http.ResponseWriter, r *http.Request, c classRequest) {
	w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="class-%s.md"`, c.Code))
	w.Header().Set("Cache-Control", "no-store")
	if _, err := io.WriteString(w, deckOf(c.View().Items)); err != nil {
		s.server.Log.DebugContext(r.Context(), "deck", "error", err) // the client has gone
	}
}

// deckOf returns the questions as Markdown. A line stands in for each question that a deck cannot contain.
func deckOf(items []class.Item) string {
	var blocks []string
	for n := range items {
		text := items[n].Deck
		if text == "" {
			text = fmt.Sprintf("This file does not contain question %d: it was made from a test in the explorer.\n",
				n+1)
		}
		blocks = append(blocks, text)
	}
	return strings.Join(blocks, "\n")
}

func (s *page) openDeck(w http.ResponseWriter, r *http.Request) {
	items, err := s.itemsOfDeck(w, r)
	s.openItems(w, r, items, err)
}

func (s *page) addDeck(w http.ResponseWriter, r *http.Request, c classRequest) {
	items, err := s.itemsOfDeck(w, r)
	s.addItems(w, r, c, items, err)
}

// itemsOfDeck reads the questions of the uploaded file, form field "deck".
func (s *page) itemsOfDeck(w http.ResponseWriter, r *http.Request) ([]class.Item, error) {
	const around = 4 << 10 // bytes of a form around its one file
	server.AllowBody(w, r, lesson.MaxDeck+around)
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, server.Unread(err)
	}
	p, err := parts.NextPart()
	if err != nil {
		return nil, server.Unread(err)
	}
	if p.FormName() != "deck" || p.FileName() == "" {
		return nil, server.Refuse("Not loaded: choose a file.")
	}
	text, err := io.ReadAll(p)
	if err != nil {
		return nil, server.Unread(err)
	}
	file := litmus.Shorten(path.Base(p.FileName()))
	items, err := s.readDeck(r.Context(), file, string(text), 0)
	if no := (server.Refusal{}); errors.As(err, &no) {
		return nil, server.Refuse("Not loaded: %v", no)
	}
	return items, err
}

// readDeck parses a deck in a child process. before is the number of lines that the server put before the visitor's
// text; reported positions do not count them.
func (s *page) readDeck(ctx context.Context, file, text string, before int) ([]class.Item, error) {
	read, err := childwork.ReadingDecks.Call(ctx, s.questions.Sandbox, s.lessons.Deck(file, text))
	if limited := (*solver.Limited)(nil); errors.As(err, &limited) {
		return nil, server.Refuse("%s: %s while reading the file. Make it smaller.", file, limited.Reason)
	} else if err != nil {
		return nil, err
	}
	l, err := read.Deck()
	if err != nil {
		var told []string
		for _, e := range litmus.Errors(err) {
			at := *e
			at.Pos.Line = max(at.Pos.Line-before, 1)
			if told = append(told, at.Error()); len(told) == maxFaults {
				break
			}
		}
		return nil, server.Refuse("%s", strings.Join(told, "\n"))
	}
	items, err := s.itemsOf(ctx, l, "")
	for n := range items {
		removeMarkup(&items[n])
	}
	return items, err
}

// itemAbout makes a teacher's own question about a test.
func (s *page) itemAbout(ctx context.Context, p lesson.Plain) (class.Item, error) {
	if p.Verdict != "" && len(p.Answers) > 0 {
		return class.Item{}, server.Refuse("Question not added: if a model's verdict is the right answer, the " +
			"choices are " +
			"allowed and forbidden. Leave your answers empty.")
	}
	items, err := s.readDeck(ctx, "test", p.DeckText(), 1)
	no := server.Refusal{}
	switch {
	case errors.As(err, &no):
		return class.Item{}, server.Refuse("Question not added: %v", no)
	case err != nil:
		return class.Item{}, err
	case len(items) != 1:
		return class.Item{}, server.Refuse("Question not added: the text contains more than one litmus test.")
	}
	return items[0], nil
}

// removeMarkup turns the HTML of a question into plain text if it has no markup, as in typed questions.
func removeMarkup(i *class.Item) {
	if i.Kind == class.Edits {
		return
	}
	if text, ok := plainText(i.HTML); ok && i.HTML != "" {
		i.Prompt, i.HTML = text, ""
		i.Title, _, _ = strings.Cut(text, "\n")
		i.Title = litmus.Shorten(i.Title)
	}
	for p := range i.Parts {
		for c := range i.Parts[p].Choices {
			a := &i.Parts[p].Choices[c]
			if text, ok := plainText(a.HTML); ok && a.HTML != "" {
				a.Text, a.HTML = text, ""
			}
		}
	}
}

// plainText returns an HTML fragment as lines of text; false if it has elements other than paragraphs and line breaks.
func plainText(markup string) (string, bool) {
	var b strings.Builder
	t := html.NewTokenizer(strings.NewReader(markup))
	for {
		switch kind := t.Next(); kind {
		case html.ErrorToken:
			return strings.TrimSpace(b.String()), true
		case html.TextToken:
			b.WriteString(strings.Trim(string(t.Text()), "\n"))
		default:
			name, _ := t.TagName()
			switch string(name) {
			case "br":
				b.WriteByte('\n')
			case "p":
				if kind == html.EndTagToken {
					b.WriteString("\n\n")
				}
			default:
				return "", false
			}
		}
	}
}

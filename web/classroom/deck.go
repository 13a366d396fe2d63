package classroom

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"

	"golang.org/x/net/html"

	"litmuscope/litmus"
	"litmuscope/web/class"
	"litmuscope/web/lesson"
	"litmuscope/web/shell"
)

// mostFaults bounds what is told of a deck's faults at once.
const mostFaults = 10

// saveDeck gives the questions of a class as a deck, which can be loaded into another.
func (s *room) saveDeck(w http.ResponseWriter, r *http.Request, c theClass) {
	w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="class-%s.md"`, c.Code))
	w.Header().Set("Cache-Control", "no-store")
	if _, err := io.WriteString(w, deckOf(c.View().Items)); err != nil {
		s.Log.DebugContext(r.Context(), "deck", "error", err) // the client has gone
	}
}

// deckOf is a deck of questions. Of those that it cannot have it says so.
func deckOf(items []class.Item) string {
	var blocks []string
	for n := range items {
		text := items[n].Deck
		if text == "" {
			text = fmt.Sprintf("Question %d, about a test in the explorer, is not in this file.\n", n+1)
		}
		blocks = append(blocks, text)
	}
	return strings.Join(blocks, "\n")
}

func (s *room) openDeck(w http.ResponseWriter, r *http.Request) {
	items, err := s.itemsOfDeck(w, r)
	s.openItems(w, r, items, err)
}

func (s *room) addDeck(w http.ResponseWriter, r *http.Request, c theClass) {
	items, err := s.itemsOfDeck(w, r)
	s.addItems(w, r, c, items, err)
}

// itemsOfDeck are the questions of the file that is uploaded as "deck".
func (s *room) itemsOfDeck(w http.ResponseWriter, r *http.Request) ([]class.Item, error) {
	const around = 4 << 10 // of a form with one file
	shell.AllowBody(w, r, lesson.MaxDeck+around)
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, shell.Unread(err)
	}
	p, err := parts.NextPart()
	if err != nil {
		return nil, shell.Unread(err)
	}
	if p.FormName() != "deck" || p.FileName() == "" {
		return nil, shell.Refuse("Not loaded: choose a file.")
	}
	text, err := io.ReadAll(p)
	if err != nil {
		return nil, shell.Unread(err)
	}
	file := litmus.Shorten(path.Base(p.FileName()))
	l, err := s.lessons.Deck(file, text)
	if err != nil {
		var told []string
		for _, e := range litmus.Errors(err) {
			if told = append(told, e.Error()); len(told) == mostFaults {
				break
			}
		}
		return nil, shell.Refuse("Not loaded: %s", strings.Join(told, "\n"))
	}
	items, err := s.itemsOf(r.Context(), l, "")
	for n := range items {
		plainly(&items[n])
	}
	if no := (shell.Refusal{}); errors.As(err, &no) {
		return nil, shell.Refuse("Not loaded: %v", no)
	}
	return items, err
}

// plainly has a question without markup be one, as those are that are typed in.
func plainly(i *class.Item) {
	if i.Kind != class.Choice {
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

// plainText is a piece of a page as lines of text; false where it is more than that.
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

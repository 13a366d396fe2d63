package web

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"litmuscope/solver/report"
)

// shareKind is something that the menu behind "Share" makes: a kind of link, the "source", or a format that
// a question can be copied in.
type shareKind struct {
	Name string `json:"name"`
	Help string `json:"help"`
	Kind string `json:"kind"`
}

// copyKind is a format in which a page's question Q, with its answer, can be copied.
type copyKind[Q any] struct {
	shareKind
	write func(*server, context.Context, Q, url.Values) (string, error)
}

var copies = []copyKind[question]{
	{shareKind{"Markdown", "Test, answer and a link, for an issue or notes.", "markdown"}, (*server).copyMarkdown},
	{shareKind{"herd log", "The answer, as herd7 writes it.", "herd"}, copyLog("herd")},
	{shareKind{"JSON lines", "The answer, an object for each model.", "jsonl"}, copyLog("jsonl")},
	{shareKind{"CSV", "The answer, a row for each model.", "csv"}, copyLog("csv")},
	{shareKind{"run command", "Asks the same in a shell, with litmuscope run.", "run"}, (*server).copyRun},
	{shareKind{"curl command", "Asks the same of this server, over REST.", "curl"}, (*server).copyCurl},
}

// What the menus of the pages have.
var (
	testSharing = sharing(true, shareKind{"litmus", "The test.", "source"}, copies,
		shareKind{"Link", "Holds everything: test, models, options and this picture. Nothing is kept on the server.", "link"}, shortLink,
		shareKind{"Embed", "For a page of your own: test, answer and picture in a frame, to be looked at.", "embed"})
	claimSharing = sharing(false, shareKind{"C", "The program.", "source"}, claimCopies,
		shareKind{"Link", "Holds everything: program, models, bounds and this picture. Nothing is kept on the server.", "link"}, shortLink)
	shortLink = shareKind{"Short link", "The server keeps what it leads to.", "short"}
)

type shareMenu struct {
	Teach  bool        `json:"teach"` // a class can be opened on it
	Links  []shareKind `json:"links"`
	Copies []shareKind `json:"copies"`
}

func sharing[Q any](teach bool, source shareKind, copies []copyKind[Q], links ...shareKind) shareMenu {
	menu := shareMenu{teach, links, []shareKind{source}}
	for _, c := range copies {
		menu.Copies = append(menu.Copies, c.shareKind)
	}
	return menu
}

// postCopy answers with the form's question as text, in ?format=; for some of them field
// "origin" is the server as its visitors reach it, and field "link" leads to the question.
func (b *bench[Q]) postCopy(w http.ResponseWriter, r *http.Request) {
	if !b.ParseForm(w, r) {
		return
	}
	i := slices.IndexFunc(b.copies, func(k copyKind[Q]) bool { return k.Kind == r.URL.Query().Get("format") })
	if i < 0 {
		b.Fail(w, r, http.StatusNotFound, "There is no such format.")
		return
	}
	q, err := b.copied(r.PostForm)
	var text string
	if err == nil {
		text, err = b.copies[i].write(b.server, r.Context(), q, r.PostForm)
	}
	b.SendText(w, r, text, err)
}

// copyable reads a form's question, whose answer was given just now.
func (s *server) copyable(f url.Values) (question, error) {
	q, err := fromForm(f)
	q.Again = true
	if err == nil {
		err = s.settle(&q)
	}
	return q, err
}

// copyLog writes the answer as the command line does for a test on standard input.
func copyLog(format string) func(*server, context.Context, question, url.Values) (string, error) {
	return func(s *server, ctx context.Context, q question, _ url.Values) (string, error) {
		a, err := s.explore(ctx, q)
		if err != nil {
			return "", err
		}
		f, _ := report.Find(format)
		var b bytes.Buffer
		out := f.New(&b, report.Options{Models: len(a.results) > 1})
		for _, r := range a.results {
			one := *r
			one.Path, one.Cached = "-", false
			if err := out.Result(&one); err != nil {
				return "", err
			}
		}
		return b.String(), out.Close()
	}
}

// copyMarkdown writes test, verdict and table for an issue or a page of notes.
func (s *server) copyMarkdown(ctx context.Context, q question, f url.Values) (string, error) {
	a, err := s.explore(ctx, q)
	if err != nil {
		return "", err
	}
	v := viewAnswers(a)
	var b strings.Builder
	fence := strings.Repeat("`", max(3, longestRun(a.source, '`')+1))
	fmt.Fprintf(&b, "%slitmus\n%s\n%s\n\n", fence, strings.TrimRight(a.source, "\n"), fence)
	fmt.Fprintf(&b, "**%s** %s %s\n\n", plainMarkdown(v.Name+":"), v.Asks, codeMarkdown(v.Condition))
	for _, l := range v.Lines {
		fmt.Fprintf(&b, "- %s\n", plainMarkdown(l.String()))
	}
	fmt.Fprintf(&b, "\n|   | outcome |")
	for _, c := range v.Columns {
		fmt.Fprintf(&b, " %s |", plainMarkdown(c.Label))
	}
	fmt.Fprintf(&b, "\n|---|---|%s\n", strings.Repeat(":-:|", len(v.Columns)))
	for _, row := range v.Rows {
		mark := "  "
		if row.Answers {
			mark = "◆ "
		}
		fmt.Fprintf(&b, "| %s| %s |", mark, codeMarkdown(cmp.Or(row.Prop, stateText(row.State), "any")))
		for _, c := range row.Cells {
			fmt.Fprintf(&b, " %s |", verdictMark(c.Verdict))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\n◆ %s.", v.Answers)
	if v.More() > 0 {
		fmt.Fprintf(&b, " These are %d of %d rows.", len(v.Rows), v.All)
	}
	b.WriteByte('\n')
	if link, err := url.Parse(f.Get("link")); err == nil && (link.Scheme == "http" || link.Scheme == "https") {
		fmt.Fprintf(&b, "\n[Open in litmuscope](%s)\n", link.String())
	}
	return b.String(), nil
}

// plainMarkdown is text in which nothing is markup.
func plainMarkdown(s string) string {
	var b strings.Builder
	for _, c := range oneLine(s) {
		if strings.ContainsRune("\\`*_[]<>|#~", c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// codeMarkdown is a span of code, fit for a cell of a table.
func codeMarkdown(s string) string {
	s = strings.ReplaceAll(oneLine(s), "|", "\\|")
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if len(fence) > 1 {
		s = " " + s + " "
	}
	return fence + s + fence
}

func oneLine(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) {
			return ' '
		}
		return c
	}, s)
}

// longestRun is how often a character follows itself in a text, at most.
func longestRun(s string, c rune) int {
	most, n := 0, 0
	for _, d := range s {
		if n++; d != c {
			n = 0
		}
		most = max(most, n)
	}
	return most
}

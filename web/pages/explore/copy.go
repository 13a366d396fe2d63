package explore

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"litmuscope/solver/report"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
)

// copies returns the formats of the share menu, with the functions that write them.
func (s *page) copies() []textpage.CopyKind[question.Question] {
	return []textpage.CopyKind[question.Question]{
		{ShareKind: textpage.ShareKind{
			Name: "Markdown", Help: "Test, answer and a link, for an issue or notes.",
			Kind: "markdown",
		}, Write: s.copyMarkdown},
		{
			ShareKind: textpage.ShareKind{Name: "herd log", Help: "The answer in herd7's format.", Kind: "herd"},
			Write:     s.copyLog("herd"),
		},
		{ShareKind: textpage.ShareKind{
			Name: "JSON lines", Help: "The answer, one object per model.",
			Kind: "jsonl",
		}, Write: s.copyLog("jsonl")},
		{
			ShareKind: textpage.ShareKind{Name: "CSV", Help: "The answer, one row per model.", Kind: "csv"},
			Write:     s.copyLog("csv"),
		},
		{ShareKind: textpage.ShareKind{
			Name: "run command", Help: "Runs the same question in a shell, with litmuscope run.",
			Kind: "run",
		}, Write: copyRun},
		{ShareKind: textpage.ShareKind{
			Name: "curl command", Help: "Sends the same question to this server's REST API.",
			Kind: "curl",
		}, Write: s.copyCurl},
	}
}

// testSource and testLinks are further entries of the explorer's share menu.
var (
	testSource = textpage.ShareKind{Name: "litmus", Help: "The test's source.", Kind: "source"}
	testLinks  = []textpage.ShareKind{
		{
			Name: "Link",
			Help: "The link contains everything: test, models, options and this picture. The server stores nothing.",
			Kind: "link",
		},
		textpage.ShortLink,
		{
			Name: "Embed", Help: "A frame for your own page: test, answer and picture, read-only.",
			Kind: "embed",
		},
	}
)

// copyable reads the form's question. Its answer is usually in the cache.
func (s *page) copyable(f url.Values) (question.Question, error) {
	q, err := question.FromForm(f)
	q.Again = true
	if err == nil {
		err = s.questions.Normalise(&q)
	}
	return q, err
}

// copyLog writes the answer as the command run does for a test on standard input.
func (s *page) copyLog(format string) func(context.Context, question.Question, url.Values) (string, error) {
	return func(ctx context.Context, q question.Question, _ url.Values) (string, error) {
		a, err := s.questions.Explore(ctx, q)
		if err != nil {
			return "", err
		}
		f, _ := report.Find(format)
		var b bytes.Buffer
		out := f.New(&b, report.Options{Models: len(a.Results) > 1})
		for _, r := range a.Results {
			one := *r
			one.Path, one.Cached = "-", false
			if err := out.Result(&one); err != nil {
				return "", err
			}
		}
		return b.String(), out.Close()
	}
}

// copyMarkdown writes test, verdict and table as Markdown.
func (s *page) copyMarkdown(ctx context.Context, q question.Question, f url.Values) (string, error) {
	a, err := s.questions.Explore(ctx, q)
	if err != nil {
		return "", err
	}
	v := answer.ViewOf(a)
	var b strings.Builder
	fence := strings.Repeat("`", max(3, longestRun(a.Source, '`')+1))
	fmt.Fprintf(&b, "%slitmus\n%s\n%s\n\n", fence, strings.TrimRight(a.Source, "\n"), fence)
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
		fmt.Fprintf(&b, "| %s| %s |", mark, codeMarkdown(cmp.Or(row.Prop, answer.StateText(row.State), "any")))
		for _, c := range row.Cells {
			mark := "undefined"
			if c.Verdict != "" {
				mark = answer.VerdictMark(c.Verdict)
			}
			fmt.Fprintf(&b, " %s |", mark)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\n◆ %s.", v.Answers)
	if v.More() > 0 {
		fmt.Fprintf(&b, " The table shows %d of %d rows.", len(v.Rows), v.All)
	}
	b.WriteByte('\n')
	if link, err := url.Parse(f.Get("link")); err == nil && (link.Scheme == "http" || link.Scheme == "https") {
		fmt.Fprintf(&b, "\n[Open in litmuscope](%s)\n", link.String())
	}
	return b.String(), nil
}

// plainMarkdown escapes a text for Markdown.
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

// codeMarkdown returns a code span that is valid in a table cell.
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

// longestRun returns the length of the longest run of a character in a text.
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

package web_test

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// A checker says what is wrong with an element, or nil.
type checker func(*html.Node) error

// checkHTML parses a page and applies the checkers to it.
func checkHTML(t *testing.T, page io.Reader, checks ...checker) {
	t.Helper()
	doc, err := html.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if err := c(doc); err != nil {
			t.Error(err)
		}
	}
}

// in applies checkers to the first element that a selector finds: compounds of
// tag, #id, .class and [attr] or [attr=value], blanks for "somewhere inside".
// With no checkers the element only has to be there.
func in(selector string, checks ...checker) checker {
	return func(n *html.Node) error {
		e := find(n, strings.Fields(selector))
		if e == nil {
			return fmt.Errorf("%s: not found", selector)
		}
		for _, c := range checks {
			if err := c(e); err != nil {
				return fmt.Errorf("%s: %w", selector, err)
			}
		}
		return nil
	}
}

// notIn wants a selector to find nothing.
func notIn(selector string) checker {
	return func(n *html.Node) error {
		if find(n, strings.Fields(selector)) != nil {
			return fmt.Errorf("%s: found, want none", selector)
		}
		return nil
	}
}

// hasText wants an element's text, blanks made single, to match.
func hasText(pattern string) checker {
	re := regexp.MustCompile(pattern)
	return func(n *html.Node) error {
		if text := strings.Join(strings.Fields(textOf(n)), " "); !re.MatchString(text) {
			return fmt.Errorf("text %q does not match %q", text, pattern)
		}
		return nil
	}
}

// hasAttr wants an attribute to match.
func hasAttr(name, pattern string) checker {
	re := regexp.MustCompile(pattern)
	return func(n *html.Node) error {
		v, ok := attr(n, name)
		if !ok || !re.MatchString(v) {
			return fmt.Errorf("attribute %s=%q does not match %q", name, v, pattern)
		}
		return nil
	}
}

func find(n *html.Node, path []string) *html.Node {
	for c := range n.Descendants() {
		if c.Type != html.ElementNode || !matches(c, path[0]) {
			continue
		}
		if len(path) == 1 {
			return c
		}
		if d := find(c, path[1:]); d != nil {
			return d
		}
	}
	return nil
}

var simple = regexp.MustCompile(`^[a-z0-9]+|#[^.#\[]+|\.[^.#\[]+|\[[^\]]+\]`)

func matches(n *html.Node, compound string) bool {
	for _, s := range simple.FindAllString(compound, -1) {
		switch s[0] {
		case '#':
			if v, _ := attr(n, "id"); v != s[1:] {
				return false
			}
		case '.':
			if v, _ := attr(n, "class"); !strings.Contains(" "+v+" ", " "+s[1:]+" ") {
				return false
			}
		case '[':
			name, want, valued := strings.Cut(s[1:len(s)-1], "=")
			if v, ok := attr(n, name); !ok || valued && v != want {
				return false
			}
		default:
			if n.Data != s {
				return false
			}
		}
	}
	return true
}

func attr(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data + " ")
		}
	}
	return b.String()
}

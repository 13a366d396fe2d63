// Package mathml makes MathML of formulas in TeX's notation, by KaTeX, on the server: a browser draws MathML by itself.
//
//	html, err := mathml.Render(`po \cup \mathit{rf}`, false)
//
// What comes of it is safe on a page: it has no links, no scripts and no styles of the formula's own. KaTeX is embedded, and run
// by goja, which reads it when the first formula is met; a static site's program has the browser run it. The package knows nothing of pages and imports nothing of the program.
package mathml

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Bounds on a formula.
const (
	MaxFormula = 2000 // bytes
	maxExpand  = 500  // macros that are expanded
)

// rendered are formulas that have been rendered.
var rendered struct {
	sync.Mutex
	known map[formula]string
}

type formula struct {
	tex     string
	display bool
}

// mostKnown bounds what is kept of formulas that have been rendered.
const mostKnown = 2000

// style is an attribute that pages do not allow.
var style = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` style="[^"]*"`) })

// Render is a formula as MathML, in a line of text or, for display, by itself. An error says what is wrong with the formula.
func Render(tex string, display bool) (string, error) {
	if len(tex) > MaxFormula {
		return "", fmt.Errorf("the formula is longer than %d bytes", MaxFormula)
	}
	if !utf8.ValidString(tex) {
		return "", errors.New("the formula is not in UTF-8")
	}
	rendered.Lock()
	defer rendered.Unlock()
	f := formula{tex, display}
	if html, ok := rendered.known[f]; ok {
		return html, nil
	}
	html, err := katex(tex, map[string]any{
		"output": "mathml", "displayMode": display, "throwOnError": true, "strict": "ignore", "trust": false, "maxExpand": maxExpand,
	})
	if err != nil {
		return "", err
	}
	html = style().ReplaceAllString(html, "")
	if rendered.known == nil || len(rendered.known) >= mostKnown {
		rendered.known = map[formula]string{}
	}
	rendered.known[f] = html
	return html, nil
}

// complaint is KaTeX's error in its words, without its name.
func complaint(message string) error {
	return errors.New(strings.TrimPrefix(message, "KaTeX parse error: "))
}

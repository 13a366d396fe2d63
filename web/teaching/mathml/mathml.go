// Package mathml converts formulas in TeX's notation to MathML, which browsers draw by themselves. [Render] runs KaTeX,
// which is embedded, in goja; goja reads it when the first formula is rendered. The program of a static site lets the
// browser run KaTeX.
//
//	html, err := mathml.Render(`po \cup \mathit{rf}`, false)
//
// The result is safe on a page: it has no links, no scripts and no styles of the formula's own.
//
// It imports nothing of litmuscope. No other package imports goja.
package mathml

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Limits of a formula.
const (
	MaxFormula = 2000 // bytes
	maxExpand  = 500  // macros that are expanded
)

// rendered caches formulas.
var rendered struct {
	sync.Mutex
	known map[formula]string
	bytes int // of their texts, and of what came of them
}

type formula struct {
	tex     string
	display bool
}

// mostKnown limits rendered.bytes. Beyond it, the cache is emptied.
const mostKnown = 4 << 20

// defining are the control sequences that define others. A formula does not need them, and 2 kB of definitions can
// expand to millions of symbols. Other sequences expand at most maxExpand times, each time to a few symbols of KaTeX.
var defining = strings.Fields("def gdef edef xdef let futurelet global long newcommand renewcommand providecommand")

// control matches a control sequence.
var control = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)\\([a-zA-Z@]+|.)`) })

// style matches an attribute that pages do not allow.
var style = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` style="[^"]*"`) })

// Render converts a formula to MathML, inline or, with display, as a block. An error says what is wrong with the
// formula.
func Render(tex string, display bool) (string, error) {
	if len(tex) > MaxFormula {
		return "", fmt.Errorf("the formula is longer than %d bytes", MaxFormula)
	}
	if !utf8.ValidString(tex) {
		return "", errors.New("the formula is not in UTF-8")
	}
	for _, c := range control().FindAllStringSubmatch(tex, -1) {
		if slices.Contains(defining, c[1]) {
			return "", fmt.Errorf("a formula cannot define macros: write out what \\%s defines", c[1])
		}
	}
	f := formula{tex, display}
	if html, ok := cached(f); ok {
		return html, nil
	}
	html, err := katex(tex, map[string]any{
		"output": "mathml", "displayMode": display, "throwOnError": true, "strict": "ignore", "trust": false,
		"maxExpand": maxExpand,
	})
	if err != nil {
		return "", err
	}
	html = style().ReplaceAllString(html, "")
	store(f, html)
	return html, nil
}

func cached(f formula) (html string, ok bool) {
	rendered.Lock()
	defer rendered.Unlock()
	html, ok = rendered.known[f]
	return html, ok
}

func store(f formula, html string) {
	rendered.Lock()
	defer rendered.Unlock()
	size := len(f.tex) + len(html)
	if rendered.bytes += size; rendered.known == nil || rendered.bytes > mostKnown {
		rendered.known, rendered.bytes = map[formula]string{}, size
	}
	if size <= mostKnown {
		rendered.known[f] = html
	}
}

// complaint returns KaTeX's error message without its prefix.
func complaint(message string) error {
	return errors.New(strings.TrimPrefix(message, "KaTeX parse error: "))
}

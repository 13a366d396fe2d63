// Package mathml makes MathML of formulas in TeX's notation, by KaTeX, on the server: a browser draws MathML by itself.
//
//	html, err := mathml.Render(`po \cup \mathit{rf}`, false)
//
// What comes of it is safe on a page: it has no links, no scripts and no styles of the formula's own. KaTeX is embedded, and run
// by goja; it is read when the first formula is met. The package knows nothing of pages and imports nothing of the program.
package mathml

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/dop251/goja"
)

//go:embed katex.min.js
var katex string

// Bounds on a formula.
const (
	MaxFormula = 2000 // bytes
	maxExpand  = 500  // macros that are expanded
	maxDepth   = 4000 // calls within one another
)

// render is KaTeX, which one formula at a time may use.
var render struct {
	sync.Mutex
	start   sync.Once
	vm      *goja.Runtime
	call    goja.Callable
	options goja.Value
	err     error
	known   map[formula]string
}

type formula struct {
	tex     string
	display bool
}

// mostKnown bounds what is kept of formulas that have been rendered.
const mostKnown = 2000

func start() {
	vm := goja.New()
	vm.SetMaxCallStackSize(maxDepth)
	program, err := goja.Compile("katex.min.js", katex, false)
	if err == nil {
		_, err = vm.RunProgram(program)
	}
	if err != nil {
		render.err = fmt.Errorf("KaTeX cannot be read: %w", err)
		return
	}
	call, ok := goja.AssertFunction(vm.Get("katex").ToObject(vm).Get("renderToString"))
	if !ok {
		render.err = errors.New("KaTeX has no renderToString")
		return
	}
	render.vm, render.call, render.known = vm, call, map[formula]string{}
}

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
	render.Lock()
	defer render.Unlock()
	render.start.Do(start)
	if render.err != nil {
		return "", render.err
	}
	f := formula{tex, display}
	if html, ok := render.known[f]; ok {
		return html, nil
	}
	options := map[string]any{"output": "mathml", "displayMode": display, "throwOnError": true, "strict": "ignore", "trust": false, "maxExpand": maxExpand}
	got, err := render.call(goja.Undefined(), render.vm.ToValue(tex), render.vm.ToValue(options))
	if err != nil {
		return "", complaint(err)
	}
	html := style().ReplaceAllString(got.String(), "")
	if len(render.known) >= mostKnown {
		clear(render.known)
	}
	render.known[f] = html
	return html, nil
}

// complaint is KaTeX's error in its words, without its name.
func complaint(err error) error {
	var thrown *goja.Exception
	if !errors.As(err, &thrown) {
		return errors.New("the formula is nested too deeply") // of all that ends KaTeX, the only thing that a formula can do
	}
	msg := thrown.Value().String()
	if o, ok := thrown.Value().(*goja.Object); ok && o.Get("message") != nil {
		msg = o.Get("message").String()
	}
	return errors.New(strings.TrimPrefix(msg, "KaTeX parse error: "))
}

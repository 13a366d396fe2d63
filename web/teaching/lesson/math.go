package lesson

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"litmuscope/web/teaching/mathml"
)

// formula is mathematics in a text: $x \cup y$, or $$…$$ as a block.
type formula struct {
	ast.BaseInline
	at      int // where its text begins
	tex     []byte
	display bool
}

var formulaKind = ast.NewNodeKind("Formula")

// Kind implements ast.Node.
func (f *formula) Kind() ast.NodeKind { return formulaKind }

// Dump implements ast.Node.
func (f *formula) Dump(source []byte, level int) {
	ast.DumpHelper(f, source, level, map[string]string{"TeX": string(f.tex)}, nil)
}

// formulas is the Markdown extension that reads and renders formulas.
type formulas struct{}

func (formulas) Extend(m goldmark.Markdown) {
	// before emphasis, whose signs TeX has, too
	m.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(formulas{}, 150)))
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(formulas{}, 150)))
}

// Trigger is the sign that begins a formula.
func (formulas) Trigger() []byte { return []byte{'$'} }

// Parse reads a formula. As in other Markdown with mathematics, a $ before a blank begins no formula, and a $ after a
// blank or before a digit ends none, so prices stay unchanged.
func (formulas) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	mark := line[:1]
	if bytes.HasPrefix(line, []byte("$$")) {
		mark = line[:2]
	}
	f := &formula{at: segment.Start + len(mark), display: len(mark) == 2}
	if !f.display && (len(line) < 2 || util.IsSpace(line[1])) {
		return nil
	}
	at, from := block.Position()
	block.Advance(len(mark))
	for {
		line, _ := block.PeekLine()
		if line == nil {
			block.SetPosition(at, from)
			return nil
		}
		if end := f.end(line, mark); end >= 0 {
			f.tex = append(f.tex, line[:end]...)
			block.Advance(end + len(mark))
			return f
		}
		f.tex = append(f.tex, line...)
		block.AdvanceLine()
	}
}

// end returns where a line ends the formula; -1 if it does not.
func (f *formula) end(line, mark []byte) int {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\':
			i++
		case !bytes.HasPrefix(line[i:], mark):
		case f.display:
			return i
		case i == 0 || util.IsSpace(line[i-1]) || i+1 < len(line) && line[i+1] >= '0' && line[i+1] <= '9':
		default:
			return i
		}
	}
	return -1
}

// RegisterFuncs registers the renderer of formulas. It shows a wrong formula, which has been reported, as text.
func (formulas) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(formulaKind, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		f, ok := n.(*formula)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		html, err := mathml.Render(string(f.tex), f.display)
		if err != nil {
			html = string(util.EscapeHTML(f.tex))
		}
		_, err = w.WriteString(html)
		return ast.WalkContinue, err
	})
}

// formula reports what is wrong with a formula.
func (in *reading) formula(f *formula) {
	if _, err := mathml.Render(string(f.tex), f.display); err != nil {
		in.fail(in.at(f.at), "the formula: %v; write a $ that begins no formula as \\$", err)
	}
}

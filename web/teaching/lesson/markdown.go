package lesson

import (
	"bytes"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// markdown converts Markdown to safe HTML. It accepts no HTML of the author.
type markdown struct {
	goldmark.Markdown
	terms map[string]string
}

func (in *reading) markdown() markdown {
	return markdown{goldmark.New(
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		// Pages allow no style attributes.
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
			extension.Strikethrough, extension.Typographer, formulas{}),
	), in.Terms}
}

// parse reads Markdown, and replaces its links with addresses of pages.
func (m markdown) parse(source []byte) ast.Node {
	ctx := parser.NewContext()
	terms := m.terms
	if !bytes.Contains(source, []byte("[")) {
		terms = nil // most of what is read is too short to link anywhere
	}
	for name, id := range terms {
		ctx.AddReference(parser.NewReference([]byte(name), []byte("/glossary#"+id), nil))
	}
	doc := m.Parser().Parse(text.NewReader(source), parser.WithContext(ctx))
	// The walk itself has no errors.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if l, ok := n.(*ast.Link); ok {
			l.Destination = []byte(address(string(l.Destination)))
			if id, ok := strings.CutPrefix(string(l.Destination), "/glossary#"); ok {
				l.SetAttributeString("class", []byte("term"))
				l.SetAttributeString("data-term", []byte(id))
			}
		}
		return ast.WalkContinue, nil
	})
	return doc
}

func (m markdown) render(w io.Writer, source []byte, n ast.Node) error {
	return m.Renderer().Render(w, source, n)
}

// address returns the address of a link's target. Lessons link to each other by file name, so that the links also work
// where the files are read directly.
func address(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" {
		return to
	}
	if f := fileName().FindStringSubmatch(path.Base(u.Path)); f != nil && !strings.HasPrefix(u.Path, "/") {
		u.Path = "/learn/" + f[2]
		return u.String()
	}
	return to
}

// Package manual shows the manual of static/docs at /docs: [New] returns its pages, which the navigation reaches from
// Help. [Read] turns the Markdown files into pages once; each page has sections, which a search finds by their words.
//
// Pages link to each other by relative paths. A link to a file of the source becomes that file's path, for only who has
// the source can follow it; one to a model of the library leads to the page of its text. The package imports goldmark,
// and none of the engines.
package manual

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"path"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"litmuscope/static"
)

// Page is a page of the manual.
type Page struct {
	Name, Title string // Name is the file's path without .md, "" for the index
	HTML        string // without the title
	Sections    []Section

	Before, After *Page // in the order of the index; nil at the ends
}

// Path returns the page's address.
func (p *Page) Path() string { return strings.TrimSuffix(root+"/"+p.Name, "/") }

// Section is the text below a heading or, with Level 1, below the title.
type Section struct {
	ID, Title string
	Level     int
	words     string // the text in lower case, for searches
	text      string // the text
}

// root is the address of the manual.
const root = "/docs"

// pages returns the program's manual by page name. It panics if a file has an error, since the files are part of the
// program.
var pages = sync.OnceValue(func() map[string]*Page {
	all, err := Read(static.Manual())
	if err != nil {
		panic("BUG: the manual: " + err.Error())
	}
	return all
})

// Read reads the pages of a manual, by their names. index.md is the first page and lists the others. Errors name the
// file.
func Read(files fs.FS) (map[string]*Page, error) {
	all := map[string]*Page{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		source, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		p := &Page{Name: nameOf(name)}
		if err := p.read(name, source); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all[p.Name] = p
		return nil
	})
	if err != nil {
		return nil, err
	}
	index := all[""]
	if index == nil {
		return nil, errors.New("there is no index.md")
	}
	last := index
	for _, name := range listed(files) {
		if p := all[name]; p != nil && p != index && p.Before == nil {
			last.After, p.Before = p, last
			last = p
		}
	}
	return all, nil
}

// nameOf returns the name of a file's page.
func nameOf(file string) string {
	name := strings.TrimSuffix(file, ".md")
	if name == "index" {
		return ""
	}
	return name
}

// listed returns the names of the pages that the index links to, in order.
func listed(files fs.FS) (names []string) {
	source, err := fs.ReadFile(files, "index.md")
	if err != nil {
		return nil // Read reports it
	}
	// The walk itself has no errors.
	_ = ast.Walk(markdown.Parser().Parse(text.NewReader(source)),
		func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if l, ok := n.(*ast.Link); ok && entering && strings.HasSuffix(string(l.Destination), ".md") {
				names = append(names, nameOf(string(l.Destination)))
			}
			return ast.WalkContinue, nil
		})
	return names
}

// markdown is CommonMark with tables. It leaves HTML out, and tables have no style attributes, which the site's content
// security policy forbids.
var markdown = goldmark.New(
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
)

// read makes the page of a file.
func (p *Page) read(file string, source []byte) error {
	doc := markdown.Parser().Parse(text.NewReader(source))
	title, ok := doc.FirstChild().(*ast.Heading)
	if !ok || title.Level != 1 {
		return errors.New("line 1: want a title, # Title")
	}
	p.Title = plain(title, source)
	doc.RemoveChild(doc, title)
	p.Sections = []Section{{Title: p.Title, Level: 1}}
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			id, _ := h.AttributeString("id")
			name, _ := id.([]byte)
			p.Sections = append(p.Sections, Section{ID: string(name), Title: plain(h, source), Level: h.Level})
			continue
		}
		last := &p.Sections[len(p.Sections)-1]
		last.text = strings.TrimSpace(last.text + " " + plain(n, source))
	}
	for i := range p.Sections {
		s := &p.Sections[i]
		s.words = strings.ToLower(s.Title + " " + s.text)
	}
	p.rewriteLinks(doc, file)
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, source, doc); err != nil {
		return err
	}
	p.HTML = strings.ReplaceAll(b.String(), "<pre>", `<pre tabindex="0">`) // which may scroll: with keys, too
	return nil
}

// rewriteLinks changes the links and pictures of a file to their addresses on the site.
func (p *Page) rewriteLinks(doc ast.Node, file string) {
	var outside []*ast.Link
	// The walk itself has no errors.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Image:
			n.Destination = []byte(static.Path(path.Base(string(n.Destination))))
		case *ast.Link:
			if to, ok := address(file, string(n.Destination)); ok {
				n.Destination = []byte(to)
			} else {
				outside = append(outside, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, l := range outside {
		to, _, _ := strings.Cut(string(l.Destination), "#")
		at := path.Join("static/docs", path.Dir(file), to)
		parent := l.Parent()
		for c := l.FirstChild(); c != nil; c = l.FirstChild() {
			parent.InsertBefore(parent, l, c)
		}
		code := ast.NewString([]byte(" (<code>" + html.EscapeString(at) + "</code>)"))
		code.SetCode(true) // not escaped again
		parent.InsertBefore(parent, l, code)
		parent.RemoveChild(parent, l)
	}
}

// address returns the site's address for a link in a file; false if the link leads to a source file.
func address(file, to string) (string, bool) {
	if strings.Contains(to, ":") || strings.HasPrefix(to, "#") || strings.HasPrefix(to, "/") {
		return to, true
	}
	to, fragment, _ := strings.Cut(to, "#")
	if fragment != "" {
		fragment = "#" + fragment
	}
	at := path.Join(path.Dir(file), to)
	if model, ok := strings.CutPrefix(at, "../../models/library/"); ok {
		return "/models/" + model, true
	}
	if strings.HasPrefix(at, "../") || path.Ext(at) != ".md" {
		return "", false
	}
	return (&Page{Name: nameOf(at)}).Path() + fragment, true
}

// plain returns the text of a node, with a space between blocks and cells.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	// The walk itself has no errors.
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range n.Lines().Len() {
				at := n.Lines().At(i)
				b.Write(at.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// Found is a section that contains all words of a search.
type Found struct {
	Page    *Page
	Section Section
	Around  string // the text around the first word
}

// Path returns the section's address.
func (f Found) Path() string {
	if f.Section.ID == "" {
		return f.Page.Path()
	}
	return f.Page.Path() + "#" + f.Section.ID
}

// Title returns the titles of the page and the section.
func (f Found) Title() string {
	if f.Section.ID == "" {
		return f.Page.Title
	}
	return f.Page.Title + ": " + f.Section.Title
}

// Limits of a search.
const (
	mostWords = 8
	mostFound = 40
)

// search returns the sections that contain all words of a query, in the order of the index. Sections that have all
// words in their titles come first.
func search(index *Page, query string) []Found {
	words := strings.Fields(strings.ToLower(query))
	words = words[:min(len(words), mostWords)]
	if len(words) == 0 {
		return nil
	}
	var titled, others []Found
	for p := index.After; p != nil; p = p.After {
		for _, s := range p.Sections {
			if !has(s.words, words) {
				continue
			}
			f := Found{p, s, around(s.text, words[0])}
			if has(strings.ToLower(s.Title), words) {
				titled = append(titled, f)
			} else {
				others = append(others, f)
			}
		}
	}
	all := append(titled, others...)
	return all[:min(len(all), mostFound)]
}

func has(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// around returns the part of a text around a word, cut at word boundaries.
func around(text, word string) string {
	const before, most = 60, 200
	at := max(strings.Index(strings.ToLower(text), word), 0)
	if at > len(text) {
		at = 0 // the lower-case text can have another length than the text
	}
	from := max(at-before, 0)
	if from > 0 {
		if next := strings.IndexFunc(text[from:], unicode.IsSpace); next >= 0 {
			from += next
		}
	}
	to := min(from+most, len(text))
	if to < len(text) {
		if last := strings.LastIndexFunc(text[from:to], unicode.IsSpace); last > 0 {
			to = from + last
		}
	}
	part := strings.ToValidUTF8(strings.TrimSpace(text[from:to]), "")
	if from > 0 {
		part = "… " + part
	}
	if to < len(text) {
		part += " …"
	}
	return part
}

// contents returns the sections directly below the title.
func (p *Page) contents() (out []Section) {
	for _, s := range p.Sections {
		if s.Level == 2 {
			out = append(out, s)
		}
	}
	return out
}

package main

import (
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ/parser/v2"
)

// labels are attributes whose values browsers show or read aloud.
var labels = []string{"title", "aria-label", "placeholder", "alt", "label", "content", "data-tip", "data-hint"}

// inText are the elements that can be within a sentence.
var inText = []string{
	"a", "abbr", "b", "code", "dfn", "em", "i", "kbd", "mark", "small", "span", "strong", "sub",
	"sup", "time", "var",
}

// template collects the texts of one template file.
type template struct {
	name     string
	out      []text
	sentence strings.Builder // text and inline elements since the last block
	line     int
}

// ofTemplate returns the texts between tags, each with the inline elements of its sentence, the labels, and the strings
// in expressions.
func ofTemplate(name string, source []byte) ([]text, error) {
	file, err := parser.ParseString(string(source))
	if err != nil {
		return nil, err
	}
	t := &template{name: name}
	for _, n := range file.Nodes {
		switch n := n.(type) {
		case *parser.HTMLTemplate:
			t.nodes(n.Children)
			t.end()
		case *parser.TemplateFileGoExpression:
			t.expression(n.Expression)
		}
	}
	return t.out, nil
}

func (t *template) end() {
	s := strings.Join(strings.Fields(t.sentence.String()), " ")
	t.sentence.Reset()
	if strings.Trim(s, "… ·•–-|/:,.()[]→←↑↓✓✗×+%") != "" {
		t.out = append(t.out, text{t.name, t.line, s})
	}
}

func (t *template) add(s string, line uint32) {
	if t.sentence.Len() == 0 {
		t.line = int(line) + 1
	}
	t.sentence.WriteString(s)
}

// nodes walks over the children of an element or a branch.
func (t *template) nodes(list []parser.Node) {
	for _, n := range list {
		switch n := n.(type) {
		case *parser.Text:
			t.add(n.Value+string(n.TrailingSpace), n.Range.From.Line)
		case *parser.Whitespace:
			t.add(" ", 0)
		case *parser.StringExpression:
			t.add("…"+string(n.TrailingSpace), n.Expression.Range.From.Line)
			t.expression(n.Expression)
		case *parser.Element:
			inline := slices.Contains(inText, n.Name)
			if !inline {
				t.end()
			}
			t.attributes(n.Attributes)
			t.nodes(n.Children)
			if inline {
				t.add(string(n.TrailingSpace), 0)
			} else {
				t.end()
			}
		case *parser.IfExpression:
			t.branch(n.Then)
			for _, e := range n.ElseIfs {
				t.branch(e.Then)
			}
			t.branch(n.Else)
		case *parser.ForExpression:
			t.branch(n.Children)
		case *parser.SwitchExpression:
			for _, c := range n.Cases {
				t.branch(c.Children)
			}
		case *parser.TemplElementExpression:
			t.expression(n.Expression)
			t.nodes(n.Children)
		case *parser.CallTemplateExpression:
			t.expression(n.Expression)
		case *parser.GoCode:
			t.expression(n.Expression)
		}
	}
}

func (t *template) branch(list []parser.Node) {
	if len(list) == 0 {
		return
	}
	t.end()
	t.nodes(list)
	t.end()
}

func (t *template) attributes(list []parser.Attribute) {
	for _, a := range list {
		switch a := a.(type) {
		case *parser.ConstantAttribute:
			if slices.Contains(labels, a.Key.String()) && strings.TrimSpace(a.Value) != "" {
				t.out = append(t.out, text{t.name, t.line, a.Value})
			}
		case *parser.ExpressionAttribute:
			t.expression(a.Expression)
		case *parser.ConditionalAttribute:
			t.attributes(a.Then)
			t.attributes(a.Else)
		}
	}
}

// expression adds the strings of a Go expression.
func (t *template) expression(e parser.Expression) {
	source := []byte(e.Value)
	file := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, func(token.Position, string) {}, 0)
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return
		}
		if tok != token.STRING {
			continue
		}
		if w, err := strconv.Unquote(lit); err == nil && words(w) {
			t.out = append(t.out, text{t.name, int(e.Range.From.Line) + 1, withoutVerbs(w)})
		}
	}
}

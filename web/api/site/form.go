//go:build !js

package site

import (
	"bytes"
	"errors"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// firstForm is the first form of a page that is posted: where it leads, and what a browser would send of it as it
// stands.
func firstForm(page []byte) (action string, fields url.Values, err error) {
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return "", nil, err
	}
	for n := range doc.Descendants() {
		if n.Data == "form" && attribute(n, "method") == "post" {
			return attribute(n, "action"), fieldsOf(n), nil
		}
	}
	return "", nil, errors.New("BUG: the first page has no form")
}

func fieldsOf(form *html.Node) url.Values {
	fields := url.Values{}
	for n := range form.Descendants() {
		name, value := attribute(n, "name"), attribute(n, "value")
		if n.Type != html.ElementNode || name == "" {
			continue
		}
		switch n.Data {
		case "input":
			kind := attribute(n, "type")
			if kind == "submit" || kind == "file" || (kind == "checkbox" || kind == "radio") && !has(n, "checked") {
				continue
			}
			fields.Add(name, value)
		case "textarea":
			fields.Add(name, strings.TrimPrefix(textOf(n), "\n"))
		case "select":
			fields.Add(name, chosen(n))
		}
	}
	return fields
}

// chosen is the value of a select: of the option that is selected, or of the first.
func chosen(n *html.Node) string {
	first, found := "", false
	for o := range n.Descendants() {
		if o.Data != "option" {
			continue
		}
		value := attribute(o, "value")
		if !has(o, "value") {
			value = textOf(o)
		}
		if has(o, "selected") {
			return value
		}
		if !found {
			first, found = value, true
		}
	}
	return first
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

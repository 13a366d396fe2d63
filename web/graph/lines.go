package graph

import (
	"strings"
	"unicode/utf8"
)

// Accesses with long names make boxes so wide that a page cannot show all of them with words that can be read. There
// the boxes of a column that are wider than need be have their text in two lines.

// twoLines sets the texts of a column that are wider than the widest of them has to be in two lines.
func twoLines(column []*Node) {
	least := boxMin
	for _, n := range column {
		one, two := n.width(n.Text), n.width(n.broken()...)
		least = max(least, min(one, two))
	}
	for _, n := range column {
		if n.width(n.Text) > least {
			n.Lines = n.broken()
			n.size()
		}
	}
}

// size is what a node takes for its lines and its tags.
func (n *Node) size() {
	n.W, n.H = n.width(n.Lines...), boxHeight+LineHeight*float64(len(n.Lines)-1)
	if n.Tags != "" {
		n.H += TagHeight
	}
}

// width is what a node takes with its text in these lines.
func (n *Node) width(lines ...string) float64 {
	w := max(boxMin-2*boxPad, sans(n.Tags, TagSize))
	for i, l := range lines {
		if i == 0 {
			l = n.Name + " " + l
		}
		w = max(w, mono(l, EventSize))
	}
	return w + 2*boxPad
}

// broken is a text in two lines that are as short as can be, or in one where it cannot be broken: after a blank or an
// underscore, or before the sign of equality.
func (n *Node) broken() []string {
	best, least := []string{n.Text}, n.width(n.Text)
	for i, r := range n.Text {
		first, rest := n.Text[:i], n.Text[i:]
		switch r {
		case ' ':
			rest = rest[1:]
		case '_':
			first, rest = n.Text[:i+1], rest[1:]
		case '=':
		default:
			continue
		}
		if utf8.RuneCountInString(first) == 0 || strings.TrimSpace(rest) == "" {
			continue
		}
		if w := n.width(first, rest); w < least {
			best, least = []string{first, rest}, w
		}
	}
	return best
}

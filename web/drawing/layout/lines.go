package layout

import "strings"

// Accesses with long names make boxes so wide that a page cannot show all of them with words that can be read. There
// the boxes of a column that are wider than need be have their text in two lines.

// oneLine sets the texts of a column in a line each.
func oneLine(column []*Node) {
	for _, n := range column {
		n.Lines = []string{n.Text}
		n.size()
	}
}

// twoLines sets the texts of a column that are wider than the widest of them has to be in two lines.
func twoLines(column []*Node) {
	least := boxMin
	for _, n := range column {
		one, two := n.width(n.Text), n.width(n.broken()...)
		least = max(least, min(one, two))
	}
	for _, n := range column {
		n.Lines = []string{n.Text}
		if n.width(n.Text) > least {
			n.Lines = n.broken()
		}
		n.size()
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
// underscore between letters, or before a dot or the sign of equality.
func (n *Node) broken() []string {
	const within = 2.5 * EventSize * monoWidth // what it has to gain for a name to be broken
	best, least := []string{n.Text}, n.width(n.Text)
	for i, r := range n.Text {
		first, rest := n.Text[:i], n.Text[i:]
		switch r {
		case ' ':
			rest = rest[1:]
		case '_':
			first, rest = n.Text[:i+1], rest[1:]
		case '=', '.':
		default:
			continue
		}
		if first == "" || rest == "" || r == '_' &&
			(rest[0] == '_' || strings.HasSuffix(n.Text[:i], "_") || strings.HasSuffix(n.Text[:i], ".")) {
			continue
		}
		w := n.width(first, rest)
		if r == '.' || r == '_' {
			w += within
		}
		if w < least {
			best, least = []string{first, rest}, w
		}
	}
	return best
}

package cat

import (
	"fmt"
	"sort"
)

// Source is the place of a definition or an axiom in the text, and its comment: the one at the end of its last line, or
// else the one directly above it. A comment with an empty line below it belongs to no declaration.
type Source struct {
	File     string
	From, To int // lines, from 1; 0 without a text, as for a parameter
	Doc      string
}

// String is "file:from-to".
func (s Source) String() string { return fmt.Sprintf("%s:%d-%d", s.File, s.From, s.To) }

// Sentence returns the first sentence of a comment.
func Sentence(doc string) string {
	for i := range len(doc) {
		if doc[i] == '.' && i+2 < len(doc) && doc[i+1] == ' ' && 'A' <= doc[i+2] && doc[i+2] <= 'Z' {
			return doc[:i+1]
		}
	}
	return doc
}

// source returns the place of the declaration that begins with a token, by index, and ends before the current one.
func (p *parser) source(first int) Source {
	at := p.tokens[first].pos
	s := Source{File: at.File, From: at.Line, To: p.tokens[p.at-1].pos.Line}
	if behind := p.between(p.at); len(behind) > 0 && behind[0].from == s.To {
		s.Doc = behind[0].text
	} else if above := p.between(first); len(above) > 0 {
		if r := above[len(above)-1]; r.alone && r.to == s.From-1 {
			s.Doc = r.text
		}
	}
	return s
}

// between returns the comments between a token and the previous one.
func (p *parser) between(token int) []remark {
	from := sort.Search(len(p.remarks), func(i int) bool { return p.remarks[i].before >= token })
	to := sort.Search(len(p.remarks), func(i int) bool { return p.remarks[i].before > token })
	return p.remarks[from:to]
}

package fit

import (
	"strings"

	"litmuscope/litmus"
)

// Template is the text of a model with open places: ?{po-loc | po | 0} is one of three relations. A union inside an
// alternative needs brackets, ?{(rf | co) | rf}. Open places cannot nest.
type Template struct {
	Choices []Choice
	text    []string // before, between and after the choices
}

// Choice is an open place of a model, with its alternatives.
type Choice struct {
	Pos     litmus.Pos
	Options []string
}

// Parse reads a model with open places. Its errors are [litmus.Error]s.
func Parse(file, text string) (*Template, error) {
	t := &Template{}
	from := 0
	s := scanner{file: file, text: text, line: 1}
	for s.at < len(text) {
		switch {
		case s.comment():
		case s.has("?{"):
			t.text = append(t.text, text[from:s.at])
			c, err := s.choice()
			if err != nil {
				return nil, err
			}
			t.Choices = append(t.Choices, c)
			from = s.at
		default:
			s.step(1)
		}
	}
	if len(t.Choices) == 0 {
		return nil, litmus.Errorf(litmus.Pos{File: file, Line: 1, Col: 1},
			"this model has no open place: write ?{a | b | 0} where a, b or 0 is to be found")
	}
	t.text = append(t.text, text[from:])
	return t, nil
}

// Text returns the model with option picked[i] for each choice i.
func (t *Template) Text(picked []int) string {
	var b strings.Builder
	for i, before := range t.text {
		b.WriteString(before)
		if i < len(picked) {
			b.WriteString("(" + t.Choices[i].Options[picked[i]] + ")")
		}
	}
	return b.String()
}

// Size returns the number of models that the template represents, or most+1 if there are more than most.
func (t *Template) Size(most int) int {
	n := 1
	for _, c := range t.Choices {
		if n *= len(c.Options); n > most {
			return most + 1
		}
	}
	return n
}

// Pick returns the i-th combination of options; the last choice changes first.
func (t *Template) Pick(i int) []int {
	picked := make([]int, len(t.Choices))
	for k := len(t.Choices) - 1; k >= 0; k-- {
		n := len(t.Choices[k].Options)
		picked[k], i = i%n, i/n
	}
	return picked
}

// scanner reads a model's text.
type scanner struct {
	file, text    string
	at            int
	line, newline int // newline is the start of the line
}

// has reports whether the rest of the text starts with what.
func (s *scanner) has(what string) bool { return strings.HasPrefix(s.text[s.at:], what) }

// pos returns the current position; columns count characters.
func (s *scanner) pos() litmus.Pos {
	return litmus.Pos{File: s.file, Line: s.line, Col: len([]rune(s.text[s.newline:s.at])) + 1}
}

// step moves on by n bytes and counts lines.
func (s *scanner) step(n int) {
	for range n {
		if s.text[s.at] == '\n' {
			s.line, s.newline = s.line+1, s.at+1
		}
		s.at++
	}
}

// comment skips a comment, with nested ones, or a string.
func (s *scanner) comment() bool {
	switch {
	case s.has(`"`):
		s.step(1)
		for s.at < len(s.text) && !s.has(`"`) {
			s.step(1)
		}
		s.step(min(1, len(s.text)-s.at))
		return true
	case !s.has("(*"):
		return false
	}
	depth := 0
	for s.at < len(s.text) {
		switch {
		case s.has("(*"):
			depth++
			s.step(2)
		case s.has("*)"):
			depth--
			s.step(2)
		default:
			s.step(1)
		}
		if depth == 0 {
			break
		}
	}
	return true
}

// choice reads an open place from ?{ to }.
func (s *scanner) choice() (Choice, error) {
	c := Choice{Pos: s.pos()}
	s.step(2)
	from, depth := s.at, 0
	begins := s.pos()
	end := func() error {
		option := strings.TrimSpace(s.text[from:s.at])
		if option == "" {
			return litmus.Errorf(begins, "an alternative is empty: write 0 for the empty relation")
		}
		c.Options = append(c.Options, option)
		return nil
	}
	for s.at < len(s.text) {
		switch {
		case s.comment():
			continue
		case s.has("?{"):
			return c, litmus.Errorf(s.pos(), "?{ within the ?{ of line %d: write all alternatives in one choice",
				c.Pos.Line)
		case s.has("("), s.has("["), s.has("{"):
			depth++
		case depth > 0 && (s.has(")") || s.has("]") || s.has("}")):
			depth--
		case s.has("}"):
			if err := end(); err != nil {
				return c, err
			}
			s.step(1)
			if len(c.Options) < 2 {
				return c,
					litmus.Errorf(c.Pos,
						"a choice needs two or more alternatives: write ?{a | b}, with a union in an alternative "+
							"in brackets")
			}
			return c, nil
		case depth == 0 && s.has("|"):
			if err := end(); err != nil {
				return c, err
			}
			s.step(1)
			from, begins = s.at, s.pos()
			continue
		}
		s.step(1)
	}
	return c, litmus.Errorf(c.Pos, "?{ is not closed: want } after the last alternative")
}

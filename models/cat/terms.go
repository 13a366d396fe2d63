package cat

import (
	"slices"
	"strings"

	"litmuscope/litmus"
)

// Term is an operand of a union somewhere in a file.
type Term struct {
	Pos  litmus.Pos
	Text string // as it is written, on one line
	In   string // the definition, or the axiom by its name or relation, that contains it
	// from and to are its bytes, together with the | beside it.
	from, to int
}

// union is a union in the parser: for each operand, its first token and the token after its last.
type union [][2]int

// Terms lists the operands of all unions in a file's definitions and axioms, in the order of the text. For a file with
// errors it returns none.
func Terms(file, source string) []Term {
	tokens, _, errs := lex(file, source)
	f, err := Parse(file, source)
	if len(errs) > 0 || err != nil {
		return nil
	}
	lines := []int{0}
	for i := range len(source) {
		if source[i] == '\n' {
			lines = append(lines, i+1)
		}
	}
	begin := func(token int) int { p := tokens[token].pos; return lines[p.Line-1] + p.Col - 1 }
	end := func(token int) int { return tokens[token].span.To }
	var out []Term
	for _, u := range f.unions {
		for i, x := range u {
			t := Term{Pos: tokens[x[0]].pos, from: begin(x[0]), to: end(x[1] - 1)}
			t.Text = strings.Join(strings.Fields(source[t.from:t.to]), " ")
			if i > 0 {
				t.from = begin(x[0] - 1) // the | in front
			} else {
				t.to = begin(u[1][0])
			}
			if t.In = f.of(t.Pos.Line); t.In != "" {
				out = append(out, t)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Term) int { return a.Pos.Compare(b.Pos) })
	return out
}

// Without returns the source without the term.
func (t Term) Without(source string) string { return source[:t.from] + source[t.to:] }

// of returns the name of the definition or axiom at a line.
func (f *File) of(line int) string {
	at := func(s Source) bool { return s.From <= line && line <= s.To }
	for _, d := range f.Decls {
		switch d := d.(type) {
		case Let:
			for _, b := range d.Bindings {
				if at(b.Source) {
					return b.Name
				}
			}
		case Check:
			if at(d.Source) && d.Role == Required {
				if d.Name != "" {
					return d.Name
				}
				return d.Kind.String()
			}
		}
	}
	return ""
}

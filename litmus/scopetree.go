package litmus

import (
	"slices"
	"strconv"
	"strings"
)

// Tests in LISA may have a tree of scopes and regions of memory behind the threads. The words are those of a model's
// bell file: scopes: (system (cta P0 P1) (cta P2)) and regions: (x global) (y local).

// Scope is a scope of a test in LISA: the threads that are in no inner one, and the scopes in it.
type Scope struct {
	Word
	Threads []int // numbers of threads
	Inner   []Scope
}

// Region is a location of a test in LISA, and the region of memory that it is in.
type Region struct {
	Location, Name Word
}

// BellTag returns the name of the tag that events have for what a bell file declares: an annotation, or the region of
// an initial write. Upper and lower case do not matter.
func BellTag(word string) string { return "'" + strings.ToLower(word) }

// ScopeRelation returns the name of the relation between the events of threads that share a scope of a bell file.
func ScopeRelation(scope string) string { return "same " + scope }

// maxScopes bounds how deep scopes nest.
const maxScopes = 16

// scopeTrees reads the scopes of the threads, behind the word scopes.
func (p *parser) scopeTrees(start Pos) {
	if p.test.Trees != nil {
		panic(Errorf(start, "the test has a second list of scopes: want one"))
	}
	p.expect(":", "after scopes")
	seen := map[int]bool{}
	for first := true; first || p.peek("("); first = false {
		p.test.Trees = append(p.test.Trees, p.scopeTree(nil, seen))
		p.accept(",")
	}
	p.accept(";")
	depth := p.depths()
	for _, t := range p.test.Threads {
		switch {
		case !seen[t.ID]:
			panic(Errorf(t.Pos, "P%d is outside every scope: want it in the scopes of line %d", t.ID, start.Line))
		case depth[t.ID] != depth[p.test.Threads[0].ID]:
			panic(Errorf(t.Pos, "P%d is in other kinds of scopes than P%d (%s, %s): tests whose scopes differ in kind "+
				"are not supported", t.ID, p.test.Threads[0].ID, depth[t.ID], depth[p.test.Threads[0].ID]))
		}
	}
}

// depths returns the names of the scopes that each thread is in, the outermost first.
func (p *parser) depths() map[int]string {
	out := map[int]string{}
	var walk func(s Scope, outer string)
	walk = func(s Scope, outer string) {
		names := strings.TrimSpace(outer + " " + s.Text)
		for _, id := range s.Threads {
			out[id] = names
		}
		for _, in := range s.Inner {
			walk(in, names)
		}
	}
	for _, s := range p.test.Trees {
		walk(s, "")
	}
	return out
}

// scopeTree reads one scope in parentheses. outer are the names of the scopes around it, seen the threads that have
// their place.
func (p *parser) scopeTree(outer []string, seen map[int]bool) Scope {
	p.expect("(", "before the name of a scope, as in (cta P0 P1)")
	s := Scope{Word: Word{Pos: p.pos()}}
	s.Text = p.annotation("the name of a scope")
	switch {
	case slices.Contains(outer, s.Text):
		panic(Errorf(s.Pos, "the scope %s is within a scope %[1]s", Shorten(s.Text)))
	case len(outer) == maxScopes:
		panic(Errorf(s.Pos, "scopes nest more than %d deep", maxScopes))
	}
	for !p.accept(")") {
		if p.peek("(") {
			s.Inner = append(s.Inner, p.scopeTree(append(outer, s.Text), seen))
		} else {
			pos := p.pos()
			id := p.threadNumber()
			switch {
			case !slices.ContainsFunc(p.test.Threads, func(t Thread) bool { return t.ID == id }):
				panic(Errorf(pos, "there is no thread P%d", id))
			case seen[id]:
				panic(Errorf(pos, "P%d has two places in the scopes", id))
			}
			seen[id] = true
			s.Threads = append(s.Threads, id)
		}
		p.accept(",")
	}
	if len(s.Threads)+len(s.Inner) == 0 {
		panic(Errorf(s.Pos, "the scope %s has no threads", Shorten(s.Text)))
	}
	return s
}

// annotation reads a word of a bell file, in which - may stand.
func (p *parser) annotation(what string) string {
	p.skipBlanks()
	end := p.at
	for end < len(p.text) && (isWordPart(p.text[end]) || end > p.at && p.text[end] == '-') {
		end++
	}
	if end == p.at || isDigit(p.text[p.at]) {
		p.failf("got %s, want %s", p.next(), what)
	}
	text := p.text[p.at:end]
	if len(text) > MaxName {
		p.failf("the name %q has %d bytes: want at most %d", Shorten(text), len(text), MaxName)
	}
	p.at = end
	return text
}

// regions reads the regions of locations, behind the word regions: (x global), or x: global, with commas or without.
func (p *parser) regions() {
	p.expect(":", "after regions")
	for first := true; first || p.peek("(") || p.peekWord() != "" && !p.atCondition(); first = false {
		open := p.accept("(")
		r := Region{Location: Word{Pos: p.pos()}}
		r.Location.Text = p.word("a location")
		p.accept(":")
		p.skipBlanks()
		r.Name.Pos = p.pos()
		r.Name.Text = p.annotation("the region of " + r.Location.Text)
		if open {
			p.expect(")", "after a region")
		}
		if slices.ContainsFunc(p.test.Regions, func(q Region) bool { return q.Location.Text == r.Location.Text }) {
			panic(Errorf(r.Location.Pos, "%s has two regions", Shorten(r.Location.Text)))
		}
		p.test.Regions = append(p.test.Regions, r)
		p.accept(",")
	}
	p.accept(";")
}

// printScopes prints the scopes and regions of a test in LISA.
func printScopes(b *strings.Builder, t *Test) {
	if len(t.Trees) > 0 {
		b.WriteString("scopes:")
		for _, s := range t.Trees {
			b.WriteByte(' ')
			printScope(b, s)
		}
		b.WriteByte('\n')
	}
	if len(t.Regions) > 0 {
		b.WriteString("regions:")
		for _, r := range t.Regions {
			b.WriteString(" (" + r.Location.Text + " " + r.Name.Text + ")")
		}
		b.WriteByte('\n')
	}
}

func printScope(b *strings.Builder, s Scope) {
	b.WriteString("(" + s.Text)
	for _, id := range s.Threads {
		b.WriteString(" P" + strconv.Itoa(id))
	}
	for _, in := range s.Inner {
		b.WriteByte(' ')
		printScope(b, in)
	}
	b.WriteByte(')')
}

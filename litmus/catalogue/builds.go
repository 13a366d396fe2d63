package catalogue

import (
	"fmt"
	"slices"
	"strings"
)

// Line is a line of a program in two builds: of both, of the first alone (-) or of the second alone (+).
type Line struct {
	Mark    string // "", "-" or "+"
	Text    string
	Numbers [2]int // in either build, from 1; 0 where it is not in it
}

// Resolved is the program's text in a build, without the parts that are for others: what stands between #ifdef, #if,
// #elif,
// #else and #endif that ask for macros of its builds alone.
func (p *Program) Resolved(b Build) string {
	var out strings.Builder
	for _, l := range p.Beside(b, b) {
		out.WriteString(l.Text + "\n")
	}
	return out.String()
}

// Beside is the program in two builds, line by line.
func (p *Program) Beside(from, to Build) []Line {
	macros := p.macros()
	var open []*conditional
	in := func(side int) bool {
		return !slices.ContainsFunc(open, func(c *conditional) bool { return c.ours && !c.taken[side] })
	}
	var out []Line
	number := [2]int{}
	for n, text := range strings.Split(strings.TrimSuffix(p.Source, "\n"), "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
		ours := false
		switch word {
		case "#if", "#ifdef", "#ifndef":
			c := &conditional{ours: asksFor(word, rest, macros)}
			for side, b := range [2]Build{from, to} {
				c.enter(side, c.ours && asked(word, rest, b.Defines))
			}
			open, ours = append(open, c), c.ours
		case "#elif", "#else", "#endif":
			if len(open) == 0 {
				panic(fmt.Sprintf("BUG: %s:%d: %s of nothing", p.File(), n+1, word))
			}
			c := open[len(open)-1]
			if ours = c.ours; word == "#endif" {
				open = open[:len(open)-1]
				break
			}
			for side, b := range [2]Build{from, to} {
				c.enter(side, word == "#else" || asked(word, rest, b.Defines))
			}
		}
		if ours {
			continue
		}
		l := Line{Text: text}
		switch before, after := in(0), in(1); {
		case before && after:
			number[0]++
			number[1]++
			l.Numbers = number
		case before:
			number[0]++
			l.Mark, l.Numbers[0] = "-", number[0]
		case after:
			number[1]++
			l.Mark, l.Numbers[1] = "+", number[1]
		default:
			continue
		}
		out = append(out, l)
	}
	out = withoutTwins(out)
	firstBefore(out)
	return out
}

// firstBefore puts, where lines of either build stand side by side, those of the first before those of the second,
// however the program has its conditions.
func firstBefore(lines []Line) {
	for from := 0; from < len(lines); from++ {
		to := from
		for to < len(lines) && lines[to].Mark != "" {
			to++
		}
		// "-" is behind "+"
		slices.SortStableFunc(lines[from:to], func(a, b Line) int { return strings.Compare(b.Mark, a.Mark) })
		from = to
	}
}

// withoutTwins takes a line that is in a part of either build for one of both.
func withoutTwins(lines []Line) []Line {
	for i := 0; i+1 < len(lines); i++ {
		a, b := &lines[i], lines[i+1]
		if a.Mark != "" && b.Mark != "" && a.Mark != b.Mark && a.Text == b.Text {
			a.Mark, a.Numbers = "", [2]int{max(a.Numbers[0], b.Numbers[0]), max(a.Numbers[1], b.Numbers[1])}
			lines = slices.Delete(lines, i+1, i+2)
		}
	}
	return lines
}

// macros are those of its builds.
func (p *Program) macros() []string {
	var out []string
	for _, b := range p.Builds {
		out = append(out, b.Defines...)
	}
	return out
}

// conditional is a part of a program that is not in all builds.
type conditional struct {
	ours           bool    // it asks for macros of the builds alone
	taken, settled [2]bool // is this part in a build; has one been
}

func (c *conditional) enter(side int, holds bool) {
	c.taken[side] = holds && !c.settled[side]
	c.settled[side] = c.settled[side] || holds
}

// asksFor tells whether a condition is about some of the macros and nothing else.
func asksFor(word, rest string, macros []string) bool {
	for _, name := range asksOf(word, rest) {
		if !slices.Contains(macros, name) {
			return false
		}
	}
	return true
}

// asked tells whether a condition holds: a macro, or one of those in "defined A || defined B".
func asked(word, rest string, defines []string) bool {
	some := slices.ContainsFunc(asksOf(word, rest), func(name string) bool { return slices.Contains(defines, name) })
	return some != (word == "#ifndef")
}

func asksOf(word, rest string) []string {
	if word == "#ifdef" || word == "#ifndef" {
		return []string{strings.TrimSpace(rest)}
	}
	var out []string
	for one := range strings.SplitSeq(rest, "||") {
		name, ok := strings.CutPrefix(strings.TrimSpace(one), "defined ")
		if !ok {
			return []string{rest} // nothing that is asked here
		}
		out = append(out, strings.TrimSpace(name))
	}
	return out
}

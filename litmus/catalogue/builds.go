package catalogue

import (
	"fmt"
	"slices"
	"strings"
)

// Line is a line of a program in two builds: in both, in the first only (-) or in the second only (+).
type Line struct {
	Mark    string // "", "-" or "+"
	Text    string
	Numbers [2]int // its number in each build, from 1; 0 if the build lacks it
}

// Resolved returns the program's text in a build. It leaves out the parts between #ifdef, #if, #elif, #else and #endif
// that are for other builds, if their conditions only test macros of the program's builds. In Rust, it leaves out lines
// below #[cfg(NAME)] and #[cfg(not(NAME))], and the attributes.
func (p *Program) Resolved(b Build) string {
	var out strings.Builder
	for _, l := range p.SideBySide(b, b) {
		out.WriteString(l.Text + "\n")
	}
	return out.String()
}

// SideBySide returns the program in two builds, line by line.
func (p *Program) SideBySide(from, to Build) []Line {
	macros := p.macros()
	var open []*conditional
	attribute := false // the last of open is an attribute, and ends with this line
	in := func(side int) bool {
		return !slices.ContainsFunc(open, func(c *conditional) bool { return c.ours && !c.taken[side] })
	}
	var out []Line
	number := [2]int{}
	for n, text := range strings.Split(strings.TrimSuffix(p.Source, "\n"), "\n") {
		word, rest, _ := strings.Cut(inC(strings.TrimSpace(text)), " ")
		ours, ends := false, attribute
		attribute = strings.HasPrefix(strings.TrimSpace(text), "#[cfg(")
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
		before, after := in(0), in(1)
		if ends {
			open = open[:len(open)-1]
		}
		switch {
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

// inC returns the condition of an attribute in Rust as a condition of the preprocessor, and other lines as they are.
func inC(line string) string {
	condition, ok := strings.CutPrefix(line, "#[cfg(")
	if !ok {
		return line
	}
	condition = strings.TrimSuffix(condition, ")]")
	if name, ok := strings.CutPrefix(condition, "not("); ok {
		return "#ifndef " + strings.TrimSuffix(name, ")")
	}
	return "#ifdef " + condition
}

// firstBefore sorts adjacent lines of only one build: those of the first build before those of the second.
func firstBefore(lines []Line) {
	for from := 0; from < len(lines); from++ {
		to := from
		for to < len(lines) && lines[to].Mark != "" {
			to++
		}
		// "-" sorts after "+"
		slices.SortStableFunc(lines[from:to], func(a, b Line) int { return strings.Compare(b.Mark, a.Mark) })
		from = to
	}
}

// withoutTwins joins a line that occurs in a part of each build into one line of both.
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

// macros returns the macros that the program's builds define.
func (p *Program) macros() []string {
	var out []string
	for _, b := range p.Builds {
		out = append(out, b.Defines...)
	}
	return out
}

// conditional is a part of a program that only some builds have.
type conditional struct {
	ours           bool    // it tests only macros of the builds
	taken, settled [2]bool // by build: whether it has this part, and whether it has had one of the alternatives
}

func (c *conditional) enter(side int, holds bool) {
	c.taken[side] = holds && !c.settled[side]
	c.settled[side] = c.settled[side] || holds
}

// asksFor reports whether a condition only tests some of the macros.
func asksFor(word, rest string, macros []string) bool {
	for _, name := range asksOf(word, rest) {
		if !slices.Contains(macros, name) {
			return false
		}
	}
	return true
}

// asked reports whether a condition is true: a macro, or one of those in "defined A || defined B".
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
			return []string{rest} // nothing with options
		}
		out = append(out, strings.TrimSpace(name))
	}
	return out
}

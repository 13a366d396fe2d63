package catalogue

import (
	"fmt"
	"path"
	"strings"
	"sync"
)

// Shape is the pattern that classic tests with several names share: which thread reads and writes what, and what each
// must see.
type Shape struct {
	Name   string // SB, Locks
	Title  string // Store buffering
	Group  string // Two threads
	Cycle  string // in diy's notation; "" if the test is not about a single cycle
	Text   string // a few sentences
	Origin []string
	tests  []string // patterns of tests whose names do not begin with the shape's
}

var shapes = sync.OnceValue(func() (out []Shape) {
	group := ""
	for n, line := range numbered("shapes.txt") {
		fail := func(what string) { panic(fmt.Sprintf("BUG: shapes.txt:%d: %s", n, what)) }
		switch mark, rest, _ := strings.Cut(line, " "); mark {
		case "=":
			group = rest
		case ":":
			f := strings.Split(rest, "|")
			if len(f) < 3 || len(f) > 4 || group == "" {
				fail("want NAME | TITLE | CYCLE, and perhaps patterns, in a group")
			}
			for i := range f {
				f[i] = strings.TrimSpace(f[i])
			}
			s := Shape{Name: f[0], Title: f[1], Group: group, Cycle: f[2]}
			if len(f) == 4 {
				s.tests = strings.Fields(f[3])
			}
			out = append(out, s)
		default:
			if len(out) == 0 {
				fail("want the name of a shape before this text")
			}
			s := &out[len(out)-1]
			if mark == ">" {
				s.Origin = append(s.Origin, rest)
			} else {
				s.Text = strings.TrimSpace(s.Text + " " + line)
			}
		}
	}
	return out
})

// Shapes lists the shapes by group, in teaching order. The caller must not change it.
func Shapes() []Shape { return shapes() }

// FindShape returns the shape with a name.
func FindShape(name string) (Shape, bool) {
	for _, s := range shapes() {
		if s.Name == name {
			return s, true
		}
	}
	return Shape{}, false
}

// shapeOf returns the shape of a classic test by its name: the shape with a pattern that matches, or else the shape
// with the longest name that begins the test's, up to a + or the end.
func shapeOf(name string) *Shape {
	var out *Shape
	for i := range shapes() {
		s := &shapes()[i]
		for _, pattern := range s.tests {
			if ok, err := path.Match(pattern, name); err != nil {
				panic("BUG: " + err.Error())
			} else if ok {
				return s
			}
		}
		// CoRR2 is CoRR with another observer.
		if rest, ok := strings.CutPrefix(name, s.Name); ok && (rest == "" || rest[0] == '+' || rest == "2") &&
			(out == nil || len(s.Name) > len(out.Name)) {
			out = s
		}
	}
	return out
}

package run

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/ir"
)

// loops draws the body of a function with some loops, which may end or not. Numbers have few bits, so that what counts
// up comes round.
type loops struct {
	*rapid.T
	within int // loops around
	names  int
}

func (l *loops) pick(what string, of ...string) string { return rapid.SampledFrom(of).Draw(l.T, what) }

func (l *loops) variable() string {
	return l.pick("variable", "a", "b", "c", "s", "w", "g[0]", "g[1]", "h[2]", "*p")
}

func (l *loops) number() string {
	return l.pick("number", "0", "1", "2", "3", "5", "8", "100", "127", "128", "200", "255", "256", "300", "-1", "-20",
		"65535", "1000000")
}

func (l *loops) expression(depth int) string {
	if depth == 0 {
		if rapid.Bool().Draw(l.T, "known") {
			return l.number()
		}
		return l.variable()
	}
	x, y := l.expression(depth-1), l.expression(rapid.IntRange(0, depth-1).Draw(l.T, "depth"))
	switch l.pick("expression", "sum", "sum", "bits", "shift", "quotient", "choice", "part", "index", "call") {
	case "sum":
		return fmt.Sprintf("(%s %s %s)", x, l.pick("operator", "+", "-", "*"), y)
	case "bits":
		return fmt.Sprintf("(%s %s %s)", x, l.pick("operator", "&", "|", "^"), y)
	case "shift":
		return fmt.Sprintf("(%s %s (%s & 7))", x, l.pick("operator", "<<", ">>"), y)
	case "quotient":
		return fmt.Sprintf("(%s %s (%s | 1))", x, l.pick("operator", "/", "%"), y)
	case "choice":
		return fmt.Sprintf("(%s ? %s : %s)", l.condition(), x, y)
	case "part":
		return fmt.Sprintf("(%s)%s", l.pick("type", "unsigned char", "signed char", "unsigned short", "int", "long"), x)
	case "index":
		return fmt.Sprintf("%s[(%s) & 3]", l.pick("array", "g", "h"), x)
	}
	return fmt.Sprintf("f(%s, %s)", x, y)
}

func (l *loops) condition() string {
	return fmt.Sprintf("%s %s %s", l.expression(1), l.pick("comparison", "<", "<=", ">", ">=", "==", "!="),
		l.expression(0))
}

func (l *loops) statements(depth int) string {
	var b strings.Builder
	for range rapid.IntRange(1, 3).Draw(l.T, "statements") {
		b.WriteString(l.statement(depth))
	}
	return b.String()
}

func (l *loops) statement(depth int) string {
	kinds := []string{"assign", "assign", "step", "step", "point", "place", "bytes"}
	if depth > 0 {
		kinds = append(kinds, "if", "while", "for", "do", "count")
	}
	if l.within > 0 {
		kinds = append(kinds, "leave")
	}
	switch l.pick("statement", kinds...) {
	case "assign":
		return fmt.Sprintf("%s = %s; ", l.variable(), l.expression(2))
	case "step":
		return fmt.Sprintf("%s %s %s; ", l.variable(), l.pick("operator", "+=", "-=", "^="), l.number())
	case "point":
		return fmt.Sprintf("p = %s ? &%s : &%s; ", l.condition(), l.pick("target", "g[0]", "g[3]", "a"),
			l.pick("target", "g[1]", "a", "b"))
	case "place":
		return fmt.Sprintf("%s[(%s) & 3] %s %s; ", l.pick("array", "g", "h"), l.expression(1),
			l.pick("operator", "=", "+="), l.expression(1))
	case "bytes":
		return fmt.Sprintf("((unsigned char *)%s)[%d] = %s; ", l.pick("whole", "&s", "h", "g"),
			rapid.IntRange(0, 1).Draw(l.T, "byte"), l.expression(1))
	case "if":
		return fmt.Sprintf("if (%s) { %s} else { %s} ", l.condition(), l.statements(depth-1), l.statements(depth-1))
	case "leave":
		return fmt.Sprintf("if (%s) %s; ", l.condition(), l.pick("how", "break", "continue"))
	}
	head := l.condition()
	l.within++
	body := l.statements(depth - 1)
	l.within--
	switch l.pick("loop", "while", "for", "do", "count") {
	case "while":
		return fmt.Sprintf("while (%s) { %s} ", head, body)
	case "for":
		v := l.variable()
		return fmt.Sprintf("for (%s = %s; %s %s %s; %s += %s) { %s} ", v, l.number(), v,
			l.pick("comparison", "<", "<=", ">", ">=", "!="), l.number(), v, l.number(), body)
	case "do":
		return fmt.Sprintf("do { %s} while (%s); ", body, head)
	}
	l.names++
	return fmt.Sprintf("for (int i%d = 0; i%d < %s; i%d++) { %s} ", l.names, l.names, l.number(), l.names, body)
}

// drawLoops draws a program.
func drawLoops(r *rapid.T) string {
	l := &loops{T: r}
	return "unsigned char g[4] = {1, 2, 3, 4};\nshort h[4] = {5, -6, 700, 8};\n" +
		"static int f(int x, unsigned char y) { return x > y ? x - y : x + 1; }\n" +
		"int main(void) { unsigned char a = 0, b = 200, *p = &a; signed char c = 0; unsigned short s = 1; int w = " +
		"0;\n" +
		l.statements(3) + "\nreturn 0; }\n"
}

// claim is a loop that the analysis says never ends.
type claim struct {
	fn          *function
	depth, loop int
	at          int // steps before
}

// A loop that the analysis calls endless never ends: the test asks about each loop of a thread, time and again, and the
// thread continues.
func TestWhatIsEndlessIs(t *testing.T) {
	const follow, budget = 30_000, 3_000
	claims, left := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		text := drawLoops(r)
		p := program(t, text, "")
		main := p.Thread(0)
		var said []claim
		asked := map[claim]int{}
		for n := 0; n < follow && main.stopped == nil; n++ {
			if a, err := main.step(); err != nil || a != nil {
				break
			}
			if main.stopped != nil {
				break
			}
			f := main.top()
			if loop := f.fn.heads[f.pc]; loop >= 0 && len(said) == 0 {
				c := claim{fn: f.fn, depth: main.depth, loop: loop}
				asked[c]++
				if k := asked[c]; k&(k-1) == 0 && k != 1 && main.endless(loop, budget) {
					claims++
					c.at = n
					said = append(said, c)
				}
			}
			for _, c := range said {
				g := &main.frames[c.depth-1]
				if lp := c.fn.loops[c.loop]; main.depth < c.depth || g.fn != c.fn || g.pc < lp.head || g.pc > lp.tail {
					r.Fatalf("the loop at step %d of %s is left after %d steps, and was said never to be after %d\n%s",
						lp.head, c.fn.Name, n, c.at, text)
				}
			}
		}
		if main.stopped != nil {
			left++
			if len(said) > 0 && main.stopped.Kind != ir.ActBlocked && main.stopped.Kind != ir.ActUnwound {
				r.Fatalf("it stops, with %+v, and was said to go round for ever after %d steps\n%s", *main.stopped,
					said[0].at, text)
			}
		}
	})
	t.Logf("%d programs go round for ever, %d end", claims, left)
	if !t.Failed() && (claims == 0 || left == 0) {
		t.Errorf("%d programs go round for ever, %d end: want some of each", claims, left)
	}
}

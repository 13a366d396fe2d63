package explore

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"litmuscope/solver"
)

// A part of an exploration is everything that follows from one graph. The path from the first graph names the graph:
// the graph alone determines its alternatives and their order, so that whoever takes the same alternatives reaches the
// same graph. A part that takes long stops, and splits its rest into parts: for each graph on its path, the
// alternatives not yet visited.
type Path []int32

// digits write ways: most graphs have few.
const digits = "0123456789abcdefghijklmnopqrstuvwxyz"

// String is a digit or letter for each way, or a number in parentheses.
func (p Path) String() string {
	var b strings.Builder
	for _, way := range p {
		if int(way) < len(digits) {
			b.WriteByte(digits[way])
		} else {
			fmt.Fprintf(&b, "(%d)", way)
		}
	}
	return b.String()
}

// readPath reads what String writes.
func readPath(text string) (p Path, err error) {
	for len(text) > 0 {
		if way := strings.IndexByte(digits, text[0]); way >= 0 {
			p, text = append(p, int32(way)), text[1:]
			continue
		}
		var way int32
		inner, rest, ok := strings.Cut(text, ")")
		if n, err := fmt.Sscanf(inner, "(%d", &way); n != 1 || err != nil || !ok || way < 0 {
			return nil, fmt.Errorf("the path of a part: got %.20q, want the numbers of choices", text)
		}
		p, text = append(p, way), rest
	}
	return p, nil
}

// leaves records a graph for others to explore.
func (x *Exploration) leaves() bool {
	if !x.cut() {
		return false
	}
	x.Rest = append(x.Rest, slices.Clone(x.path))
	return true
}

// errAstray is the error of a path that leads nowhere.
var errAstray = errors.New("BUG: the path of a part leads nowhere: it belongs to another program or version")

// Resume explores the part at the end of a path.
func (x *Exploration) Resume(p Path) error {
	g := x.first()
	x.walks = true
	for _, way := range p {
		x.ways = x.ways[:0]
		alive, err := x.goOn(g)
		if err != nil {
			return err
		}
		if alive {
			x.ways = append(x.ways, g)
		}
		if int(way) >= len(x.ways) {
			return errAstray
		}
		g = x.ways[way]
	}
	x.walks, x.ways = false, nil
	x.path = slices.Clone(p)
	return x.visit(g)
}

// often is how many steps a part takes at least.
const leastSteps = 64

// Begin has an exploration be a part of one, and gives where it begins.
func (x *Exploration) Begin(part *solver.Part) (Path, error) {
	p, err := readPath(part.Path)
	if err != nil || part.Time <= 0 {
		return p, err
	}
	over, at := time.Now().Add(part.Time), x.steps+len(p)+leastSteps
	late := false
	x.cut = func() bool {
		if x.steps >= at && !late {
			at, late = x.steps+leastSteps, time.Now().After(over)
		}
		return late
	}
	return p, nil
}

package graphs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"litmuscope/litmus/c/cprog/run"
	"litmuscope/solver"
)

// A part of an exploration is what comes of one graph. The graph is named by its path from the first one: which ways there are from a graph, and in
// which order, depends on the graph alone, so that whoever takes the same ways comes to the same. A part that takes long
// stops, and leaves what is left of it as parts of its own: of each graph on its way, those that were still to be visited.
type path []int32

// digits write ways: most graphs have few.
const digits = "0123456789abcdefghijklmnopqrstuvwxyz"

func (p path) String() string {
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
func readPath(text string) (p path, err error) {
	for len(text) > 0 {
		if way := strings.IndexByte(digits, text[0]); way >= 0 {
			p, text = append(p, int32(way)), text[1:]
			continue
		}
		var way int32
		inner, rest, ok := strings.Cut(text, ")")
		if n, err := fmt.Sscanf(inner, "(%d", &way); n != 1 || err != nil || !ok || way < 0 {
			return nil, fmt.Errorf("the path of a part: got %.20q, want ways", text)
		}
		p, text = append(p, way), rest
	}
	return p, nil
}

// leaves puts down a graph that is for others.
func (x *exploration) leaves() bool {
	if !x.cut() {
		return false
	}
	x.rest = append(x.rest, slices.Clone(x.path))
	return true
}

// errAstray is the error of a path that leads nowhere.
var errAstray = errors.New("BUG: the path of a part leads nowhere: it is of another program, or another version")

// resume explores what comes of the graph that a path leads to.
func (x *exploration) resume(p path) error {
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

// begin has an exploration be a part of one, and gives where it begins.
func (x *exploration) begin(part *solver.Part) (path, error) {
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

// parted puts down what is left of a part, which may have ended with an error.
func (v *verification) parted(x *exploration, err error) *solver.PartAnswer {
	out := &solver.PartAnswer{Late: err != nil, Executions: v.count, Bounded: v.bounded, Seeks: v.seeksRace(), Rest: []string{}}
	if v.garbage {
		out.Garbage = followed
	}
	for _, p := range x.rest {
		out.Rest = append(out.Rest, p.String())
	}
	return out
}

// verifyPart is verify of a part. Where something is found out about the program that other parts should have known, its answer is that all is to be
// explored again with that.
func (en Engine) verifyPart(ctx context.Context, p *run.Program, q solver.Query, v *verification, explore func(symmetric, apart bool) (*exploration, error)) (*solver.Verification, error) {
	part := *q.Part
	if len(part.Known) > 0 {
		var k run.Known
		err := json.Unmarshal(part.Known, &k)
		if err == nil {
			err = p.Recall(&k)
		}
		if err != nil {
			return nil, fmt.Errorf("BUG: what is known of a part: %w", err)
		}
	}
	first := part.Path == ""
	x, again, whole, err := (*exploration)(nil), true, false, error(nil)
	for again {
		x, err = explore(part.Symmetric, part.Apart)
		switch {
		case errors.Is(err, errAlike):
			part.Symmetric = true
		case errors.Is(err, errApart):
			part.Symmetric, part.Apart = false, true
		case errors.Is(err, errWhole):
			whole = true
		case !errors.Is(err, run.Anew):
			again = false
		}
		if !first || whole {
			break
		}
	}
	if x == nil && err != nil { // the model has nothing to say of what was found
		return nil, err
	}
	again = again || !first && p.MetMore()
	answer := &solver.PartAnswer{Again: again, Whole: whole}
	if again {
		err = nil
	} else {
		answer = v.parted(x, err)
	}
	// Where the first part has met no threads that are alike, others are not to look for any.
	answer.Symmetric, answer.Apart = part.Symmetric, part.Apart || !again && x.symmetry == nil && x.peers == nil
	if again || first {
		known, kerr := p.Known()
		if kerr == nil {
			answer.Known, kerr = json.Marshal(known)
		}
		if kerr != nil && (again || len(answer.Rest) > 0) {
			return nil, v.refuse("%v: explore it as one", kerr)
		}
	}
	answer.Mortal = p.Mortal
	return v.finishPart(ctx, answer, err)
}

// finishPart is finish of a part. That something was not followed in all ways is for the whole to say.
func (v *verification) finishPart(ctx context.Context, answer *solver.PartAnswer, err error) (*solver.Verification, error) {
	v.garbage = v.garbage && v.out.Failure != nil
	out, err := v.finish(ctx, err)
	if err == nil {
		out.Part = answer
	}
	return out, err
}

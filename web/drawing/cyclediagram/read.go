package cyclediagram

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect"
)

// Bounds on what is read.
const (
	MaxEdges       = 32   // of a cycle
	MaxText        = 4096 // bytes of a cycle or of a list of relaxations
	MaxRelaxations = 256  // in a list, once each * is written out
	MaxSize        = 12   // accesses of a family's cycles
)

// Request is a text about cycles: a cycle, the relaxations of a family of them, or a test.
type Request struct {
	Arch   string  `json:"arch"`
	Cycle  string  `json:"cycle,omitempty"`
	Name   string  `json:"name,omitempty"` // of the test; "" is the cycle's own
	Into   string  `json:"into,omitempty"` // the dialect that it is wanted in, if that is another
	Family *Family `json:"family,omitempty"`
	Test   string  `json:"test,omitempty"` // instead of all else: a test whose cycle is wanted
}

// Family asks for the critical cycles over a list of relaxations.
type Family struct {
	Relaxations string        `json:"relaxations"`
	Min         int           `json:"min"`
	Max         int           `json:"max"`
	Show        int           `json:"show"` // how many to give
	Most        int           `json:"most"` // how many to count
	Within      time.Duration `json:"within"`
}

// Member is a cycle of a family, with the name that it has there.
type Member struct {
	Name  string `json:"name"`
	Cycle string `json:"cycle"`
}

// Reading is what a request means. Where Errors has anything, that is all.
type Reading struct {
	Errors litmus.ErrorList `json:"errors,omitempty"`
	Arch   string           `json:"arch"`
	Cycle  cycle.Cycle      `json:"cycle,omitempty"`
	Lost   []string         `json:"lost,omitempty"` // what another dialect has no word for
	Name   string           `json:"name,omitempty"` // "" for a test that is not the one of its cycle
	Source string           `json:"source,omitempty"`
	Why    string           `json:"why,omitempty"` // there is no source

	Relaxations [][]cycle.Edge `json:"relaxations,omitempty"`
	Members     []Member       `json:"members,omitempty"`
	Count       int            `json:"count,omitempty"`
	Whole       bool           `json:"whole,omitempty"` // Count is of all there are
}

// Read reads a request. What is wrong with it is in the Reading.
func Read(q Request) (*Reading, error) {
	r := &Reading{Arch: q.Arch}
	if q.Test != "" {
		r.test(q.Test)
		return r, nil
	}
	if q.Family != nil {
		return r, r.family(q)
	}
	if len(q.Cycle) > MaxText {
		r.Errors = tooLong("cycle")
		return r, nil
	}
	c, err := cycle.ParseCycle(q.Arch, q.Cycle)
	if err != nil {
		r.Errors = litmus.Errors(err)
		return r, nil
	}
	if len(c) > MaxEdges {
		r.Errors = litmus.ErrorList{litmus.Errorf(start, "the cycle has %d edges; the maximum is %d", len(c), MaxEdges)}
		return r, nil
	}
	if q.Into != "" && q.Into != q.Arch {
		c, r.Lost = Translate(q.Arch, q.Into, c)
		r.Arch = q.Into
	}
	r.Arch = c.Arch(r.Arch)
	r.Cycle, r.Name = c, q.Name
	if r.Name == "" {
		r.Name = c.Name()
	}
	if r.Source, err = cycle.Generate(r.Arch, c, r.Name); err != nil {
		r.Why = err.Error()
	}
	return r, nil
}

// test finds the cycle that a test asks about.
func (r *Reading) test(source string) {
	t, err := litmus.Parse("test", source)
	if err == nil {
		_, err = dialect.Lower(t)
	}
	if err != nil {
		r.Errors = dialect.Errors("test", source)
		return
	}
	r.Arch = t.Arch
	if r.Cycle, err = cycle.Of(t); err != nil {
		r.Why = litmus.Errors(err)[0].Msg
		return
	}
	r.Arch = r.Cycle.Arch(t.Arch)
	if r.Cycle.IsOf(t) {
		r.Name = r.Cycle.Name()
	}
}

var start = litmus.Pos{File: "cycle", Line: 1, Col: 1}

func tooLong(what string) litmus.ErrorList {
	return litmus.ErrorList{litmus.Errorf(start, "the %s is longer than %d bytes", what, MaxText)}
}

// ParseFamily reads the relaxations of a family, and holds it to the bounds.
func ParseFamily(arch string, f Family) ([][]cycle.Edge, error) {
	if len(f.Relaxations) > MaxText {
		return nil, tooLong("list of relaxations")
	}
	list, err := cycle.ParseRelaxations(arch, f.Relaxations)
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, litmus.ErrorList{litmus.Errorf(start, "the list is empty: want relaxations such as %s",
			cycle.Standard(arch))}
	case len(list) > MaxRelaxations:
		return nil, litmus.ErrorList{litmus.Errorf(start, "the list has %d relaxations; the maximum is %d", len(list),
			MaxRelaxations)}
	case f.Min < 2 || f.Max > MaxSize || f.Min > f.Max:
		return nil,
			litmus.ErrorList{
				litmus.Errorf(start, "cycles of %d to %d accesses: want sizes from 2 to %d, the smaller one "+
					"first", f.Min,
					f.Max, MaxSize),
			}
	}
	return list, nil
}

// enough ends a count early.
var enough = errors.New("enough")

// family reads the relaxations of a family, counts its tests until q.Family.Most or the time limit Within, and lists
// the first Show of them. Whole reports that the count is complete.
func (r *Reading) family(q Request) error {
	f := *q.Family
	list, err := ParseFamily(q.Arch, f)
	if err != nil {
		r.Errors = litmus.Errors(err)
		return nil
	}
	r.Relaxations = list
	ctx, cancel := context.WithTimeout(context.Background(), f.Within)
	defer cancel()
	names := cycle.Names{}
	err = cycle.Family(ctx, list, f.Min, f.Max, func(c cycle.Cycle) error {
		if r.Count == f.Most {
			return enough
		}
		if r.Count++; len(r.Members) < f.Show {
			r.Members = append(r.Members, Member{names.Of(c), c.String()})
		}
		return nil
	})
	r.Whole = err == nil
	if errors.Is(err, enough) || errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return err
}

// Word names an edge with what it does, for those who listen: "PodWR, from W x to R y".
func Word(e cycle.Edge, from, to cycle.Place) string {
	return fmt.Sprintf("%s, from %s to %s", e, access(from), access(to))
}

func access(p cycle.Place) string {
	kind := "read"
	if p.Write {
		kind = "write"
	}
	return strings.TrimSpace(fmt.Sprintf("%s of %s", kind, p.Location))
}

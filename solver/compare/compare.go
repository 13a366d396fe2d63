// Package compare compares two logs test by test: two runs, models, engines or versions of a program, or a machine and
// a model. [Run] calls a function with each [Difference] and returns a [Tally]; a [Side] is a log with its model.
//
//	totals, err := compare.Run(ctx, compare.Side{Rows: a}, compare.Side{Rows: b, Model: "tso"}, found)
//
// Two rows are compared if their test, model and engine are the same; Side.Models chooses other pairs of models. A test
// is known by its name, or by its path if several tests have the name. If a side does not give its models, or the sides
// have none in common, models may differ; so may engines. match.go has the exact rules.
//
// Rows that are equal are forgotten at once, except for the hash of the test's name (presence.go): two long logs in the
// same order take little memory. Other rows wait, as records of a few hundred bytes, until both logs have ended. Rows
// of a machine always wait, because its log may have several runs of a test, whose counts are added.
//
// It imports litmus, solver and solver/report.
package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"litmuscope/solver/report"
)

// Rows are the rows of a log, io.EOF after the last. A [report.Reader] is one.
type Rows interface{ Next() (*report.Row, error) }

// Side is one of the two logs.
type Side struct {
	Rows  Rows
	Model string // only the rows of this model; "" for all
	// Models, unless empty, replaces Model: the rows of A's first model are compared with those of B's first, and so
	// on. Both sides have as many; a side may have the same model several times.
	Models []string
	Engine string // only the rows of this engine; "" for all
	// Most bounds the bytes of the rows of both sides that wait for a counterpart; where
	// both are 0, 2 GiB.
	Most int
}

// maxWaiting bounds the bytes of all records that wait, unless a side has a bound.
const maxWaiting = 2 << 30

// The comparisons cost at most workEach times the input, in bytes, and maxWork more: large rows that go with each of
// very many would take the square of their size.
const (
	workEach = 4
	maxWork  = 8 << 20
)

// Run compares two logs and passes each difference to found, as soon as it is known. The error is the first of either
// side's, or found's, or the context's.
func Run(ctx context.Context, a, b Side, found func(Difference) error) (Tally, error) {
	if len(a.Models) != len(b.Models) {
		return Tally{}, fmt.Errorf("A has %d models to compare, and B has %d: want pairs", len(a.Models),
			len(b.Models))
	}
	c := comparison{
		ctx: ctx, found: found, most: cmp.Or(a.Most, b.Most, maxWaiting),
		totals: Tally{Kinds: map[Kind]int{}}, sides: [2]side{{Side: a}, {Side: b}},
	}
	for i := range c.sides {
		c.sides[i].waiting = map[identity]*record{}
		c.sides[i].models, c.sides[i].engines = map[string]bool{}, map[string]bool{}
		c.sides[i].tests = newPresence()
	}
	for over := 0; over < 2; {
		over = 0
		for i := range c.sides {
			if err := ctx.Err(); err != nil {
				return c.totals, err
			}
			s := &c.sides[i]
			if s.over {
				over++
				continue
			}
			row, err := s.Rows.Next()
			switch {
			case errors.Is(err, io.EOF):
				s.over = true
			case err != nil:
				return c.totals, err
			default:
				if err := c.take(i, row); err != nil {
					return c.totals, err
				}
			}
		}
	}
	return c.totals, c.finish()
}

// comparison is one in progress. In pairs, side 0 is A and side 1 is B.
type comparison struct {
	ctx    context.Context
	sides  [2]side
	size   int // bytes of what waits
	bytes  int // … of the input
	work   int // … of the comparisons, once for each time
	most   int // … at most
	found  func(Difference) error
	totals Tally
}

type side struct {
	Side
	over            bool
	read            int
	waiting         map[identity]*record // the first of each identity; others follow it
	models, engines map[string]bool      // that rows have been read of
	tests           *presence            // all tests of the side, also under models that are not compared
}

// identity is what counterparts have in common that need not wait for others.
type identity struct {
	test, path, model, engine string
	pairing                   int
}

// record is a row that waits, or takes part in a comparison.
type record struct {
	report.Row // without States
	states     []state
	names      []string // that the states bind
	at         int      // which row of its side it is
	summed     int      // how many states there were when they were sorted last
	next, last *record  // of the same identity; last is kept in the first
	pairs      int      // how often it has been compared
	pairing    int      // index in Side.Models; 0 without
	rows       int      // how many rows of the log it has: a machine may have run the test several times
}

// identity of a row, without the difference that a flag of the command makes.
func (s *side) identity(r *record) identity {
	id := identity{r.Test, r.Path, r.Model, r.Engine, r.pairing}
	if s.chosen() {
		id.model = ""
	}
	if s.Engine != "" {
		id.engine = ""
	}
	return id
}

// chosen reports whether only rows of some models are compared.
func (s *Side) chosen() bool { return s.Model != "" || len(s.Models) > 0 }

// take takes a row of side i once for each pair of models that it belongs to.
func (c *comparison) take(i int, row *report.Row) error {
	s := &c.sides[i]
	s.tests.note(row.Test, row.Path)
	models := s.Models
	if len(models) == 0 {
		models = []string{s.Model}
	}
	taken := false
	for pairing, model := range models {
		// An error may come before the model or the engine is known.
		if model != "" && row.Model != model && row.Model != "" || s.Engine != "" && row.Engine != s.Engine &&
			row.Engine != "" {
			continue
		}
		taken = true
		if err := c.takeFor(i, row, pairing); err != nil {
			return err
		}
	}
	if !taken {
		c.totals.Skipped[i]++
	}
	return nil
}

// takeFor compares a row of side i with its counterpart in a pair of models if that waits already; else it waits.
func (c *comparison) takeFor(i int, row *report.Row, pairing int) error {
	s, other := &c.sides[i], &c.sides[1-i]
	r := newRecord(row, s.read)
	r.pairing, r.rows = pairing, 1
	c.bytes += r.size()
	s.read++
	c.totals.Rows[i]++
	if r.Hardware {
		c.totals.Hardware[i]++
	}
	if row.Status == Pending {
		c.totals.Pending[i]++
	}
	if !s.chosen() && r.Model != "" {
		s.models[r.Model] = true
	}
	if s.Engine == "" && r.Engine != "" {
		s.engines[r.Engine] = true
	}
	id := s.identity(r)
	if r.Hardware {
		if w := s.waiting[id]; w != nil && w.Hardware && w.addRuns(r) {
			c.size += r.size() - recordSize
			w.rows++
			return c.room()
		}
	} else if w := other.waiting[id]; w != nil && !w.Hardware {
		if w.next == nil {
			delete(other.waiting, id)
		} else {
			w.next.last = w.last
			other.waiting[id] = w.next
		}
		c.size -= w.size()
		return c.compare(i, r, w)
	}
	c.size += r.size()
	if err := c.room(); err != nil {
		return err
	}
	if first := s.waiting[id]; first == nil {
		s.waiting[id], r.last = r, r
	} else {
		first.last.next, first.last = r, r
	}
	return nil
}

// room fails where what waits takes more than it may.
func (c *comparison) room() error {
	if c.size > c.most {
		return fmt.Errorf("the rows without a counterpart take more than %d MiB: sort both logs by test, "+
			"or split them", c.most>>20)
	}
	return nil
}

// compare compares a row of side i with one of the other.
func (c *comparison) compare(i int, r, other *record) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	for _, x := range []*record{r, other} {
		if len(x.states) > x.summed {
			x.sum()
		}
		c.work += x.size()
	}
	if c.work > maxWork+workEach*c.bytes {
		return errors.New("rows without a model or an engine match too many other rows: name both in " +
			"each row, or split the logs")
	}
	r.pairs++
	other.pairs++
	c.sides[i].tests.pair(r)
	c.sides[1-i].tests.pair(other)
	p := pair{a: r, b: other}
	if i == 1 {
		p.a, p.b = other, r
	}
	differences := p.differences()
	c.totals.pair(p, differences)
	for _, d := range differences {
		if err := c.report(d); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparison) report(d Difference) error {
	c.totals.Kinds[d.Kind]++
	return c.found(d)
}
